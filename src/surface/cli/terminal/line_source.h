// Where lines come from: a person at a terminal, or a stream.
//
// R1 at a terminal a line can be edited, earlier ones come back (kept in a file of mode 0600), and Tab completes
//    commands.
// R2 Ctrl-C clears the line that is being typed; Ctrl-D on an empty line is the end.
// R3 a line that ends in \ goes on with the next.
// R4 the history has at most 1000 lines; several programs may add to it.
// R5 what comes while a line is being typed is shown above it; what was typed stays.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace alfred::cli {

struct LineRead {
  enum class Kind : std::uint8_t { line, interrupted, end };
  Kind kind = Kind::end;
  std::string text{};
};

class LineSource {
 public:
  virtual ~LineSource() = default;
  virtual LineRead next() = 0;
};

std::unique_ptr<LineSource> stream_lines(std::istream& in);

struct EditorOptions {
  std::string prompt = "> ";
  bool is_coloured = false;
  std::string history_path{};              // empty: none is kept
  std::vector<std::string> completions{};  // commands that Tab knows
  bool is_capable = true;                  // lines can be wiped
  // Looked at while nothing is typed: what there is to show is shown above the line (R5).
  std::function<bool()> has_news{};
  std::function<void()> show_news{};
};
// On standard input and output.
std::unique_ptr<LineSource> edited_lines(EditorOptions options);

}  // namespace alfred::cli
