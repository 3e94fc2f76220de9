// The text of docs/cli.md, made from the same table that the parser and --help are made from.
// R1 every group, command and parameter of the table stands in the page, in the table's order.
// R2 a `|` in a help text does not break its table cell.
#pragma once

#include <span>
#include <string>

#include "surface/cli/command.h"

namespace alfred::cli {

std::string cli_markdown(std::span<const Group> groups, std::span<const Command> commands);

}  // namespace alfred::cli
