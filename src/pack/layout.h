// How an entity's row is laid out for people and models: readable lines instead of JSON.
//
// R1 a line is segments joined by " | "; a segment whose fields are all empty is left out, and so is a line
//    without segments. `{field}` is a field's value, a list joined by commas; `{a+b}` a sum.
// R2 a list shows a member's elements one a line: nested rows by `item`, with their refs; texts as they are.
#pragma once

#include <string>
#include <vector>

namespace alfred {

struct LayoutList {
  std::string member;  // a relation or a field that is a list
  std::string title;
  std::string noun;  // "items", "steps"
  std::string item;  // of nested rows: "{quantity} {unit} {name}"
  bool is_numbered = false;
};

struct EntityLayout {
  std::vector<std::string> lines;
  std::vector<LayoutList> lists;
};

}  // namespace alfred
