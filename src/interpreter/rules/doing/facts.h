// An ask's facts, by name: what the interpreter goes by, and nothing else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contracts/ask.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

struct MentionFact {
  std::string raw_text{};
  std::string type{};
  std::vector<std::string> refs{};    // who is meant
  std::vector<std::string> labels{};  // their names
  bool is_sure = true;                // false: found by search only
};

struct ResumedFact {
  std::string type{};  // propose, clarify, ask_user, disambiguate
  std::string message{};
  std::string context{};
  std::vector<std::string> candidates{};  // labels
};

struct CallFact {
  std::string tool{};
  JsonObject params{};
  const JsonObject* answer = nullptr;  // null: refused
  std::string error{};
};

struct StepFact {
  std::string type{};
  std::string status{};
  std::string answer{};  // what the user said to its question
  std::string say{};     // what it has to say for itself
  std::vector<CallFact> calls{};

  // The rows that its reads brought.
  std::vector<const JsonObject*> rows() const;
};

struct ArtifactFact {
  std::string ref{};
  std::string type{};
  std::string label{};
  const JsonObject* content = nullptr;
  std::int64_t turn = 0;  // of its last change
};

// What was answered in a turn before: whole in the last one, in short before that.
struct SaidTurn {
  std::uint32_t turn = 0;
  std::string reply{};
};

struct Facts {
  std::string message{};
  std::uint32_t turn = 0;
  std::vector<SaidTurn> talk{};       // the oldest first
  std::string story{};                // what was said before these
  std::vector<std::string> thread{};  // what was said before to the same end, oldest first
  Now now{};
  std::vector<Known> known{};
  std::vector<MentionFact> mentions{};
  std::optional<ResumedFact> resumed{};
  std::vector<StepFact> steps{};
  std::vector<ArtifactFact> artifacts{};
  std::vector<Constraint> constraints{};
  std::vector<Constraint> permanent{};  // those of them that always hold
  bool has_goal = false;
  std::string previous{};                    // the user's message before this one
  JsonObject kept{};                         // by the turn before: how far a list went
  std::vector<std::string> last_tables{};    // what the turn before was about
  std::string previous_reply{};              // what was said to it
  std::string status{};                      // what the ledger says
  std::string question{};                    // what the user is asked …
  std::vector<std::string> choices{};        // … and what from
  std::vector<std::string> pending_items{};  // of the step's batch
  std::vector<std::string> shown{};          // rows that turns before have shown

  static Facts read(const Json& facts);
  // Who is meant by these words; null: nobody was found.
  const MentionFact* mention(std::string_view raw_text, std::string_view type) const;
};

}  // namespace alfred::rules
