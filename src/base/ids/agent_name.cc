#include "base/ids/agent_name.h"

#include <fmt/format.h>

#include "alfred/ids.h"
#include "alfred/random.h"
#include "base/ids/agent_words.h"
#include "base/quoted_text.h"
#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::string_view kPrefix = "agt_";
constexpr std::size_t kSuffixSize = 4;

// Two words and a suffix need 8 + 8 + 20 bits: one draw of 64 serves.
std::string name_from_bits(std::uint64_t bits) {
  return fmt::format("{}{}-{}", kPrefix, kAgentAdjectives[bits & 255],
                     kAgentNouns[(bits >> 8) & 255]);
}

bool is_word(std::string_view text) {
  return text.size() >= 3 && text.size() <= 7 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == text.npos;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c <= 0x9f); }

// Unicode's White_Space without the control characters.
bool is_space(char32_t c) {
  return c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

}  // namespace

bool is_generated_agent_name(std::string_view text) {
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  const std::size_t first = text.find('-');
  if (first == text.npos) return false;
  const std::string_view rest = text.substr(first + 1);
  const std::size_t second = rest.find('-');
  if (!is_word(text.substr(0, first)) || !is_word(rest.substr(0, second))) return false;
  if (second == rest.npos) return true;
  const std::string_view suffix = rest.substr(second + 1);
  return suffix.size() == kSuffixSize && suffix.find_first_not_of(kIdAlphabet) == suffix.npos;
}

Result<AgentId> AgentId::parse(std::string_view text) {
  if (text.size() > kMaxAgentIdBytes)
    return fail(ErrorCode::limit, fmt::format("This is too long for an agent id: it has {} bytes, "
                                              "at most {} are allowed. Choose a shorter one.",
                                              text.size(), kMaxAgentIdBytes));
  bool is_blank = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    if (!point)
      return fail(ErrorCode::utf8,
                  fmt::format("{} is no agent id: it is not UTF-8. Send the text "
                              "encoded as UTF-8.",
                              quoted_text(text)),
                  fmt::format("byte {}", at));
    if (is_control(point->value))
      return fail(ErrorCode::id_syntax,
                  fmt::format("{} is no agent id: U+{:04X} is a control character. Leave it out.",
                              quoted_text(text), static_cast<std::uint32_t>(point->value)),
                  fmt::format("byte {}", at));
    is_blank = is_blank && is_space(point->value);
    at += point->size;
  }
  if (is_blank)
    return fail(ErrorCode::id_syntax,
                fmt::format("{} is no agent id: it is blank. Give a text of 1 "
                            "to {} bytes, or none to have a name made.",
                            quoted_text(text), kMaxAgentIdBytes));
  return AgentId(std::string(text));
}

AgentId AgentId::random(Random& random) { return AgentId(name_from_bits(random.next_u64())); }

AgentId AgentId::random_with_suffix(Random& random) {
  const std::uint64_t bits = random.next_u64();
  std::string name = name_from_bits(bits) + '-';
  for (std::size_t i = 0; i < kSuffixSize; ++i) name += kIdAlphabet[(bits >> (16 + 5 * i)) & 31];
  return AgentId(std::move(name));
}

}  // namespace alfred
