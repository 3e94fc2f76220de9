#include "surface/mcp/records/argument_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json/whole_number.h"
#include "base/quoted_text.h"

namespace alfred::mcp {
namespace {

bool is_of_type(const Json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "integer") return whole_number(value).has_value() || value.is_uint64();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

std::string type_of(const JsonObject& schema) { return std::string(schema.at("type").as_string()); }

// Nothing that is long and no key: quoted_text shows what came from outside.
std::string came(const Json& value) {
  if (const JsonString* const text = value.if_string()) {
    const std::string shown = quoted_text(*text);
    return shown.starts_with('`') ? "the text " + shown : shown;
  }
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return quoted_text(write_json(value));
}

Result<void> check_range(const JsonObject& schema, const Json& value, const std::string& name) {
  if (!schema.contains("minimum") || !value.is_number()) return {};
  const std::int64_t least = schema.at("minimum").as_int64();
  const std::int64_t most = schema.at("maximum").as_int64();
  const std::optional<std::int64_t> number = whole_number(value);
  if (number && *number >= least && *number <= most) return {};
  return fail(ErrorCode::schema,
              fmt::format("{} is a whole number from {} to {}; this is {}.", name, least, most,
                          came(value)),
              name);
}

Result<void> check_items(const JsonObject& schema, const Json& value, const std::string& name) {
  if (!value.is_array() || !schema.contains("items")) return {};
  const std::string type = type_of(schema.at("items").as_object());
  std::size_t place = 0;
  for (const Json& item : value.get_array()) {
    if (!is_of_type(item, type))
      return fail(ErrorCode::schema,
                  fmt::format("Each of {} is of type {}; this is {}.", name, type, came(item)),
                  fmt::format("{}[{}]", name, place));
    ++place;
  }
  return {};
}

Result<void> check_value(const JsonObject& schema, const Json& value, const std::string& name) {
  const std::string type = type_of(schema);
  if (!is_of_type(value, type))
    return fail(ErrorCode::schema,
                fmt::format("{} is of type {}; this is {}.", name, type, came(value)), name);
  if (const Json* const list = schema.if_contains("enum")) {
    const JsonArray& values = list->as_array();
    std::vector<std::string> allowed;
    for (const Json& one : values) allowed.emplace_back(one.as_string());
    if (std::find(values.begin(), values.end(), value) == values.end())
      return fail(ErrorCode::schema,
                  fmt::format("{} is one of a list; this is {}.", name, came(value)), name,
                  std::move(allowed));
  }
  if (Result<void> inside = check_range(schema, value, name); !inside) return inside;
  return check_items(schema, value, name);
}

}  // namespace

Result<void> check_arguments(const JsonObject& input_schema, const JsonObject& arguments) {
  const JsonObject& known = input_schema.at("properties").as_object();
  for (const auto& [name, value] : arguments) {
    if (const Json* const schema = known.if_contains(name)) {
      if (Result<void> fits = check_value(schema->as_object(), value, std::string(name)); !fits)
        return fits;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& member : known) names.emplace_back(member.key());
    return fail(ErrorCode::schema,
                fmt::format("This tool has no argument {}. Leave it out.", quoted_text(name)), "",
                std::move(names));
  }
  if (const Json* const needed = input_schema.if_contains("required"))
    for (const Json& name : needed->as_array())
      if (!arguments.contains(name.as_string()))
        return fail(ErrorCode::schema,
                    fmt::format("{} is missing.", std::string_view(name.as_string())),
                    std::string(name.as_string()));
  return {};
}

}  // namespace alfred::mcp
