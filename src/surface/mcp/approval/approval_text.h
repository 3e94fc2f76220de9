// What a person is asked before a write is done: in words, by labels and counts.
//
// R1 it begins with what is done and to how many rows of which table; then which ones, the first few by
//    their labels, what goes with them, and for an update each field with what it has now.
//    Of a batch's items those that can be done are counted and named, and those that cannot are
//    said to be so.
// R2 text of rows and calls stands in quotes that nothing in it ends, on one line, with what is not seen
//    shown as its code point; long values are cut.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred::mcp {

struct ApprovalSubject {
  std::string_view tool;  // db_create, db_update, db_delete
  const JsonObject& arguments;
  const JsonObject& outcome;  // what the dry run says
  const JsonArray& before;    // the rows that an update would change, as they are
  std::function<std::string(std::string_view ref)> label{};  // empty: there is none
};

std::string approval_text(const ApprovalSubject& subject);

// Of a call on a batch, those of its items that its dry run says would fail: `ref` and `error`.
JsonArray failed_items(const JsonObject& outcome, const JsonObject& arguments);

}  // namespace alfred::mcp
