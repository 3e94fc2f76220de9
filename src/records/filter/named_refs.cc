#include "records/filter/named_refs.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace alfred {

JsonObject with_ref_filter(const JsonObject& call) {
  const Json* const refs = call.if_contains("refs");
  if (refs == nullptr) return call;
  JsonObject params;
  for (const auto& [name, value] : call)
    if (name != "refs") params.emplace(name, value);
  JsonArray filters;
  JsonObject& named = filters.emplace_back(JsonObject()).get_object();
  named.reserve(3);
  named.emplace("field", "_ref");
  named.emplace("op", "in");
  named.emplace("value", *refs);
  if (const Json* const more = call.if_contains("filters"); more != nullptr && more->is_array())
    filters.insert(filters.end(), more->get_array().begin(), more->get_array().end());
  params["filters"] = std::move(filters);
  return params;
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
