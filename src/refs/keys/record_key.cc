#include "refs/keys/record_key.h"

#include <array>
#include <bit>
#include <cstring>

namespace alfred {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101ULL;

// The two digits of every byte: a row that is written has its keys spelled several times.
constexpr std::array<std::array<char, 2>, 256> kHexPairs = [] {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kDigits[i >> 4], kDigits[i & 15]};
  return pairs;
}();

std::uint64_t load_big_endian(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  return word;
}

// Eight lower-case hex digits, most significant first, to 32 bits. bad collects a non-zero value
// when one of the eight is no such digit. Works on all eight bytes at once, without SIMD.
std::uint64_t hex8(std::uint64_t text, std::uint64_t& bad) {
  const std::uint64_t high_bits = text & (0x80 * kOnes);
  const std::uint64_t ascii = text & (0x7f * kOnes);
  // A byte's top bit tells whether ascii + (128 - limit) carried into it: ascii >= limit.
  const std::uint64_t from_0 = ascii + (0x80 - '0') * kOnes;
  const std::uint64_t past_9 = ascii + (0x80 - '9' - 1) * kOnes;
  const std::uint64_t from_a = ascii + (0x80 - 'a') * kOnes;
  const std::uint64_t past_f = ascii + (0x80 - 'f' - 1) * kOnes;
  const std::uint64_t is_hex = (from_0 & ~past_9) | (from_a & ~past_f);
  bad |= high_bits | (~is_hex & (0x80 * kOnes));
  const std::uint64_t letters = (ascii >> 6) & kOnes;
  std::uint64_t nibbles = (ascii & (0x0f * kOnes)) + letters * 9;
  nibbles = (nibbles | (nibbles >> 4)) & 0x00ff00ff00ff00ffULL;
  nibbles = (nibbles | (nibbles >> 8)) & 0x0000ffff0000ffffULL;
  return (nibbles | (nibbles >> 16)) & 0xffffffffULL;
}

// A composite's encoding: for each part its kind, the length of what follows, and that.
void append_part(std::string& out, KeyKind kind, std::string_view content) {
  out.push_back(static_cast<char>(kind));
  const auto size = static_cast<std::uint32_t>(content.size());
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(content);
}

}  // namespace

bool plain_read_canonical_uuid(const char* text, UuidBits& bits) {
  if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') return false;
  char middle[16];  // the three groups of four and the first four of the last group
  std::memcpy(middle, text + 9, 4);
  std::memcpy(middle + 4, text + 14, 4);
  std::memcpy(middle + 8, text + 19, 4);
  std::memcpy(middle + 12, text + 24, 4);
  std::uint64_t bad = 0;
  const std::uint64_t first = hex8(load_big_endian(text), bad);
  const std::uint64_t second = hex8(load_big_endian(middle), bad);
  const std::uint64_t third = hex8(load_big_endian(middle + 8), bad);
  const std::uint64_t fourth = hex8(load_big_endian(text + 28), bad);
  bits = {first << 32 | second, third << 32 | fourth};
  return bad == 0;
}

std::string uuid_text(UuidBits bits, KeyDoor) {
  std::array<char, 36> out;
  const auto write = [&out](std::size_t at, std::uint64_t half, int from_bit, int bytes) {
    for (int i = 0; i < bytes; ++i)
      std::memcpy(out.data() + at + 2 * static_cast<std::size_t>(i),
                  kHexPairs[(half >> (from_bit - 8 * i)) & 0xff].data(), 2);
  };
  write(0, bits.high, 56, 4);
  write(9, bits.high, 24, 2);
  write(14, bits.high, 8, 2);
  write(19, bits.low, 56, 2);
  write(24, bits.low, 40, 6);
  out[8] = out[13] = out[18] = out[23] = '-';
  return {out.data(), out.size()};
}

RecordKey::RecordKey(const KeyView& view)
    : kind_(view.kind_), bits_(view.bits_), bytes_(view.bytes_) {}

RecordKey RecordKey::from_text(std::string_view value) {
  UuidBits bits;
  if (value.size() == 36 && read_canonical_uuid(value.data(), bits)) return uuid(bits);
  return text(value);
}

RecordKey RecordKey::composite(std::span<const RecordKey> parts) {
  RecordKey key = text({});
  key.kind_ = KeyKind::composite;
  for (const RecordKey& part : parts) {
    if (part.kind_ == KeyKind::text)
      append_part(key.bytes_, part.kind_, part.bytes_);
    else
      append_part(key.bytes_, part.kind_,
                  {reinterpret_cast<const char*>(&part.bits_), sizeof part.bits_});
  }
  return key;
}

std::vector<RecordKey> RecordKey::parts() const {
  if (kind_ != KeyKind::composite) return {*this};
  std::vector<RecordKey> parts;
  for (std::size_t at = 0; at < bytes_.size();) {
    const auto kind = static_cast<KeyKind>(bytes_[at]);
    std::uint32_t size;
    std::memcpy(&size, bytes_.data() + at + 1, sizeof size);
    const std::string_view content = std::string_view(bytes_).substr(at + 1 + sizeof size, size);
    at += 1 + sizeof size + size;
    if (kind == KeyKind::text) {
      parts.push_back(text(content));
      continue;
    }
    RecordKey part = text({});
    part.kind_ = kind;
    std::memcpy(&part.bits_, content.data(), sizeof part.bits_);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace alfred
