#include "surface/cli/chat/prompt_reminders.h"

#include "surface/cli/config/paths.h"

namespace alfred::cli {

PromptReminders::PromptReminders(Dialogue& dialogue, const Config& config,
                                 const Environment& environment)
    : dialogue_(dialogue),
      config_(config),
      environment_(environment),
      place_(dialogue.world().place),
      inbox_(place_.state(), dialogue.world().ports.clock, dialogue.world().ports.random),
      session_(waker_world()) {
  InboxRunner::Options options;
  options.more.session = &session_;
  options.waking_threads = 1;
  runner_ = std::make_unique<InboxRunner>(inbox_, dialogue.world().ports.clock, std::move(options));
}

PromptReminders::~PromptReminders() { is_over_ = true; }

SessionWakerWorld PromptReminders::waker_world() {
  const DialogueWorld& world = dialogue_.world();
  SessionWakerWorld out{place_, world.ports.clock, world.ports.random, inbox_};
  out.interpreter = [this] { return interpreter(); };
  out.take = [this](const std::string& /*session*/) -> std::shared_ptr<void> {
    return std::make_shared<std::unique_lock<std::mutex>>(mutex_);
  };
  out.secrets = world.secrets;
  out.tuning = world.tuning;
  out.zone = system_zone(environment_);
  return out;
}

// One of its own: the dialogue's shows on the screen what it is at.
Result<std::shared_ptr<Interpreter>> PromptReminders::interpreter() {
  if (interpreter_) return interpreter_;
  Result<Speaker> speaker = choose_interpreter({config_, environment_, place_, "", &is_over_, {}});
  if (!speaker) return Unexpected(std::move(speaker).error());
  interpreter_ = std::move(speaker->interpreter);
  return interpreter_;
}

std::string PromptReminders::user() const { return place_.caller.user.value_or(""); }

// What cannot be read now is looked for again the next time.
bool PromptReminders::has_news() {
  Result<std::vector<WakeUp>> found = unshown_wake_ups(place_.state(), user());
  news_ = found ? std::move(*found) : std::vector<WakeUp>();
  return !news_.empty();
}

void PromptReminders::show() {
  if (!has_news()) return;
  dialogue_.catch_up();
  for (const WakeUp& one : std::exchange(news_, {})) {
    dialogue_.world().screen.reply(one.reply.value_or(""));
    const auto marked =
        mark_shown(place_.state(), one.activation, dialogue_.world().ports.clock.wall_ms());
    if (!marked) dialogue_.world().screen.error(marked.error());
  }
}

}  // namespace alfred::cli
