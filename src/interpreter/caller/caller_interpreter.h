// The caller lends its own model: every ask goes out with the turn's progress, and the turn waits.
#pragma once

#include "interpreter/interpreter.h"

namespace alfred {

class CallerInterpreter final : public Interpreter {
 public:
  std::string_view name() const override { return "caller"; }
  bool is_caller() const override { return true; }
  Result<Answer> answer(const Ask& /*ask*/) override {
    return fail(ErrorCode::model, "The caller answers this ask. Give its answer to the turn.");
  }
};

}  // namespace alfred
