// The reads of a step: which rows, by refs that are known or by words.
#pragma once

#include "interpreter/rules/doing/steps.h"

namespace alfred::rules {

JsonObject target_params(const Book& book, const Facts& facts, const Doing& doing);
JsonObject link_params(const Book& book, const Facts& facts, const Doing& doing,
                       const std::string& to);
JsonObject slot_params(const Book& book, const Doing& doing);
JsonObject same_params(const Book& book, const Doing& doing);
JsonObject parts_params(const Book& book, const Facts& facts, const Doing& doing);

}  // namespace alfred::rules
