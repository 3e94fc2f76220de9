// A reply held against the ledger.
//
// R1 refs become labels.
// R2 a number of saved, changed or deleted things that is not the ledger's, a deed of the kind that was not done, or a
//    ref that there is not: a mismatch. The reply then ends with what the record says (A21).
// R3 what failed, was not finished or left out always stands at the end; so does what was done, unless the reply names
//    it.
#pragma once

#include <string>
#include <vector>

#include "turn/scene.h"

namespace alfred {

struct CheckedReply {
  std::string text;
  std::vector<std::string> mismatches;  // the claims
};
CheckedReply checked_reply(const Scene& scene, const SummarizeOutput& ledger,
                           std::string_view said);

}  // namespace alfred
