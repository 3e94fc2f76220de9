#include "surface/cli/chat/reply_preview.h"

#include "surface/cli/terminal/display_width.h"
#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

constexpr std::size_t kColumns = 60;
constexpr std::size_t kKeptBytes = 4 * kColumns;

// The last columns of a text, on one line.
std::string tail_of(const std::string& text) {
  const std::string line = terminal_line(text);
  std::string_view rest = line;
  for (std::size_t width = display_width(rest); width > kColumns;) {
    const Glyph glyph = first_glyph(rest);
    width -= glyph.columns;
    rest.remove_prefix(glyph.bytes);
  }
  return std::string(rest);
}

}  // namespace

OnToken reply_preview(Screen& screen) {
  struct Coming {
    std::uint32_t ask = 0;
    std::uint32_t attempt = 0;
    std::string text{};
  };
  return [&screen, coming = Coming()](const Ask& ask, std::string_view piece) mutable {
    if (coming.ask != ask.id || coming.attempt != ask.attempt) coming = {ask.id, ask.attempt, {}};
    coming.text += piece;
    // What has left the line is forgotten, whole characters at a time.
    if (coming.text.size() > 2 * kKeptBytes) {
      std::size_t begin = coming.text.size() - kKeptBytes;
      while (begin < coming.text.size() && (coming.text[begin] & 0xc0) == 0x80) ++begin;
      coming.text.erase(0, begin);
    }
    screen.progress(tail_of(coming.text));
  };
}

}  // namespace alfred::cli
