// One entity whole, as 002 shows it: its ref and label, lines of fields, nested rows with their
// refs, lists numbered where order matters.
#pragma once

#include <string>

#include "pack/layout.h"
#include "pack/schema.h"

namespace alfred {

// A layout for a table that declares none: label apart, short fields on a line, then lists and
// nested rows.
EntityLayout default_layout(const Table& table, const Schema& schema);

// The lines below the heading, each indented by two.
std::string format_row(const JsonObject& row, const EntityLayout& layout);

}  // namespace alfred
