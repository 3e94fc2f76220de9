// What a session knows, as pages of Markdown for the person it belongs to.
#pragma once

#include <string>

#include "engine/session/session.h"

namespace alfred::cli {

// A text inside of a line or a cell, so that it makes no structure.
std::string markdown_line(std::string_view text);

std::string working_set_page(const Session& session);
std::string plan_page(const Session& session);
std::string batch_page(const Session& session);
Result<std::string> constraints_page(Session& session);

// "step 2 of 3: save the books", for the line of progress.
std::string progress_text(const TurnProgress& progress, const SessionState& state);

}  // namespace alfred::cli
