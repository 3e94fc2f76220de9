// The lines a person typed before, in a file for their eyes only.
#pragma once

#include <string>
#include <vector>

#include "alfred/error.h"

namespace alfred::cli {

inline constexpr std::size_t kHistoryLines = 1000;

// The last lines, oldest first; none where there is no file. A file that grew to twice the number
// is cut.
std::vector<std::string> read_history(const std::string& path);
// Adds a line at the end; the file has mode 0600 and its folder is made.
Result<void> append_history(const std::string& path, std::string line);

}  // namespace alfred::cli
