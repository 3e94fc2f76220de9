// What a call may say of a table's columns.
//
// R1 keys (but those that are the caller's to give), owners, times and what is declared read-only are set by
//    the system; hidden columns do not exist for a caller (row_payload.h, R1).
// R2 a written instant says its zone in the text column beside it that is called as it is and `_zone` (C21).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pack/schema.h"

namespace alfred {

// Of one table, looked up once for all rows of a call.
struct PayloadColumns {
  struct Column {
    // Whether the caller or a default of ours says what a new row has in the column.
    bool is_filled = false;
    bool is_open = false;         // the caller may, in a new row
    const Field* zone = nullptr;  // where the zone of this instant is kept
    // Whatever text, or whatever number with a fraction, a call gives is the column's value, but
    // for those that are odd in themselves: zero bytes, literals, lengths.
    bool takes_texts = false;
    bool takes_doubles = false;
  };
  std::vector<Column> columns{};  // in the order of the table's fields
  std::string_view item;          // how a row names the item it stands for
};
PayloadColumns payload_columns(const Table& table);

// How a row of this table names the item or gen_ ref it stands for.
std::string_view item_member(const Table& table);

// The error says why a row that is new, or is changed, may not have this member, and what it may.
Result<void> check_payload_member(const Table& table, std::string_view name, bool is_new,
                                  const std::string& path);
std::vector<std::string> writable_columns(const Table& table, bool is_new);

}  // namespace alfred
