// The text of a scenario page with some of its blocks written anew.
//
// R1 every byte outside of the blocks that change stays as it is; new lines end as the page's do.
// R2 a body is laid out in lines of at most 100 columns, as far as its texts let it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred {

struct BlockText {
  std::string head{};  // after the backquotes: "expect", "refused value"
  std::string body{};  // lines; empty: none
};

// By the line that a block begins on, from 1.
std::string changed_page(std::string_view page, const std::map<std::size_t, BlockText>& blocks);

std::string page_json(const Json& json);  // ends with a newline

}  // namespace alfred
