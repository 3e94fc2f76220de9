// The translation a careful program without a streaming rewriter would do: parse into a DOM,
// replace keys by refs through two hash maps, print. A baseline, and the mapping all of them share.
#pragma once

#include <string>
#include <string_view>

namespace alfred::bench {

// Recipe rows with their nested rows; every key column becomes a ref, in the order of the text.
// Begins with an empty registry each time.
std::string translate_with_dom(std::string_view rows);

}  // namespace alfred::bench
