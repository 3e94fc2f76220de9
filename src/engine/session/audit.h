// What people look at a session by: its turns, everything of it as one document, and the sweep that
// tells whether anything in it gives a key away or was changed afterwards.
//
// R1 audit: the journal's chain holds from its first entry; no recorded prompt, tool result or reply shows a key
//    that the session knew by then, a piece of one, a uuid or a secret; nor does a message or the
//    journal hold a secret.
// R3 what is stored beside the journal is what the journal says: prompts (since they are vouched for there), messages,
//    replies, how turns ended, the snapshot. Something that is missing, or that the journal does
//    not name, is found.
// R2 a finding names turn and record, never the text.
#pragma once

#include <string>
#include <vector>

#include "engine/journal/journal.h"
#include "engine/session/session.h"

namespace alfred {

struct AuditFinding {
  std::int64_t turn = 0;
  std::string record{};  // prm_…, trn_…, "call 3", "entry 12" or "the snapshot"
  std::string what{};
};
struct AuditReport {
  std::int64_t entries = 0;
  std::int64_t prompts = 0;
  std::int64_t results = 0;
  std::int64_t replies = 0;
  std::vector<AuditFinding> findings{};
};

// Error: corrupt when the chain is broken.
Result<AuditReport> audit(Session& session);

// {"session":{…},"turns":[…],"journal":[…],"prompts":[…],"state":{…}}, all in refs.
Result<Json> export_session(Session& session);

// The parts of it: all in refs, nothing of keys.
Json turn_json(const TurnRecord& turn);
Json prompt_json(const PromptRecord& prompt);
Json journal_entry_json(const JournalEntry& entry);

// One page of the user's sessions, the last used first.
Result<SessionPage> sessions_of(RecordPlace& place, std::int64_t most, std::string_view cursor);

// Turns with their messages and replies.
Result<std::vector<TurnRecord>> turns_of(Session& session);

}  // namespace alfred
