// Interpreter: who answers asks. A model behind HTTP, rules, a recording, or whoever called: the
// turn knows no difference.
//
// R1 the caller answers nothing by itself: its asks stay out, and whoever called takes them with the turn's
//    progress and comes back with the answers, in this process or another.
// R2 asks that are out at the same time are given to it side by side, as many as it takes at once; answer() is
//    called on several threads then.
#pragma once

#include <cstddef>
#include <string>
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

  // How it read a message, from the facts of its Understand, for people: Markdown. Empty: it cannot
  // say.
  virtual std::string reading_of(const Ask& /*understand*/) { return {}; }

  virtual bool is_caller() const { return false; }  // R1
  // Whether it answers from an ask's facts alone, which then hold what the prompt shows of rows.
  virtual bool needs_whole_facts() const { return false; }
  virtual std::size_t most_at_once() const { return 1; }  // R2
};

}  // namespace alfred
