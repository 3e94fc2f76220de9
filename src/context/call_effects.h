// What the calls of a step did to rows, read from their answers: the one place that knows how the
// records answer.
//
// R1 a read names its rows; a write what it created, changed or deleted; a batch the items that this call completed,
//    since its answer lists all that are.
// R2 a refused call did nothing.
#pragma once

#include <string>
#include <vector>

#include "state/plan.h"

namespace alfred {

struct CallEffects {
  std::vector<std::string> read{};  // refs of rows that have one
  std::size_t rows = 0;             // read, with a ref or without
  std::vector<std::string> created{};
  std::vector<std::string> updated{};
  std::vector<std::string> deleted{};
  std::size_t failed = 0;  // items of a batch
  bool is_refused = false;
};

// One for each call of the step, in order.
std::vector<CallEffects> effects_of(const Step& step);

// The rows of a read's answer; null when it is none.
const JsonArray* rows_of(const Json& answer);
// The ref of such a row; empty when it has none.
std::string ref_of_row(const Json& row);

}  // namespace alfred
