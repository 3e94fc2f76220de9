#include "pack/derive/derived_keys.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "pack/ref_names.h"
#include "pack/sql/key_use.h"

namespace alfred {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool same_name(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

Table* table_named(std::vector<Table>& tables, std::string_view name) {
  for (Table& table : tables)
    if (same_name(table.name, name)) return &table;
  return nullptr;
}

Field* field_named(Table& table, std::string_view name) {
  for (Field& field : table.fields)
    if (same_name(field.name, name)) return &field;
  return nullptr;
}

// The link that a column is because it leads to another table's column; none: that holds no key.
std::optional<FieldLink> link_through(const Table& target, const Field& led_to,
                                      OnDelete on_delete) {
  if (led_to.link)
    return FieldLink{led_to.link->table,
                     led_to.link->on_delete == OnDelete::cascade ? on_delete : OnDelete::refuse};
  if (target.key.size() == 1 && target.key.front() == led_to.name)
    return FieldLink{target.name, on_delete};
  return std::nullopt;
}

// Each column of a foreign key with the one it leads to, where both are there.
template <class Visit>
void visit_columns(const CatalogueLink& link, Table& table, Table& target, const Visit& visit) {
  // A foreign key may leave out the columns it leads to: they are the key.
  const std::vector<std::string>& columns =
      link.target_columns.empty() ? target.key : link.target_columns;
  for (std::size_t i = 0; i < std::min(link.columns.size(), columns.size()); ++i) {
    Field* const field = field_named(table, link.columns[i]);
    const Field* const led_to = field_named(target, columns[i]);
    if (field != nullptr && led_to != nullptr && field->name != table.owner) visit(*field, *led_to);
  }
}

bool link_parts_of(const CatalogueLink& link, Table& table, std::vector<Table>& tables) {
  Table* const target = table_named(tables, link.table);
  if (target == nullptr) return false;
  bool found = false;
  visit_columns(link, table, *target, [&](Field& field, const Field& led_to) {
    if (field.link) return;
    const bool is_own = table.key.size() == 1 && table.key.front() == field.name;
    field.link =
        is_own && &table == target ? std::nullopt : link_through(*target, led_to, link.on_delete);
    if (!field.link) return;
    if (field.type == FieldType::text && led_to.type == FieldType::integer)
      field.type = led_to.type;
    found = true;
  });
  return found;
}

bool mark_parts_of(const CatalogueLink& link, Table& table, std::vector<Table>& tables) {
  Table* const target = table_named(tables, link.table);
  if (target == nullptr) return false;
  bool found = false;
  visit_columns(link, table, *target, [&](Field& field, const Field& led_to) {
    if (!led_to.is_key_part || led_to.link || field.link || field.is_key_part) return;
    found = field.is_key_part = true;
  });
  return found;
}

// "author" of author_id and authorId; empty: the name says nothing of a key.
std::string stem_of_link(std::string_view column) {
  const std::optional<std::string_view> named = named_by_key_column(column);
  return named && !named->empty() ? name_stem(lower(*named)) : std::string();
}

bool can_lead_to(const Field& field, const Table& table) {
  if (table.is_view || table.key.size() != 1) return false;
  const Field* const key = table.find(table.key.front());
  return key != nullptr && !key->link && key->type == field.type;
}

// The one table that is called so; null: none, or several.
const Table* table_called(const std::vector<Table>& tables, const std::string& stem) {
  const Table* found = nullptr;
  for (const Table& table : tables) {
    const std::string name = table.name.substr(table.name.rfind('.') + 1);
    if (table.is_view || name_stem(lower(name)) != stem) continue;
    if (found != nullptr) return nullptr;
    found = &table;
  }
  return found;
}

// What is known of a view's column from where its values come from.
void follow_origin(const CatalogueColumn& column, Field& field, std::vector<Table>& tables) {
  Table* const table = table_named(tables, column.origin_table);
  const Field* const origin =
      table == nullptr ? nullptr : field_named(*table, column.origin_column);
  if (origin == nullptr) return;
  const bool is_key = table->key.size() == 1 && same_name(table->key.front(), origin->name);
  if (origin->link)
    field.link = FieldLink{origin->link->table, OnDelete::refuse};
  else if (is_key)
    field.link = FieldLink{table->name, OnDelete::refuse};
  field.is_hidden = field.is_hidden || origin->is_hidden;
  field.is_key_part = field.is_key_part || origin->is_key_part;
  if (field.link) field.type = origin->type;
}

// What is known of the others from the view's text. SQLite keeps all of CREATE VIEW, PostgreSQL the
// SELECT.
void read_view_text(const CatalogueTable& source, Table& view, const std::vector<Table>& tables) {
  std::vector<const Table*> all;
  for (const Table& table : tables)
    if (&table != &view) all.push_back(&table);
  const bool is_sqlite = lower(source.view_sql).find("create") == 0;
  const Result<KeyUse> use =
      read_key_use(source.view_sql, all, is_sqlite ? Brackets::quote_names : Brackets::hold_places);
  const std::string text = lower(source.view_sql);
  const bool is_union = text.find("union") != std::string::npos ||
                        text.find("except") != std::string::npos ||
                        text.find("intersect") != std::string::npos;
  const bool may_show_parts =
      !named_with_key_parts(source.view_sql, all,
                            is_sqlite ? Brackets::quote_names : Brackets::hold_places)
           .empty();
  for (std::size_t i = 0; i < view.fields.size(); ++i) {
    Field& field = view.fields[i];
    if (view.is_key(field.name)) continue;
    const bool has_origin = !source.columns[i].origin_column.empty();
    field.is_key_part = field.is_key_part || (may_show_parts && (!has_origin || is_union));
    if (!use) field.is_hidden = field.is_hidden || !has_origin || is_union;
    if (!use || has_origin || field.link) continue;
    const auto shown = use->shown.find(lower(field.name));
    if (shown == use->shown.end()) continue;
    if (shown->second == nullptr) {
      field.is_hidden = true;
    } else {
      field.link = FieldLink{shown->second->name, OnDelete::refuse};
      field.type = shown->second->find(shown->second->key.front())->type;
    }
  }
}

}  // namespace

void hide_odd_key(Table& table) {
  if (table.key.size() != 1) return;
  Field* const field = field_named(table, table.key.front());
  if (field != nullptr && field->type != FieldType::bytes) field->is_hidden = true;
}

void hide_odd_links(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const CatalogueLink& link : sources[i]->links) {
      Table* const target = table_named(tables, link.table);
      if (target == nullptr || link.columns.size() != 1 || link.target_columns.size() != 1)
        continue;
      const Field* const key = field_named(*target, link.target_columns.front());
      Field* const field = field_named(tables[i], link.columns.front());
      if (key != nullptr && key->is_hidden && target->key.empty() && field != nullptr)
        field->is_hidden = true;
    }
}

