// Refs as people know them: by label. For replies and for the story (D19, D24).
//
// R1 every word that is a ref of the session becomes its label; one without a label its type.
// R2 words that have a ref's form and are none are told apart (A21).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "turn/scene.h"

namespace alfred {

// Under its shown ref; what nobody knows is called as it was.
NamedEntity named_entity(const Scene& scene, std::string_view ref);
// R1.
std::string in_labels(const Scene& scene, std::string_view text);
Json json_in_labels(const Scene& scene, const Json& json);
// R2: "book_99", when books have refs and there is no such one.
std::vector<std::string> unknown_refs_in(const Scene& scene, std::string_view text);
// The same text with such words replaced: a person can do nothing with them.
std::string without_unknown_refs(const Scene& scene, std::string_view text);

}  // namespace alfred
