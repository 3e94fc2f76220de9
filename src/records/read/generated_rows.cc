#include "records/read/generated_rows.h"

#include <algorithm>
#include <set>

#include "records/field_value.h"
#include "records/read/masked_json.h"
#include "records/record_keys.h"
#include "refs/ref_grammar.h"

namespace alfred {
namespace {

bool names_key(const Table& table, std::string_view field) {
  if (has_ref_apart(table)) return names_ref_apart(table, field);
  return table.key.size() == 1 && table.key.front() == field;
}

// Whether a filter says which rows are meant, by their refs.
bool is_key_filter(const Table& table, const JsonObject& filter) {
  const Json* const field = filter.if_contains("field");
  const Json* const op = filter.if_contains("op");
  return field != nullptr && op != nullptr && names_key(table, field->get_string()) &&
         (op->get_string() == "=" || op->get_string() == "in");
}

std::optional<GeneratedRow> generated(const RecordContext& context, const Table& table,
                                      const Json& value) {
  if (!value.is_string() || !context.artifact) return std::nullopt;
  const std::string_view text(value.get_string());
  RefParts parts;
  if (!split_ref(text, parts) || parts.type != table.ref) return std::nullopt;
  const RefRegistry& registry = context.registry;
  const EntityNo entity = registry.find(text);
  if (entity == kNoEntity || registry.has_key(entity) ||
      registry.status(entity) == RefStatus::deleted)
    return std::nullopt;
  const JsonObject* const content = context.artifact(text);
  if (content == nullptr) return std::nullopt;
  return GeneratedRow{std::string(text), content};
}

// A row must be named by every filter on the key.
std::vector<GeneratedRow> in_both(const std::vector<GeneratedRow>& before,
                                  std::vector<GeneratedRow> named) {
  std::erase_if(named, [&](const GeneratedRow& row) {
    return std::none_of(before.begin(), before.end(),
                        [&](const GeneratedRow& other) { return other.ref == row.ref; });
  });
  return named;
}

Value value_in(const RecordContext& context, const Field& field, const JsonObject& content) {
  const Json* const json = content.if_contains(field.name);
  if (json == nullptr || json->is_null()) return {};
  if (!field.link) return read_field_value(field, *json, "", context.limits).value_or(Value());
  if (!json->is_string()) return {};
  const EntityNo entity = context.registry.find(std::string_view(json->get_string()));
  if (entity == kNoEntity || !context.registry.has_key(entity)) return {};
  return RecordKeys::link_value(field, RecordKey(context.registry.key(entity)));
}

// Every text below a member: a nested row's texts count like those of the row.
void look_below(const WordQuery& query, const Json& json, WordQuery::Scores& scores) {
  if (json.is_string()) query.look_at(std::string_view(json.get_string()), scores);
  if (const JsonArray* const list = json.if_array())
    for (const Json& element : *list) look_below(query, element, scores);
  if (const JsonObject* const object = json.if_object())
    for (const auto& member : *object) look_below(query, member.value(), scores);
}

int score(const Table& table, const Search& search, const JsonObject& content) {
  WordQuery::Scores scores = search.query.none();
  std::vector<std::string> paths = table.searched;
  if (paths.empty() || search.field != nullptr)
    paths = {search.field == nullptr ? table.label : search.field->name};
  for (const std::string& path : paths)
    if (const Json* const json = content.if_contains(path.substr(0, path.find('.'))))
      look_below(search.query, *json, scores);
  return WordQuery::total(scores);
}

// Content as it is shown (R3): of a row, and of the rows in it.
class ShownContent {
 public:
  ShownContent(LiteralMask& mask, const Schema& schema) : mask_(mask), schema_(schema) {}

  Result<void> add(const Table& table, std::string_view name, const Json& json, JsonObject& out) {
    const Field* const field = table.find(name);
    const auto relation = std::find_if(table.relations.begin(), table.relations.end(),
                                       [&](const Relation& one) { return one.member == name; });
    const bool is_nested = relation != table.relations.end();
    Result<Json> value =
        is_nested ? rows(*schema_.find(relation->table), json) : column(field, json);
    if (!value) return Unexpected(value.error());
    if (field != nullptr || is_nested) {
      out.insert_or_assign(name, std::move(*value));
      return {};
    }
    const Result<MaskedText> masked = mask_.mask(name);
    if (!masked) return Unexpected(masked.error());
    out.insert_or_assign(masked->view(), std::move(*value));
    return {};
  }