void hide_out_of_sight(const std::vector<const CatalogueTable*>& sources,
                       std::vector<Table>& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const CatalogueColumn& column : sources[i]->columns) {
      Table& table = tables[i];
      Field* const field = field_named(table, column.name);
      if (field == nullptr || !column.is_out_of_sight || field->link || field->name == table.owner)
        continue;
      if (table.is_key(field->name)) {
        if (table.key.size() == 1) continue;  // refs stand for it
        table.key.clear();
      }
      field->is_hidden = true;
    }
}

// What one leads to may be a link only because of what that leads to.
void link_parts(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables) {
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < tables.size(); ++i)
      for (const CatalogueLink& link : sources[i]->links)
        found = link_parts_of(link, tables[i], tables) || found;
  }
}

// As with links: what one leads to may be a part only because of what that leads to.
void mark_key_parts(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables) {
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < tables.size(); ++i)
      for (const CatalogueLink& link : sources[i]->links)
        found = mark_parts_of(link, tables[i], tables) || found;
  }
}

void link_by_name(std::vector<Table>& tables) {
  for (Table& table : tables) {
    if (table.is_view) continue;
    for (Field& field : table.fields) {
      const std::string stem = stem_of_link(field.name);
      const bool is_own = table.key.size() == 1 && table.key.front() == field.name;
      if (stem.empty() || field.link || field.is_hidden || is_own || field.name == table.owner)
        continue;
      const Table* target = table_called(tables, stem);
      if (target == nullptr && stem == "parent") target = &table;
      if (target != nullptr && can_lead_to(field, *target))
        field.link = FieldLink{target->name, OnDelete::refuse};
    }
  }
}

void link_views(const std::vector<const CatalogueTable*>& sources, std::vector<Table>& tables) {
  // A view may read another that comes after it.
  const auto views =
      std::count_if(tables.begin(), tables.end(), [](const Table& table) { return table.is_view; });
  constexpr std::ptrdiff_t kMostPasses = 8;
  for (std::ptrdiff_t pass = 0; pass < std::min<std::ptrdiff_t>(views, kMostPasses); ++pass)
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!tables[i].is_view) continue;
      for (std::size_t at = 0; at < tables[i].fields.size(); ++at)
        if (!tables[i].is_key(tables[i].fields[at].name))  // a pack may give a view a key
          follow_origin(sources[i]->columns[at], tables[i].fields[at], tables);
      if (!sources[i]->view_sql.empty()) read_view_text(*sources[i], tables[i], tables);
    }
}

}  // namespace alfred
