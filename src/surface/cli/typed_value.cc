#include "surface/cli/typed_value.h"

#include <algorithm>
#include <array>

#include "alfred/ids.h"

namespace alfred::cli {

bool names_an_id(std::string_view value_name) {
  constexpr std::array<std::string_view, 10> kOfIds = {"AGENT", "BATCH",   "ENTRY",  "HOST",
                                                       "OP",    "SESSION", "SOURCE", "SUBSCRIPTION",
                                                       "TIMER", "TURN"};
  return std::find(kOfIds.begin(), kOfIds.end(), value_name) != kOfIds.end();
}

std::string as_meant(std::string_view value_name, std::string typed) {
  if (!names_an_id(value_name)) return typed;
  std::string meant = normalize_typed_id(typed);
  return identify_id(meant) ? meant : typed;
}

}  // namespace alfred::cli
