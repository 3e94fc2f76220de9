#include "surface/cli/terminal/history_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/files/file.h"
#include "surface/cli/config/paths.h"

namespace alfred::cli {

std::vector<std::string> read_history(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return {};
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) lines.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  const std::size_t found = lines.size();
  if (found <= kHistoryLines) return lines;
  lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kHistoryLines));
  if (found < 2 * kHistoryLines) return lines;
  std::string kept;
  for (const std::string& line : lines) kept += line + "\n";
  // A history that cannot be cut is only long.
  static_cast<void>(write_file_atomically(path, kept).has_value());
  return lines;
}

Result<void> append_history(const std::string& path, std::string line) {
  if (Result<void> made = make_folder_of(path); !made) return made;
  std::replace(line.begin(), line.end(), '\n', ' ');
  const OpenFile file = open_file(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (!file.is_open()) return fail_file("open", path, errno);
  if (!file.write_all(line + "\n")) return fail_file("write", path, errno);
  return {};
}

}  // namespace alfred::cli
