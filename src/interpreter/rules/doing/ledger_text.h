// What the ledger says, for people.
//
// R1 the last change is told by what was asked for, or, where that says too little, by what the ledger said of it then.
#pragma once

#include <string>

#include "interpreter/rules/doing/program.h"

namespace alfred::rules {

// The ledger's lines, without their dashes.
std::string ledger_text(const Facts& facts);
// What the message before this one changed.
std::string last_change_text(const Book& book, const Facts& facts);

}  // namespace alfred::rules
