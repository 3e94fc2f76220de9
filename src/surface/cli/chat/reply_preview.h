// The end of a reply that is still coming, on the line of progress, until it is whole and checked
// and can be shown in full.
#pragma once

#include <functional>
#include <string_view>

#include "contracts/ask.h"
#include "surface/cli/chat/screen.h"

namespace alfred::cli {

// For an interpreter that gives its reply piece by piece. The screen must outlive it.
using OnToken = std::function<void(const Ask& ask, std::string_view piece)>;
OnToken reply_preview(Screen& screen);

}  // namespace alfred::cli
