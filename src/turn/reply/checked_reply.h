// A reply held against the ledger.
//
// R1 refs become labels; words with a ref's form that are none do not stay.
// R2 a number of saved, changed or deleted things that is not the ledger's, a deed of the kind that was not done, or a
//    ref that there is not: a mismatch. The reply then ends with what the record says (A21). Words
//    of a name that has several are none, since the seventh edition.
// R3 what failed, was not begun, not finished or left out stands at the end unless the reply says it word for word; so
//    does what was done, unless the reply says just that of each by its whole label (told_deeds.h),
//    and what was assumed, unless the reply says it.
// R4 a summary that claims what the ledger does not have is a false one.
// R5 where a write step ended and nothing was written, the reply ends with that unless it says so; where the reply tells
//    of a deed that the ledger does not have, all of the record stands at its end.
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
// R4.
bool is_true_summary(const Scene& scene, const SummarizeOutput& ledger, std::string_view told);

}  // namespace alfred
