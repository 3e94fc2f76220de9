#include "interpreter/chat_http/chat_http.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "interpreter/chat_http/chat_failure.h"
#include "interpreter/chat_http/retry_after.h"

namespace alfred {
namespace {

constexpr std::int64_t kBytesPerToken = 4;
constexpr std::int64_t kGlanceMs = 20;            // how often a wait looks at who cancels
constexpr std::int64_t kShorter = 4;              // R3
constexpr std::int64_t kLongestQuietMs = 60'000;  // R7: no limit is believed for longer

std::int64_t estimated(std::size_t bytes) {
  return static_cast<std::int64_t>(bytes) / kBytesPerToken + 1;
}

bool is_stream(const HttpHead& head) {
  return head.status == 200 && head.header("content-type").starts_with("text/event-stream");
}

ModelUsage usage_of(const Ask& ask, const ChatReply& reply) {
  ModelUsage out{.answers = 1};
  if (reply.usage) {
    out.input_tokens = reply.usage->input;
    out.cached_tokens = reply.usage->cached;
    out.output_tokens = reply.usage->output;
    return out;
  }
  out.input_tokens = estimated(ask.system.size() + ask.user.size());
  out.output_tokens = estimated(reply.text.size());
  out.estimated = 1;
  return out;
}

// R4: an answer that was whole before something went wrong is one; one that is not whole broke off.
void settle(HttpOutcome& outcome, const ChatReply& reply) {
  const bool is_cancelled = outcome.error && outcome.error->fault == HttpFault::cancelled;
  if (reply.broke_off) {
    outcome.error = HttpError{HttpFault::cut, "it broke off"};
    outcome.body = *reply.broke_off;
  } else if (reply.finish && !is_cancelled) {
    outcome.error.reset();
  } else if (!reply.finish && !outcome.error) {
    outcome.error = HttpError{HttpFault::cut, "it ended before the answer was whole"};
  }
}

}  // namespace

// One request and what came of it.
struct ChatHttp::Try {
  HttpOutcome outcome{};
  ChatReply reply{};
  std::optional<Error> nonsense{};  // what was read is no answer
  bool is_shown = false;            // some of the text was
};

// A client with its connections, given back at the end.
class ChatHttp::Lent {
 public:
  explicit Lent(ChatHttp& owner) : owner_(owner) {
    const std::lock_guard lock(owner_.mutex_);
    if (owner_.idle_.empty()) {
      client_ = std::make_unique<HttpClient>();
    } else {
      client_ = std::move(owner_.idle_.back());
      owner_.idle_.pop_back();
    }
  }
  ~Lent() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(client_));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  HttpClient& operator*() { return *client_; }

 private:
  ChatHttp& owner_;
  std::unique_ptr<HttpClient> client_;
};

ChatHttp::ChatHttp(ChatSettings settings, ChatPorts ports, ChatWatch watch)
    : settings_(std::move(settings)), ports_(std::move(ports)), watch_(std::move(watch)) {
  for (ChatForm& form : forms_) form.structure = settings_.structure;
}

ChatHttp::~ChatHttp() = default;

ModelUsage ChatHttp::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

ChatHttp::Try ChatHttp::send(const Ask& ask, const ChatForm& form) {
  Try out;
  const bool is_told = watch_.on_token && ask.schema_json.empty();
  ChatReader reader(settings_.wire, [&](std::string_view text) {
    if (!is_told) return;
    out.is_shown = true;
    watch_.on_token(ask, text);
  });
  SseParser parser;
  std::string whole;
  const auto take_stream = [&](std::string_view bytes) {
    const Result<void> fed =
        parser.feed(bytes, [&](const SseEvent& event) { return reader.take(event); });
    if (!fed) out.nonsense = fed.error();
    return fed && !reader.is_done();
  };
  const auto take = [&](const HttpHead& head, std::string_view bytes) {
    if (is_stream(head)) return take_stream(bytes);
    whole += bytes;
    return true;
  };
  Lent client(*this);
  out.outcome = (*client).send({.url = settings_.url,
                                .headers = chat_headers(settings_),
                                .body = chat_body(ask, settings_, form),
                                .timeouts = settings_.timeouts_of(ask.node),
                                .ca_file = settings_.ca_file,
                                .is_cancelled = watch_.is_cancelled},
                               take);
  if (!out.outcome.error && !is_stream(out.outcome.head) && out.outcome.head.status == 200)
    if (const Result<void> taken = reader.take_whole(whole); !taken) out.nonsense = taken.error();
  out.outcome.body = std::move(whole);
  out.reply = reader.reply();
  if (out.outcome.head.status == 200 && !out.nonsense) settle(out.outcome, out.reply);
  return out;
}

