// What a column gives back for what it was given, as far as that is known without reading: SQLite
// may turn a value into another by the column's declared type, and triggers, defaults and
// computed columns put in what nobody gave.
//
// R1 a value counts as kept only where SQLite's rules say so for every value like it; in doubt it does not.
// R2 what is known of a table holds for one version of the database's schema.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "pack/schema.h"
#include "storage/acting_link.h"
#include "storage/value.h"

namespace alfred {

class SqliteConnection;

// What SQLite prefers to hold in a column, by the column's declared type.
enum class Affinity : std::uint8_t { none, text, integer, numeric, real };
Affinity affinity_of(std::string_view declared_type);

struct ColumnForm {
  std::string name;
  Affinity affinity = Affinity::none;
  bool takes_null = true;  // and keeps it
  bool is_empty_unless_given = true;
};

// A foreign key of one column.
struct LinkForm {
  std::string column;
  std::string table;
  std::string target;  // the column there
};

struct TableForm {
  bool keeps_rows = false;  // a table with row numbers, and nothing that fires on an insert
  bool has_conflict_clause = false;  // an insert may leave a row out, or push another one out
  bool replaces_rows = false;        // the latter: ON CONFLICT REPLACE of a key or a UNIQUE
  std::vector<ColumnForm> columns{};
  std::vector<LinkForm> links{};
  const ColumnForm* find(std::string_view column) const;
};

// Whether a table made by this statement has a constraint by which a new row replaces others. One
// of NOT NULL only puts a default in.
bool may_replace_rows(std::string_view create_sql);
// The statement, INSERT or UPDATE, for such a table: what would replace a row that nobody named is
// refused (I-10). Elsewhere it stays as it is, since its word would also count in triggers.
std::string sparing_rows(std::string_view statement);

// Whether every text that is valid UTF-8 stays as it is.
bool keeps_texts(const ColumnForm& column);
// Whether a cell of this column, read as `field`, is the very value that was written.
bool is_kept_as_given(const ColumnForm& column, const Field& field, const Value& value);

// The tables that one connection has asked about.
class TableForms {
 public:
  // Inside a transaction: until it ends the schema is what it is.
  Result<const TableForm*> of(SqliteConnection& connection, const std::string& table);
  // Foreign keys of any table that delete or change rows by themselves when rows of this one go or
  // change.
  Result<const std::vector<ActingLink>*> acting_on(SqliteConnection& connection,
                                                   const std::string& table);

 private:
  Result<void> refresh(SqliteConnection& connection);
  std::int64_t schema_version_ = -1;
  std::map<std::string, TableForm, std::less<>> by_name_;
  std::map<std::string, std::vector<ActingLink>, std::less<>> acting_;
};

}  // namespace alfred
