// Answers that were given before, or written by hand, played again in their order.
//
// R1 an answer is taken by the first ask of its node that comes; one that names a step waits for that step.
// R2 an ask without an answer left is an error that names node and step; nothing is made up.
// R3 a file holds one JSON object a line: {"node":"think","text":"…"}, maybe "step" (from 1) and "finish";
//    text may be an object, which stands for its JSON. What is recorded reads back the same.
// R4 "wait_ms" lets an answer take its time, unless it is cancelled meanwhile.
// R5 what Understand was asked is kept with its answer ("message"): who plays it to another message is told.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/interpreter.h"

namespace alfred {

struct RecordedAnswer {
  Node node = Node::understand;
  std::optional<std::uint32_t> step{};  // its index
  std::string text{};
  FinishReason finish = FinishReason::stop;
  std::uint32_t wait_ms = 0;
  std::string message{};  // of the user, where it is known (R5)
  friend bool operator==(const RecordedAnswer&, const RecordedAnswer&) = default;
};

Result<std::vector<RecordedAnswer>> read_recording(std::string_view text);
std::string write_recording(const std::vector<RecordedAnswer>& answers);

class RecordedAnswers final : public Interpreter {
 public:
  explicit RecordedAnswers(std::vector<RecordedAnswer> answers = {},
                           std::function<bool()> is_cancelled = {},
                           std::function<void(const std::string& recorded)> on_other = {})
      : answers_(std::move(answers)),
        is_cancelled_(std::move(is_cancelled)),
        on_other_(std::move(on_other)) {}

  std::string_view name() const override { return "recorded"; }
  Result<Answer> answer(const Ask& ask) override;

  void add(RecordedAnswer answer) { answers_.push_back(std::move(answer)); }
  // Those that nobody asked for.
  const std::vector<RecordedAnswer>& left() const { return answers_; }

 private:
  std::vector<RecordedAnswer> answers_;
  std::function<bool()> is_cancelled_;
  std::function<void(const std::string&)> on_other_;  // R5: with the message that was recorded
};

// Passes asks on and keeps what came back.
class RecordingInterpreter final : public Interpreter {
 public:
  explicit RecordingInterpreter(Interpreter& inner) : inner_(inner) {}

  std::string_view name() const override { return inner_.name(); }
  bool is_caller() const override { return inner_.is_caller(); }
  Result<Answer> answer(const Ask& ask) override;
  const std::vector<RecordedAnswer>& answers() const { return answers_; }

 private:
  Interpreter& inner_;
  std::vector<RecordedAnswer> answers_;
};

}  // namespace alfred
