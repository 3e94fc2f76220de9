// What comes out of a conversation, for a person at a terminal, as plain text, or as events for a
// program.
//
// R1 a terminal gets Markdown rendered to its width, and one line of progress that is wiped before anything else.
// R2 plain text: replies as they were written and nothing else on the output; notes go to the error stream.
// R3 events: one JSON object a line, nothing else on the output.
// R4 nothing from outside is obeyed by a terminal: all of it went through terminal_text(), or is JSON.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/feed/turn_feed.h"
#include "surface/cli/command.h"
#include "surface/cli/terminal/markdown.h"

namespace alfred::cli {

class Screen {
 public:
  virtual ~Screen() = default;
  // A short line of ours, such as what became of a turn.
  virtual void note(std::string_view text) = 0;
  // A page that was asked for: the answer to a command.
  virtual void page(std::string_view markdown) = 0;
  // The same, not rendered: what is to be seen exactly.
  virtual void exact(std::string_view text) = 0;
  virtual void progress(std::string_view /*text*/) {}
  virtual void changes(EventWriter& /*writer*/, const Changes& /*changes*/) {}
  virtual void reply(std::string_view markdown) = 0;
  virtual void error(const Error& error) = 0;
  // Before lines are read again.
  virtual void settle() {}
};

struct ScreenOptions {
  std::function<std::size_t()> columns{};  // as the window is now
  Colours colours = Colours::off;
  bool has_progress = false;
};
std::unique_ptr<Screen> terminal_screen(const Streams& streams, ScreenOptions options);
std::unique_ptr<Screen> plain_screen(const Streams& streams);
std::unique_ptr<Screen> event_screen(const Streams& streams);

}  // namespace alfred::cli
