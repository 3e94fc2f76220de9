// The shape of filters: what stands where, and what is repaired (R1–R3).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "records/filter/filter_reader.h"

namespace alfred {
namespace {

constexpr std::string_view kShape =
    "a filter is {\"field\": column, \"op\": operator, \"value\": value}, or a group "
    "{\"any\": […]} or {\"all\": […]} of filters";
constexpr std::array<std::string_view, 6> kBeside{"limit",   "cursor", "count",
                                                  "columns", "order",  "include"};

bool is_beside(std::string_view name) {
  return std::find(kBeside.begin(), kBeside.end(), name) != kBeside.end();
}

std::string at(const std::string& path, std::size_t i) {
  std::string out;
  out.reserve(path.size() + 8);
  return out.append(path).append(1, '[').append(std::to_string(i)).append(1, ']');
}

std::string text_at(const JsonObject& object, std::string_view name) {
  const Json* const found = object.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

}  // namespace

void FilterReader::repair(const std::string& path, std::string_view what) {
  repaired_.push_back(fmt::format("{}: {}", path, what));
}

Result<FilterCall> FilterReader::shape(FilterCall call, const JsonObject& beside,
                                       JsonObject& moved) {
  const auto too_many = [](std::size_t most, std::string_view name) {
    return fail(ErrorCode::limit,
                fmt::format("{} {} at most, those in groups included. Use `in` for several values "
                            "of one column.",
                            most, name),
                std::string(name));
  };
  Result<JsonArray> filters = shape_list(std::move(call.filters), "filters", {beside, moved});
  if (!filters) return Unexpected(filters.error());
  if (count_ > context_.limits.filters) return too_many(context_.limits.filters, "filters");
  count_ = 0;
  Result<JsonArray> or_filters =
      shape_list(std::move(call.or_filters), "or_filters", {beside, moved});
  if (!or_filters) return Unexpected(or_filters.error());
  if (count_ > context_.limits.or_filters)
    return too_many(context_.limits.or_filters, "or_filters");
  return FilterCall{Json(std::move(*filters)), Json(std::move(*or_filters))};
}

Result<JsonArray> FilterReader::shape_list(Json given, const std::string& path,
                                           const Beside& beside) {
  if (given.is_null()) return JsonArray();
  const bool is_one = given.is_object();
  JsonArray list;
  if (is_one) {
    JsonObject rest = std::move(given.get_object());
    if (rest.empty()) repair(path, "{} was read as []");
    take_out(rest, path, beside);
    if (!rest.empty()) {
      if (!rest.contains("field") && !rest.contains("any") && !rest.contains("all"))
        return fail(ErrorCode::schema, fmt::format("{} is a list; {}", path, kShape), path);
      repair(path, "one filter was read as a list of one");
      list.emplace_back(std::move(rest));
    }
  } else if (given.is_array()) {
    list = std::move(given.get_array());
  } else {
    return fail(ErrorCode::schema, fmt::format("{} is a list; {}", path, kShape), path);
  }
  JsonArray shaped;
  shaped.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = at(path, i);
    if (JsonObject* const object = list[i].if_object()) {
      const bool was_empty = object->empty();
      take_out(*object, where, beside);
      if (object->empty() && !was_empty) continue;
    }
    Result<Json> filter = shape_filter(std::move(list[i]), is_one ? path : where, 1);
    if (!filter) return Unexpected(filter.error());
    shaped.push_back(std::move(*filter));
  }
  return shaped;
}

// What belongs beside the filters goes there, unless the call says it there already.
void FilterReader::take_out(JsonObject& filter, const std::string& path, const Beside& beside) {
  for (const std::string_view name : kBeside) {
    const Json* const found = filter.if_contains(name);
    if (found == nullptr || beside.moved.contains(name) || beside.there.contains(name)) continue;
    beside.moved.emplace(name, *found);
    filter.stable_erase(filter.find(name));
    repair(path, fmt::format("{} was taken out and put beside the filters", name));
  }
}

Result<Json> FilterReader::shape_filter(Json given, const std::string& path, std::size_t depth) {
  JsonObject* const object = given.if_object();
  if (object == nullptr || object->empty())
    return fail(ErrorCode::schema, std::string(kShape), path);
  if (depth > context_.limits.group_depth)
    return fail(ErrorCode::limit,
                fmt::format("groups nest {} deep at most", context_.limits.group_depth), path);
  if (object->contains("any") || object->contains("all")) return shape_group(*object, path, depth);
  ++count_;
  return shape_test(*object, path);
}

Result<Json> FilterReader::shape_group(JsonObject& given, const std::string& path,
                                       std::size_t depth) {
  if (given.size() != 1)
    return fail(ErrorCode::schema, "a group holds any or all, and nothing else", path,
                {"any", "all"});
  const std::string name(given.begin()->key());
  const std::string where = path + "." + name;
  JsonArray* const parts = given.begin()->value().if_array();
  if (parts == nullptr)
    return fail(ErrorCode::schema, fmt::format("{} holds a list of filters", name), where);
  JsonArray shaped;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    Result<Json> part = shape_filter(std::move((*parts)[i]), at(where, i), depth + 1);
    if (!part) return part;
    shaped.push_back(std::move(*part));
  }
  return Json(JsonObject{{name, std::move(shaped)}});
}

