// How an entity's row is laid out for people and models: readable lines instead of JSON.
//
// R1 a line is segments joined by " | "; a segment whose fields are all empty is left out, and so is a
//    line without segments. `{field}` is a field's value, a list joined by commas; `{a+b}` a sum;
//    `{field?word}` the word where the field is true.
// R2 a list shows a member's elements one a line: nested rows by `item`, which is a line, with their refs;
//    texts as they are.
// R3 `a/b` is the first of several names that has a value: generated content calls things otherwise
//    than rows do.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"

namespace alfred {

struct LayoutList {
  std::string member;  // a relation or a field that is a list
  std::string title;
  std::string noun;  // "items", "steps"
  std::string item;  // of nested rows: "{quantity} {unit} {name}"
  bool is_numbered = false;
  std::string place{};  // file:line:column
};

struct EntityLayout {
  std::vector<std::string> lines;
  std::vector<LayoutList> lists;
  std::vector<std::string> places{};  // of the lines
};

// The member that one of the names "a/b" means (R3); null: none, or none with a value.
const Json* find_member(const JsonObject& row, std::string_view names);

// The names of a pattern by their braces: "{a} of {b+c}" has [a] and [b, c]. Error: schema, with
// what is wrong with the braces.
Result<std::vector<std::vector<std::string>>> names_in(std::string_view pattern);
// The pattern with every name put through `rename`.
std::string with_names(std::string_view pattern,
                       const std::function<std::string(std::string_view)>& rename);

}  // namespace alfred
