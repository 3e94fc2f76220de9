// The generated form of an agent's name, beside what alfred/ids.h says of AgentId.
//
// R1 agt_<word>-<word> or agt_<word>-<word>-<short>: words of 3 to 7 letters a-z, <short> of 4
//    characters of the id alphabet. Which words is not asked, so that the lists may change.
#pragma once

#include <string_view>

namespace alfred {

bool is_generated_agent_name(std::string_view text);

}  // namespace alfred
