// What was said, as a node sees it (003, layer 2).
//
// R1 depth 2: the last two turns, the last one whole. depth 5: five, and the story of the older ones.
//    full: all that is kept.
// R2 older turns show the short form of the reply; the story holds no refs.
// R3 a message of more than 4,000 characters or a reply of more than 12,000 is cut and says so.
// R4 parts that a node's row of the table does not have are not there.
#pragma once

#include <cstdint>
#include <string>

#include "context/sight.h"
#include "state/conversation.h"

namespace alfred {

enum class ConversationDepth : std::uint8_t { two, five, full };

std::string format_conversation(const Conversation& conversation, const Sight& sight,
                                ConversationDepth depth);
// What waits for the user's word.
std::string format_pending(const Pending& pending);
// The same in the turn that may answer it, with what led there.
std::string format_resumed(const Pending& pending);
// The same as values, for facts.
Json pending_facts(const Pending& pending);
Json conversation_facts(const Conversation& conversation, const Sight& sight,
                        ConversationDepth depth);

}  // namespace alfred
