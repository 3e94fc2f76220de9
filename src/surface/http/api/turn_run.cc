#include "surface/http/api/turn_run.h"

#include <fmt/format.h>

#include "interpreter/caller/caller_interpreter.h"
#include "surface/http/api/turn_events.h"

namespace alfred::http {
namespace {

bool wants_events(const HttpRequest& request) {
  return request.header("accept").find("text/event-stream") != std::string_view::npos;
}

// Each ask as a span below the turn's (GenAI conventions: a chat with a provider).
class TracedInterpreter final : public Interpreter {
 public:
  TracedInterpreter(Interpreter& inner, Spans& spans, const Span& turn)
      : inner_(inner), spans_(spans), turn_(turn) {}
  std::string_view name() const override { return inner_.name(); }
  bool needs_whole_facts() const override { return inner_.needs_whole_facts(); }
  std::size_t most_at_once() const override { return inner_.most_at_once(); }
  Result<Answer> answer(const Ask& ask) override {
    Span span = spans_.begin("chat", turn_.trace_id, turn_.span_id);
    Result<Answer> out = inner_.answer(ask);
    span.kind = SpanKind::client;
    span.has_failed = !out.has_value();
    span.attributes = JsonObject{{"gen_ai.operation.name", "chat"},
                                 {"gen_ai.provider.name", inner_.name()},
                                 {"alfred.node", name_of(ask.node)},
                                 {"alfred.attempt", ask.attempt}};
    spans_.end(std::move(span));
    return out;
  }

