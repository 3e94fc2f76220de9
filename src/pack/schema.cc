#include "pack/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/not_listed.h"

namespace alfred {
namespace {

using Index = std::map<std::string, std::size_t, std::less<>>;

struct TypeName {
  FieldType type;
  std::string_view name;
};
constexpr std::array kTypeNames{
    TypeName{FieldType::text, "text"},     TypeName{FieldType::integer, "integer"},
    TypeName{FieldType::number, "number"}, TypeName{FieldType::boolean, "boolean"},
    TypeName{FieldType::date, "date"},     TypeName{FieldType::instant, "instant"},
    TypeName{FieldType::json, "json"},     TypeName{FieldType::list, "list"},
    TypeName{FieldType::uuid, "uuid"},     TypeName{FieldType::bytes, "bytes"},
};

std::vector<std::string> field_names(const Table& table) {
  std::vector<std::string> names;
  for (const Field& field : table.fields)
    if (!field.is_hidden) names.push_back(field.name);
  return names;
}

Field* find_field(Table& table, std::string_view name) {
  const auto found = std::find_if(table.fields.begin(), table.fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == table.fields.end() ? nullptr : &*found;
}

// What follows from the declarations and nobody should have to say (R2, R4).
void complete(Table& table) {
  std::erase(table.key, table.owner);
  if (table.key.empty()) table.is_read_only = true;
  if (Field* owner = find_field(table, table.owner)) {
    owner->is_hidden = true;
    owner->is_read_only = true;
  }
  for (const std::string& name : {table.created_at, table.updated_at})
    if (Field* field = find_field(table, name)) field->is_read_only = true;
  if (table.key_source != KeySource::caller)
    for (const std::string& name : table.key)
      if (Field* field = find_field(table, name)) field->is_read_only = true;
  for (Field& field : table.fields) {
    if (field.type == FieldType::bytes) field.is_read_only = true;
    const bool is_own_part = table.key.size() > 1 && table.is_key(field.name);
    field.is_key_part = (field.is_key_part || is_own_part) && !field.link && !field.is_hidden;
  }
}

// Checks one table against itself and against the tables it leads to.
class Check {
 public:
  Check(const Table& table, const std::vector<Table>& tables, const Index& by_name)
      : table_(table), tables_(tables), by_name_(by_name) {}

  Result<void> run() const {
    if (Result<void> ok = check_fields(); !ok) return ok;
    if (Result<void> ok = check_key(); !ok) return ok;
    if (Result<void> ok = check_columns(); !ok) return ok;
    if (Result<void> ok = check_links(); !ok) return ok;
    if (Result<void> ok = check_relations(); !ok) return ok;
    return check_searched();
  }

 private:
  Unexpected wrong(std::string_view member, std::string message,
                   std::vector<std::string> allowed = {}) const {
    return fail_listing(ErrorCode::schema, std::move(message),
                        fmt::format("{}.{}", table_.name, member), std::move(allowed));
  }

  Unexpected no_column(std::string_view what, std::string_view column) const {
    std::vector<std::string> known = field_names(table_);
    return wrong(column,
                 fmt::format("Table \"{}\" has no column \"{}\", which is named as its {}.",
                             table_.name, column, what),
                 std::move(known));
  }

  Result<void> check_fields() const {
    std::set<std::string_view> seen;
    for (const Field& field : table_.fields) {
      if (field.name.empty())
        return wrong("", fmt::format("Table \"{}\" has a column without a name.", table_.name));
      if (!seen.insert(field.name).second)
        return wrong(field.name, fmt::format("Table \"{}\" has the column \"{}\" twice; keep one.",
                                             table_.name, field.name));
      for (const auto& [word, value] : field.value_aliases)
        if (std::find(field.enum_values.begin(), field.enum_values.end(), value) ==
            field.enum_values.end())
          return wrong(field.name,
                       fmt::format("\"{}\" of \"{}\" has no value \"{}\" for \"{}\" to stand for.",
                                   field.name, table_.name, value, word),
                       field.enum_values);
    }
    return {};
  }

  Result<void> check_key() const {
    for (const std::string& column : table_.key) {
      const Field* field = table_.find(column);
      if (field == nullptr) return no_column("key", column);
      if (field->is_hidden)
        return wrong(column, fmt::format("Column \"{}\" is the key of \"{}\" and cannot be hidden: "
                                         "it is what its refs stand for.",
                                         column, table_.name));
    }
    if (table_.key.empty() || table_.key_source == KeySource::caller) return {};
    const FieldType type = table_.find(table_.key.front())->type;
    const bool fits = table_.key_source == KeySource::database
                          ? type == FieldType::integer
                          : type == FieldType::uuid || type == FieldType::text;
    if (fits && table_.key.size() == 1) return {};
    return wrong(table_.key.front(),
                 fmt::format("The key of \"{}\" cannot be made for the caller: we make uuids and "
                             "texts of one column, databases integers of one column.",
                             table_.name));
  }

  Result<void> check_columns() const {
    const std::array<std::pair<std::string_view, std::string_view>, 4> named{{
        {"label", table_.label},
        {"owner", table_.owner},
        {"created_at", table_.created_at},
        {"updated_at", table_.updated_at},
    }};
    for (const auto& [what, column] : named)
      if (!column.empty() && table_.find(column) == nullptr) return no_column(what, column);
    const Field* label = table_.find(table_.label);
    if (label != nullptr &&
        (label->is_hidden || label->link || label->is_key_part || table_.is_key(table_.label)))
      return wrong(
          table_.label,
          fmt::format("The label of \"{}\" cannot be \"{}\": labels are shown to models; "
                      "keys, parts of keys, links and hidden columns are not. Name another, "
                      "or none.",
                      table_.name, table_.label));
    return {};
  }

  Result<void> check_links() const {
    for (const Field& field : table_.fields) {
      if (!field.link) continue;
      const auto target = by_name_.find(field.link->table);
      if (target == by_name_.end()) return no_table(field.name, field.link->table);
      const std::size_t columns = tables_[target->second].key.size();
      if (columns != 1)
        return wrong(field.name, fmt::format("Column \"{}\" of \"{}\" cannot link to \"{}\", whose "
                                             "key has {} columns: a link holds a key of one.",
                                             field.name, table_.name, field.link->table, columns));
    }
    return {};
  }

  Result<void> check_relations() const {
    std::set<std::string_view> seen;
    for (const Relation& relation : table_.relations) {
      const auto target = by_name_.find(relation.table);
      if (target == by_name_.end()) return no_table(relation.member, relation.table);
      if (relation.member.empty() || table_.find(relation.member) != nullptr ||
          !seen.insert(relation.member).second)
        return wrong(relation.member,
                     fmt::format("The rows of \"{}\" inside \"{}\" need a name that no column and "
                                 "no other relation has; \"{}\" is none.",
                                 relation.table, table_.name, relation.member));
      const Field* back = tables_[target->second].find(relation.column);
      if (back == nullptr || !back->link || back->link->table != table_.name)
        return wrong(relation.member,
                     fmt::format("\"{}\" of \"{}\" needs a column of \"{}\" that links to \"{}\"; "
                                 "\"{}\" does not.",
                                 relation.member, table_.name, relation.table, table_.name,
                                 relation.column));
    }
    return {};
  }

  // "name", or "author_id.name" and "chapters.title" one step away.
  Result<void> check_searched() const {
    for (const std::string& path : table_.searched) {
      const std::size_t dot = path.find('.');
      const Table* table = dot == std::string::npos ? &table_ : table_behind(path.substr(0, dot));
      const Field* field =
          table == nullptr ? nullptr
                           : table->find(dot == std::string::npos ? path : path.substr(dot + 1));
      if (field == nullptr || field->is_hidden ||
          (field->type != FieldType::text && field->type != FieldType::list))
        return wrong(path, fmt::format("\"{}\" of \"{}\" cannot be searched: name a text or a list "
                                       "of this table, of a link (column.field) or of nested rows "
                                       "(member.field).",
                                       path, table_.name));
    }
    return {};
  }

  const Table* table_behind(std::string_view step) const {
    const Field* field = table_.find(step);
    std::string_view name;
    if (field != nullptr && field->link) name = field->link->table;
    for (const Relation& relation : table_.relations)
      if (relation.member == step) name = relation.table;
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &tables_[found->second];
  }

  Unexpected no_table(std::string_view member, std::string_view table) const {
    std::vector<std::string> known;
    for (const auto& [name, position] : by_name_) known.push_back(name);
    return wrong(member,
                 fmt::format("\"{}\" of \"{}\" leads to \"{}\", which is no table here.", member,
                             table_.name, table),
                 std::move(known));
  }

  const Table& table_;
  const std::vector<Table>& tables_;
  const Index& by_name_;
};

EntityType entity_type_of(const Table& table) {
  EntityType type;
  type.table = table.name;
  type.ref = table.ref;
  type.key = table.key;
  type.label = table.label;
  for (const Field& field : table.fields) {
    if (field.link && !field.is_hidden) type.links.push_back({field.name, field.link->table});
    if (field.is_key_part) type.key_parts.push_back(field.name);
  }
  for (const Relation& relation : table.relations)
    type.nested.push_back({relation.member, relation.table});
  return type;
}

Result<Index> index_tables(const std::vector<Table>& tables) {
  Index by_name;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].name.empty()) return fail(ErrorCode::schema, "A table has no name.");
    if (!by_name.emplace(tables[i].name, i).second)
      return fail(ErrorCode::schema,
                  fmt::format("Table \"{}\" stands here twice; keep one.", tables[i].name),
                  tables[i].name);
  }
  return by_name;
}

