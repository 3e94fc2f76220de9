// What was made, changed as the user asks: one thing for another, something left out or added, for
// more people, under another name. Parts and instructions change together.
#pragma once

#include <string>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

struct Edited {
  JsonObject content{};
  std::string refusal{};
};

Edited edit_content(const Book& book, const JsonObject& content, const Doing& doing);

}  // namespace alfred::rules