 private:
  Interpreter& inner_;
  Spans& spans_;
  const Span& turn_;
};

Result<std::shared_ptr<Interpreter>> named(const ApiWorld& world, const std::string& name,
                                           const TurnWatch& watch) {
  if (name == "caller") return std::shared_ptr<Interpreter>(std::make_shared<CallerInterpreter>());
  Result<std::shared_ptr<Interpreter>> made = world.interpreter(name, watch);
  if (!made || *made != nullptr) return made;
  std::vector<std::string> allowed{"caller", "rules"};
  if (world.interpreter_name != "rules") allowed.push_back(world.interpreter_name);
  return fail(ErrorCode::value, "There is no such interpreter here.", "interpreter",
              std::move(allowed));
}

}  // namespace

Result<std::unique_ptr<TurnRun>> TurnRun::open(Api& api, const std::string& session,
                                               const std::string& interpreter) {
  std::unique_ptr<TurnRun> out(new TurnRun(api));
  out->slot_ = api.slots().take(session);
  if (!out->slot_)
    return fail(ErrorCode::turn_open,
                "A turn of this session is being worked on. Wait for it, or cancel it.", "session");
  Result<TurnHold> hold = hold_turns(api.world().place, session, 0);
  if (!hold && hold.error().code == ErrorCode::busy)
    return fail(ErrorCode::turn_open,
                "Another alfred is at work in this session. Wait for its turn to end.", "session");
  if (!hold) return Unexpected(std::move(hold).error());
  out->hold_ = std::move(*hold);
  TurnWatch watch;
  watch.session = session;
  watch.is_cancelled = &out->slot_->is_unwanted();
  watch.on_token = [run = out.get()](const Ask& ask, std::string_view piece) {
    if (run->stream_ != nullptr)
      run->stream_->write(
          sse_text("token", JsonObject{{"event", "token"}, {"ask", ask.id}, {"text", piece}}));
  };
  auto made = named(api.world(), interpreter, watch);
  if (!made) return Unexpected(std::move(made).error());
  out->interpreter_ = std::move(*made);
  auto opened = open_session(api, session, out->interpreter_.get());
  if (!opened) return Unexpected(std::move(opened).error());
  out->session_ = std::move(*opened);
  out->feed_ = std::make_unique<TurnFeed>(*out->session_);
  return out;
}

Result<void> TurnRun::check_running(const std::string& turn) const {
  const std::optional<RunningTurn>& running = session_->state().facts.running;
  if (running && running->id == turn) return {};
  if (const Result<Json> known = shown_turn(*session_, turn); !known)
    return Unexpected(known.error());
  return fail(ErrorCode::turn_moved, "This turn is not running any more. Look at it again.",
              "turn");
}

Result<void> TurnRun::start(const std::string& message, const std::string& key) {
  Result<TurnProgress> progress = session_->start(message, key);
  if (!progress) return Unexpected(std::move(progress).error());
  progress_ = std::move(*progress);
  turn_ = progress_.turn;
  return {};
}

Result<void> TurnRun::answer(const std::string& turn, const Answer& answer) {
  turn_ = turn;
  Result<void> is_running = check_running(turn);
  Result<TurnProgress> progress =
      is_running ? session_->answer(answer) : Unexpected(std::move(is_running).error());
  if (progress) {
    progress_ = std::move(*progress);
    return {};
  }
  if (progress.error().code != ErrorCode::turn_moved || !was_given(*session_, turn, answer))
    return Unexpected(std::move(progress).error());
  progress_ = {};
  return {};
}

Result<void> TurnRun::resume(const std::string& turn) {
  turn_ = turn;
  if (Result<void> is_running = check_running(turn); !is_running) return is_running;
  Result<TurnProgress> progress = session_->resume();
  if (!progress) return Unexpected(std::move(progress).error());
  progress_ = std::move(*progress);
  return {};
}

Result<void> TurnRun::cancel(const std::string& turn) {
  turn_ = turn;
  if (!check_running(turn)) return {};  // it is over, which is what was wanted
  Result<TurnProgress> progress = session_->cancel();
  if (!progress) return Unexpected(std::move(progress).error());
  progress_ = std::move(*progress);
  return {};
}

Result<void> TurnRun::drive(const RunTurnOptions& options) {
  if (progress_.is_finished || interpreter_->is_caller()) {
    if (options.on_move) options.on_move(progress_);
    return {};
  }
  Span span = api_.spans().begin("invoke_agent alfred", trace_.trace_id, trace_.span_id);
  span.attributes = JsonObject{{"gen_ai.operation.name", "invoke_agent"},
                               {"gen_ai.agent.name", "alfred"},
                               {"gen_ai.conversation.id", session_->id()}};
  TracedInterpreter traced(*interpreter_, api_.spans(), span);
  Result<TurnProgress> progress = run_turn(*session_, traced, std::move(progress_), options);
  span.has_failed = !progress.has_value();
  api_.spans().end(std::move(span));
  // An interpreter that was waked by a cancel may have answered with an error.
  if (!progress && slot_->is_cancelled() && session_->state().facts.running)
    progress = session_->cancel();
  if (!progress && slot_->is_stopping()) {
    api_.metrics().count_turn("interrupted");
    return fail(ErrorCode::busy,
                fmt::format("This server is stopping. What the turn has done is kept. When the "
                            "server runs again, go on with it: POST "
                            "/v1/sessions/{}/turns/{}/resume.",
                            session_->id(), turn_),
                "turn");
  }
  if (!progress) {
    api_.metrics().count_turn("error");
    return Unexpected(std::move(progress).error());
  }
  progress_ = std::move(*progress);
  return {};
}

Result<Json> TurnRun::shown() {
  Result<Json> turn = shown_turn(*session_, turn_);
  if (turn) api_.metrics().count_turn(std::string_view(turn->at("status").get_string()));
  return turn;
}

void TurnRun::tell_news(ResponseStream& stream, EventWriter& events) {
  const Result<std::vector<FeedEntry>> news = feed_->entries();
  if (!news) return;  // the turn is what counts; its end is told in any case
  for (const FeedEntry& entry : *news) write_events(stream, events, entry, {});
}

void TurnRun::tell_end(ResponseStream& stream, const Result<void>& driven) {
  Result<Json> turn = driven ? shown() : Unexpected(driven.error());
  if (!turn) {
    stream.write(sse_text("error", error_event(turn.error())));
    return;
  }
  turn->get_object()["event"] = "turn";
  stream.write(sse_text("turn", *turn));
}

void TurnRun::stream_to(ResponseStream& stream) {
  stream_ = &stream;
  EventWriter events(*session_);
  RunTurnOptions options;
  options.is_cancelled = [this] { return slot_->is_cancelled(); };
  options.is_stopping = [this] { return slot_->is_stopping(); };
  options.on_move = [&](const TurnProgress&) { tell_news(stream, events); };
  const Result<void> driven = drive(options);
  tell_news(stream, events);
  tell_end(stream, driven);
  stream_ = nullptr;
}

Result<HttpResponse> TurnRun::response(std::unique_ptr<TurnRun> run, const RouteCall& call) {
  run->trace_ = call.trace;
  if (wants_events(call.request)) {
    HttpResponse out;
    out.type = "text/event-stream";
    std::shared_ptr<TurnRun> mine = std::move(run);
    out.stream = [mine](ResponseStream& stream) { mine->stream_to(stream); };
    return out;
  }
  RunTurnOptions options;
  options.is_cancelled = [mine = run.get()] { return mine->slot_->is_cancelled(); };
  options.is_stopping = [mine = run.get()] { return mine->slot_->is_stopping(); };
  if (Result<void> driven = run->drive(options); !driven)
    return Unexpected(std::move(driven).error());
  const Result<Json> turn = run->shown();
  if (!turn) return Unexpected(turn.error());
  return json_response(*turn);
}

}  // namespace alfred::http
