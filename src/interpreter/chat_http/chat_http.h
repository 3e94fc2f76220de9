// A model behind an HTTP endpoint that speaks OpenAI's chat completions or Anthropic's messages.
//
// R1 one ask is one request with its system and user prompt, streamed. What an endpoint does not take (schemas, newer
//    names) is left out, the ask is sent again, and it is remembered for that node.
// R2 failures that may pass are tried again (retry_after.h), but not when some of the reply was shown already.
// R3 what does not pass says what to do (chat_failure.h). A prompt that is too long is sent once more with less room
//    for the answer; the prompt itself is never changed.
// R4 partial answers are dropped: without the endpoint's word that it has ended there is no answer.
// R5 tokens and cost are counted for every answer, and summed.
// R6 cancelling is seen within 50 ms, in a request or a wait.
// R7 asks may be answered side by side; a limit that one of them hits makes all of them wait.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "alfred/random.h"
#include "base/time/clock.h"
#include "interpreter/chat_http/chat_reader.h"
#include "interpreter/chat_http/chat_request.h"
#include "interpreter/chat_http/chat_settings.h"
#include "interpreter/chat_http/retry_after.h"
#include "interpreter/interpreter.h"

namespace alfred {

struct ChatPorts {
  const Clock& clock;
  Random& random;
  std::function<void(std::int64_t ms)> sleep{};  // none: really
};

// Who wants to see what goes on; each may be empty. Called on the thread that asks.
struct ChatWatch {
  // The reply as it comes: of asks for plain text only.
  std::function<void(const Ask&, std::string_view)> on_token{};
  std::function<void(const Ask&, const ModelUsage&)> on_usage{};
  std::function<void(const Ask&, std::string_view why, std::int64_t wait_ms)> on_retry{};
  std::function<bool()> is_cancelled{};
};

class ChatHttp final : public Interpreter {
 public:
  ChatHttp(ChatSettings settings, ChatPorts ports, ChatWatch watch = {});
  ~ChatHttp() override;

  std::string_view name() const override { return "chat_http"; }
  std::size_t most_at_once() const override {
    return static_cast<std::size_t>(settings_.most_at_once);
  }
  // Errors: model, limit.
  Result<Answer> answer(const Ask& ask) override;

  ModelUsage total() const;  // R5
  const ChatSettings& settings() const { return settings_; }

 private:
  struct Try;
  class Lent;
  Try send(const Ask& ask, const ChatForm& form);
  bool step_down(const Ask& ask, const Try& tried, ChatForm& form);
  Result<Answer> told(const Ask& ask, const Try& tried, std::int64_t retries);
  RetryChoice choice_after(const Try& tried, std::int64_t tries_before);
  void keep_quiet(std::int64_t wait_ms);
  bool wait(std::int64_t until_ms);
  bool wait_for_quiet();
  std::int64_t now_ms() const { return ports_.clock.monotonic_ns() / 1'000'000; }

  const ChatSettings settings_;
  const ChatPorts ports_;
  const ChatWatch watch_;
  mutable std::mutex mutex_;  // everything below, and ports_.random
  std::array<ChatForm, Named<Node>::names.size()> forms_;
  std::vector<std::unique_ptr<HttpClient>> idle_;  // with their open connections
  std::int64_t quiet_until_ms_ = 0;                // R7, monotonic
  ModelUsage total_;
};

}  // namespace alfred
