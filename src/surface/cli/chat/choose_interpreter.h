// Who speaks: the one place that knows which interpreters there are.
//
// R1 --replay FILE: recorded answers, and nothing else is looked at; another message than the recorded one is
//    warned of.
// R2 else the one that is named (--interpreter, the environment, the configuration).
// R3 else the model where one is set, and the built-in rules where none is.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/record_service.h"
#include "interpreter/interpreter.h"
#include "interpreter/recorded/recorded_answers.h"
#include "surface/cli/chat/reply_preview.h"
#include "surface/cli/config/config.h"

namespace alfred::cli {

struct Speaker {
  std::unique_ptr<Interpreter> interpreter;
  std::string name;                   // for people: "the built-in rules"
  std::string about;                  // one sentence: what it is and what it can do
  std::function<std::string()> cost;  // what was used so far, for /cost; none: nothing is paid
};

struct SpeakerWorld {
  const Config& config;
  const Environment& environment;
  const RecordPlace& place;                         // what is spoken about
  std::string replay{};                             // a file, or empty
  const std::atomic<bool>* is_cancelled = nullptr;  // for one that waits
  OnToken on_token{};                               // for one whose reply comes in pieces
  std::function<void(const std::string&)> warn{};   // what the user is told beside the replies
};

// Errors: usage when nobody can speak; what reading a recording or a key says.
Result<Speaker> choose_interpreter(const SpeakerWorld& world);

// The answers in a file of `chat --record`. Errors: what reading it says, with its path.
Result<std::vector<RecordedAnswer>> read_recording_file(const std::string& path);

// The name of the one that would be chosen without a recording.
std::string interpreter_name(const Config& config, const Environment& environment);

// Asks the configured model something small; what answered. Errors: what ChatHttp says.
Result<std::string> ask_model(const Config& config, const Environment& environment);

}  // namespace alfred::cli
