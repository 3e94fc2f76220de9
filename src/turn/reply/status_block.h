// What a turn did, told by the ledger in labels: the part of a reply that nobody can talk away.
//
// R1 saved, changed, deleted, made but not saved, failed: each with its labels; nothing that did not happen.
// R2 empty when nothing of the kind happened.
// R3 a reply that names a number or a ref the ledger does not have gets a correction (A21).
#pragma once

#include <string>
#include <vector>

#include "turn/scene.h"

namespace alfred {

SummarizeOutput ledger_of(const Scene& scene);
std::string status_block(const Scene& scene, const SummarizeOutput& ledger);

// The reply as the user gets it: refs as labels, and what contradicts the ledger corrected.
struct CheckedReply {
  std::string text;
  std::vector<std::string> mismatches;
};
CheckedReply checked_reply(const Scene& scene, const SummarizeOutput& ledger,
                           std::string_view said);

}  // namespace alfred
