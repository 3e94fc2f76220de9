// What a turn did, told by the ledger in labels: the part of a reply that nobody can talk away.
//
// R1 saved, changed, deleted, made but not saved, failed: each with its labels; nothing that did not happen.
// R2 empty when nothing of the kind happened.
// R3 a turn that goes on with an earlier one's plan tells what it did itself.
#pragma once

#include <string>
#include <vector>

#include "turn/scene.h"

namespace alfred {

enum class StatusKind : std::uint8_t { done, unsaved, trouble };
struct StatusLine {
  StatusKind kind = StatusKind::done;
  std::string text{};                 // "- Saved (1): Emma\n"
  std::vector<std::string> labels{};  // of those it names
};

SummarizeOutput ledger_of(const Scene& scene);
std::vector<StatusLine> status_lines(const Scene& scene, const SummarizeOutput& ledger);
std::string status_block(const Scene& scene, const SummarizeOutput& ledger);

}  // namespace alfred
