// What somebody typed for a parameter, as it is meant.
// R1 An id is forgiven its case, O for 0 and I or L for 1 (include/alfred/ids.h, R5); which parameters
//    take ids is said by how help names their value (AGENT, SESSION …), so no command can forget
//    it.
// R2 What becomes no id that way is left as it was typed: owners choose ids for their agents.
#pragma once

#include <string>
#include <string_view>

namespace alfred::cli {

// Whether parameters whose value is named so take the id of a record that exists.
bool names_an_id(std::string_view value_name);

std::string as_meant(std::string_view value_name, std::string typed);

}  // namespace alfred::cli
