#include "records/filter/named_refs.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace alfred {

JsonObject with_ref_filter(JsonObject call) {
  Json* const refs = call.if_contains("refs");
  if (refs == nullptr) return call;
  JsonArray filters;
  JsonObject& named = filters.emplace_back(JsonObject()).get_object();
  named.reserve(3);
  named.emplace("field", "_ref");
  named.emplace("op", "in");
  named.emplace("value", std::move(*refs));
  call.stable_erase("refs");
  if (Json* const more = call.if_contains("filters"); more != nullptr && more->is_array())
    std::move(more->get_array().begin(), more->get_array().end(), std::back_inserter(filters));
  call["filters"] = std::move(filters);
  return call;
}

std::string path_as_given(std::string path, const JsonObject& call) {
  constexpr std::string_view kRefs = "filters[0].value";
  constexpr std::string_view kFilters = "filters[";
  if (!call.contains("refs")) return path;
  if (path == "filters" && !call.contains("filters")) return "refs";
  if (path.starts_with(kRefs)) return "refs" + path.substr(kRefs.size());
  const std::size_t end = path.find(']');
  if (!path.starts_with(kFilters) || end == std::string::npos) return path;
  int place = 0;
  std::from_chars(path.data() + kFilters.size(), path.data() + end, place);
  return place < 1 ? path : fmt::format("filters[{}{}", place - 1, path.substr(end));
}

}  // namespace alfred
