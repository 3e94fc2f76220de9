// Schema: the tables a caller may use, compiled: what each column holds, who may write it, where it
// leads. Made from a database's catalogue, overlaid with what a pack declares. Names that reach SQL
// are always the strings in here, never what a caller wrote.
//
// R1 tables and fields are looked up by exact name; pointers live as long as the Schema.
// R2 a table without a key is read-only.
// R3 a link leads to a table of this schema with a key of one column.
// R4 the owner column is hidden, read-only and no part of `key`, whatever the database's key is.
// R5 keys that the caller does not give, created_at, updated_at and bytes are read-only.
// R6 labels and searched fields are shown or looked at by models: no key, no part of one, no link,
//    nothing hidden.
// R7 relations lead to a table whose column links back, under a name no column has.
// make() puts R2, R4 and R5 in force; it refuses what breaks the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"
#include "pack/catalogue.h"
#include "pack/entity_types.h"
#include "pack/time_form.h"

namespace alfred {

// What a field holds, the same on every database.
enum class FieldType : std::uint8_t {
  text,
  integer,  // 64 bits
  number,   // a double
  boolean,
  date,     // 2026-02-28
  instant,  // 2026-02-28T17:05:00.000Z
  json,     // any JSON value
  list,     // of texts
  uuid,
  bytes,  // shown by its size, never written
};
std::string_view field_type_name(FieldType type);
std::optional<FieldType> field_type_named(std::string_view name);

struct FieldLink {
  std::string table;
  OnDelete on_delete = OnDelete::refuse;  // what the gateway does, or the database by itself
};

struct Field {
  std::string name;
  FieldType type = FieldType::text;
  std::string database_type;            // the catalogue's word for it; a cast needs it
  TimeForm time_form = TimeForm::ours;  // of an instant, how it is stored
  TextMatch match = TextMatch::bytes;   // of a key, and of a link to it: which texts are the same
  ClockType clock = ClockType::none;    // of a text: which it takes, and how they are ordered
  bool is_nullable = true;
  bool has_default = false;  // the database fills it in
  bool is_computed = false;  // by the database, always: nobody can write it
  bool is_unique = false;    // no two rows have the same, as the database says
  bool holds_uuids = false;  // a text key; the rows there are have uuids
  // Of a key of several columns, this table's or the one a foreign key leads to. No ref stands for
  // it, so where it looks like a key it is shown as a literal.
  bool is_key_part = false;
  bool is_hidden = false;     // does not exist for callers
  bool is_read_only = false;  // shown, not written
  bool may_insert = true;     // whether the login may give it in a new row
  bool may_update = true;
  std::optional<Json> default_value;  // what we fill in
  std::vector<std::string> enum_values;
  std::map<std::string, std::string, std::less<>> value_aliases;  // what people say → enum value
  std::optional<FieldLink> link;
};

// Rows of another table that belong to a row: the child's column leads back.
struct Relation {
  std::string member;  // how the rows are called inside the parent
  std::string table;
  std::string column;
};

enum class BatchPolicy : std::uint8_t { partial, atomic };

// Who makes the key of a new row.
enum class KeySource : std::uint8_t {
  ours,      // a random uuid, before the insert
  database,  // an integer, by the insert
  caller,    // part of the row's content: natural texts, and composites of links
};

struct Table {
  std::string name;
  std::string ref;
  bool is_ref_derived = false;  // nobody declared it: it comes from the table's name
  std::vector<std::string> key;
  KeySource key_source = KeySource::ours;
  std::string label;       // empty: none
  std::string owner;       // column; empty: rows belong to nobody
  std::string created_at;  // columns that are set by us; empty: none
  std::string updated_at;  // also the row's version
  bool is_read_only = false;
  bool may_write = true;  // false: the login may neither insert, update nor delete
  bool is_view = false;
  BatchPolicy batch_policy = BatchPolicy::partial;
  std::vector<Field> fields;
  // Where there is no key: the number that the database itself tells rows apart by. Never shown and
  // none of `fields`; rows may be ordered by it.
  std::optional<Field> row_number = {};
  std::vector<Relation> relations;
  // What `similar` and category search look at: fields of this table, and `column.field` or
  // `member.field` of a linked or nested one. Empty: the label.
  std::vector<std::string> searched;

  const Field* find(std::string_view field) const;
  bool is_key(std::string_view field) const;
};

class Schema {
 public:
  Schema() = default;
  // Checks the rules above. Error::path names the table and field.
  static Result<Schema> make(std::vector<Table> tables);

  const Table* find(std::string_view table) const;
  const Table* find_ref(std::string_view ref) const;
  std::span<const Table> tables() const { return tables_; }
  // The same as the translator needs it.
  const EntityTypes& entity_types() const { return types_; }

 private:
  std::vector<Table> tables_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  EntityTypes types_;
};

}  // namespace alfred
