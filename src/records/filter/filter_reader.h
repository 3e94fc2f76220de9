// From the filters of a call, in refs, to a RowFilter.
//
// R1 first the shape: every filter has field, op and value, and nothing else (similar also: intent);
//    groups {"any":[…]} and {"all":[…]} nest; counts and depth stay within the limits. Then refs
//    become keys (params_to_keys.h), then values are read by their column (field_value.h).
// R2 errors have the path of what is wrong, as it stands in the call: filters[1].any[0].op.
// R3 repaired where nothing else can be meant, and said so: {} for no filters, one filter that is no list,
//    a filter without op that has a value (=), `id` for a key of another name, and what belongs
//    beside the filters (limit …) inside them. Everything else is refused.
// R4 = null and null in a list are refused (C8). `in []` holds for no row (C6), `not_in []` for every row
//    that has a value (C7).
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "records/filter/row_filter.h"
#include "records/record_context.h"

namespace alfred {

struct FilterCall {
  Json filters;     // as the caller sent them, or null
  Json or_filters;  // the same
};

struct FilterReading {
  RowFilter filter;
  std::vector<std::string> repaired;  // what was read as something else, in a few words each
  std::size_t collapsed = 0;          // refs that stood in a list twice
};

class FilterReader {
 public:
  FilterReader(RecordContext& context, const Table& table) : context_(context), table_(table) {}

  // R1, R3: the filters as they are meant. `moved` gets what belongs beside them, by name, unless
  // it is there, or in `beside`, already.
  Result<FilterCall> shape(FilterCall call, const JsonObject& beside, JsonObject& moved);
  // Of filters that have their shape.
  Result<FilterReading> read(const FilterCall& shaped);

 private:
  // What belongs beside the filters.
  struct Beside {
    const JsonObject& there;
    JsonObject& moved;
  };
  Result<JsonArray> shape_list(Json given, const std::string& path, const Beside& beside);
  Result<Json> shape_filter(Json given, const std::string& path, std::size_t depth);
  Result<Json> shape_group(JsonObject& given, const std::string& path, std::size_t depth);
  Result<Json> shape_test(JsonObject& test, const std::string& path);
  Result<void> check_members(const JsonObject& test, const std::string& path) const;
  Result<FilterOp> check_op(const JsonObject& test, const Field* field,
                            const std::string& path) const;
  Result<void> check_value(const JsonObject& test, FilterOp op, const std::string& path) const;
  Result<void> check_list(const Json& value, FilterOp op, const std::string& path) const;
  void take_out(JsonObject& filter, const std::string& path, const Beside& beside);
  void repair(const std::string& path, std::string_view what);

  // With keys in the place of refs, of which so many stood in a list twice.
  Result<FilterReading> read_in_keys(const FilterCall& call, std::size_t collapsed);
  Result<FilterNode> node(const Json& filter, const std::string& path);
  Result<FilterNode> group(const JsonArray& parts, FilterNode::Kind kind, const std::string& path);
  Result<FilterNode> key_test(const JsonArray& names, const JsonObject& test, FilterOp op) const;
  Result<void> read_values(const JsonObject& test, FilterNode& node, const std::string& path);
  Result<void> read_texts(const Json& value, FilterNode& node, const std::string& path) const;
  Result<void> read_search(const JsonObject& test, FilterNode& node, const std::string& path);
  Result<Value> one_value(const Field& field, const Json& value, const std::string& path) const;
  Result<Value> read_value(const Field& field, const Json& value, const std::string& path) const;

  RecordContext& context_;
  const Table& table_;
  std::size_t count_ = 0;
  bool may_hold_hidden_ = false;  // texts of literals stand among the values that are read
  std::vector<std::string> repaired_;
  std::vector<Search> searches_;
};

}  // namespace alfred
