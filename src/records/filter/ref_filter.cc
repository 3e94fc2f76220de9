#include "records/filter/ref_filter.h"

#include <algorithm>

#include "base/json/json_text.h"
#include "records/record_keys.h"

namespace alfred {
namespace {

constexpr std::size_t kMostRefs = 32;  // more are not compared with one another

bool is_text(const Json& json, std::string_view text) {
  const JsonString* const found = json.if_string();
  return found != nullptr && std::string_view(*found) == text;
}

// The list of refs, where this is the filter and nothing else.
const Json* refs_of(const Json& filters) {
  const JsonArray* const list = filters.if_array();
  if (list == nullptr || list->size() != 1) return nullptr;
  const JsonObject* const filter = list->front().if_object();
  if (filter == nullptr || filter->size() != 3) return nullptr;
  const auto& [field, field_name] = *filter->begin();
  const auto& [op, op_name] = *(filter->begin() + 1);
  const auto& [value, refs] = *(filter->begin() + 2);
  const bool is_it = field == "field" && op == "op" && value == "value" &&
                     is_text(field_name, "_ref") && is_text(op_name, "in") && refs.is_array();
  return is_it ? &refs : nullptr;
}

// The type of the table's refs, where the registry has it as the table has.
std::optional<TypeNo> type_of(const RefRegistry& registry, const Table& table) {
  const std::optional<TypeNo> type = registry.find_table(table.name);
  const bool is_settled =
      type && registry.type_name(*type) == table.ref && registry.key_columns(*type) == table.key;
  return is_settled ? type : std::nullopt;
}

// A saved row that lives, by its own name.
EntityNo row_named(const RefRegistry& registry, TypeNo type, const Json& ref) {
  const JsonString* const text = ref.if_string();
  const EntityNo entity = text == nullptr ? kNoEntity : registry.find(std::string_view(*text));
  const bool is_it = entity != kNoEntity && registry.has_key(entity) &&
                     registry.keys().type(entity) == type &&
                     registry.status(entity) != RefStatus::deleted &&
                     registry.ref(entity).text() == std::string_view(*text);
  return is_it ? entity : kNoEntity;
}

}  // namespace

std::optional<RefFilter> read_ref_filter(const RecordContext& context, const Table& table,
                                         const Json& filters) {
  const Json* const refs = refs_of(filters);
  if (refs == nullptr ||
      refs->get_array().size() > std::min(kMostRefs, context.limits.list_values) ||
      context.limits.filters < 1 || context.limits.group_depth < 1)
    return std::nullopt;
  if (table.key.size() != 1 || has_ref_apart(table) || visible_field(table, "_ref") != nullptr)
    return std::nullopt;
  const RefRegistry& registry = context.registry;
  const std::optional<TypeNo> type = type_of(registry, table);
  FilterNode test;
  test.kind = FilterNode::Kind::test;
  test.op = FilterOp::in;
  test.field = visible_field(table, table.key.front());
  if (!type || test.field == nullptr) return std::nullopt;
  for (const Json& ref : refs->get_array()) {
    const EntityNo entity = row_named(registry, *type, ref);
    if (entity == kNoEntity) return std::nullopt;
    Value key = RecordKeys::value(RecordKey(registry.key(entity)));
    if (std::find(test.values.begin(), test.values.end(), key) != test.values.end())
      return std::nullopt;  // it is counted as named twice
    test.values.push_back(std::move(key));
  }
  RefFilter out;
  append_json_string(out.shaped += R"([{"field":)", table.key.front());
  append_json(out.shaped += R"(,"op":"in","value":)", *refs);
  out.shaped += "}]";
  FilterNode root;
  root.kind = FilterNode::Kind::all;
  root.parts.push_back(std::move(test));
  out.filter = RowFilter(std::move(root), {});
  return out;
}

}  // namespace alfred
