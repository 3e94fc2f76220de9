// So many sessions on disk, most of them with a journal of one entry, some with a conversation that
// was played once and is theirs under a chain of their own.
#pragma once

#include <string>
#include <vector>

#include "played_kitchen.h"

namespace alfred::bench {

struct ManySessions {
  std::size_t count = 0;      // all of them
  std::size_t talked = 0;     // of these, with the conversation of `original`
  std::string original = {};  // a session's id
};

// The ids of those that have talked. Throws what cannot be made.
std::vector<std::string> make_sessions(PlayedKitchen& kitchen, const ManySessions& wanted);

}  // namespace alfred::bench
