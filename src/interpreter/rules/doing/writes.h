// The calls of a write step, made from what the steps before it read.
//
// R1 they are the same each time they are computed, so the next call is known by how many were made.
// R2 what is not clear is asked, what is not there is said; then nothing is called.
#pragma once

#include <string>
#include <vector>

#include "interpreter/rules/doing/steps.h"

namespace alfred::rules {

struct WriteCall {
  std::string tool{};
  JsonObject params{};
};

struct WritePlan {
  std::vector<WriteCall> calls{};
  std::string question{};
  std::string say{};  // why nothing is done, or what is worth saying
};

WritePlan plan_writes(const Book& book, const Facts& facts, const Program& program,
                      std::size_t step);

// The rows that steps of this role read for the doing.
std::vector<const JsonObject*> rows_read(const Book& book, const Facts& facts,
                                         const Program& program, Role role, std::size_t doing);
// Those of this table that were read for its links.
std::vector<const JsonObject*> link_rows(const Book& book, const Facts& facts,
                                         const Program& program, std::size_t doing,
                                         std::string_view table);

}  // namespace alfred::rules
