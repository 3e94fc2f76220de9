// Bytes as text in the alphabet of RFC 4648 for URLs, without padding: three bytes are four
// letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alfred {

std::string to_base64url(std::string_view bytes);
// Nothing when a letter is none of the alphabet. Bits that make no whole byte are left out.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace alfred
