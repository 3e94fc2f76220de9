// What a turn gives out when it stops: what is asked, what is to be called, and what happened.
#pragma once

#include <vector>

#include "contracts/ask.h"
#include "state/change.h"

namespace alfred {

struct TurnMove {
  std::vector<Ask> asks{};          // that go out: new, or again after resume()
  std::vector<RecordCall> calls{};  // likewise
  Changes changes{};                // for the journal, already folded into the state
  bool is_finished = false;
};

}  // namespace alfred
