#include "inbox/filter/script/pattern.h"

#include <re2/re2.h>
#include <algorithm>

#include "base/utf8.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMaxPattern = 256;
constexpr std::size_t kMaxValue = 4096;

class Compiled final : public Pattern {
 public:
  Compiled(const std::string& text, const RE2::Options& options) : expression_(text, options) {}
  bool is_in(std::string_view value) const override {
    if (count_code_points(value) > kMaxValue) return false;
    return RE2::PartialMatch(re2::StringPiece(value.data(), value.size()), expression_);
  }
  bool is_good() const { return expression_.ok(); }

 private:
  RE2 expression_;
};

class Never final : public Pattern {
 public:
  bool is_in(std::string_view) const override { return false; }
};

std::string glob_expression(std::string_view glob) {
  std::string out = "(?s)\\A";
  for (std::size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] != '*') {
      const std::size_t size = std::max<std::size_t>(1, utf8_size(glob.substr(i)));
      out += RE2::QuoteMeta(re2::StringPiece(glob.data() + i, size));
      i += size - 1;
      continue;
    }
    const bool is_double = i + 1 < glob.size() && glob[i + 1] == '*';
    out += is_double ? ".*" : "[^/]*";
    if (is_double) ++i;
  }
  return out + "\\z";
}

}  // namespace

Result<std::shared_ptr<const Pattern>> Pattern::compile(Kind kind, std::string_view text) {
  if ((kind == Kind::expression && text.empty()) || count_code_points(text) > kMaxPattern)
    return std::make_shared<Never>();
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  const std::string expression = kind == Kind::glob ? glob_expression(text) : std::string(text);
  auto compiled = std::make_shared<Compiled>(expression, options);
  if (!compiled->is_good())
    return fail(ErrorCode::value,
                "A pattern is not a regular expression of RE2's syntax. Look-around and "
                "back-references are not part of it.",
                "expr");
  return compiled;
}

}  // namespace alfred::inbox
