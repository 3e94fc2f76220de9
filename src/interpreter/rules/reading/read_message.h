// From a message to what is to be done.
//
// R1 the message is split where a new clause begins; each clause is read by the phrase, question or wish that fits it
//    best.
// R2 a clause that only says more about the one before it joins it: "…, it expires in 10 days", "put it on the list".
// R3 words that look like orders to a database are not understood.
// R4 what nothing fits is `unknown`; nothing of a message is done when a part of it that may change rows was not
//    understood.
#pragma once

#include <string_view>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

Program read_message(const ReadingWorld& world, std::string_view message);

}  // namespace alfred::rules
