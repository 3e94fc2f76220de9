// A pack.toml for a database that somebody has: what was derived, written down with comments, to be
// changed by hand. `alfred pack init` prints it.
//
// R1 loading the text and laying it over the same database gives the same schema again.
// R2 every choice that was guessed (label, hidden columns, who makes keys) is said in a comment.
#pragma once

#include <string>
#include <string_view>

#include "pack/schema.h"

namespace alfred {

std::string pack_text(const Schema& schema, std::string_view name);

}  // namespace alfred
