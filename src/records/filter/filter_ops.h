// The operators of filters, and which of them fit a column.
//
// R1 names match exactly; an unknown one is refused with those that fit the column (C3).
// R2 a column that holds refs (the key, a link) takes = != in not_in is_null is_not_null.
// R3 text: everything. Lists of texts: contains, contains_any, similar. Numbers and times: comparisons,
//    in, not_in, between. Booleans and uuids: = != in not_in. All of them: is_null, is_not_null;
//    json and bytes nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pack/schema.h"

namespace alfred {

enum class FilterOp : std::uint8_t {
  eq,
  ne,
  gt,
  ge,
  lt,
  le,
  in,
  not_in,
  like,
  ilike,
  is_null,
  is_not_null,
  contains,
  contains_any,
  between,
  similar,
};

std::string_view filter_op_name(FilterOp op);
std::optional<FilterOp> filter_op_named(std::string_view name);

// Whether the column is shown as refs: a link, or the key when it is one column of its own.
bool holds_refs(const Table& table, const Field& field);
// Whether the rows' refs stand in front of their columns, as `id` or `_ref`: the key has several
// columns, or is a link itself.
bool has_ref_apart(const Table& table);
// Whether this name means that ref. Rows with a column `id` of their own call it `_ref`.
bool names_ref_apart(const Table& table, std::string_view name);

bool op_fits(FilterOp op, const Table& table, const Field& field);
// All that fit, in the order of FilterOp.
std::vector<std::string_view> all_ops_for(const Table& table, const Field* field);
// At most ten would fit an error's `allowed`: of those that fit, all; texts leave some out.
std::vector<std::string> ops_for(const Table& table, const Field* field);  // null: a ref apart

// What callers may name in filters, order and columns; the ten nearest to what came.
std::size_t count_columns(const Table& table);  // that callers know of
std::vector<std::string> column_names(const Table& table, std::string_view wanted);
// The column of this name that the caller may see; a hidden one looks unknown.
const Field* visible_field(const Table& table, std::string_view name);

}  // namespace alfred
