#include "context/prompt_guard.h"

#include <charconv>

namespace alfred {
namespace {

constexpr std::size_t kSecretBytes = 8;  // what is shorter stands in ordinary texts

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
              "Nothing was sent to the model: the " + std::string(what) + " would have shown " +
                  std::string(kind) + ".",
              {},
              {},
              "in " + section};
  return Unexpected(std::move(error));
}

}  // namespace

PromptGuard::PromptGuard(const RefRegistry& registry, std::vector<std::string> secrets,
                         const OwnWords* own_words)
    : registry_(registry),
      pieces_(registry.keys()),
      secrets_(std::move(secrets)),
      own_words_(own_words) {
  std::erase_if(secrets_, [](const std::string& secret) { return secret.size() < kSecretBytes; });
}

std::string without_secrets(std::string_view text, std::span<const std::string> secrets) {
  constexpr std::string_view kMark = "[secret]";
  std::string out(text);
  for (const std::string& secret : secrets) {
    if (secret.size() < kSecretBytes) continue;
    for (std::size_t at = out.find(secret); at != std::string::npos;
         at = out.find(secret, at + kMark.size()))
      out.replace(at, secret.size(), kMark);
  }
  return out;
}

namespace {

// The span without the letter that belongs to a line's end or a tab before it, as JSON writes them.
std::string_view word_of(std::string_view text, const TextSpan& span) {
  const std::string_view word = text.substr(span.from, span.upto - span.from);
  const bool is_escaped = span.from > 0 && text[span.from - 1] == '\\' &&
                          std::string_view("nrt").find(word.front()) != std::string_view::npos;
  return is_escaped ? word.substr(1) : word;
}

}  // namespace

bool PromptGuard::is_ours(std::string_view word) const {
  return is_issued_literal(registry_, word) || registry_.find(word) != kNoEntity ||
         registry_.find_type(word) || (own_words_ != nullptr && own_words_->contains(word));
}

Result<void> PromptGuard::check(std::string_view text, std::string_view what) {
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces_, spans);
  for (const TextSpan& span : spans)
    if (!is_ours(word_of(text, span)))
      return refused(what, "a database key", section_at(text, span.from));
  for (const std::string& secret : secrets_)
    if (const std::size_t at = text.find(secret); at != std::string_view::npos)
      return refused(what, "a secret", section_at(text, at));
  return {};
}

}  // namespace alfred
