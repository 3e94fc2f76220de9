// A place in a list that some were picked from since: "show me the first one" after "save the
// second".
//
// R1 where all that was spoken of last stands in a longer list that was shown before, an ordinal counts that
//    list: who was picked makes no other one. "It" is still who was picked. With `whole` also
//    where nobody was picked yet: refs are given by who came first, which need not be the order of
//    the list.
// R2 whose place it was and who is gone stays gone: the place is nobody's, and those behind do not move up. The last is
//    the last that is there.
// R3 rows that a turn read on the way and its reply did not name are no part of what was spoken of last (`told`):
//    "more" reads the first ones again, and "the first" is the first of those that came next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "state/resolve_mention.h"

namespace alfred {

enum class ListedCount : std::uint8_t { picked, whole, told };

// Whom the mention means in `listed`, the refs of its type as they were last listed to the user;
// nothing: it is no ordinal, or who was spoken of last is no part of that list.
std::optional<ResolvedMention> resolve_listed_place(const EntityMention& mention,
                                                    const MentionWorld& world,
                                                    std::span<const std::string> listed,
                                                    ListedCount count);

}  // namespace alfred
