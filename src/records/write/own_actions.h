// OwnActions: what the database does by itself (CASCADE, SET NULL, SET DEFAULT) when rows of a
// table go, or change in a column that others lead to. Whatever goes or changes is reported and can
// be taken back (I-10), so a delete is refused whose foreign keys reach any row that is not among
// those that go anyway, and a change whose foreign keys reach any row.
//
// R1 every foreign key counts: of tables that no schema has or that have no key, of several columns, to
//    columns that are no key.
// R2 every row counts, whoever owns it. Of those that the caller may see the table and the number are
//    told; of all others nothing, not even where they are (I-8).
// R3 rows that a database hides from us (row-level security, no right to read) are noticed by its own count
//    of what the statement touched; where it keeps none, such a delete or change is refused.
// R4 a column whose value stays as it is changes nothing.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pack/schema.h"
#include "records/write/row_writer.h"
#include "storage/store.h"

namespace alfred {

class OwnActions {
 public:
  // `going` lives as long as this: what is deleted; null where rows are changed.
  OwnActions(Tx& tx, const Schema& schema, const RowWriter::Going* going)
      : tx_(tx), schema_(schema), going_(going) {}

  // What acts on a delete of this table's rows.
  Result<void> find(const Table& table);
  // What of `links`, all those of the table, acts on a change of a row from `before` to `values`.
  void find(std::span<const ActingLink> links, const Table& table, const Row& before,
            std::span<const FieldValue> values);
  // Around the statement that removes or changes these `count` rows of that table.
  Result<void> before(const DeleteRows& rows, std::size_t count);
  Result<void> after();

 private:
  struct Touched {  // a table that may hold rows nobody here sees
    const ActingLink* link;
    std::uint64_t before = 0;
    std::uint64_t expected = 0;
  };
  // How many of the rows that go anyway the link reaches.
  Result<std::uint64_t> expected_of(const ActingLink& link, const DeleteRows& rows);
  Result<std::uint64_t> check(const ActingLink& link, const DeleteRows& rows);
  Result<void> watch(const ActingLink& link, std::uint64_t expected);
  Unexpected refusal(const ActingLink& link, std::uint64_t seen) const;
  Unexpected unnamed_rows() const;

  Tx& tx_;
  const Schema& schema_;
  const RowWriter::Going* going_;
  std::vector<ActingLink> links_;
  std::map<std::string, Touched> watched_;  // by what the database calls the table
};

}  // namespace alfred
