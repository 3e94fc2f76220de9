#include "surface/cli/serve/served_inbox.h"

#include "base/error_table.h"

namespace alfred::cli {

ServedInbox::ServedInbox(RecordPlace place, const Clock& clock, Random& random,
                         std::function<bool()> is_ending)
    : place_(std::move(place)),
      clock_(clock),
      random_(random),
      inbox_(place_.state(), clock, random),
      door_(inbox_, std::move(is_ending)) {}

SessionWakerWorld ServedInbox::waker_world(http::Api& api) {
  SessionWakerWorld out{place_, clock_, random_, inbox_};
  out.interpreter = [this, &api]() -> Result<std::shared_ptr<Interpreter>> {
    http::TurnWatch watch;
    watch.is_cancelled = &is_over_;
    return api.world().interpreter("", watch);
  };
  out.take = [&api](const std::string& session) -> std::shared_ptr<void> {
    return api.slots().take(session);
  };
  out.secrets = api.world().secrets;
  out.tuning = api.world().tuning;
  return out;
}

void ServedInbox::start(http::Api& api, Work work) {
  const auto on_error = [&log = api.log()](const Error& error) {
    log.write("error",
              JsonObject{{"event", "inbox"},
                         {"code", error_name(error.code)},
                         {"message", error.message},
                         {"path", error.path},
                         {"detail", error.detail}},
              "");
  };
  InboxRunner::Options options;
  options.on_error = on_error;
  if (work.wakes_sessions) options.more.session = &session_.emplace(waker_world(api));
  runner_.emplace(inbox_, clock_, std::move(options));
  if (!work.runs_programs) return;
  ExecRunner::Options programs;
  programs.on_error = on_error;
  programs_.emplace(inbox_, clock_, std::move(programs));
}

void ServedInbox::stop() {
  is_over_ = true;
  programs_.reset();
  runner_.reset();
}

}  // namespace alfred::cli
