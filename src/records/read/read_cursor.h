// A cursor: where a read goes on. Text for the caller to send back as it is: base64url of JSON with
// the values of the order's columns in the last row shown, and that row's ref.
//
// R1 no key: the key's columns are said by the ref, links by theirs, key-shaped text as lit_n.
// R2 it fits the call that it came from: same table, order and filters. Any other is refused.
// R3 rows that are added or deleted meanwhile, the last one shown included, do not disturb it.
// R4 tables without a key have no refs. There it has the number that the database gives its rows, where it does;
//    else the values of all columns that rows can be ordered by, and how many rows like the last
//    one were shown; where these are too long to travel, a number of rows.
// R5 one that was made up is refused like one of another call: a value that its column cannot hold never
//    reaches the database, and what only the database can tell gets the same words.
// R6 SQLite has keys that no ref can stand for (a fraction, bytes), beside others. A row with one is
//    not the place: that is the last row with a ref, and how many were shown behind it; as long as
//    there is none, how many were shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/record_context.h"
#include "storage/row_plans.h"

namespace alfred {

struct CursorCall {
  const Table* table = nullptr;
  std::vector<OrderBy> order{};
  bool is_by_score = false;
  std::uint32_t fingerprint = 0;  // of the filters
};

struct CursorPlace {
  std::vector<Value> values{};  // of the order's fields
  int score = 0;                // by score
  // Rows that were shown behind the one with these values and that no ref can name (R6).
  std::size_t nameless = 0;
  // Without a key, and where no row that was shown has a ref:
  std::size_t offset = 0;  // how many rows were shown; all there is where `values` are none
  std::size_t equals = 0;  // how many rows were shown that have these values

  // How many rows behind it were shown as well, whatever they are.
  std::size_t rows_to_skip() const { return values.empty() ? offset : nameless; }
};

// Needs an open transaction of the registry, in which the row was registered. Nothing when a value
// is too long to travel, or no text.
Result<std::optional<std::string>> write_cursor(RecordContext& context, const CursorCall& call,
                                                const CursorPlace& place);
Result<CursorPlace> read_cursor(RecordContext& context, const CursorCall& call,
                                std::string_view text);

// The error for every cursor that does not belong here.
Unexpected foreign_cursor();

std::uint32_t fingerprint_of(std::string_view text);

}  // namespace alfred
