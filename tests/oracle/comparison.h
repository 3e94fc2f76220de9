// Runs the streaming translator and its oracle on the same input and says where they differ.
#pragma once

#include <string>
#include <string_view>

#include "oracle/rows_oracle.h"

namespace alfred::oracle {

struct Question {
  std::string_view table;
  std::string_view json;
  RowsOptions options = {};
  RefLimits limits = {};  // those the registry was made with
};

// Empty when translator and oracle agree: same bytes, same registry, or the same error with nothing
// changed. Otherwise what differs. On success the registry has moved on, as a translation leaves
// it.
std::string difference(RefRegistry& registry, const EntityTypes& types, const Question& question);

}  // namespace alfred::oracle
