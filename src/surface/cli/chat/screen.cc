#include "surface/cli/chat/screen.h"

#include <algorithm>
#include <ostream>

#include "surface/cli/terminal/display_width.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

constexpr std::size_t kTextWidth = 100;  // longer lines are hard to read
constexpr std::string_view kWipe = "\r\x1b[2K";

std::string with_line_end(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

Error shown(Error error) {
  error.message = terminal_line(error.message);
  error.path = terminal_line(error.path);
  error.detail = terminal_line(error.detail);
  for (std::string& one : error.allowed) one = terminal_line(one);
  return error;
}

class TerminalScreen final : public Screen {
 public:
  TerminalScreen(const Streams& streams, ScreenOptions options)
      : out_(streams.out), options_(std::move(options)) {}

  void note(std::string_view text) override {
    wipe();
    out_ << dim(terminal_text(text)) << "\n" << std::flush;
  }
  void page(std::string_view markdown) override {
    wipe();
    out_ << render_markdown(markdown, format()) << std::flush;
  }
  void exact(std::string_view text) override {
    wipe();
    out_ << with_line_end(terminal_text(text)) << std::flush;
  }
  void progress(std::string_view text) override {
    if (!options_.has_progress) return;
    wipe();
    out_ << dim(cut_to_width(terminal_line(text), format().columns - 1)) << std::flush;
    is_dirty_ = true;
  }
  void reply(std::string_view markdown) override {
    wipe();
    out_ << "\n" << render_markdown(markdown, format()) << "\n" << std::flush;
  }
  void error(const Error& error) override {
    wipe();
    report(shown(error), out_);
    out_ << std::flush;
  }
  void settle() override { wipe(); }

 private:
  PageFormat format() const { return {std::min(options_.columns(), kTextWidth), options_.colours}; }
  void wipe() {
    if (is_dirty_) out_ << kWipe << std::flush;
    is_dirty_ = false;
  }
  std::string dim(std::string_view text) const {
    if (options_.colours == Colours::off) return std::string(text);
    return "\x1b[2m" + std::string(text) + "\x1b[22m";
  }

  std::ostream& out_;
  ScreenOptions options_;
  bool is_dirty_ = false;  // a line of progress stands there
};

class PlainScreen final : public Screen {
 public:
  explicit PlainScreen(const Streams& streams) : out_(streams.out), err_(streams.err) {}
  void note(std::string_view text) override { err_ << terminal_text(text) << "\n" << std::flush; }
  void page(std::string_view markdown) override {
    out_ << render_markdown(markdown, {kTextWidth, Colours::off}) << std::flush;
  }
  void exact(std::string_view text) override {
    out_ << with_line_end(terminal_text(text)) << std::flush;
  }
  void reply(std::string_view markdown) override { exact(markdown); }
  void error(const Error& error) override {
    report(shown(error), err_);
    err_ << std::flush;
  }

 private:
  std::ostream& out_;
  std::ostream& err_;
};

class EventScreen final : public Screen {
 public:
  explicit EventScreen(const Streams& streams) : out_(streams.out), err_(streams.err) {}
  void note(std::string_view text) override { err_ << terminal_text(text) << "\n" << std::flush; }
  void page(std::string_view /*markdown*/) override {}
  void exact(std::string_view /*text*/) override {}
  void changes(EventWriter& writer, const Changes& changes) override {
    for (const Json& event : writer.events_of(changes)) out_ << write_json(event) << "\n";
    out_ << std::flush;
  }
  void reply(std::string_view /*markdown*/) override {}  // among the changes
  void error(const Error& error) override {
    out_ << write_json(error_event(error)) << "\n" << std::flush;
  }

 private:
  std::ostream& out_;
  std::ostream& err_;
};

}  // namespace

std::unique_ptr<Screen> terminal_screen(const Streams& streams, ScreenOptions options) {
  return std::make_unique<TerminalScreen>(streams, std::move(options));
}
std::unique_ptr<Screen> plain_screen(const Streams& streams) {
  return std::make_unique<PlainScreen>(streams);
}
std::unique_ptr<Screen> event_screen(const Streams& streams) {
  return std::make_unique<EventScreen>(streams);
}

}  // namespace alfred::cli
