#include "surface/cli/db/db_params.h"

#include <charconv>

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/files/file.h"

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
  if (json)
    if (Result<void> kept = check_digits(text); !kept) json = Unexpected(kept.error());
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
    const Json* const table = params.if_contains("table");
    if (table != nullptr && (!table->is_string() || table->get_string() != arguments.text("table")))
      return fail(ErrorCode::usage,
                  "--params names another table than the command does. Leave `table` out of it.",
                  "--params table");
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

// JSON where it is JSON, else the text itself. What is searched for is a text, be it a number.
Result<Json> filter_value(std::string_view op, std::string_view text) {
  const bool takes_list = op == "in" || op == "not_in" || op == "contains_any";
  const bool is_searched =
      op == "like" || op == "ilike" || op == "contains" || op == "similar" || op == "contains_any";
  Result<Json> json = parse_json(text, JsonLimits::none());
  if (json && is_searched && json->is_number()) json = Json(text);
  if (json) {
    if (const Result<void> kept = check_digits(text); !kept)
      return fail(ErrorCode::value, kept.error().message, "--filter");
    if (takes_list && !json->is_array()) return Json(JsonArray{std::move(*json)});
    return json;
  }
  return takes_list ? Json(split(text, ',')) : Json(text);
}

}  // namespace

Result<Json> filter_of(std::string_view text) {
  // A name with spaces stands in quotes.
  const bool is_quoted = text.starts_with('"');
  const std::size_t name_end = is_quoted ? text.find('"', 1) : text.find(' ');
  const std::size_t field_end =
      is_quoted && name_end != std::string_view::npos ? name_end + 1 : name_end;
  if (field_end == 0 || field_end >= text.size() || text[field_end] != ' ')
    return fail(ErrorCode::usage,
                "--filter takes FIELD OP VALUE, such as \"title ilike %sea%\" or \"due is_null\"; "
                "a name with spaces in quotes of its own: '\"first name\" = Ann'.",
                "--filter");
  const std::string_view name = is_quoted ? text.substr(1, name_end - 1) : text.substr(0, name_end);
  const std::string_view rest = text.substr(field_end + 1);
  const std::size_t op_end = rest.find(' ');
  const std::string_view op = rest.substr(0, op_end);
  JsonObject filter{{"field", name}, {"op", op}};
  if (op_end == std::string_view::npos) return filter;
  Result<Json> value = filter_value(op, rest.substr(op_end + 1));
  if (!value) return value;
  filter["value"] = std::move(*value);
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
  for (const char* option : {"--ref", "--filter"})
    if (arguments.has("--batch") && arguments.has(option))
      return fail(ErrorCode::usage,
                  fmt::format("Rows of a batch stand in --data, each with its item: "
                              "[{{\"ref\":\"ITEM\"}}]. Leave {} out.",
                              option),
                  option);
  JsonArray refs;
  for (const std::string& value : arguments.all("--ref"))
    for (Json& part : split(value, ',')) refs.push_back(std::move(part));
  if (!refs.empty())
    (*params)["filters"] =
        JsonArray{JsonObject{{"field", "_ref"}, {"op", "in"}, {"value", std::move(refs)}}};
  if (Result<void> added = add_filters(*params, arguments); !added)
    return Unexpected(added.error());
  if (arguments.has("--version-read")) (*params)["version"] = arguments.text("--version-read");
  if (arguments.has("--batch")) (*params)["batch"] = arguments.text("--batch");
  if (arguments.has("--dry-run")) (*params)["dry_run"] = true;
  return Json(std::move(*params));
}

}  // namespace alfred::cli
