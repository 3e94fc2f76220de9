// The journal of a workspace: all that changed in it, in order. Append-only, and chained by hashes,
// so that nobody edits the past unseen (I-23).
//
// R1 an entry is what one transaction of ours changed. Its hash is taken over the hash before it, its place, its
//    time and its bytes; the hash before the first is the workspace's id.
// R2 a byte that was changed, an entry that is missing and two that were swapped break the chain: `corrupt`, with
//    the place in `detail`. Entries missing at the end show when a snapshot or a workspace that is
//    open is ahead of them.
// R3 places are 1, 2, 3…: order, not identity.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/change.h"
#include "storage/store.h"

namespace alfred {

using WorkspaceId = ShortId<IdKind::workspace>;

struct JournalEntry {
  std::int64_t place = 0;
  std::int64_t at_ms = 0;
  std::string changes;  // a JSON array, one object a change
  std::string hash;     // 64 hex digits
};

// Where a journal stands: after the entry of this place.
struct JournalHead {
  std::int64_t place = 0;
  std::string hash;
  friend bool operator==(const JournalHead&, const JournalHead&) = default;
};
JournalHead journal_start(const WorkspaceId& workspace);

// The entry that comes after `head`, hash and all.
JournalEntry next_entry(const JournalHead& head, std::int64_t at_ms, std::string changes);
// Follows the chain from `head` through these; the head after them (R2).
Result<JournalHead> verify(JournalHead head, std::span<const JournalEntry> entries);
// Whether what was followed ends where the journal does.
Result<void> verify_end(const JournalHead& followed, const JournalHead& end);

// `entry` comes after `head`; corrupt when the journal ends elsewhere.
Result<void> append_entry(Tx& tx, const WorkspaceId& workspace, const JournalHead& head,
                          const JournalEntry& entry);
// Where the journal ends, by its workspace's row.
Result<JournalHead> read_head(Tx& tx, const WorkspaceId& workspace);
// Those after the place `from`, in order, at most so many.
Result<std::vector<JournalEntry>> read_journal(
    Tx& tx, const WorkspaceId& workspace, std::int64_t from,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());
// The whole chain from its start to where it ends, in pages.
Result<JournalHead> verify_journal(Tx& tx, const WorkspaceId& workspace);

std::string write_changes(const Changes& changes);
Result<Changes> read_changes(std::string_view text);

}  // namespace alfred
