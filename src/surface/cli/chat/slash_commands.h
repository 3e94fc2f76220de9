// What a line that begins with / does: looks at the session, or changes which one it is. None of it
// is shown to a model or stored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surface/cli/chat/dialogue.h"

namespace alfred::cli {

enum class SlashEnd : std::uint8_t { done, failed, quit };

bool is_slash_command(std::string_view line);
// An unknown one gets the list of those there are.
SlashEnd run_slash_command(std::string_view line, Dialogue& dialogue);

std::vector<std::string> slash_command_names();  // "/help"
std::string slash_help_page();

}  // namespace alfred::cli
