#include "surface/cli/serve/session_recordings.h"

#include <algorithm>

#include "surface/cli/chat/choose_interpreter.h"

namespace alfred::cli {
namespace {

class SessionPlayer final : public Interpreter {
 public:
  SessionPlayer(SessionRecordings& recordings, std::string session,
                std::vector<RecordedAnswer> whole, std::vector<RecordedAnswer> left,
                const std::atomic<bool>* is_cancelled)
      : recordings_(recordings),
        session_(std::move(session)),
        whole_(std::move(whole)),
        is_cancelled_(is_cancelled),
        answers_(play(std::move(left))) {}
  ~SessionPlayer() override { recordings_.keep(session_, answers_.left()); }

  std::string_view name() const override { return answers_.name(); }
  Result<Answer> answer(const Ask& ask) override {
    if (ask.node == Node::understand && ask.attempt <= 1) begin_turn();
    return answers_.answer(ask);
  }

 private:
  RecordedAnswers play(std::vector<RecordedAnswer> answers) const {
    return RecordedAnswers(std::move(answers),
                           [flag = is_cancelled_] { return flag != nullptr && flag->load(); });
  }
  // R1, R3.
  void begin_turn() {
    std::vector<RecordedAnswer> left = answers_.left();
    const auto begins = [](const RecordedAnswer& one) { return one.node == Node::understand; };
    left.erase(left.begin(), std::find_if(left.begin(), left.end(), begins));
    answers_ = play(left.empty() ? whole_ : std::move(left));
  }

  SessionRecordings& recordings_;
  std::string session_;
  std::vector<RecordedAnswer> whole_;
  const std::atomic<bool>* is_cancelled_;
  RecordedAnswers answers_;
};

}  // namespace

Result<std::shared_ptr<Interpreter>> SessionRecordings::open(
    const std::string& session, const std::atomic<bool>* is_cancelled) {
  Result<std::vector<RecordedAnswer>> whole = read_recording_file(path_);
  if (!whole) return Unexpected(std::move(whole).error());
  std::vector<RecordedAnswer> left;
  {
    const std::scoped_lock lock(mutex_);
    const auto played = left_.find(session);
    left = played == left_.end() ? *whole : played->second;
  }
  return std::make_shared<SessionPlayer>(*this, session, std::move(*whole), std::move(left),
                                         is_cancelled);
}

void SessionRecordings::keep(const std::string& session, std::vector<RecordedAnswer> left) {
  const std::scoped_lock lock(mutex_);
  left_[session] = std::move(left);
}

}  // namespace alfred::cli
