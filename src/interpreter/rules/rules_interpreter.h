// The built-in interpreter (design: rules): an assistant without a model, for any pack. It answers
// the asks that a model would be given, from their facts, and is bound by the same contracts,
// guard, manifests and constraint checks.
//
// R1 no word of any domain is in its code; what it knows of one is declared in the pack.
// R2 the same facts give the same answer, byte for byte; it keeps nothing between asks.
// R3 what it does not understand it says, with examples of what it does; it never acts on a guess that changes
//    rows.
#pragma once

#include <future>
#include <memory>

#include "interpreter/interpreter.h"
#include "pack/pack.h"

namespace alfred {

class RulesInterpreter final : public Interpreter {
 public:
  // Pack and schema outlive it. Error: pack, at the place of a phrase that is none.
  static Result<std::unique_ptr<RulesInterpreter>> make(const Pack& pack, const Schema& schema);
  // The same while others go on: it learns on a thread of its own, the first answer waits for it
  // and says what make() would.
  static std::unique_ptr<RulesInterpreter> learning(const Pack& pack, const Schema& schema);
  ~RulesInterpreter() override;

  std::string_view name() const override { return "rules"; }
  bool needs_whole_facts() const override { return true; }
  Result<Answer> answer(const Ask& ask) override;
  std::string reading_of(const Ask& understand) override;

 private:
  struct Knowledge;
  using Learned = Result<std::shared_ptr<const Knowledge>>;
  static Learned learn(const Pack& pack, const Schema& schema);
  explicit RulesInterpreter(std::shared_future<Learned> learned);

  std::shared_future<Learned> learned_;
};

}  // namespace alfred
