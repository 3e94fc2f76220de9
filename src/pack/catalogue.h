// Catalogue: what a database says of its own tables, whichever database it is. storage/ reads it,
// derive.h makes a schema of it. Plain values; nothing is interpreted here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time/clock_text.h"
#include "pack/time_form.h"

namespace alfred {

// What the database does to a row when the row it points at is deleted.
enum class OnDelete : std::uint8_t { refuse, cascade, set_null };

// Which texts of a column are the same to the database itself.
enum class TextMatch : std::uint8_t {
  bytes,          // those of the same bytes
  ascii_letters,  // also those that differ in the case of a to z: SQLite's NOCASE
  letters,        // also those that differ in the case of any letter: PostgreSQL's citext
};

struct CatalogueColumn {
  std::string name;
  std::string declared_type;  // as the database spells it: "varchar(40)", "uuid", "text[]"
  bool is_nullable = true;
  bool has_default = false;              // the database fills it in; so too a key that it counts
  bool is_computed = false;              // generated always: nobody writes it
  std::vector<std::string> enum_values;  // of an enum type, or a CHECK (x IN (…)) that was read
  // Of a view's column: where its values come from, as they are. Empty: computed, or not known.
  std::string origin_table = {};
  std::string origin_column = {};
  TimeForm time_form = TimeForm::ours;  // of a column of moments, where texts stand for them
  TextMatch match = TextMatch::bytes;
  ClockType clock =
      ClockType::none;       // which texts it holds, where the database has a type for them
  bool holds_uuids = false;  // a key that is a text: all that the first rows have are uuids
  bool may_insert = true;    // whether the login may give it in a new row
  bool may_update = true;
  // It holds keys of a table that the login may not read, which no ref can stand for.
  bool is_out_of_sight = false;

  friend bool operator==(const CatalogueColumn&, const CatalogueColumn&) = default;
};

struct CatalogueLink {
  std::vector<std::string> columns;
  std::string table;
  std::vector<std::string> target_columns;  // as many as columns
  OnDelete on_delete = OnDelete::refuse;

  friend bool operator==(const CatalogueLink&, const CatalogueLink&) = default;
};

struct CatalogueTable {
  std::string name;  // "books"; "shop.books" where it is not in the default schema
  bool is_view = false;
  std::string view_sql = {};                      // what a view selects, as its database keeps it
  std::vector<CatalogueColumn> columns;           // in the table's order
  std::vector<std::string> primary_key;           // in the key's order; empty: none
  std::vector<std::vector<std::string>> uniques;  // other unique constraints
  std::vector<CatalogueLink> links;
  // What the database calls the number that each row of a table without a key has and keeps. Empty:
  // it has none.
  std::string row_number = {};
  // Columns that the login may not read; they stand nowhere else.
  std::vector<std::string> unreadable = {};
  bool may_write = true;  // whether the login may insert, update or delete anything of it

  friend bool operator==(const CatalogueTable&, const CatalogueTable&) = default;
};

struct Catalogue {
  std::vector<CatalogueTable> tables;  // by name

  friend bool operator==(const Catalogue&, const Catalogue&) = default;
};

}  // namespace alfred
