// RowPlan: what becomes of each column of a table's rows, compiled once from the declared types (or
// from the names alone) for one registry. Both directions of translation read it.
//
// R1 by column, never by shape: a column is a key because it is declared or named as one.
// R2 a table that nobody declared has the key `id`; its `x_id` columns (X_ID, xId) are keys of type x,
//    its `ID` column of its own type; its members
//    that hold objects are rows of the table with the member's name, if there is one, else of the
//    type that such a table would have. Which table has that type is left open (`author`,
//    `authors`).
// R3 different names have different types, and no type shows a key: a name that is or holds one
//    (is_key_name) is no type's. Members whose names are keys, or begin with a digit, are entries
//    of a map: their objects are rows of one type for all of them, `<table>_row`.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pack/entity_types.h"
#include "records/to_refs/lead.h"
#include "records/to_refs/link_cache.h"
#include "records/to_refs/ref_text.h"
#include "records/type_book.h"
#include "refs/hiding/key_shapes.h"

namespace alfred {

struct RowPlan;

struct ColumnPlan {
  enum class Use : std::uint8_t {
    copy,     // shown as it is, key-shaped text masked
    own_key,  // the row's key
    link,     // another row's key
    nested,   // rows of another table
    open,     // of a table nobody declared: rows where it holds objects, else as copy
  };
  Use use = Use::copy;
  std::int16_t key_part = -1;         // its place in a key that the row's ref is inserted for
  bool is_part = false;               // of a key that no ref in this column stands for (key_part.h)
  std::int16_t label_rank = kNoRank;  // of those that may name the row, the lowest wins
  TypeNo type = 0;          // link: whose key it is; own_key: the row's, once it is settled
  RefStart ref_start;       // of that type's refs
  RowPlan* rows = nullptr;  // nested, and open once an object was met

  // The link of the row before: neighbours often share it.
  const char* last_key = nullptr;  // its canonical uuid, in the input
  RefEnd last_end;                 // of the last ref that was written in this column
  std::uint32_t next_number = 0;  // own_key: the one after it, where rows are new in a row; 0: none
  LinkCache links;                // those before it

  static constexpr std::int16_t kNoRank = 0x7fff;
};

struct RowPlan {
  std::string table;
  std::string wanted_ref;      // the declared type of its refs; empty: from the table's name
  std::string called;          // of a member, or of the entries of a map (TypeBook)
  std::string ref_base;        // the same: what its type is named, but for a number
  std::optional<TypeNo> type;  // settled when the first key is met
  bool is_declared = false;
  bool is_member = false;    // its name is that of a member, and maybe of no table
  bool is_map = false;       // the entries of a map
  bool inserts_ref = false;  // no single column of its own is the key: the ref is put in front
  std::set<std::string, std::less<>> declared;  // columns, where a ref is put in front
  std::vector<std::string> key;
  std::map<std::string, ColumnPlan, std::less<>> columns;  // filled as columns are met

  // The columns of the last row, to recognise the next row's by: the exact bytes before each value.
  struct Member {
    Lead lead;  // from the end of the value before to the start of this one
    std::string name;
    ColumnPlan* column = nullptr;
    bool is_plain = true;  // its name needs no masking
    // What its values most likely are, and can then be read as without much ado.
    enum class Guess : std::uint8_t { plain, label, own_uuid, linked_uuid, anything };
    Guess guess = Guess::anything;
  };
  std::vector<Member> shape;
  std::unique_ptr<RowPlan> entries;  // of a map that this row is, once one was met
  // Where the ref of a row stands that has no key column of its own: as `id`, `_ref`, `_ref2`…, in
  // front of which a row may have columns of these names; so it is the last of them, and what a row
  // has of its own is the rest. Its place among them; -1: a column like any other.
  int ref_place(std::string_view column) const;
  // The first place behind this one (-1: any) that is no declared column.
  int next_ref_place(int place) const;
  static std::string ref_column(int place);

  int open_rows = 0;  // rows of this table that are being read: a table may be nested in itself
};

// Whether a column is `id` but for its capitals.
bool is_id_in_capitals(std::string_view column);

// The plans of one translation: made on demand, one a table.
class RowPlans {
 public:
  // A registry that may change gets the types that the plans name.
  RowPlans(RefRegistry& registry, const EntityTypes& types)
      : book_(registry), pieces_(registry.keys()), types_(types) {}
  RowPlans(const RefRegistry& registry, const EntityTypes& types)
      : book_(registry), pieces_(registry.keys()), types_(types) {}

  // Names to take for keys, although that will only be known later.
  void expect_keys(const std::set<std::string>& names) { expected_ = &names; }
  // The names that types were given for and that turned out to be keys. Adds them, and says whether
  // there were any.
  bool add_late_keys(std::set<std::string>& names);

  Result<RowPlan*> of_table(std::string_view table);
  // The same for a member of an undeclared table that holds objects.
  Result<RowPlan*> of_member(RowPlan& parent, std::string_view name);
  // What becomes of a column. Cheap after the first time.
  Result<ColumnPlan*> column(RowPlan& plan, std::string_view name);
  // The type of the table's refs.
  Result<TypeNo> type(RowPlan& plan);
  std::string_view type_name(TypeNo type) const { return book_.name(type); }
  // The same, for the column that is the row's key.
  Result<void> settle_own_key(RowPlan& plan, ColumnPlan& column);

 private:
  void set_type(ColumnPlan& column, TypeNo type);
  Result<TypeNo> type_of_table(std::string_view table, std::string_view wanted_ref);
  Result<TypeNo> declared_type(std::string_view table, std::string_view wanted_ref);
  Result<TypeNo> type_of_member(const RowPlan& plan);
  Result<TypeNo> type_called(std::string_view called, std::string_view ref_base);
  bool is_key(std::string_view name);
  RowPlan* entries_of(RowPlan& parent);
  Result<void> fill(RowPlan& plan, const EntityType& type);
  Result<TypeNo> type_named_by(std::string_view of);
  Result<ColumnPlan> guess(RowPlan& plan, std::string_view column);

  TypeBook book_;
  KeyPieces pieces_;
  const EntityTypes& types_;
  const std::set<std::string>* expected_ = nullptr;
  std::set<std::string, std::less<>> shown_;  // names that were no keys when they were asked for
  std::map<std::string, std::unique_ptr<RowPlan>, std::less<>> plans_;
};

}  // namespace alfred
