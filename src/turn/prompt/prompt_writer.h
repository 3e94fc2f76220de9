// PromptWriter: headings come from here and from nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace alfred {

class PromptWriter {
 public:
  // Leaves an empty section out.
  void section(std::string_view heading, std::string_view body) {
    if (body.empty()) return;
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
  std::string text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace alfred
