// What a turn was made of, from the journal and the stored prompts: why it came out as it did, what
// the model saw, and what was said.
//
// R1 the story is the journal's: it is the same after a restart, and for a turn that was cut off.
// R2 a prompt is shown exactly as it went out.
#pragma once

#include <string>
#include <vector>

#include "engine/session/session.h"
#include "interpreter/interpreter.h"

namespace alfred::cli {

// The last turn: understood, meant, decided, planned, called, changed. Markdown.
// And how the message was read, where who speaks can tell.
Result<std::string> why_page(Session& session, Interpreter* speaker = nullptr);

// The prompts of the last turn, whole, in the order they went out; only those of `node` where one
// is named. Error: usage when there is no such node.
Result<std::string> prompt_text(Session& session, const std::string& node);

struct PromptsShown {
  std::size_t prompts = 0;
  std::size_t tokens = 0;  // by the declared estimator
};
Result<PromptsShown> prompts_of_last_turn(Session& session);

// The conversation as a page of Markdown, for a file.
Result<std::string> conversation_page(Session& session);

}  // namespace alfred::cli
