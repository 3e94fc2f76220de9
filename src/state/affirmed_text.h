// What a text says of a thing, without what it says it is free of: "pancakes without eggs" has no
// eggs.
//
// R1 up to four words after "without" do not count, as far as the next punctuation; the word after "no"
//    does not.
// R2 after "egg-free" or "egg free" two words do not count, where the thing is one of the other.
#pragma once

#include <string>
#include <string_view>

#include "pack/categories.h"

namespace alfred {

std::string affirmed_text(std::string_view text, std::string_view thing,
                          const Categories& categories);

}  // namespace alfred
