// The only file that includes libedit.
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <iostream>

#include "base/utf8.h"
#include "surface/cli/terminal/history_file.h"
#include "surface/cli/terminal/line_source.h"
#include "surface/cli/terminal/signals.h"

namespace alfred::cli {
namespace {

constexpr int kLookMs = 500;
constexpr wchar_t kRedraw = L'\x1f';  // a key that nobody presses, bound to drawing the line again

// libedit measures what is typed by the locale's characters; nothing else of the locale is taken.
void use_utf8_characters() {
  const char* found = ::setlocale(LC_CTYPE, "");
  const std::string name = found == nullptr ? "" : found;
  if (name.empty() || name == "C" || name == "POSIX") ::setlocale(LC_CTYPE, "C.UTF-8");
}

class EditedLines final : public LineSource {
 public:
  explicit EditedLines(EditorOptions options) : options_(std::move(options)) {
    use_utf8_characters();
    prompt_ =
        options_.is_coloured ? "\1\x1b[1;32m\1" + options_.prompt + "\1\x1b[0m\1" : options_.prompt;
    history_ = ::history_init();
    HistEvent event{};
    ::history(history_, &event, H_SETSIZE, static_cast<int>(kHistoryLines));
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!options_.history_path.empty())
      for (const std::string& line : read_history(options_.history_path))
        ::history(history_, &event, H_ENTER, line.c_str());
    editor_ = ::el_init("alfred", stdin, stdout, stderr);
    ::el_set(editor_, EL_CLIENTDATA, this);
    ::el_set(editor_, EL_PROMPT_ESC, prompt_of, '\1');
    ::el_set(editor_, EL_EDITOR, "emacs");
    ::el_set(editor_, EL_HIST, ::history, history_);
    ::el_set(editor_, EL_SIGNAL, 0);
    ::el_set(editor_, EL_GETCFN, read_character);
    // The narrow call would copy both texts and never free them.
    ::el_wset(editor_, EL_ADDFN, L"alfred-complete", L"Complete a command", complete);
    ::el_set(editor_, EL_BIND, "\t", "alfred-complete", nullptr);
    ::el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    ::el_set(editor_, EL_BIND, "^_", "ed-redisplay", nullptr);
    ::el_source(editor_, nullptr);
  }
  ~EditedLines() override {
    ::el_end(editor_);
    ::history_end(history_);
  }
  EditedLines(const EditedLines&) = delete;
  EditedLines& operator=(const EditedLines&) = delete;

  LineRead next() override {
    LineRead read{LineRead::Kind::line, {}};
    for (is_going_on_ = false;; is_going_on_ = true) {
      std::cout << std::flush;
      ::el_resize(editor_);
      int count = 0;
      const char* line = ::el_gets(editor_, &count);
      if (line == nullptr || count <= 0) return stopped();
      read.text += std::string_view(line, static_cast<std::size_t>(count));
      if (read.text.ends_with('\n')) read.text.pop_back();
      if (!read.text.ends_with('\\')) break;
      read.text.back() = '\n';
    }
    remember(read.text);
    return read;
  }

 private:
  static EditedLines& of(EditLine* editor) {
    void* self = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<EditedLines*>(self);
  }
  static char* prompt_of(EditLine* editor) {
    EditedLines& self = of(editor);
    return self.is_going_on_ ? self.more_.data() : self.prompt_.data();
  }

  // Whether something can be read before news are shown (R5); then the line is to be drawn again.
  bool waits_for_news() {
    if (!options_.has_news) return false;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    for (;;) {
      const int ready = ::poll(&input, 1, kLookMs);
      if (ready > 0 || is_interrupted() || is_end_wanted()) return false;
      if (ready < 0 && errno != EINTR) return false;
      if (ready < 0) ::el_resize(editor_);  // the window changed
      if (!options_.has_news()) continue;
      std::cout << (options_.is_capable ? "\r\x1b[K" : "\n");
      options_.show_news();
      std::cout << std::flush;
      return true;
    }
  }

  // One character of UTF-8; -1 where a signal or the end came instead.
  static int read_character(EditLine* editor, wchar_t* out) {
    std::string bytes;
    while (bytes.size() < 4) {
      char byte = 0;
      if (is_interrupted() || is_end_wanted()) return -1;
      if (bytes.empty() && of(editor).waits_for_news()) {
        *out = kRedraw;
        return 1;
      }
      if (is_interrupted() || is_end_wanted()) return -1;
      const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
      if (got == 0) return 0;
      if (got < 0 && errno == EINTR) {
        if (is_interrupted() || is_end_wanted()) return -1;
        ::el_resize(editor);  // the window changed
        continue;
      }
      if (got < 0) return -1;
      // A Ctrl-D that was pressed before the terminal was ours comes as a NUL.
      if (byte == '\0' && bytes.empty()) {
        const LineInfo* line = ::el_line(editor);
        if (line->lastchar == line->buffer) return 0;
        continue;
      }
      bytes += byte;
      if (const auto point = next_code_point(bytes, 0)) {
        *out = static_cast<wchar_t>(point->value);
        return 1;
      }
      const auto head = static_cast<unsigned char>(bytes[0]);
      if (head < 0xc2 || head > 0xf4) break;
    }
    *out = L'\xfffd';
    return 1;
  }

  static unsigned char complete(EditLine* editor, int /*character*/) {
    const LineInfo* line = ::el_line(editor);
    const std::string_view typed(line->buffer,
                                 static_cast<std::size_t>(line->cursor - line->buffer));
    if (!typed.starts_with('/')) return CC_ERROR;
    const std::string* found = nullptr;
    for (const std::string& one : of(editor).options_.completions) {
      if (!one.starts_with(typed)) continue;
      if (found != nullptr) return CC_ERROR;
      found = &one;
    }
    if (found == nullptr) return CC_ERROR;
    ::el_insertstr(editor, found->substr(typed.size()).c_str());
    return CC_REFRESH;
  }

  static LineRead stopped() {
    std::cout << "\n" << std::flush;
    if (!is_interrupted()) return {};
    clear_interrupt();
    return {LineRead::Kind::interrupted, {}};
  }

  void remember(const std::string& line) {
    if (line.find_first_not_of(" \n") == std::string::npos) return;
    HistEvent event{};
    ::history(history_, &event, H_ENTER, line.c_str());
    // A history that cannot be written is no reason to stop talking.
    if (!options_.history_path.empty())
      static_cast<void>(append_history(options_.history_path, line).has_value());
  }

  EditorOptions options_;
  std::string prompt_;
  std::string more_ = "… ";
  bool is_going_on_ = false;
  History* history_ = nullptr;
  EditLine* editor_ = nullptr;
};

}  // namespace

std::unique_ptr<LineSource> edited_lines(EditorOptions options) {
  return std::make_unique<EditedLines>(std::move(options));
}

}  // namespace alfred::cli
