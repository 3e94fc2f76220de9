// What a pack may be called: its database file is called so, too (F14).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace alfred {

inline constexpr std::size_t kMaxPackNameBytes = 64;

// a-z, 0-9, - and _, beginning with a letter.
inline bool is_pack_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxPackNameBytes && name[0] >= 'a' && name[0] <= 'z' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

// The nearest name of that form: "My Shop 2" is "my-shop-2".
inline std::string as_pack_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool may_stay = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
                          small == '-' || small == '_';
    out += may_stay ? small : '-';
  }
  if (out.empty() || out[0] < 'a' || out[0] > 'z') out = "db-" + out;
  out.resize(std::min(out.size(), kMaxPackNameBytes));
  return out;
}

}  // namespace alfred
