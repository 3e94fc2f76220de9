#include "engine/session/past_state.h"

#include "engine/journal/journal.h"

namespace alfred {
namespace {

constexpr std::int64_t kEntries = 200;

// Folds a journal, entry by entry, until the turn is over.
class Past {
 public:
  explicit Past(const std::string& turn) : turn_(turn) {}

  Result<void> take(const JournalEntry& entry) {
    const Result<Changes> changes = read_changes(entry.changes);
    if (!changes) return Unexpected(changes.error());
    for (const Change& change : *changes) {
      if (Result<void> applied = apply_change(state, change); !applied) return applied;
      const auto* started = std::get_if<TurnStarted>(&change);
      has_begun = has_begun || (started != nullptr && started->id == turn_);
      is_over = is_over || (has_begun && std::holds_alternative<TurnEnded>(change));
    }
    return {};
  }

  SessionState state;
  bool has_begun = false;
  bool is_over = false;

 private:
  const std::string& turn_;
};

}  // namespace

Result<SessionState> state_after(Session& session, const std::string& turn) {
  Past past(turn);
  const WorkspaceId& workspace = session.records().workspace().id();
  const auto read = [&](Tx& tx) -> Result<void> {
    std::int64_t place = 0;
    while (!past.is_over) {
      const auto entries = read_journal(tx, workspace, place, kEntries);
      if (!entries) return Unexpected(entries.error());
      if (entries->empty()) return {};
      for (const JournalEntry& entry : *entries) {
        if (past.is_over) return {};
        if (Result<void> taken = past.take(entry); !taken) return taken;
        place = entry.place;
      }
    }
    return {};
  };
  if (Result<void> done = session.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  if (!past.has_begun) return fail(ErrorCode::session, "This session has no such turn.", "turn");
  return std::move(past.state);
}

}  // namespace alfred
