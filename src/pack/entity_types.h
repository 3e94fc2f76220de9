// What a domain declares about its tables, as far as refs need it: the key of a row, the word
// its refs begin with, the column people know it by, and the way to other tables.
// R1 A type's ref follows the rule of ref_names.h: lower-case words joined by `_`, 40 bytes at
// most. R2 No table, no ref, and no column within a table is declared twice. R3 Links and nested
// rows lead to declared tables; a link leads to a key of one column. R4 A ref left empty comes from
// the table's name; declared refs are taken first. R5 A label is shown to models, so it is no key
// and no link.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"

namespace alfred {

// A column that holds another table's key.
struct Link {
  std::string column;
  std::string table;
};

// A member of the row that holds rows of another table.
struct Nested {
  std::string member;
  std::string table;
};

struct EntityType {
  std::string table;             // as the caller names it: "books", "shop.books"
  std::string ref;               // the type part of its refs: "book"
  std::vector<std::string> key;  // {"id"}; several make a composite key; none: rows without refs
  std::string label;             // the column that names a row for people; empty when there is none
  std::vector<Link> links;
  std::vector<Nested> nested;
  // false: derived from names alone; every *_id column is a key, members with objects are rows.
  bool is_declared = true;
  // Columns with parts of keys of several columns that are no links: what looks like a key there is
  // a literal, also while no row with that key is known.
  std::vector<std::string> key_parts{};
};

// Columns that may name a row of a table nobody declared; the first one present wins.
inline constexpr std::array<std::string_view, 12> kGuessedLabelColumns = {
    "name",    "title", "label",    "display_name", "full_name", "email",
    "subject", "slug",  "username", "headline",     "summary",   "description"};

class EntityTypes {
 public:
  EntityTypes() = default;  // nothing declared

  // Checks the declarations and completes the refs left empty. Error::path names the place:
  // "entity[2].links.author_id".
  static Result<EntityTypes> make(std::vector<EntityType> declared);

  // Declared types only; null when there is none. The pointer lives as long as this object.
  const EntityType* find_table(std::string_view table) const;
  const EntityType* find_ref(std::string_view ref) const;

  std::span<const EntityType> all() const { return types_; }  // in the order declared

 private:
  std::vector<EntityType> types_;
  std::map<std::string, std::size_t, std::less<>> by_table_;
  std::map<std::string, std::size_t, std::less<>> by_ref_;
};

// The type a table gets from its name alone; key {"id"}, no label, no links.
EntityType derive_entity_type(std::string_view table);

// Reads the [[entity]] tables of a TOML text. Errors name file:line:column.
Result<EntityTypes> read_entity_types(std::string_view toml, std::string_view file_name);

}  // namespace alfred
