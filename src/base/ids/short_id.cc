#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "alfred/random.h"
#include "base/ids/id_kinds.h"
#include "base/quoted_text.h"

namespace alfred {
namespace {

constexpr std::size_t kTokenStart = kShortIdSize - kIdTokenSize;

// Two characters for every 10 bits: six independent loads per token instead of a chain of twelve,
// and no bias, since 1024 divides 2^60. The first character is the low byte.
constexpr auto kPairs = [] {
  std::array<std::uint16_t, 1024> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = static_cast<std::uint16_t>(kIdAlphabet[i >> 5] | kIdAlphabet[i & 31] << 8);
  return pairs;
}();

std::uint64_t pair_at(std::uint64_t bits, int pair) { return kPairs[(bits >> (10 * pair)) & 1023]; }

constexpr auto kPrefixWords = [] {
  std::array<std::uint64_t, kIdKinds.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view prefix = kIdKinds[i].prefix;
    words[i] = static_cast<std::uint64_t>(prefix[0] | prefix[1] << 8 | prefix[2] << 16 | '_' << 24);
  }
  return words;
}();

std::string_view text_of_prefix(std::string_view text) {
  return text.size() >= kTokenStart && text[kTokenStart - 1] == '_'
             ? text.substr(0, kTokenStart - 1)
             : std::string_view();
}

// What is wrong with a text as an id of this kind; empty when nothing is.
std::string fault_of(const IdKindRow& row, std::string_view text) {
  const std::string_view prefix = text_of_prefix(text);
  if (prefix != row.prefix) {
    for (const IdKindRow& other : id_kinds())
      if (prefix == other.prefix)
        return fmt::format("it has the prefix of the kind {}", other.name);
    return "its prefix is another";
  }
  const std::string_view token = text.substr(kTokenStart);
  if (token.size() != kIdTokenSize)
    return fmt::format("it has {} characters after the prefix", token.size());
  const std::size_t wrong = token.find_first_not_of(kIdAlphabet);
  if (wrong != token.npos)
    return fmt::format("character {} is not one of them", kTokenStart + wrong + 1);
  return {};
}

std::string form_of(const IdKindRow& row) {
  return fmt::format("{}_ followed by {} characters of {}", row.prefix, kIdTokenSize, kIdAlphabet);
}

// Put together in two registers: characters stored one by one and then copied as words would wait
// for the stores, which cost more than all the rest.
ShortIdText text_from_bits(IdKind kind, std::uint64_t bits) {
  std::array<std::uint64_t, 2> words{
      kPrefixWords[static_cast<std::size_t>(kind)] | pair_at(bits, 0) << 32 |
          pair_at(bits, 1) << 48,
      pair_at(bits, 2) | pair_at(bits, 3) << 16 | pair_at(bits, 4) << 32 | pair_at(bits, 5) << 48};
  if constexpr (std::endian::native == std::endian::big)
    for (std::uint64_t& word : words) word = __builtin_bswap64(word);
  return std::bit_cast<ShortIdText>(words);
}

}  // namespace

Result<ShortIdText> parse_short_id_text(IdKind kind, std::string_view text) {
  const IdKindRow& row = id_kind_row(kind);
  const std::string fault = fault_of(row, text);
  if (!fault.empty())
    return fail(ErrorCode::id_syntax,
                fmt::format("{} is no id of the kind {}: {}. Expected {}.", quoted_text(text),
                            row.name, fault, form_of(row)));
  ShortIdText out;
  std::memcpy(out.data(), text.data(), out.size());
  return out;
}

ShortIdText new_short_id_text(IdKind kind, Random& random) {
  return text_from_bits(kind, random.next_u64());
}

ShortIdText new_short_id_text(IdKind kind) {
  OsRandom random;
  return text_from_bits(kind, random.next_u64());
}

}  // namespace alfred