 private:
  Result<Json> column(const Field* field, const Json& json) {
    const JsonString* const link = field != nullptr && field->link ? json.if_string() : nullptr;
    const bool is_ref = link != nullptr && mask_.is_issued_ref(*link);
    return is_ref ? Result<Json>(json) : masked_json(mask_, json);
  }

  Result<Json> rows(const Table& table, const Json& json) {
    if (const JsonArray* const list = json.if_array()) {
      JsonArray out;
      for (const Json& element : *list) {
        Result<Json> one = rows(table, element);
        if (!one) return one;
        out.push_back(std::move(*one));
      }
      return Json(std::move(out));
    }
    const JsonObject* const row = json.if_object();
    if (row == nullptr) return masked_json(mask_, json);
    JsonObject out;
    for (const auto& member : *row)
      if (Result<void> ok = add(table, member.key(), member.value(), out); !ok)
        return Unexpected(ok.error());
    return Json(std::move(out));
  }

  LiteralMask& mask_;
  const Schema& schema_;
};

}  // namespace

GeneratedRows take_generated(RecordContext& context, const Table& table, FilterCall& call) {
  GeneratedRows taken;
  JsonArray& filters = call.filters.get_array();
  for (std::size_t i = 0; i < filters.size(); ++i) {
    JsonObject& filter = filters[i].get_object();
    if (!is_key_filter(table, filter)) continue;
    const Json value = filter.at("value");
    std::vector<GeneratedRow> named;
    std::set<std::string> seen;
    JsonArray saved;
    for (const Json& one : value.is_array() ? value.get_array() : JsonArray{value}) {
      std::optional<GeneratedRow> row = generated(context, table, one);
      if (!row)
        saved.push_back(one);
      else if (seen.insert(row->ref).second)
        named.push_back(std::move(*row));
    }
    const bool has_generated = !named.empty();
    taken.rows = taken.key_parts.empty() ? std::move(named) : in_both(taken.rows, std::move(named));
    taken.key_parts.push_back(i);
    if (!has_generated) continue;
    taken.asks_database = taken.asks_database && !saved.empty();
    filter["op"] = "in";
    filter["value"] = std::move(saved);
  }
  return taken;
}

bool matches_generated(RecordContext& context, const Table& table, const RowFilter& filter,
                       const GeneratedRows& all, const GeneratedRow& row) {
  RowFields fields(table);
  for (const Field& field : table.fields) fields.add(&field);
  Row values;
  for (const Field* field : fields.list())
    values.push_back(value_in(context, *field, *row.content));
  const ScoreFn score_of = [&](std::size_t search, const Row&) {
    return score(table, filter.searches()[search], *row.content);
  };
  const std::vector<FilterNode>& parts = filter.root().parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_named =
        std::find(all.key_parts.begin(), all.key_parts.end(), i) != all.key_parts.end();
    if (!is_named && !filter.matches(parts[i], fields, values, score_of)) return false;
  }
  return true;
}

Result<std::string> generated_text(LiteralMask& mask, const Schema& schema, const Table& table,
                                   const GeneratedRow& row,
                                   const std::vector<std::string>& members) {
  std::string id = table.key.size() == 1 ? table.key.front() : "id";
  if (has_ref_apart(table)) id = table.find("id") == nullptr ? "id" : "_ref";
  JsonObject shown{{id, row.ref}};  // as it is, although a row may have a key that reads the same
  ShownContent content(mask, schema);
  for (const auto& member : *row.content) {
    const std::string_view name(member.key());
    if (name == id) continue;
    if (!members.empty() && std::find(members.begin(), members.end(), name) == members.end())
      continue;
    if (Result<void> ok = content.add(table, name, member.value(), shown); !ok)
      return Unexpected(ok.error());
  }
  return write_json(shown);
}

}  // namespace alfred
