// Which values of a query's result are parts of keys of several columns although their columns do
// not say so: what is computed (max(code), no + 0), and all columns of a UNION.
//
// R1 only where the query names a table that has such parts (Field::is_key_part).
// R2 asked of the database: texts that look like a key and numbers of eight digits before the point, each as a
//    whole, and numbers also as a text column spells them (but not with zeros in front). Sums and
//    texts that are no part of a key stay what they are.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"

namespace alfred {

class PartValues {
 public:
  static Result<PartValues> find(RecordStore& store, const RecordContext& context,
                                 std::string_view sql, const QueryRows& found);

  // Whether a column may hold parts, or what is made of them.
  bool may_be_in(const QueryColumn& column) const {
    return is_used_ && (column.table.empty() || is_joined_);
  }
  bool has(const Value& value) const;

 private:
  void add_candidate(const Value& value);
  std::vector<Value> wanted_of(FieldType type) const;
  Result<void> keep_parts(RecordStore& store, const RecordContext& context,
                          const std::vector<const Table*>& tables);

  bool is_used_ = false;
  bool is_joined_ = false;  // a column of several SELECTs is said to come from the first
  std::set<std::string, std::less<>> texts_;
  std::map<std::string, Value> numbers_;
};

}  // namespace alfred
