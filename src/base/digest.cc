#include "base/digest.h"

#include <array>

#include <sodium.h>

namespace alfred {

std::string content_digest(std::string_view content) { return content_digest({&content, 1}); }

std::string content_digest(std::span<const std::string_view> pieces) {
  std::array<unsigned char, 32> digest{};
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, digest.size());
  for (const std::string_view piece : pieces)
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(piece.data()),
                              piece.size());
  crypto_generichash_final(&state, digest.data(), digest.size());
  std::array<char, 2 * digest.size() + 1> text{};
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

std::array<unsigned char, 16> quick_digest_bytes(std::string_view content) {
  // The same in every process: what was kept is compared later.
  constexpr std::array<unsigned char, crypto_shorthash_siphashx24_KEYBYTES> kKey{};
  std::array<unsigned char, crypto_shorthash_siphashx24_BYTES> digest{};
  crypto_shorthash_siphashx24(digest.data(), reinterpret_cast<const unsigned char*>(content.data()),
                              content.size(), kKey.data());
  return digest;
}

std::string quick_digest(std::string_view content) {
  const std::array<unsigned char, 16> digest = quick_digest_bytes(content);
  constexpr std::string_view kNibbles = "0123456789abcdef";
  std::array<char, 2 * digest.size()> text{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    text[2 * i] = kNibbles[digest[i] >> 4U];
    text[2 * i + 1] = kNibbles[digest[i] & 15U];
  }
  return {text.data(), text.size()};
}

}  // namespace alfred