// R1: what an endpoint does not know is left out from now on; R3: a long prompt, once.
bool ChatHttp::step_down(const Ask& ask, const Try& tried, ChatForm& form) {
  if (tried.outcome.error) return false;
  if (is_too_long(tried.outcome)) return std::exchange(form.shorter, kShorter) == 1;
  const int status = tried.outcome.head.status;
  if (status != 400 && status != 422) return false;
  const std::optional<ChatForm> simpler = simpler_form(ask, settings_, form, tried.outcome.body);
  if (!simpler) return false;
  form = *simpler;
  const std::lock_guard lock(mutex_);
  ChatForm& kept = forms_[static_cast<std::size_t>(ask.node)];
  kept = form;
  kept.shorter = 1;
  return true;
}

// R6. False: cancelled.
bool ChatHttp::wait(std::int64_t until_ms) {
  for (;;) {
    if (watch_.is_cancelled && watch_.is_cancelled()) return false;
    const std::int64_t left = until_ms - now_ms();
    if (left <= 0) return true;
    const std::int64_t glance = std::min(left, kGlanceMs);
    if (ports_.sleep)
      ports_.sleep(glance);
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(glance));
  }
}

// R7.
bool ChatHttp::wait_for_quiet() {
  std::int64_t until = 0;
  {
    const std::lock_guard lock(mutex_);
    until = quiet_until_ms_;
  }
  return wait(until);
}

void ChatHttp::keep_quiet(std::int64_t wait_ms) {
  const std::lock_guard lock(mutex_);
  quiet_until_ms_ = std::max(quiet_until_ms_, now_ms() + std::min(wait_ms, kLongestQuietMs));
}

RetryChoice ChatHttp::choice_after(const Try& tried, std::int64_t tries_before) {
  RetryChoice out;
  if (tried.is_shown || tried.nonsense || tries_before >= settings_.retries) return out;
  {
    const std::lock_guard lock(mutex_);
    out = choose_retry(tried.outcome, tries_before, ports_.clock.wall_ms(), ports_.random);
  }
  if (out.is_retried && tried.outcome.head.status == 429) keep_quiet(out.wait_ms);
  return out;
}

Result<Answer> ChatHttp::answer(const Ask& ask) {
  ChatForm form;
  {
    const std::lock_guard lock(mutex_);
    form = forms_[static_cast<std::size_t>(ask.node)];
  }
  for (std::int64_t retries = 0;;) {
    HttpOutcome cancelled;
    cancelled.error = HttpError{HttpFault::cancelled, ""};
    if (!wait_for_quiet()) return Unexpected(chat_failure(ask, settings_, cancelled));
    const Try tried = send(ask, form);
    Result<Answer> answer = told(ask, tried, retries);
    if (answer) return answer;
    if (step_down(ask, tried, form)) continue;
    const RetryChoice choice = choice_after(tried, retries);
    if (!choice.is_retried) return answer;
    ++retries;
    if (watch_.on_retry) watch_.on_retry(ask, answer.error().message, choice.wait_ms);
    if (!wait(now_ms() + choice.wait_ms))
      return Unexpected(chat_failure(ask, settings_, cancelled));
  }
}

// R3, R4, R5.
Result<Answer> ChatHttp::told(const Ask& ask, const Try& tried, std::int64_t retries) {
  if (tried.nonsense) return Unexpected(chat_nonsense(settings_, tried.outcome, *tried.nonsense));
  if (tried.outcome.error || tried.outcome.head.status != 200)
    return Unexpected(chat_failure(ask, settings_, tried.outcome));
  ModelUsage usage = usage_of(ask, tried.reply);
  usage.retries = retries;
  usage.price(settings_.prices_of(ask.node));
  {
    const std::lock_guard lock(mutex_);
    total_ += usage;
  }
  if (const auto renewed = renewed_ms(tried.outcome.head, ports_.clock.wall_ms()))
    keep_quiet(*renewed);
  if (watch_.on_usage) watch_.on_usage(ask, usage);
  return Answer{ask.id, tried.reply.text, tried.reply.finish.value_or(FinishReason::stop)};
}

}  // namespace alfred
