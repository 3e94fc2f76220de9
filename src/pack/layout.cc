#include "pack/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace alfred {
namespace {

// Calls `text` with what stands between braces and `name` with every name inside them.
template <class Text, class Name>
Result<void> walk(std::string_view pattern, const Text& text, const Name& name) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::schema,
                fmt::format("\"{}\" {}. A field stands in braces: {{name}}, {{a+b}} for a sum, "
                            "{{name?word}} for a word where it is true.",
                            pattern, what));
  };
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find_first_of("{}", at);
    text(pattern.substr(at, open - at));
    if (open == std::string_view::npos) return {};
    if (pattern[open] == '}') return wrong("closes a brace that was not opened");
    const std::size_t close = pattern.find_first_of("{}", open + 1);
    if (close == std::string_view::npos || pattern[close] == '{')
      return wrong("has a brace that is not closed");
    text("{");
    const std::size_t end = std::min(pattern.find('?', open), close);
    for (std::size_t from = open + 1; from <= end;) {
      const std::size_t to = std::min(pattern.find('+', from), end);
      if (to == from) return wrong("has braces without a name");
      if (from != open + 1) text("+");
      name(pattern.substr(from, to - from));
      from = to + 1;
    }
    if (end + 1 == close) return wrong("has a ? without a word");
    text(pattern.substr(end, close - end));
    text("}");
    at = close + 1;
  }
  return {};
}

}  // namespace

const Json* find_member(const JsonObject& row, std::string_view names) {
  while (true) {
    const std::size_t slash = names.find('/');
    const Json* found = row.if_contains(names.substr(0, slash));
    if (found != nullptr && !found->is_null()) return found;
    if (slash == std::string_view::npos) return nullptr;
    names.remove_prefix(slash + 1);
  }
}

Result<std::vector<std::vector<std::string>>> names_in(std::string_view pattern) {
  std::vector<std::vector<std::string>> names;
  const Result<void> ok = walk(
      pattern,
      [&](std::string_view text) {
        if (text == "{") names.emplace_back();
      },
      [&](std::string_view name) { names.back().emplace_back(name); });
  if (!ok) return Unexpected(ok.error());
  return names;
}

std::string with_names(std::string_view pattern,
                       const std::function<std::string(std::string_view)>& rename) {
  std::string out;
  const Result<void> ok = walk(
      pattern, [&](std::string_view text) { out += text; },
      [&](std::string_view name) { out += rename(name); });
  return ok ? out : std::string(pattern);
}

}  // namespace alfred
