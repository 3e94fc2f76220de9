// What a delete takes with it: the rows that lead to the deleted ones, and those that lead to them,
// and so on, by what each link declares.
//
// R1 cascade: the row is deleted too. set_null: its link is emptied, which is an update of it. refuse: the
//    delete is refused and names the rows, unless they are deleted by the same call.
// R2 it is done here, children first, whether or not the database would do it by itself; so every row is
//    known with what it was.
// R3 a row without a key has no ref. Where its link refuses, the database may know nothing of it (D33), and
//    the delete is refused here; where the database would delete or change it by itself, it is
//    refused too (own_actions.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "records/record_context.h"
#include "records/write/row_writer.h"

namespace alfred {

class Dependents {
 public:
  static constexpr std::size_t kMostRows = 10'000;  // that one delete may take with it

  Dependents(Tx& tx, const RecordContext& context) : tx_(tx), context_(context) {}

  using Found = RowWriter::Doomed;
  // Finds all that goes with these rows, locked.
  Result<void> collect(const Table& table, std::vector<Found> rows);
  // Empties links, then deletes, the rows given included.
  Result<void> run(RowWriter& writer) const;

 private:
  struct Emptied {
    Found found;
    std::vector<const Field*> links;
  };
  struct Level {
    const Table* table;
    std::vector<Found> rows;
  };
  Result<void> follow(const Level& level, const Table& child, const Field& link,
                      std::vector<Level>& next);
  Result<std::vector<Found>> leading_to(const Level& level, const Table& child, const Field& link);
  Result<void> refuse_nameless(const Level& level, const Table& child, const Field& link);
  bool is_doomed(const Table& table, const RecordKey& key) const;
  void empty_link(const Table& table, const Found& found, const Field& link);
  Result<void> check_refusals() const;
  std::vector<const Table*> children_first() const;

  Tx& tx_;
  const RecordContext& context_;
  RowWriter::Going doomed_;
  std::map<const Table*, std::vector<Emptied>> emptied_;
  std::map<const Table*, std::vector<Found>> refusing_;
  std::size_t count_ = 0;
};

}  // namespace alfred
