#include "surface/cli/db/db_params.h"

#include <charconv>

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/files/file.h"
#include "records/filter/filter_ops.h"

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

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
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

// One more condition beside those there are: all of them hold.
Result<void> add_filter(JsonObject& params, Json filter, std::string_view option) {
  Json& filters = params["filters"];
  if (filters.is_null()) filters = JsonArray();
  if (!filters.is_array())
    return fail(ErrorCode::usage, "`filters` in --params is not a list.", std::string(option));
  filters.get_array().push_back(std::move(filter));
  return {};
}

Result<void> add_filters(JsonObject& params, const Arguments& arguments) {
  for (const std::string& text : arguments.all("--filter")) {
    Result<Json> filter = filter_of(text, nullptr);
    // A number that would lose digits may be a text: its column tells (fitted_filters).
    if (!filter && filter.error().code == ErrorCode::value) filter = Json(JsonObject());
    if (!filter) return Unexpected(filter.error());
    if (Result<void> added = add_filter(params, std::move(*filter), "--filter"); !added)
      return added;
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

// How the values of a column are written on a command line.
enum class Reading : std::uint8_t { guessed, text, json };

Reading reading_of(const Table* table, std::string_view column) {
  const Field* const field = table == nullptr ? nullptr : table->find(column);
  if (field == nullptr) return Reading::guessed;
  if (holds_refs(*table, *field)) return Reading::text;
  switch (field->type) {
    case FieldType::integer:
    case FieldType::number:
    case FieldType::boolean:
    case FieldType::json: return Reading::json;
    default: return Reading::text;
  }
}

// One value. JSON where it is JSON, else the text itself; a number in a column of texts is a text.
Result<Json> one_value(Reading reading, std::string_view text) {
  Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json) return Json(text);
  if (reading == Reading::text && (json->is_number() || json->is_bool())) return Json(text);
  if (const Result<void> kept = check_digits(text); !kept)
    return fail(ErrorCode::value, kept.error().message, "--filter");
  return json;
}

Result<Json> filter_value(Reading reading, std::string_view op, std::string_view text) {
  const bool takes_list = op == "in" || op == "not_in" || op == "contains_any" || op == "between";
  // What is searched for is a text, be it a number.
  const bool is_searched =
      op == "like" || op == "ilike" || op == "contains" || op == "similar" || op == "contains_any";
  if (is_searched) reading = Reading::text;
  Result<Json> whole = one_value(reading, text);
  if (!takes_list || !whole || whole->is_array()) return whole;
  if (!whole->is_string() || text.starts_with('"')) return Json(JsonArray{std::move(*whole)});
  JsonArray list;
  for (const Json& part : split(text, ',')) {
    Result<Json> one = one_value(reading, trimmed(part.get_string()));
    if (!one) return one;
    list.push_back(std::move(*one));
  }
  return Json(std::move(list));
}

}  // namespace

Result<Json> filter_of(std::string_view text, const Table* table) {
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
  Result<Json> value = filter_value(reading_of(table, name), op, rest.substr(op_end + 1));
  if (!value) return value;
  filter["value"] = std::move(*value);
  return filter;
}

Result<Json> fitted_filters(Json params, const Arguments& arguments, const Table* table) {
  const std::span<const std::string> given = arguments.all("--filter");
  JsonObject* const object = params.if_object();
  Json* const filters = object == nullptr ? nullptr : object->if_contains("filters");
  JsonArray* const all = filters == nullptr ? nullptr : filters->if_array();
  if (all == nullptr || all->size() < given.size()) return params;
  for (std::size_t i = 0; i < given.size(); ++i) {
    Result<Json> filter = filter_of(given[i], table);
    if (!filter) return filter;
    (*all)[all->size() - given.size() + i] = std::move(*filter);
  }
  return params;
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
  if (arguments.has("--data") && params->contains("data"))
    return fail(ErrorCode::usage, "--params has `data`, and so is --data given. Leave one out.",
                "--data");
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
  if (!refs.empty()) {
    Json named = JsonObject{{"field", "_ref"}, {"op", "in"}, {"value", std::move(refs)}};
    if (Result<void> added = add_filter(*params, std::move(named), "--ref"); !added)
      return Unexpected(added.error());
  }
  if (Result<void> added = add_filters(*params, arguments); !added)
    return Unexpected(added.error());
  if (arguments.has("--version-read")) (*params)["version"] = arguments.text("--version-read");
  if (arguments.has("--batch")) (*params)["batch"] = arguments.text("--batch");
  if (arguments.has("--dry-run")) (*params)["dry_run"] = true;
  return Json(std::move(*params));
}

}  // namespace alfred::cli
