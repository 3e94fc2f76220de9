#include "context/prompt_guard.h"

#include <charconv>

namespace alfred {
namespace {

bool is_issued_literal(const RefRegistry& registry, std::string_view word) {
  constexpr std::string_view kPrefix = "lit_";
  if (!word.starts_with(kPrefix)) return false;
  word.remove_prefix(kPrefix.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() && number > 0 &&
         number <= registry.literals().size();
}

// The heading that the text at this place stands under.
std::string section_at(std::string_view text, std::size_t at) {
  const std::size_t heading = text.substr(0, at).rfind("\n## ");
  if (heading == std::string_view::npos) return "its beginning";
  const std::size_t from = heading + 4;
  const std::size_t end = text.find('\n', from);
  return "\"" + std::string(text.substr(from, std::min<std::size_t>(end - from, 60))) + "\"";
}

Unexpected refused(std::string_view what, std::string_view kind, const std::string& section) {
  Error error{ErrorCode::bug,
              "The " + std::string(what) + " was not sent: it would have shown " +
                  std::string(kind) + ".",
              {},
              {},
              "in " + section};
  return Unexpected(std::move(error));
}

}  // namespace

PromptGuard::PromptGuard(const RefRegistry& registry, std::vector<std::string> secrets)
    : registry_(registry), pieces_(registry.keys()), secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](const std::string& secret) { return secret.size() < 8; });
}

Result<void> PromptGuard::check(std::string_view text, std::string_view what) {
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces_, spans);
  for (const TextSpan& span : spans)
    if (!is_issued_literal(registry_, text.substr(span.from, span.upto - span.from)))
      return refused(what, "a database key", section_at(text, span.from));
  for (const std::string& secret : secrets_)
    if (const std::size_t at = text.find(secret); at != std::string_view::npos)
      return refused(what, "a secret", section_at(text, at));
  return {};
}

}  // namespace alfred
