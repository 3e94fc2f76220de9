// Files that are part of the program (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace alfred {

struct EmbeddedFile {
  std::string_view name;  // "bookshelf/pack.toml"
  const char* begin;
  const char* end;
  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

}  // namespace alfred
