#include "base/digest.h"

#include <array>

#include <sodium.h>

namespace alfred {

std::string content_digest(std::string_view content) {
  std::array<unsigned char, 32> digest{};
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                     nullptr, 0);
  std::array<char, 2 * digest.size() + 1> text{};
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

}  // namespace alfred
