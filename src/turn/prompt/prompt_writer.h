// PromptWriter: headings come from here and from nowhere else.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace alfred {

class PromptWriter {
 public:
  // Leaves an empty section out.
  void section(std::string_view heading, std::string_view body) {
    if (body.empty()) return;
    make_room(heading.size() + body.size());
    if (!text_.empty()) text_ += "\n";
    text_.append("## ").append(heading).append("\n").append(body);
    if (!body.ends_with('\n')) text_ += "\n";
  }
  // Text without a heading of its own.
  void lines(std::string_view body) {
    if (body.empty()) return;
    if (!text_.empty()) text_ += "\n";
    text_ += body;
    if (!body.ends_with('\n')) text_ += "\n";
  }
  // All of it; nothing is left.
  std::string take() { return std::exchange(text_, {}); }

 private:
  // With some for what follows, so that a long section is not moved by a short one.
  void make_room(std::size_t bytes) {
    constexpr std::size_t kMarks = 8;
    const std::size_t needed = text_.size() + bytes + kMarks;
    if (needed > text_.capacity()) text_.reserve(needed + needed / 4);
  }

  std::string text_;
};

}  // namespace alfred
