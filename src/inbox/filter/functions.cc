#include "inbox/filter/functions.h"

#include <algorithm>

namespace alfred::inbox {
namespace {

using Kind = ScriptValue::Kind;

bool contains(const ScriptValue& in, const ScriptValue& what) {
  if (in.kind == Kind::text) return what.kind == Kind::text && has_text(in.text, what.text);
  const JsonArray* const elements = in.array();
  return elements != nullptr &&
         std::any_of(elements->begin(), elements->end(),
                     [&](const Json& one) { return is_deeply_equal(ScriptValue::of(one), what); });
}

Unexpected too_long() {
  return fail(ErrorCode::limit, "The expression makes too long a text on this event.", "expr");
}

// {0} {1} …: the values behind the text; one that is missing is empty.
Result<Called> format(std::span<const ScriptValue> arguments) {
  const std::string text = text_of(arguments[0]);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const bool is_place = end != std::string::npos && end > i + 1 && end <= i + 3 &&
                          text.find_first_not_of("0123456789", i + 1) == end;
    if (!is_place) {
      out += text[i];
      continue;
    }
    const auto at = static_cast<std::size_t>(std::atoi(text.c_str() + i + 1)) + 1;
    if (at < arguments.size() && !arguments[at].is_missing()) out += text_of(arguments[at]);
    if (out.size() > kMaxMadeText) return too_long();
    i = end;
  }
  return Called{false, std::move(out)};
}

Result<Called> join(std::span<const ScriptValue> arguments) {
  const std::string separator = arguments.size() > 1 ? text_of(arguments[1]) : ",";
  const JsonArray* const elements = arguments[0].array();
  std::string out;
  if (elements == nullptr) return Called{false, std::move(out)};
  for (std::size_t i = 0; i < elements->size(); ++i) {
    if (i > 0) out += separator;
    if (const ScriptValue one = ScriptValue::of((*elements)[i]); !one.is_missing())
      out += text_of(one);
    if (out.size() > kMaxMadeText) return too_long();
  }
  return Called{false, std::move(out)};
}

Result<bool> fits(const Node& call, std::span<const ScriptValue> arguments) {
  if (arguments[0].kind != Kind::text || arguments[1].kind != Kind::text) return false;
  if (call.pattern) return call.pattern->is_in(arguments[0].text);
  const auto pattern = Pattern::compile(
      call.function == Function::glob ? Pattern::Kind::glob : Pattern::Kind::expression,
      arguments[1].text);
  if (!pattern) return Unexpected(pattern.error());
  return (*pattern)->is_in(arguments[0].text);
}

}  // namespace

Result<Called> call_function(const Node& call, std::span<const ScriptValue> arguments) {
  const auto texts = [&] {
    return arguments[0].kind == Kind::text && arguments[1].kind == Kind::text;
  };
  switch (call.function) {
    case Function::contains: return Called{contains(arguments[0], arguments[1])};
    case Function::starts_with:
      return Called{texts() && arguments[0].text.starts_with(arguments[1].text)};
    case Function::ends_with:
      return Called{texts() && arguments[0].text.ends_with(arguments[1].text)};
    case Function::format: return format(arguments);
    case Function::join: return join(arguments);
    case Function::exists: return Called{!arguments[0].is_missing()};
    case Function::matches:
    case Function::glob: break;
  }
  const Result<bool> found = fits(call, arguments);
  if (!found) return Unexpected(found.error());
  return Called{*found};
}

}  // namespace alfred::inbox