// "entity[2].ref" as "books.ref".
std::string path_by_table(const std::string& path, const std::vector<Table>& tables) {
  constexpr std::string_view kHead = "entity[";
  const std::size_t end = path.find(']');
  if (!path.starts_with(kHead) || end == std::string::npos) return path;
  const std::size_t position = std::stoul(path.substr(kHead.size(), end - kHead.size()));
  return tables.at(position).name + path.substr(end + 1);
}

}  // namespace

std::string_view field_type_name(FieldType type) {
  return std::find_if(kTypeNames.begin(), kTypeNames.end(),
                      [&](const TypeName& row) { return row.type == type; })
      ->name;
}

std::optional<FieldType> field_type_named(std::string_view name) {
  for (const TypeName& row : kTypeNames)
    if (row.name == name) return row.type;
  return std::nullopt;
}

const Field* Table::find(std::string_view field) const {
  for (const Field& candidate : fields)
    if (candidate.name == field) return &candidate;
  return nullptr;
}

bool Table::is_key(std::string_view field) const {
  return std::find(key.begin(), key.end(), field) != key.end();
}

Result<Schema> Schema::make(std::vector<Table> tables) {
  Result<Index> by_name = index_tables(tables);
  if (!by_name) return Unexpected(by_name.error());
  for (Table& table : tables) complete(table);
  std::vector<EntityType> types;
  for (const Table& table : tables) {
    if (Result<void> ok = Check(table, tables, *by_name).run(); !ok) return Unexpected(ok.error());
    types.push_back(entity_type_of(table));
  }
  Result<EntityTypes> made = EntityTypes::make(std::move(types));
  if (!made) {
    Error error = std::move(made.error());
    error.path = path_by_table(error.path, tables);
    return Unexpected(std::move(error));
  }
  Schema schema;
  for (Table& table : tables) {
    table.is_ref_derived = table.is_ref_derived || table.ref.empty();
    table.ref = made->find_table(table.name)->ref;
  }
  schema.tables_ = std::move(tables);
  schema.by_name_ = std::move(*by_name);
  schema.types_ = std::move(*made);
  return schema;
}

const Table* Schema::find(std::string_view table) const {
  const auto found = by_name_.find(table);
  return found == by_name_.end() ? nullptr : &tables_[found->second];
}

const Table* Schema::find_ref(std::string_view ref) const {
  const EntityType* type = types_.find_ref(ref);
  return type == nullptr ? nullptr : find(type->table);
}

}  // namespace alfred
