#include <fmt/format.h>

#include <algorithm>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

const std::vector<std::string> kTypeWords{"text",    "integer", "number", "boolean", "date",
                                          "instant", "json",    "list",   "uuid",    "bytes"};
const std::vector<std::string> kOnDeleteWords{"refuse", "cascade", "set_null"};

OnDelete on_delete_named(std::string_view word) {
  if (word == "cascade") return OnDelete::cascade;
  return word == "set_null" ? OnDelete::set_null : OnDelete::refuse;
}

Result<void> check_default(const PackField& field, const TomlPlace& place) {
  if (field.values.empty() || !field.default_value || !field.default_value->is_string()) return {};
  const std::string word(field.default_value->as_string());
  if (std::find(field.values.begin(), field.values.end(), word) != field.values.end()) return {};
  return fail_toml(place,
                   fmt::format("The default \"{}\" of \"{}\" is none of its values: {}.", word,
                               field.name, fmt::join(field.values, ", ")),
                   field.values);
}

Result<PackField> read_field(const TomlMember& member) {
  PackField field;
  field.name = member.name;
  field.place = member.place;
  TomlTable table(member.value, fmt::format("the field \"{}\"", member.name));
  table.take_word("type", kTypeWords,
                  [&](std::string_view word) { field.type = field_type_named(word); });
  table.take("values", field.values);
  table.take_texts("aliases", [&](const std::string& word, const std::string& value) {
    field.aliases[word] = value;
  });
  table.take("default", field.default_value);
  bool flag = false;
  table.take("hidden", flag);
  if (table.has("hidden")) field.is_hidden = flag;
  flag = false;
  table.take("read_only", flag);
  if (table.has("read_only")) field.is_read_only = flag;
  table.take("help", field.help);
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (Result<void> ok = check_default(field, table.place_of("default")); !ok)
    return Unexpected(ok.error());
  return field;
}

// column = "table", or column = { table = "…", on_delete = "…" }
Result<PackLink> read_link(const TomlMember& member) {
  PackLink link;
  link.column = member.name;
  link.place = member.place;
  if (const std::string* table = member.value.text()) {
    link.table = *table;
    return link;
  }
  TomlTable table(member.value, fmt::format("the link \"{}\"", member.name));
  table.take("table", link.table);
  table.take_word("on_delete", kOnDeleteWords,
                  [&](std::string_view word) { link.on_delete = on_delete_named(word); });
  table.require("table");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return link;
}

// member = "table", or member = { table = "…", column = "…" }
Result<PackRelation> read_relation(const TomlMember& member) {
  PackRelation relation;
  relation.member = member.name;
  relation.place = member.place;
  if (const std::string* table = member.value.text()) {
    relation.table = *table;
    return relation;
  }
  TomlTable table(member.value, fmt::format("the nested rows \"{}\"", member.name));
  table.take("table", relation.table);
  table.take("column", relation.column);
  table.require("table");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return relation;
}

// hidden_fields, shown_fields and read_only_fields say of many fields what [entity.fields.x] says
// of one.
void mark_fields(PackEntity& entity, const std::vector<std::string>& names, const TomlPlace& place,
                 const std::function<void(PackField&)>& mark) {
  for (const std::string& name : names) {
    const auto found = std::find_if(entity.fields.begin(), entity.fields.end(),
                                    [&](const PackField& field) { return field.name == name; });
    if (found != entity.fields.end()) {
      mark(*found);
      continue;
    }
    PackField field;
    field.name = name;
    field.place = place;
    mark(field);
    entity.fields.push_back(std::move(field));
  }
}

void take_field_lists(TomlTable& table, PackEntity& entity) {
  std::vector<std::string> names;
  const auto take = [&](std::string_view name, const std::function<void(PackField&)>& mark) {
    names.clear();
    table.take(name, names);
    mark_fields(entity, names, table.place_of(name), mark);
  };
  take("hidden_fields", [](PackField& field) { field.is_hidden = true; });
  take("shown_fields", [](PackField& field) { field.is_hidden = false; });
  take("read_only_fields", [](PackField& field) { field.is_read_only = true; });
}

void take_names(TomlTable& table, PackEntity& entity) {
  table.take("table", entity.table);
  table.take("ref", entity.ref);
  table.take_or_none("label", entity.label);
  table.take("words", entity.words);
  table.take("key", entity.key);
  table.take_or_none("owner", entity.owner);
  table.take("created_at", entity.created_at);
  table.take("updated_at", entity.updated_at);
  table.take("read_only", entity.is_read_only);
  table.take("single", entity.is_single);
  table.take_word("batch", {"partial", "atomic"}, [&](std::string_view word) {
    entity.batch_policy = word == "atomic" ? BatchPolicy::atomic : BatchPolicy::partial;
  });
  table.take("searched", entity.searched);
  table.take("timer", entity.timer);
  table.take("timer_unless", entity.timer_unless);
}

}  // namespace

Result<PackEntity> read_pack_entity(const TomlValue& value) {
  PackEntity entity;
  entity.place = value.place;
  TomlTable table(value, "[[entity]]");
  if (value.table() != nullptr)
    for (const TomlMember& member : *value.table()) entity.places[member.name] = member.value.place;
  take_names(table, entity);
  table.take_members("fields", into(entity.fields, read_field));
  take_field_lists(table, entity);
  table.take_members("links", into(entity.links, read_link));
  if (table.has("nested")) entity.nested.emplace();
  std::vector<PackRelation> nested;
  table.take_members("nested", into(nested, read_relation));
  if (entity.nested) entity.nested = std::move(nested);
  table.take_value("compile", [&](const TomlValue& rules) -> Result<void> {
    Result<CompileRules> read = read_compile_rules(rules);
    if (!read) return Unexpected(read.error());
    entity.compile = std::move(*read);
    return {};
  });
  EntityLayout layout;
  take_layout(table, layout);
  if (table.has("lines") || table.has("list")) entity.layout = std::move(layout);
  table.require("table");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return entity;
}

}  // namespace alfred
