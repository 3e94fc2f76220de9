#include "records/filter/filter_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/byte_buffer.h"
#include "base/check.h"
#include "base/quoted_text.h"
#include "records/field_value.h"
#include "records/search/case_fold.h"
#include "records/to_keys/params_to_keys.h"
#include "records/write/payload_literals.h"
#include "refs/hiding/text_without_keys.h"

namespace alfred {
namespace {

std::string at(const std::string& path, std::size_t i) {
  std::string out;
  out.reserve(path.size() + 8);
  return out.append(path).append(1, '[').append(std::to_string(i)).append(1, ']');
}

// A key as params_to_keys.h writes it.
Value key_value(const Json& json) {
  if (json.is_int64()) return json.get_int64();
  if (json.is_string()) return std::string(json.get_string());
  return {};
}

// A list column's elements obey the column's list of values.
Field element_of(const Field& list) {
  Field element;
  element.name = list.name;
  element.enum_values = list.enum_values;
  element.value_aliases = list.value_aliases;
  return element;
}

#ifdef NDEBUG
constexpr bool kComparesPlainFilters = false;
#else
constexpr bool kComparesPlainFilters = true;
#endif

// Whether a text may name something that was hidden.
bool may_hold_literal(const JsonString& text) {
  return std::string_view(text).find("lit_") != std::string_view::npos;
}

bool is_plain_value(const Json& value) {
  if (const JsonString* const text = value.if_string()) return !may_hold_literal(*text);
  if (const JsonArray* const list = value.if_array())
    return std::all_of(list->begin(), list->end(),
                       [](const Json& one) { return !one.is_array() && is_plain_value(one); });
  return value.is_null() || value.is_bool() || value.is_int64();
}

// Whether filters say in keys what they say in refs: none is on a column of refs or has a literal.
bool are_plain(const Table& table, const Json& filters) {
  const JsonArray& list = filters.get_array();
  return std::all_of(list.begin(), list.end(), [&](const Json& filter) {
    const JsonObject& object = filter.get_object();
    for (const std::string_view group : {"any", "all"})
      if (const Json* const parts = object.if_contains(group)) return are_plain(table, *parts);
    const JsonString* const name = object.at("field").if_string();
    const Field* const field = name == nullptr ? nullptr : visible_field(table, *name);
    if (field == nullptr || field->link || table.is_key(field->name)) return false;
    return std::all_of(object.begin(), object.end(),
                       [](const auto& member) { return is_plain_value(member.value()); });
  });
}

}  // namespace

Result<FilterReading> FilterReader::read(const FilterCall& shaped) {
  const bool is_plain = are_plain(table_, shaped.filters) && are_plain(table_, shaped.or_filters);
  may_hold_hidden_ = !is_plain;
  if (is_plain && !kComparesPlainFilters) return read_in_keys(shaped, 0);
  const std::string text =
      write_json(JsonObject{{"filters", shaped.filters}, {"or_filters", shaped.or_filters}});
  ByteBuffer in_keys;
  ParamsOptions options;
  options.max_list = context_.limits.list_values;
  const Result<ParamsReport> report = translate_params(
      context_.registry, context_.schema.entity_types(), table_.name, text, in_keys, options);
  if (!report) return Unexpected(report.error());
  const Result<Json> call = parse_json(in_keys.view(), JsonLimits::none());
  if (!call) return Unexpected(call.error());
  const JsonObject& object = call->get_object();
  ALFRED_CHECK(
      !is_plain || (object.at("filters") == shaped.filters &&
                    object.at("or_filters") == shaped.or_filters && report->collapsed == 0),
      "filters without refs are the same in keys");
  return read_in_keys({object.at("filters"), object.at("or_filters")}, report->collapsed);
}

Result<FilterReading> FilterReader::read_in_keys(const FilterCall& call, std::size_t collapsed) {
  Result<FilterNode> root = group(call.filters.get_array(), FilterNode::Kind::all, "filters");
  if (!root) return Unexpected(root.error());
  const JsonArray& either = call.or_filters.get_array();
  if (!either.empty()) {
    Result<FilterNode> any = group(either, FilterNode::Kind::any, "or_filters");
    if (!any) return Unexpected(any.error());
    root->parts.push_back(std::move(*any));
  }
  return FilterReading{RowFilter(std::move(*root), std::move(searches_)), std::move(repaired_),
                       collapsed};
}

Result<FilterNode> FilterReader::group(const JsonArray& parts, FilterNode::Kind kind,
                                       const std::string& path) {
  FilterNode node;
  node.kind = kind;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Result<FilterNode> part = this->node(parts[i], at(path, i));
    if (!part) return part;
    node.parts.push_back(std::move(*part));
  }
  return node;
}

Result<FilterNode> FilterReader::node(const Json& filter, const std::string& path) {
  const JsonObject& object = filter.get_object();
  if (const Json* const any = object.if_contains("any"))
    return group(any->get_array(), FilterNode::Kind::any, path + ".any");
  if (const Json* const all = object.if_contains("all"))
    return group(all->get_array(), FilterNode::Kind::all, path + ".all");
  const std::optional<FilterOp> op = filter_op_named(std::string(object.at("op").get_string()));
  ALFRED_CHECK(op.has_value(), "shape() lets through only operators that exist");
  if (const JsonArray* const names = object.at("field").if_array())
    return key_test(*names, object, *op);
  FilterNode node;
  node.kind = FilterNode::Kind::test;
  node.op = *op;
  node.field = visible_field(table_, std::string(object.at("field").get_string()));
  ALFRED_CHECK(node.field != nullptr, "shape() lets through only columns that exist");
  if (Result<void> ok = read_values(object, node, path); !ok) return Unexpected(ok.error());
  return node;
}

