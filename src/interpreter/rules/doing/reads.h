// The reads of a step: which rows, by refs that are known or by words.
#pragma once

#include "interpreter/rules/doing/steps.h"

namespace alfred::rules {

JsonObject target_params(const Book& book, const Facts& facts, const Doing& doing);
JsonObject link_params(const Book& book, const Facts& facts, const Doing& doing,
                       const std::string& to);
// Links of the slot by the rows that were read for them.
JsonObject slot_params(const Book& book, const Facts& facts, const Program& program,
                       std::size_t at);
JsonObject same_params(const Book& book, const Doing& doing);
JsonObject parts_params(const Book& book, const Facts& facts, const Doing& doing);

// What new things are to be made of.
JsonObject stock_params(const Doing& doing);

// Rows to come of that table that lead to what goes.
JsonObject leading_params(const Book& book, const Facts& facts, const Program& program,
                          std::size_t at, const std::string& from);

}  // namespace alfred::rules
