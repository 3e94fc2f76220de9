// What a message adds where not all that is allowed stands in the list beside it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "alfred/error.h"

namespace alfred {

inline std::string with_not_listed(std::string message, std::size_t listed, std::size_t all) {
  if (all <= listed) return message;
  const std::string more = std::to_string(all - listed) + " more are not listed here";
  return message.ends_with('.') ? message + " " + more + "." : message + "; " + more;
}

// An error with the first ten of what is allowed, which says how many more there are.
inline Unexpected fail_listing(ErrorCode code, std::string message, std::string path,
                               std::vector<std::string> allowed) {
  constexpr std::size_t kMostListed = 10;
  const std::size_t all = allowed.size();
  if (all > kMostListed) allowed.resize(kMostListed);
  message = with_not_listed(std::move(message), allowed.size(), all);
  return fail(code, std::move(message), std::move(path), std::move(allowed));
}

}  // namespace alfred
