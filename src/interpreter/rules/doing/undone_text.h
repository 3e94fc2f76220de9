// What an undo did, for people: what came back, what is gone again and what is as it was.
#pragma once

#include "interpreter/rules/doing/facts.h"

namespace alfred::rules {

std::string undone_text(const Facts& facts);

}  // namespace alfred::rules