// The refs of a key of several columns have become lists of their values.
Result<FilterNode> FilterReader::key_test(const JsonArray& names, const JsonObject& test,
                                          FilterOp op) const {
  FilterNode node;
  node.kind = FilterNode::Kind::test;
  node.op = op;
  for (const Json& name : names)
    node.key_fields.push_back(table_.find(std::string(name.get_string())));
  const JsonArray& value = test.at("value").get_array();
  const auto add = [&](const JsonArray& key) {
    for (const Json& part : key) node.values.push_back(key_value(part));
  };
  if (op == FilterOp::eq || op == FilterOp::ne)
    add(value);
  else
    for (const Json& key : value) add(key.get_array());
  return node;
}

Result<void> FilterReader::read_values(const JsonObject& test, FilterNode& node,
                                       const std::string& path) {
  if (node.op == FilterOp::is_null || node.op == FilterOp::is_not_null) return {};
  const Json& value = test.at("value");
  const std::string where = path + ".value";
  if (node.op == FilterOp::similar) return read_search(test, node, path);
  const bool is_text_test = node.op == FilterOp::like || node.op == FilterOp::ilike ||
                            node.op == FilterOp::contains || node.op == FilterOp::contains_any;
  if (is_text_test) return read_texts(value, node, where);
  const JsonArray* const list = value.if_array();
  for (std::size_t i = 0; i < (list == nullptr ? 1 : list->size()); ++i) {
    Result<Value> one = one_value(*node.field, list == nullptr ? value : (*list)[i],
                                  list == nullptr ? where : at(where, i));
    if (!one) return Unexpected(one.error());
    node.values.push_back(std::move(*one));
  }
  return {};
}

// A number that is shown as a literal is that number again, and a text that is none here is not
// repeated where it was hidden.
Result<Value> FilterReader::read_value(const Field& field, const Json& value,
                                       const std::string& path) const {
  const JsonString* const text = may_hold_hidden_ ? value.if_string() : nullptr;
  if (text == nullptr) return read_field_value(field, value, path, context_.limits);
  const bool is_number = field.type == FieldType::integer || field.type == FieldType::number;
  if (const std::optional<Json> number = is_number ? hidden_number(*text) : std::nullopt)
    return read_field_value(field, *number, path, context_.limits);
  Result<Value> read = read_field_value(field, value, path, context_.limits);
  if (read || text_without_keys(context_.registry, read.error().message) == read.error().message)
    return read;
  return fail(
      read.error().code,
      fmt::format("{} does not take the text that a lit_ name here stands for.", field.name), path);
}

Result<Value> FilterReader::one_value(const Field& field, const Json& value,
                                      const std::string& path) const {
  if (holds_refs(table_, field)) return key_value(value);
  Result<Value> read = read_value(field, value, path);
  const std::string* const text = read ? std::get_if<std::string>(&*read) : nullptr;
  if (text == nullptr || field.clock == ClockType::none) return read;
  std::optional<std::string> clock = read_clock_text(field.clock, *text);
  if (!clock)
    return fail(ErrorCode::value,
                fmt::format("{} is compared with {}; this is {}.", field.name,
                            clock_type_text(field.clock), quoted_text(*text)),
                path);
  return Value(std::move(*clock));
}

Result<void> FilterReader::read_texts(const Json& value, FilterNode& node,
                                      const std::string& path) const {
  const bool is_pattern = node.op == FilterOp::like || node.op == FilterOp::ilike;
  const bool is_list = node.field->type == FieldType::list;
  Field element = is_list ? element_of(*node.field) : Field();
  element.name = node.field->name;
  const JsonArray* const list = value.if_array();
  for (std::size_t i = 0; i < (list == nullptr ? 1 : list->size()); ++i) {
    const std::string where = list == nullptr ? path : at(path, i);
    const Result<Value> one =
        read_field_value(element, list == nullptr ? value : (*list)[i], where, context_.limits);
    if (!one) return Unexpected(one.error());
    const std::string& text = std::get<std::string>(*one);
    if (is_pattern) {
      Result<LikePattern> pattern = LikePattern::make(text, node.op == FilterOp::ilike, where);
      if (!pattern) return Unexpected(pattern.error());
      node.pattern = std::move(*pattern);
    } else {
      node.texts.push_back(is_list ? text : fold_case(text));
    }
  }
  return {};
}

Result<void> FilterReader::read_search(const JsonObject& test, FilterNode& node,
                                       const std::string& path) {
  const Json& value = test.at("value");
  if (!value.is_string())
    return fail(ErrorCode::value, "similar takes the words to look for, as one text",
                path + ".value");
  WordQuery::Given given;
  given.text = std::string_view(value.get_string());
  given.categories = context_.categories;
  given.table = table_.name;
  given.path = path + ".value";
  if (const Json* const intent = test.if_contains("intent")) {
    const std::string_view name =
        intent->is_string() ? std::string_view(intent->get_string()) : std::string_view();
    if (name == "literal")
      given.intent = SearchIntent::literal;
    else if (name == "category")
      given.intent = SearchIntent::category;
    else if (name != "similar")
      return fail(ErrorCode::schema, "an intent is literal, category or similar", path + ".intent",
                  {"literal", "category", "similar"});
  }
  Result<WordQuery> query = WordQuery::make(given);
  if (!query) return Unexpected(query.error());
  const bool is_label = node.field->name == table_.label;
  node.search = searches_.size();
  searches_.push_back({std::move(*query), is_label ? nullptr : node.field});
  return {};
}

}  // namespace alfred
