// Which of the values that a statement carried PostgreSQL could not take. For such errors (SQLSTATE
// class 22) the server names no column.
//
// R1 a column is named only where its type and the value say so without doubt; never the value.
// R2 a hidden column is not named.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "storage/row_plans.h"

namespace alfred {

struct PgMisfit {
  const Field* field = nullptr;
  std::string takes;  // "at most 3 characters; the text has 7"
};

std::optional<PgMisfit> find_misfit(const std::string& state, std::span<const FieldValue> given);

}  // namespace alfred
