#include "surface/cli/serve/serve_reminders.h"

namespace alfred::cli {

ServeReminders::ServeReminders(http::Api& api)
    : api_(api),
      place_(api.world().place),
      inbox_(place_.state(), api.world().clock, api.world().random),
      session_(waker_world()),
      runner_(inbox_, api.world().clock,
              Wakers{.webhook = &webhook_, .terminal = &terminal_, .session = &session_},
              [this](const Error& error) {
                api_.log().write(
                    "error",
                    JsonObject{
                        {"event", "inbox"}, {"message", error.message}, {"detail", error.detail}},
                    "");
              }) {}

ServeReminders::~ServeReminders() { is_over_ = true; }

SessionWakerWorld ServeReminders::waker_world() {
  SessionWakerWorld out{place_, api_.world().clock, api_.world().random, inbox_};
  out.interpreter = [this]() -> Result<std::shared_ptr<Interpreter>> {
    http::TurnWatch watch;
    watch.is_cancelled = &is_over_;
    return api_.world().interpreter("", watch);
  };
  out.take = [this](const std::string& session) -> std::shared_ptr<void> {
    return api_.slots().take(session);
  };
  out.secrets = api_.world().secrets;
  return out;
}

}  // namespace alfred::cli
