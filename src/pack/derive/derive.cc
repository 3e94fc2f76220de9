#include "pack/derive.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pack/derive/declared_type.h"
#include "pack/derive/derived_keys.h"

namespace alfred {
namespace {

using std::string_view;

constexpr std::array<string_view, 4> kCreatedNames{"created_at", "createdat", "inserted_at",
                                                   "date_created"};
constexpr std::array<string_view, 5> kUpdatedNames{"updated_at", "updatedat", "modified_at",
                                                   "last_modified", "date_modified"};

std::string lower(string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

template <std::size_t N>
bool is_one_of(const std::array<string_view, N>& names, string_view name) {
  return std::find(names.begin(), names.end(), lower(name)) != names.end();
}

// Foreign keys may spell a name in another case than the table does (SQLite lets them).
bool same_name(string_view a, string_view b) { return lower(a) == lower(b); }

bool is_left_out(string_view table) {
  const std::string name = lower(table);
  for (const string_view head :
       {"alfred_", "alfred.", "sqlite_", "pg_catalog.", "information_schema."})
    if (name.starts_with(head)) return true;
  return false;
}

bool is_integer(string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A column may be declared to hold moments and hold counts of seconds, or what nobody can read.
void take_time_form(TimeForm form, Field& field) {
  if (field.type != FieldType::instant) return;
  field.time_form = form;
  if (form == TimeForm::whole) field.type = FieldType::integer;
  if (form == TimeForm::fraction) field.type = FieldType::number;
  if (form == TimeForm::other) field.type = FieldType::text;
}

Field field_of(const CatalogueColumn& column) {
  const DeclaredType declared = read_declared_type(column.declared_type);
  Field field;
  field.name = column.name;
  field.type = declared.type;
  field.database_type = column.declared_type;
  field.is_nullable = column.is_nullable;
  field.has_default = column.has_default;
  field.is_computed = column.is_computed;
  field.may_insert = column.may_insert;
  field.may_update = column.may_update;
  field.is_read_only =
      column.is_computed || declared.is_read_only || (!column.may_insert && !column.may_update);
  take_time_form(column.time_form, field);
  field.match = column.match;
  field.clock = column.clock;
  field.holds_uuids = column.holds_uuids;
  // A list is of words. Of integers it is left to the database to refuse others; a type that only
  // sounds like an integer ("interest") is the name of an enum.
  const bool is_of_integers =
      std::all_of(column.enum_values.begin(), column.enum_values.end(), is_integer);
  if (column.enum_values.empty() || (is_of_integers && field.type != FieldType::text)) return field;
  field.type = FieldType::text;
  field.enum_values = column.enum_values;
  return field;
}

Field* find_field(Table& table, string_view name) {
  for (Field& field : table.fields)
    if (same_name(field.name, name)) return &field;
  return nullptr;
}

std::string owner_of(const CatalogueTable& table, const DeriveOptions& options) {
  if (const auto own = options.owners.find(table.name); own != options.owners.end())
    return own->second;
  for (const CatalogueColumn& column : table.columns)
    if (!options.owner.empty() && column.name == options.owner) return column.name;
  return {};
}

// Nobody could tell whose the rows are.
bool is_owner_unreadable(const CatalogueTable& table, const DeriveOptions& options) {
  const auto own = options.owners.find(table.name);
  const std::string& owner = own == options.owners.end() ? options.owner : own->second;
  return std::find(table.unreadable.begin(), table.unreadable.end(), owner) !=
         table.unreadable.end();
}

void recognise_times(Table& table) {
  for (Field& field : table.fields) {
    if (field.type != FieldType::instant || field.is_read_only) continue;
    if (is_one_of(kUpdatedNames, field.name) && table.updated_at.empty() && field.may_insert &&
        field.may_update)
      table.updated_at = field.name;
    if (!is_one_of(kCreatedNames, field.name) || !table.created_at.empty()) continue;
    if (field.has_default || !field.may_insert)
      field.is_read_only = true;
    else
      table.created_at = field.name;
  }
}

// Refs stand for uuids, integers and texts; a key of anything else names no row.
bool can_be_key(const Table& table, string_view column) {
  const Field* field = table.find(column);
  if (field == nullptr) return true;  // Schema::make says what is missing
  switch (field->type) {
    case FieldType::number:
    case FieldType::boolean:
    case FieldType::json:
    case FieldType::list:
    case FieldType::bytes: return false;
    default: return true;
  }
}

Table table_of(const CatalogueTable& source, const DeriveOptions& options) {
  Table table;
  table.name = source.name;
  table.is_view = source.is_view;
  table.may_write = source.may_write;
  table.is_read_only = source.is_view || !source.may_write;
  table.owner = owner_of(source, options);
  for (const CatalogueColumn& column : source.columns) {
    Field field = field_of(column);
    field.is_unique = std::find(source.uniques.begin(), source.uniques.end(),
                                std::vector<std::string>{column.name}) != source.uniques.end();
    table.fields.push_back(std::move(field));
  }
  if (!source.row_number.empty()) {
    Field& number = table.row_number.emplace();
    number.name = source.row_number;
    number.type = FieldType::integer;
    number.is_nullable = false;
    number.is_hidden = number.is_read_only = true;
  }
  const auto declared = options.keys.find(source.name);
  for (const std::string& column :
       declared == options.keys.end() ? source.primary_key : declared->second)
    if (column != table.owner) table.key.push_back(column);
  if (table.key.size() > 1)  // also where no ref can stand for the whole of it
    for (Field& field : table.fields) field.is_key_part = table.is_key(field.name);
  if (!std::all_of(table.key.begin(), table.key.end(),
                   [&](const std::string& column) { return can_be_key(table, column); })) {
    hide_odd_key(table);
    table.key.clear();
  }
  recognise_times(table);
  return table;
}

Table* find_table(std::vector<Table>& tables, string_view name) {
  for (Table& table : tables)
    if (table.name == name) return &table;
  for (Table& table : tables)
    if (same_name(table.name, name)) return &table;
  return nullptr;
}

struct Pair {
  std::string column;
  std::string target;
};

// The pairs of a foreign key without those of the two owners.
std::vector<Pair> pairs_of(const CatalogueLink& link, const Table& from, const Table& to) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < link.columns.size(); ++i) {
    // A foreign key may leave out the columns it leads to: they are the key.
    std::string target = i < link.target_columns.size() ? link.target_columns[i]
                         : i < to.key.size()            ? to.key[i]
                                                        : std::string();
    const bool is_owner = !from.owner.empty() && same_name(link.columns[i], from.owner) &&
                          same_name(target, to.owner);
    if (!is_owner) pairs.push_back({link.columns[i], std::move(target)});
  }
  return pairs;
}

void add_links(const CatalogueTable& source, Table& table, std::vector<Table>& tables) {
  for (const CatalogueLink& link : source.links) {
    const Table* target = find_table(tables, link.table);
    if (target == nullptr || target->key.size() != 1) continue;
    const std::vector<Pair> pairs = pairs_of(link, table, *target);
    if (pairs.size() != 1 || !same_name(pairs[0].target, target->key[0])) continue;
    Field* field = find_field(table, pairs[0].column);
    if (field == nullptr || field->link || field->name == table.owner) continue;
    field->link = FieldLink{target->name, link.on_delete};
    // SQLite lets a text lead to an integer; what it leads to is what it holds.
    const Field* const key = target->find(target->key[0]);
    if (field->type == FieldType::text && key->type == FieldType::integer) field->type = key->type;
  }
}

void hide_secrets(Table& table) {
  for (Field& field : table.fields)
    if (!field.link && !table.is_key(field.name) && is_secret_name(field.name))
      field.is_hidden = true;
}

bool may_be_label(const Table& table, const Field& field) {
  return field.type == FieldType::text && !field.link && !field.is_hidden && !field.is_key_part &&
         field.name != table.owner && !table.is_key(field.name);
}

// user_name → {user, name}; apiKey → {api, key}.
std::vector<std::string> words_of(string_view name) {
  std::vector<std::string> words(1);
  bool was_lower = false;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_break = c == '_' || c == '-' || c == ' ';
    if ((is_break || (is_upper && was_lower)) && !words.back().empty()) words.emplace_back();
    if (!is_break) words.back() += lower(string_view(&c, 1));
    was_lower = !is_upper && !is_break;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// full_name, fullName and FULLNAME are one name.
std::string bare_name(string_view name) {
  std::string out;
  for (const std::string& word : words_of(name)) out += word;
  return out;
}

std::string last_part(const std::string& table) { return table.substr(table.rfind('.') + 1); }

}  // namespace

bool is_secret_name(string_view column) {
  constexpr std::array<string_view, 5> kAnywhere{"password", "passwd", "passphrase", "pwd",
                                                 "apikey"};
  constexpr std::array<string_view, 6> kAtEnd{"secret", "secrets", "token",
                                              "tokens", "salt",    "credentials"};
  constexpr std::array<string_view, 5> kKeys{"api", "private", "secret", "access", "encryption"};
  const std::vector<std::string> words = words_of(column);
  if (words.empty()) return false;
  for (const std::string& word : words)
    if (is_one_of(kAnywhere, word)) return true;
  if (is_one_of(kAtEnd, words.back())) return true;
  if (words.size() < 2) return false;
  const std::string& before = words[words.size() - 2];
  if (words.back() == "key") return is_one_of(kKeys, before);
  return words.back() == "hash" && (is_one_of(kAtEnd, before) || before == "pass");
}

std::string guess_label(const Table& table) {
  for (const string_view guess : kGuessedLabelColumns)
    for (const Field& field : table.fields)
      if (bare_name(field.name) == bare_name(guess) && may_be_label(table, field))
        return field.name;
  for (const Field& field : table.fields) {
    const std::string name = lower(field.name);
    if ((name.ends_with("name") || name.ends_with("title")) && may_be_label(table, field))
      return field.name;
  }
  return {};
}

KeySource key_source_of(const Table& table) {
  const Field* field = table.key.size() == 1 ? table.find(table.key[0]) : nullptr;
  if (field == nullptr || field->link) return KeySource::caller;
  if (field->type == FieldType::uuid) return KeySource::ours;
  if (field->type == FieldType::integer)
    return field->has_default ? KeySource::database : KeySource::caller;
  if (field->type == FieldType::text && (field->has_default || field->holds_uuids ||
                                         read_declared_type(field->database_type).is_uuid_text))
    return KeySource::ours;
  return KeySource::caller;
}

void settle_matches(std::vector<Table>& tables) {
  for (Table& table : tables)
    for (Field& field : table.fields)
      if (field.link || table.key.size() != 1 || !table.is_key(field.name))
        field.match = TextMatch::bytes;
  for (Table& table : tables)
    for (Field& field : table.fields) {
      const Table* const target = field.link ? find_table(tables, field.link->table) : nullptr;
      if (target != nullptr && target->key.size() == 1)
        field.match = target->find(target->key[0])->match;
    }
}

void derive_relations(std::vector<Table>& tables) {
  for (Table& parent : tables) {
    std::map<std::string, int> wanted;
    std::vector<Relation> found;
    for (const Table& child : tables)
      for (const Field& field : child.fields)
        if (!child.is_view && field.link && !field.is_hidden && field.link->table == parent.name) {
          found.push_back({last_part(child.name), child.name, field.name});
          ++wanted[last_part(child.name)];
        }
    std::vector<Relation> settled;
    for (Relation& relation : found) {
      if (wanted[relation.member] > 1 || parent.find(relation.member) != nullptr) {
        std::string column = relation.column;
        if (column.ends_with("_id")) column.resize(column.size() - 3);
        std::string table = relation.table;
        std::replace(table.begin(), table.end(), '.', '_');
        relation.member = fmt::format("{}_by_{}", table, column);
      }
      const bool is_taken = parent.find(relation.member) != nullptr ||
                            std::any_of(settled.begin(), settled.end(), [&](const Relation& other) {
                              return other.member == relation.member;
                            });
      if (!is_taken) settled.push_back(std::move(relation));
    }
    parent.relations = std::move(settled);
  }
}

std::vector<Table> derive_tables(const Catalogue& catalogue, const DeriveOptions& options) {
  std::vector<Table> tables;
  std::vector<const CatalogueTable*> sources;
  for (const CatalogueTable& source : catalogue.tables) {
    if (is_left_out(source.name) || is_owner_unreadable(source, options)) continue;
    tables.push_back(table_of(source, options));
    sources.push_back(&source);
  }
  for (std::size_t i = 0; i < tables.size(); ++i) add_links(*sources[i], tables[i], tables);
  hide_odd_links(sources, tables);
  link_parts(sources, tables);
  hide_out_of_sight(sources, tables);
  link_by_name(tables);
  for (Table& table : tables) hide_secrets(table);
  mark_key_parts(sources, tables);
  link_views(sources, tables);
  for (Table& table : tables) {
    table.key_source = key_source_of(table);
    table.label = guess_label(table);
  }
  settle_matches(tables);
  derive_relations(tables);
  return tables;
}

Result<Schema> derive_schema(const Catalogue& catalogue, const DeriveOptions& options) {
  return Schema::make(derive_tables(catalogue, options));
}

}  // namespace alfred
