// What somebody meant who typed a command, or an option of one, that there is not.
#pragma once

#include <span>
#include <string>

namespace alfred::cli {

// "There is no command inbox raed. Did you mean inbox read? …", with what there is; empty: the
// words are known.
std::string meant_command(std::span<const std::string> words);

}  // namespace alfred::cli
