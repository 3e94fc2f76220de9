// A fixed-size name for any content: 64 hex characters of BLAKE2b. Equal contents have equal names,
// and nobody can make two contents with one name.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace alfred {

std::string content_digest(std::string_view content);
// Of what these are one after the other.
std::string content_digest(std::span<const std::string_view> pieces);

// A shorter one that is made faster: 32 hex characters of SipHash. It tells apart contents that
// come about by themselves; who wants two with one name can make them.
std::string quick_digest(std::string_view content);
std::array<unsigned char, 16> quick_digest_bytes(std::string_view content);

}  // namespace alfred
