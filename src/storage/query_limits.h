// How much a caller's own query may give, whichever database runs it: what is longer is not taken
// into memory, since nobody could be shown it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "alfred/error.h"
#include "base/quoted_text.h"

namespace alfred {

inline constexpr std::size_t kMostQueryCellBytes = 4U << 20U;
inline constexpr std::size_t kMostQueryRowBytes = 8U << 20U;
inline constexpr std::size_t kMostQueryBytes = 8U << 20U;

inline Error long_cell(std::string_view column) {
  return Error{ErrorCode::limit,
               fmt::format("A value of {} is longer than the {} bytes that a query gives. Select a "
                           "part of it, such as substr({}, 1, 2000), or its length.",
                           quoted_text(column), kMostQueryCellBytes, column),
               "sql",
               {},
               {}};
}

inline Error long_row() {
  return Error{ErrorCode::limit,
               fmt::format("A row is longer than the {} bytes that a query gives. Select fewer "
                           "columns, or parts of the long ones with substr.",
                           kMostQueryRowBytes),
               "sql",
               {},
               {}};
}

// Also where it would be done in time on another day: the same query needs the same work.
inline Error too_much_work(std::string detail) {
  return Error{
      ErrorCode::limit,
      "The query needs more work than is allowed and was stopped; the same one again will "
      "be too. Narrow it: more conditions, on columns that are keys or indexed; a condition "
      "for every table that is joined; fewer tables; a smaller part at a time.",
      "sql",
      {},
      std::move(detail)};
}

}  // namespace alfred
