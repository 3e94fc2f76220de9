#include "pack/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/not_listed.h"
#include "pack/derive.h"

namespace alfred {
namespace {

Unexpected wrong(const PackPlace& place, std::string message,
                 std::vector<std::string> allowed = {}) {
  return fail_listing(ErrorCode::pack, std::move(message), place, std::move(allowed));
}

// What a column of the database can hold besides what its type says: SQLite and portable schemas
// keep almost everything in texts.
bool can_hold(FieldType column, FieldType declared) {
  if (column == declared) return true;
  switch (column) {
    case FieldType::text: return declared != FieldType::bytes;
    case FieldType::integer: return declared == FieldType::boolean || declared == FieldType::number;
    case FieldType::number: return declared == FieldType::integer;
    case FieldType::json: return declared == FieldType::list;
    case FieldType::uuid: return declared == FieldType::text;
    default: return false;
  }
}

class Overlay {
 public:
  Overlay(const Pack& pack, const Catalogue& catalogue) : pack_(pack), catalogue_(catalogue) {}

  Result<Schema> run() {
    DeriveOptions options;
    options.owner = pack_.owner;
    for (const PackEntity& entity : pack_.entities) {
      if (entity.owner) options.owners[entity.table] = *entity.owner;
      if (!entity.key.empty()) options.keys[entity.table] = entity.key;
    }
    tables_ = derive_tables(catalogue_, options);
    if (Result<void> ok = check_own_columns(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = put_in_order(); !ok) return Unexpected(ok.error());
    for (const PackEntity& entity : pack_.entities)
      if (Result<void> ok = lay(entity); !ok) return Unexpected(ok.error());
    settle_links();
    settle_matches(tables_);
    derive_relations(tables_);
    for (const PackEntity& entity : pack_.entities)
      if (Result<void> ok = lay_relations(entity); !ok) return Unexpected(ok.error());
    Result<Schema> made = Schema::make(std::move(tables_));
    if (made) return made;
    Error error = std::move(made.error());
    error.code = ErrorCode::pack;
    error.path = place_of(error.path);
    return Unexpected(std::move(error));
  }

 private:
  Table* find(std::string_view name) {
    for (Table& table : tables_)
      if (table.name == name) return &table;
    return nullptr;
  }

  // A column that is named for all tables is in one of them at least: an owner that is spelt
  // wrongly would keep nobody's rows apart.
  Result<void> check_own_columns() const {
    const std::pair<const char*, const std::string&> named[] = {
        {"owner", pack_.owner}, {"created_at", pack_.created_at}, {"updated_at", pack_.updated_at}};
    for (const auto& [what, column] : named) {
      const auto has_it = [&](const Table& table) { return table.find(column) != nullptr; };
      if (column.empty() || tables_.empty() || std::any_of(tables_.begin(), tables_.end(), has_it))
        continue;
      return wrong(pack_.places.at(what),
                   fmt::format("No table of the database has a column \"{}\", which {} names.",
                               column, what));
    }
    return {};
  }

  // Tables in the pack's order, and the others after them or not at all (R3).
  Result<void> put_in_order() {
    std::vector<Table> ordered;
    std::vector<std::string> names;
    names.reserve(tables_.size());
    for (const Table& table : tables_) names.push_back(table.name);
    for (const PackEntity& entity : pack_.entities) {
      Table* table = find(entity.table);
      if (table == nullptr)
        return wrong(entity.places.at("table"),
                     fmt::format("The database has no table \"{}\". It has: {}.", entity.table,
                                 fmt::join(names, ", ")),
                     names);
      ordered.push_back(*table);
    }
    if (pack_.shows_undeclared)
      for (Table& table : tables_)
        if (pack_.find(table.name) == nullptr) ordered.push_back(std::move(table));
    tables_ = std::move(ordered);
    return {};
  }

  Result<Field*> column(Table& table, const std::string& name, const PackPlace& place) {
    std::vector<std::string> names;
    for (Field& field : table.fields) {
      if (field.name == name) return &field;
      names.push_back(field.name);
    }
    return wrong(place,
                 fmt::format("Table \"{}\" of the database has no column \"{}\". It has: {}.",
                             table.name, name, fmt::join(names, ", ")),
                 names);
  }

  Result<void> lay(const PackEntity& entity) {
    Table& table = *find(entity.table);
    table.ref = entity.ref;
    table.is_read_only = table.is_read_only || entity.is_read_only;
    table.batch_policy = entity.batch_policy;
    table.searched = entity.searched;
    for (const std::string& name : entity.key)
      if (Result<Field*> ok = column(table, name, entity.places.at("key")); !ok)
        return Unexpected(ok.error());
    if (entity.owner && !entity.owner->empty())
      if (Result<Field*> ok = column(table, *entity.owner, entity.places.at("owner")); !ok)
        return Unexpected(ok.error());
    for (const PackField& field : entity.fields)
      if (Result<void> ok = lay_field(table, field); !ok) return ok;
    if (Result<void> ok = lay_times(table, entity); !ok) return ok;
    for (const auto& [member, name] :
         {std::pair("timer", entity.timer), std::pair("timer_unless", entity.timer_unless)})
      if (!name.empty())
        if (Result<Field*> ok = column(table, name, entity.places.at(member)); !ok)
          return Unexpected(ok.error());
    for (const PackLink& link : entity.links)
      if (Result<void> ok = lay_link(table, link); !ok) return ok;
    return lay_label(table, entity);
  }

  Result<void> lay_field(Table& table, const PackField& declared) {
    Result<Field*> found = column(table, declared.name, declared.place);
    if (!found) return Unexpected(found.error());
    Field& field = **found;
    if (declared.type) {
      if (!can_hold(field.type, *declared.type))
        return wrong(declared.place,
                     fmt::format("Column \"{}\" of \"{}\" is declared as {}, but the database's "
                                 "type is \"{}\".",
                                 declared.name, table.name, field_type_name(*declared.type),
                                 field.database_type));
      field.type = *declared.type;
    }
    if (!declared.values.empty()) field.enum_values = declared.values;
    field.value_aliases = declared.aliases;
    field.default_value = declared.default_value;
    if (declared.is_hidden) field.is_hidden = *declared.is_hidden;
    if (declared.is_read_only) field.is_read_only = *declared.is_read_only;
    return {};
  }

  // The entity's own word, or the pack's where the table has that column.
  Result<void> lay_times(Table& table, const PackEntity& entity) {
    const auto lay_one = [&](std::string_view what, const std::string& own,
                             const std::string& shared, std::string& out) -> Result<void> {
      if (own.empty() && (shared.empty() || table.find(shared) == nullptr)) return {};
      const std::string& name = own.empty() ? shared : own;
      const auto place = entity.places.find(what);
      Result<Field*> field =
          column(table, name, place == entity.places.end() ? entity.place : place->second);
      if (!field) return Unexpected(field.error());
      if (can_hold((*field)->type, FieldType::instant)) (*field)->type = FieldType::instant;
      out = name;
      return {};
    };
    if (Result<void> ok =
            lay_one("created_at", entity.created_at, pack_.created_at, table.created_at);
        !ok)
      return ok;
    return lay_one("updated_at", entity.updated_at, pack_.updated_at, table.updated_at);
  }

  Result<void> lay_link(Table& table, const PackLink& link) {
    Result<Field*> found = column(table, link.column, link.place);
    if (!found) return Unexpected(found.error());
    Field& field = **found;
    if (find(link.table) == nullptr) {
      std::vector<std::string> names;
      names.reserve(tables_.size());
      for (const Table& other : tables_) names.push_back(other.name);
      return wrong(link.place,
                   fmt::format("\"{}\" of \"{}\" leads to \"{}\", which is no table here.",
                               link.column, table.name, link.table),
                   names);
    }
    const bool is_same = field.link && field.link->table == link.table;
    const OnDelete known = is_same ? field.link->on_delete : OnDelete::refuse;
    field.link = FieldLink{link.table, link.on_delete.value_or(known)};
    return {};
  }

  Result<void> lay_label(Table& table, const PackEntity& entity) {
    if (!entity.label) {
      table.label = guess_label(table);
      return {};
    }
    table.label = *entity.label;
    if (table.label.empty()) return {};
    if (Result<Field*> ok = column(table, table.label, entity.places.at("label")); !ok)
      return Unexpected(ok.error());
    return {};
  }

  // R3 and R4, and who makes the keys now that their types are known.
  void settle_links() {
    for (Table& table : tables_)
      for (Field& field : table.fields) {
        if (!field.link) continue;
        const Table* target = find(field.link->table);
        if (target == nullptr) {
          field.link.reset();
          field.is_hidden = !table.is_key(field.name);
        } else if (target->key.size() == 1) {
          field.type = target->find(target->key[0])->type;
        }
      }
    for (Table& table : tables_) table.key_source = key_source_of(table);
  }

  Result<void> lay_relations(const PackEntity& entity) {
    if (!entity.nested) return {};
    Table& table = *find(entity.table);
    table.relations.clear();
    for (const PackRelation& declared : *entity.nested) {
      Relation relation{declared.member, declared.table, declared.column};
      const Table* child = find(declared.table);
      std::vector<std::string> back;
      if (child != nullptr)
        for (const Field& field : child->fields)
          if (field.link && field.link->table == table.name) back.push_back(field.name);
      if (relation.column.empty() && back.size() == 1) relation.column = back[0];
      if (std::find(back.begin(), back.end(), relation.column) == back.end())
        return wrong(
            declared.place,
            fmt::format("The rows of \"{}\" in \"{}\" need the column that leads back: {} = "
                        "{{ table = \"{}\", column = \"…\" }}.",
                        declared.table, table.name, declared.member, declared.table),
            back);
      table.relations.push_back(std::move(relation));
    }
    return {};
  }

  // "books.title" of Schema::make as a place in pack.toml.
  std::string place_of(const std::string& path) const {
    for (const PackEntity& entity : pack_.entities) {
      if (path != entity.table && !path.starts_with(entity.table + ".")) continue;
      const std::string rest =
          path == entity.table ? std::string() : path.substr(entity.table.size() + 1);
      for (const PackField& field : entity.fields)
        if (field.name == rest) return field.place;
      for (const PackLink& link : entity.links)
        if (link.column == rest) return link.place;
      for (const auto& [name, place] : entity.places)
        if (name == rest) return place;
      if (entity.label == rest) return entity.places.at("label");
      if (std::find(entity.searched.begin(), entity.searched.end(), rest) != entity.searched.end())
        return entity.places.at("searched");
      return entity.place;
    }
    return path;
  }

  const Pack& pack_;
  const Catalogue& catalogue_;
  std::vector<Table> tables_;
};

}  // namespace

Result<Schema> overlay(const Pack& pack, const Catalogue& catalogue) {
  return Overlay(pack, catalogue).run();
}

}  // namespace alfred
