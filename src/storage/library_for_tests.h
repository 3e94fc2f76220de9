// A small library of our own in a database: shelves, books and loans with an owner, notes with
// every kind of column; the same schema.sql on both databases, and the tables as a schema would
// have them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "storage/open_store.h"
#include "storage/row_plans.h"
#include "storage/store.h"

namespace alfred {

inline constexpr const char* kLibrarySql = R"(
-- keys are made by us, except notes', which the database counts
CREATE TABLE shelves (
  user_id text NOT NULL, id text NOT NULL, name text NOT NULL, rank integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, id), UNIQUE (user_id, name)
);
CREATE TABLE books (
  user_id text NOT NULL, id text NOT NULL, title text NOT NULL, shelf_id text,
  pages integer CHECK (pages > 0), mood text CHECK (mood IN ('calm', 'it''s wild')),
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, shelf_id) REFERENCES shelves (user_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE notes (
  id integer PRIMARY KEY AUTOINCREMENT, body text, amount real, number integer, is_done integer,
  worth numeric, about integer REFERENCES notes (id) ON DELETE CASCADE
);
)";

inline Field text_field(std::string name, bool is_nullable = true) {
  Field field;
  field.name = std::move(name);
  field.database_type = "text";
  field.is_nullable = is_nullable;
  return field;
}

inline Field typed_field(std::string name, FieldType type, std::string database_type) {
  Field field = text_field(std::move(name));
  field.type = type;
  field.database_type = std::move(database_type);
  return field;
}

inline Field owner_field() {
  Field field = text_field("user_id", false);
  field.is_hidden = true;
  field.is_read_only = true;
  return field;
}

struct Library {
  Table shelves;
  Table books;
  Table notes;

  Library() {
    shelves.name = "shelves";
    shelves.owner = "user_id";
    shelves.key = {"id"};
    shelves.fields = {owner_field(), text_field("id", false), text_field("name", false),
                      typed_field("rank", FieldType::integer, "bigint")};
    books.name = "books";
    books.owner = "user_id";
    books.key = {"id"};
    books.fields = {owner_field(),
                    text_field("id", false),
                    text_field("title", false),
                    text_field("shelf_id"),
                    typed_field("pages", FieldType::integer, "bigint"),
                    text_field("mood")};
    notes.name = "notes";
    notes.key = {"id"};
    notes.key_source = KeySource::database;
    notes.fields = {typed_field("id", FieldType::integer, "bigint"),
                    text_field("body"),
                    typed_field("amount", FieldType::number, "double precision"),
                    typed_field("number", FieldType::integer, "bigint"),
                    typed_field("is_done", FieldType::boolean, "bigint"),
                    typed_field("worth", FieldType::number, "numeric"),
                    typed_field("about", FieldType::integer, "bigint")};
    notes.fields.front().is_nullable = false;
  }

  static PackTables pack() {
    return PackTables{"library", 1, kLibrarySql, {{"shelves", "user_id"}, {"books", "user_id"}}};
  }
};

inline const Field* field_of(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.fields.begin(), table.fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == table.fields.end() ? nullptr : &*found;
}

inline std::vector<const Field*> fields_of(const Table& table,
                                           std::initializer_list<std::string_view> names) {
  std::vector<const Field*> out;
  for (const std::string_view name : names) out.push_back(field_of(table, name));
  return out;
}

inline InsertRow insert_into(const Table& table,
                             std::initializer_list<std::pair<std::string_view, Value>> values,
                             std::initializer_list<std::string_view> returning = {}) {
  InsertRow plan{&table, {}, fields_of(table, returning)};
  for (const auto& [name, value] : values) plan.values.push_back({field_of(table, name), value});
  return plan;
}

inline Condition where_is(const Table& table, std::string_view name, CompareOp op, Value value) {
  Condition condition;
  condition.kind = Condition::Kind::compare;
  condition.field = field_of(table, name);
  condition.op = op;
  condition.values = {std::move(value)};
  return condition;
}

inline SelectRows select_from(const Table& table, std::initializer_list<std::string_view> names) {
  SelectRows plan;
  plan.table = &table;
  plan.fields = fields_of(table, names);
  return plan;
}

inline WriteCall call_of(std::optional<std::string> user, std::string request = "r") {
  return WriteCall{OpId::random(), std::move(request), Caller{std::move(user)}};
}

}  // namespace alfred
