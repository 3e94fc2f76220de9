// The sweep on starting: what a stop left running is brought to a state that is known (I-19, I-40).
//
// R1 the oldest first, a bounded number; each on a place of its session's user.
// R2 what was cut off is finished first: calls that were out run to their end, once.
// R3 then an interpreter that answers by itself brings the turn to its end, unless it was begun for its caller's model.
//    Where the callers answer, a turn may wait for its caller for a while; one that waited longer
//    is ended as interrupted: what it did stays done and is told in the next turn.
// R4 one that cannot be opened or moved is told and stays as it is; the others go on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/session/session.h"
#include "interpreter/interpreter.h"

namespace alfred {

struct SweepOptions {
  std::int64_t most = 1000;
  std::int64_t waits_ms = 0;           // since it was started; 0: none waits
  Interpreter* interpreter = nullptr;  // null: the callers answer
  SessionTuning tuning{};
};

enum class SweptTo : std::uint8_t { finished, interrupted, waiting, failed };
std::string_view swept_name(SweptTo end);

struct SweptTurn {
  std::string session{};
  std::string turn{};
  std::int64_t number = 0;
  SweptTo end = SweptTo::waiting;
  std::string error{};  // of one that failed
};

struct SweepPorts {
  // What a process works on for a user; an empty one: nobody in particular.
  std::function<Result<RecordPlace>(const std::string& user)> open{};
  const Clock& clock;
  Random& random;
};

Result<std::vector<SweptTurn>> sweep_turns(RecordPlace& place, const SweepPorts& ports,
                                           const SweepOptions& options = {});

}  // namespace alfred
