// Interpreter: who answers asks. A model behind HTTP, rules, a recording, or whoever called: the
// turn knows no difference.
#pragma once

#include <string_view>

#include "contracts/ask.h"

namespace alfred {

class Interpreter {
 public:
  virtual ~Interpreter() = default;

  // "recorded", "rules": stored with a session.
  virtual std::string_view name() const = 0;
  // Errors: model when nobody answers; the turn stays open and can go on later.
  virtual Result<Answer> answer(const Ask& ask) = 0;
};

}  // namespace alfred
