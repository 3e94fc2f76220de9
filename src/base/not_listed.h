// What a message adds where not all that is allowed stands in the list beside it.
#pragma once

#include <cstddef>
#include <string>

namespace alfred {

inline std::string with_not_listed(std::string message, std::size_t listed, std::size_t all) {
  if (all <= listed) return message;
  const std::string more = std::to_string(all - listed) + " more are not listed here";
  return message.ends_with('.') ? message + " " + more + "." : message + "; " + more;
}

}  // namespace alfred
