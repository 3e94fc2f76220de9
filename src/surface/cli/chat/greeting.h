// The first words: all of it the first time, one line afterwards.
#pragma once

#include <string>

#include "surface/cli/chat/dialogue.h"

namespace alfred::cli {

// Markdown: what Alfred is, who speaks, what to try, how to use a model.
std::string first_greeting(const Pack& pack, const Speaker& speaker);
// One line: which session goes on and who speaks.
std::string short_greeting(const Session& session, const Speaker& speaker);

}  // namespace alfred::cli
