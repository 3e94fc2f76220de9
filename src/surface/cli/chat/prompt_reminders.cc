#include "surface/cli/chat/prompt_reminders.h"

#include <chrono>
#include <thread>

#include "surface/cli/config/paths.h"
#include "surface/cli/terminal/signals.h"

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
  options.at_once = 4;
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

bool PromptReminders::is_about_to_come() {
  const Result<Json> entries = inbox_.entries(dialogue_.session().id(), {});
  return entries && !entries->at("entries").as_array().empty();
}

void PromptReminders::finish() {
  constexpr int kMostLooks = 80;
  constexpr auto kLook = std::chrono::milliseconds(100);
  for (int look = 0; look < kMostLooks && is_about_to_come() && !is_interrupted(); ++look)
    std::this_thread::sleep_for(kLook);
  const auto held = hold();
  show();
}

bool has_due_reminders(const RecordPlace& place, Ports& ports) {
  RecordPlace same = place;
  Inbox inbox(same.state(), ports.clock, ports.random);
  const Result<std::optional<std::int64_t>> next = inbox.next_due_ms();
  if (next && *next && **next <= ports.clock.wall_ms()) {
    (void)inbox.run_due({});  // what cannot be done now is done by whoever looks next
    return true;
  }
  const auto unshown = unshown_wake_ups(same.state(), same.caller.user.value_or(""));
  return unshown && !unshown->empty();
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
