// LinkCheck: whether the rows that new or changed rows would lead to are there, for this caller.
//
// R1 one query for all links to a table, whatever rows they stand in; each value is asked for once.
// R2 what the database refuses by itself may be left to it by who tries again with all links checked.
// R3 the error names the first link that leads nowhere: by the tables' names, then in the order they came.
// What is added has to live until run() is done.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"
#include "records/write/row_payload.h"

namespace alfred {

class LinkCheck {
 public:
  enum class Scope : std::uint8_t { all_links, what_database_takes };
  LinkCheck(Tx& tx, const RecordContext& context, Scope scope = Scope::all_links)
      : tx_(tx), context_(context), scope_(scope) {}

  void add(const NewRow& row);  // with those in it
  void add(const Table& table, const std::vector<FieldValue>& values, const std::string& path);
  Result<void> run();

 private:
  struct Use {
    const Field* field;
    const Value* value;
    const NewRow* row;        // it stands in; none: a change of
    const std::string* path;  // the row that has this path
    std::string place() const { return row == nullptr ? *path : row->place(); }
  };
  // Those of the values that are links, in the row or path of `where`.
  void add(const Table& table, const std::vector<FieldValue>& values, Use where);
  std::vector<Use>* uses_of(const Table& table, const Field& link);
  Result<void> check(const Table& target, const std::vector<Use>& uses);
  Result<std::vector<Row>> find(const Table& target, const std::vector<const Value*>& wanted);

  Tx& tx_;
  const RecordContext& context_;
  Scope scope_;
  std::map<std::string_view, std::vector<Use>> by_table_;
  const Field* last_field_ = nullptr;
  std::vector<Use>* last_uses_ = nullptr;  // of its table; none: not to be checked
};

}  // namespace alfred
