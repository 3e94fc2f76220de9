// What a person is asked before a write is done: in words, by labels and counts.
//
// R1 it begins with what is done and to how many rows of which table; then which ones, the first few by
//    their labels, what goes with them, and for an update each field with what it has now.
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
  const JsonObject& outcome;  // what the dry run says; of a batch nothing but what was asked for
  const JsonArray& before;    // the rows that an update would change, as they are
  std::function<std::string(std::string_view ref)> label{};  // empty: there is none
};

std::string approval_text(const ApprovalSubject& subject);

}  // namespace alfred::mcp
