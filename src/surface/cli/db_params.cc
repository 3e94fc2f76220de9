#include "surface/cli/db_params.h"

#include <charconv>

#include <fmt/format.h>

#include "base/file.h"

namespace alfred::cli {
namespace {

JsonArray split(std::string_view text, char separator) {
  JsonArray parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

// The JSON of an option; `-` stands for standard input.
Result<Json> json_option(const Arguments& arguments, const Streams& streams,
                         std::string_view name) {
  std::string text = arguments.text(name);
  if (text == "-") {
    Result<std::string> input = read_stream(streams.in);
    if (!input) return Unexpected(input.error());
    text = std::move(*input);
  }
  Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json) json.error().path = fmt::format("{} {}", name, json.error().path);
  return json;
}

Result<JsonObject> start(const Arguments& arguments, const Streams& streams) {
  JsonObject params;
  if (arguments.has("--params")) {
    Result<Json> given = json_option(arguments, streams, "--params");
    if (!given) return Unexpected(given.error());
    if (!given->is_object())
      return fail(ErrorCode::usage, "--params takes an object: {\"filters\":[…]}", "--params");
    params = std::move(given->get_object());
  }
  params["table"] = arguments.text("table");
  return params;
}

void add_list(JsonObject& params, const Arguments& arguments, std::string_view option,
              std::string_view member) {
  JsonArray list;
  for (const std::string& value : arguments.all(option))
    for (Json& part : split(value, ',')) list.push_back(std::move(part));
  if (!list.empty()) params[member] = std::move(list);
}

Result<void> add_filters(JsonObject& params, const Arguments& arguments) {
  for (const std::string& text : arguments.all("--filter")) {
    Result<Json> filter = filter_of(text);
    if (!filter) return Unexpected(filter.error());
    Json& filters = params["filters"];
    if (filters.is_null()) filters = JsonArray();
    if (!filters.is_array())
      return fail(ErrorCode::usage, "`filters` in --params is not a list.", "--filter");
    filters.get_array().push_back(std::move(*filter));
  }
  return {};
}

JsonArray order_of(const Arguments& arguments) {
  JsonArray order;
  for (const std::string& text : arguments.all("--order"))
    for (const Json& part : split(text, ',')) {
      const std::string_view field = part.get_string();
      const bool is_descending = field.starts_with('-');
      order.push_back(JsonObject{{"field", field.substr(is_descending ? 1 : 0)},
                                 {"direction", is_descending ? "desc" : "asc"}});
    }
  return order;
}

}  // namespace

Result<Json> filter_of(std::string_view text) {
  const std::size_t field_end = text.find(' ');
  if (field_end == 0 || field_end == std::string_view::npos)
    return fail(ErrorCode::usage,
                "--filter takes FIELD OP VALUE, such as \"title ilike %sea%\" or \"due is_null\".",
                "--filter");
  const std::string_view rest = text.substr(field_end + 1);
  const std::size_t op_end = rest.find(' ');
  const std::string_view op = rest.substr(0, op_end);
  JsonObject filter{{"field", text.substr(0, field_end)}, {"op", op}};
  if (op_end != std::string_view::npos) {
    const std::string_view value = rest.substr(op_end + 1);
    const bool takes_list = op == "in" || op == "not_in" || op == "contains_any";
    if (Result<Json> json = parse_json(value, JsonLimits::none()))
      filter["value"] = std::move(*json);
    else if (takes_list)
      filter["value"] = split(value, ',');
    else
      filter["value"] = value;
  }
  return filter;
}

Result<Json> read_params(const Arguments& arguments, const Streams& streams) {
  Result<JsonObject> params = start(arguments, streams);
  if (!params) return Unexpected(params.error());
  if (Result<void> added = add_filters(*params, arguments); !added)
    return Unexpected(added.error());
  add_list(*params, arguments, "--columns", "columns");
  add_list(*params, arguments, "--include", "include");
  if (JsonArray order = order_of(arguments); !order.empty()) (*params)["order"] = std::move(order);
  if (arguments.has("--limit")) {
    const std::string text = arguments.text("--limit");
    std::int64_t limit = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (error != std::errc() || end != text.data() + text.size())
      return fail(ErrorCode::usage, "--limit takes a number of rows.", "--limit");
    (*params)["limit"] = limit;
  }
  if (arguments.has("--cursor")) (*params)["cursor"] = arguments.text("--cursor");
  if (arguments.has("--count")) (*params)["count"] = true;
  return Json(std::move(*params));
}

Result<Json> write_params(const Arguments& arguments, const Streams& streams) {
  Result<JsonObject> params = start(arguments, streams);
  if (!params) return Unexpected(params.error());
  if (arguments.has("--data")) {
    Result<Json> given = json_option(arguments, streams, "--data");
    if (!given) return given;
    (*params)["data"] = std::move(*given);
  }
  JsonArray refs;
  for (const std::string& value : arguments.all("--ref"))
    for (Json& part : split(value, ',')) refs.push_back(std::move(part));
  if (!refs.empty())
    (*params)["filters"] =
        JsonArray{JsonObject{{"field", "id"}, {"op", "in"}, {"value", std::move(refs)}}};
  if (Result<void> added = add_filters(*params, arguments); !added)
    return Unexpected(added.error());
  if (arguments.has("--version-read")) (*params)["version"] = arguments.text("--version-read");
  if (arguments.has("--batch")) (*params)["batch"] = arguments.text("--batch");
  if (arguments.has("--dry-run")) (*params)["dry_run"] = true;
  return Json(std::move(*params));
}

}  // namespace alfred::cli
