// The rows of a database as somebody sees them who looks straight at it: for comparing with what a
// page expects, and for knowing what must never be shown.
//
// R1 rows come without keys, owners and times; a link is the label it leads to.
// R2 every key that was ever seen is remembered by the label of its row, also after the row is gone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "pack/schema.h"
#include "storage/store.h"

namespace alfred {

class RowsLook {
 public:
  RowsLook(std::shared_ptr<RecordStore> store, std::shared_ptr<const Schema> schema, Caller caller)
      : store_(std::move(store)), schema_(std::move(schema)), caller_(std::move(caller)) {}

  const Schema& schema() const { return *schema_; }
  // Error: table.
  Result<JsonArray> rows(const std::string& table);
  // The keys of all rows there are, as texts; those of read-only tables the first time only.
  Result<std::vector<std::string>> keys();
  // The key of the row of a table with this label, as far as keys() came across it; empty: none.
  std::string key_of(const std::string& table, const std::string& label) const;

 private:
  Result<std::vector<Row>> all_rows(const Table& table);
  // The labels of a table's rows by their keys, of tables that were linked to so far.
  using Labels = std::map<std::string, std::map<std::string, std::string>>;
  Result<std::string> label_of(const Field& link, const Value& key, Labels& labels);
  Result<Json> shown(const Table& table, const Row& row, Labels& labels);

  std::shared_ptr<RecordStore> store_;
  std::shared_ptr<const Schema> schema_;
  Caller caller_;
  std::map<std::pair<std::string, std::string>, std::string> known_{};  // table, label → key
  bool is_looked_at_ = false;
};

}  // namespace alfred