Result<void> FilterReader::check_members(const JsonObject& test, const std::string& path) const {
  constexpr std::array<std::string_view, 4> kMembers{"field", "op", "value", "intent"};
  for (const auto& member : test) {
    const std::string_view name(member.key());
    if (std::find(kMembers.begin(), kMembers.end(), name) != kMembers.end()) continue;
    const std::string_view hint =
        is_beside(name) ? "; it stands beside the filters, and there already" : "";
    return fail(ErrorCode::schema,
                fmt::format("a filter has no member {}{}", quoted_text(name), hint), path,
                {"field", "op", "value", "intent"});
  }
  const Json* const field = test.if_contains("field");
  if (field == nullptr || !field->is_string())
    return fail(ErrorCode::schema, "a filter needs the name of a column as its field",
                path + ".field", column_names(table_, ""));
  if (test.contains("intent") && text_at(test, "op") != "similar")
    return fail(ErrorCode::schema, "only similar takes an intent", path + ".intent");
  return {};
}

Result<Json> FilterReader::shape_test(JsonObject& test, const std::string& path) {
  if (Result<void> ok = check_members(test, path); !ok) return Unexpected(ok.error());
  std::string name = text_at(test, "field");
  const Field* field = visible_field(table_, name);
  if (field == nullptr && table_.key.size() == 1 && !has_ref_apart(table_) &&
      (name == "id" || name == "_ref")) {
    // _ref is how a caller names a row's own ref who does not know the key's column.
    if (name == "id")
      repair(path + ".field", fmt::format("{} was read as {}", name, table_.key.front()));
    name = table_.key.front();
    test["field"] = name;
    field = table_.find(name);
  }
  if (field == nullptr && !names_ref_apart(table_, name)) {
    std::vector<std::string> names = column_names(table_, name);
    std::string message = fmt::format("{} has no column {}", table_.name, quoted_text(name));
    message = with_not_listed(std::move(message), names.size(), count_columns(table_));
    return fail(ErrorCode::column, std::move(message), path + ".field", std::move(names));
  }
  if (!test.contains("op") && test.contains("value") && !test.at("value").is_array()) {
    test["op"] = "=";
    repair(path, "a filter without op was read as =");
  }
  const Result<FilterOp> op = check_op(test, field, path);
  if (!op) return Unexpected(op.error());
  if (Result<void> ok = check_value(test, *op, path + ".value"); !ok) return Unexpected(ok.error());
  return Json(std::move(test));
}

Result<FilterOp> FilterReader::check_op(const JsonObject& test, const Field* field,
                                        const std::string& path) const {
  const std::string name = text_at(test, "op");
  const std::optional<FilterOp> op = filter_op_named(name);
  const bool is_equality =
      op == FilterOp::eq || op == FilterOp::ne || op == FilterOp::in || op == FilterOp::not_in;
  if (op && (field == nullptr ? is_equality : op_fits(*op, table_, *field))) return *op;
  const std::string column = field == nullptr ? text_at(test, "field") : field->name;
  const std::string_view holds =
      field == nullptr || holds_refs(table_, *field) ? "refs" : field_type_name(field->type);
  // All of them are named: an error lists ten at most.
  const std::string all = fmt::format("{}", fmt::join(all_ops_for(table_, field), " "));
  std::vector<std::string> allowed = ops_for(table_, field);
  if (name.empty())
    return fail(ErrorCode::op,
                fmt::format("the filter has no op; {} ({}) takes {}", column, holds, all),
                path + ".op", std::move(allowed));
  if (!op)
    return fail(ErrorCode::op,
                fmt::format("there is no operator {}; {} ({}) takes {}", quoted_text(name), column,
                            holds, all),
                path + ".op", std::move(allowed));
  return fail(
      ErrorCode::op,
      fmt::format("{} does not fit {}, which holds {} and takes {}", name, column, holds, all),
      path + ".op", std::move(allowed));
}

Result<void> FilterReader::check_value(const JsonObject& test, FilterOp op,
                                       const std::string& path) const {
  const Json* const value = test.if_contains("value");
  if (op == FilterOp::is_null || op == FilterOp::is_not_null) {
    if (value == nullptr || value->is_null() || (value->is_bool() && value->get_bool())) return {};
    return fail(ErrorCode::schema, "is_null and is_not_null take no value", path);
  }
  const std::string_view name = filter_op_name(op);
  if (value == nullptr) return fail(ErrorCode::schema, fmt::format("{} needs a value", name), path);
  if (value->is_null())
    return fail(ErrorCode::value,
                "null is no value to compare with; use is_null or is_not_null without a value",
                path, {"is_null", "is_not_null"});
  const bool takes_list = op == FilterOp::in || op == FilterOp::not_in ||
                          op == FilterOp::contains_any || op == FilterOp::between;
  if (takes_list) return check_list(*value, op, path);
  if (value->is_array())
    return fail(ErrorCode::schema, fmt::format("{} takes one value; use in for several", name),
                path, {"in", "not_in", "contains_any"});
  return {};
}

Result<void> FilterReader::check_list(const Json& value, FilterOp op,
                                      const std::string& path) const {
  const std::string_view name = filter_op_name(op);
  const JsonArray* const list = value.if_array();
  if (list == nullptr)
    return fail(ErrorCode::schema, fmt::format("{} takes a list of values", name), path);
  if (op == FilterOp::between && list->size() != 2)
    return fail(ErrorCode::schema, "between takes a list of two: the lowest and the highest", path);
  if (list->size() > context_.limits.list_values)
    return fail(ErrorCode::limit,
                fmt::format("{} values stand in one list; at most {} may. Split it.", list->size(),
                            context_.limits.list_values),
                path);
  for (std::size_t i = 0; i < list->size(); ++i)
    if ((*list)[i].is_null())
      return fail(ErrorCode::value,
                  "null cannot stand in a list; add a filter with is_null for rows without a value",
                  at(path, i), {"is_null"});
  return {};
}

}  // namespace alfred
