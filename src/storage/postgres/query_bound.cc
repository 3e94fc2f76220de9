#include "storage/postgres/query_bound.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr int kRowTooLong = -1;

// Types whose values are short whatever they are: bool, numbers but numeric, oid, times, uuid.
constexpr std::array<std::uint32_t, 14> kShortTypes{16,   20,   21,   23,   26,   700,  701,
                                                    1082, 1083, 1114, 1184, 1186, 1266, 2950};

bool is_short(const PgRows& probe, std::size_t column) {
  return std::find(kShortTypes.begin(), kShortTypes.end(), probe.type(column)) != kShortTypes.end();
}

std::string name_of(std::size_t column) { return fmt::format("c{}", column + 1); }

std::string bytes_of(std::size_t column) {
  return fmt::format("coalesce(octet_length({}::text), 0)::bigint", name_of(column));
}

// The expressions that the levels of a bounded query are made of.
struct Parts {
  std::string names;   // c1, c2
  std::string kept;    // the values, null where the row is too long
  std::string bytes;   // of the row
  std::string judged;  // alfred_over: 0, the number of a column, or kRowTooLong
};

Parts parts_of(const PgRows& probe) {
  Parts parts{"", "", "16::bigint", "CASE"};
  for (std::size_t column = 0; column < probe.width(); ++column) {
    const std::string name = name_of(column);
    const std::string_view comma = column == 0 ? "" : ", ";
    parts.names += fmt::format("{}{}", comma, name);
    if (is_short(probe, column)) {
      parts.kept += fmt::format("{}{}", comma, name);
      parts.bytes += " + 8";
      continue;
    }
    parts.kept += fmt::format("{0}CASE WHEN alfred_over = 0 THEN {1} END AS {1}", comma, name);
    parts.bytes += " + " + bytes_of(column);
    parts.judged +=
        fmt::format(" WHEN {} > {} THEN {}", bytes_of(column), kMostQueryCellBytes, column + 1);
  }
  parts.judged +=
      fmt::format(" WHEN alfred_bytes > {} THEN {} ELSE 0 END", kMostQueryRowBytes, kRowTooLong);
  return parts;
}

}  // namespace

std::string probe_text(const BoundedQuery& query) {
  return fmt::format("{}\nSELECT * FROM (\n{}\n) AS alfred_query LIMIT 0", query.walls, query.sql);
}

// OFFSET 0 keeps the server from working out a level more than once, and long values from going
// beyond theirs.
std::string bounded_text(const BoundedQuery& query, const PgRows& probe) {
  const Parts parts = parts_of(probe);
  const std::string rows = fmt::format(
      "SELECT * FROM (SELECT * FROM (\n{}\n) AS alfred_query LIMIT {}) AS alfred_rows ({})",
      query.sql, query.max_rows + 1, parts.names);
  const std::string measured =
      fmt::format("SELECT *, {} AS alfred_bytes FROM ({}) AS r OFFSET 0", parts.bytes, rows);
  const std::string judged =
      fmt::format("SELECT *, {} AS alfred_over FROM ({}) AS m OFFSET 0", parts.judged, measured);
  const std::string kept = fmt::format(
      "SELECT {}, alfred_over, alfred_bytes FROM ({}) AS j OFFSET 0", parts.kept, judged);
  const std::string summed = fmt::format(
      "SELECT *, sum(alfred_bytes) OVER (ROWS UNBOUNDED PRECEDING) AS alfred_upto FROM ({}) AS k",
      kept);
  return fmt::format(
      "{}\nSELECT {}, alfred_over, alfred_upto > {} FROM ({}) AS s WHERE alfred_upto - alfred_bytes "
      "<= {}",
      query.walls, parts.names, kMostQueryBytes, summed, kMostQueryBytes);
}

QueryBound bound_of(const PgRows& rows, const PgRows& probe) {
  const std::size_t over = probe.width();
  QueryBound bound;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    bound.is_cut = bound.is_cut || rows.is_true(row, over + 1);
    const std::string word = rows.text(row, over);
    if (word == "0") continue;
    std::size_t column = 0;
    std::from_chars(word.data(), word.data() + word.size(), column);
    bound.error = column == 0 || column > over ? long_row() : long_cell(probe.name(column - 1));
    return bound;
  }
  return bound;
}

}  // namespace alfred
