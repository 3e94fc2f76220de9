// Value: one cell of a row between us and a database, the same on all of them, by the field's type:
// text, date, instant, uuid → string; json and list → the string of their JSON text; integer →
// int64; number → double, or what keeps its digits (exact_number.h); boolean → bool; bytes → Bytes;
// null → monostate. A database that holds something else in a column (SQLite may) gives what it
// holds.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace alfred {

struct Bytes {
  std::string bytes;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string, Bytes>;
using Row = std::vector<Value>;

inline bool is_null(const Value& value) { return std::holds_alternative<std::monostate>(value); }

}  // namespace alfred
