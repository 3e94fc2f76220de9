// Replay: a recorded session comes out again from its journal, byte for byte, or it is said where
// it does not.
//
// The journal holds what came from outside (messages, answers, outcomes of calls and what they did
// to refs and batches) and what the machine made of it. Replay gives a new machine the former and
// compares the latter: every change, and every prompt that went out.
//
// R1 nothing is written, no model is asked and no row is touched.
// R2 the first difference ends it: turn, what was recorded and what comes out now.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "turn/turn.h"

namespace alfred {

// A prompt as it went out.
struct SentPrompt {
  std::string system{};
  std::string user{};
  std::string schema{};  // canonical JSON
  std::string facts{};
  friend bool operator==(const SentPrompt&, const SentPrompt&) = default;
};
SentPrompt sent_prompt(const Ask& ask);

struct Recording {
  std::vector<Changes> entries{};  // of the journal, from its beginning
  // What the user wrote, before anything was masked, by the turn's id.
  std::function<std::optional<std::string>(std::string_view turn)> message{};
  std::function<std::optional<SentPrompt>(std::string_view prompt)> prompt{};
};

struct ReplayReport {
  std::uint32_t turns = 0;
  std::uint32_t changes = 0;
  std::uint32_t prompts = 0;
};

// Turns after `last_turn` are not looked at; 0: all are. Errors: replay, with the difference in
// `detail`; corrupt; value when there is no such turn.
Result<ReplayReport> replay(const Recording& recording, const TurnWorld& world,
                            std::uint32_t last_turn = 0);

}  // namespace alfred
