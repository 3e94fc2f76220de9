// What a turn did, told by the ledger in labels: the part of a reply that nobody can talk away.
//
// R1 saved, changed, deleted, made but not saved, failed: each with its labels; nothing that did not happen.
// R2 empty when nothing of the kind happened.
// R3 a turn that goes on with an earlier one's plan tells what it did itself.
// R4 a step that never began is told too, unless the turn waits for the user and goes on with it.
// R5 it is for people: how a model was told that its answer cannot be used does not stand there.
#pragma once

#include <string>
#include <vector>

#include "turn/scene.h"

namespace alfred {

enum class StatusKind : std::uint8_t { saved, changed, deleted, unsaved, trouble };
inline bool is_deed(StatusKind kind) { return kind < StatusKind::unsaved; }
struct StatusLine {
  StatusKind kind = StatusKind::trouble;
  std::string text{};                 // "- Saved (1): Emma\n"
  std::vector<std::string> labels{};  // of those it names
};

SummarizeOutput ledger_of(const Scene& scene);
std::vector<StatusLine> status_lines(const Scene& scene, const SummarizeOutput& ledger);
std::string status_block(const Scene& scene, const SummarizeOutput& ledger);

}  // namespace alfred
