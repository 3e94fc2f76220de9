#include "inbox/source/exec_runner.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>

#include "inbox/source/child_lines.h"

namespace alfred {
namespace {

constexpr std::int64_t kLookMs = 500;
constexpr std::int64_t kLongestWaitMs = 60'000;

void pause(std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

std::vector<std::string> command_of(const Json& source) {
  std::vector<std::string> out;
  const Json* const command = source.at("config").as_object().if_contains("command");
  if (command == nullptr || !command->is_array()) return out;
  for (const Json& word : command->as_array())
    if (word.is_string()) out.emplace_back(word.as_string());
  return out;
}

}  // namespace

ExecRunner::ExecRunner(Inbox& inbox, const Clock& clock, Options options)
    : inbox_(inbox), clock_(clock), options_(std::move(options)), thread_([this] { keep(); }) {}

ExecRunner::~ExecRunner() {
  is_over_ = true;
  thread_.join();
  for (auto& [id, run] : runs_) run->is_over = true;
  for (auto& [id, run] : runs_) run->thread.join();
}

void ExecRunner::told(ErrorCode code, const std::string& source, const std::string& what) {
  if (options_.on_error) options_.on_error(Error{code, what, source, {}, {}});
}

void ExecRunner::keep() {
  while (!is_over_) {
    look();
    for (std::int64_t left = kLookMs; left > 0 && !is_over_; left -= 50) pause(50);
  }
}

// Starts what should run and stops what should not.
void ExecRunner::look() {
  const Result<Json> found = inbox_.programs();
  if (!found) {
    if (options_.on_error) options_.on_error(found.error());
    return;
  }
  const std::int64_t now = clock_.wall_ms();
  std::set<std::string> wanted;
  for (const Json& one : found->as_array()) {
    const std::string id(one.at("sourceId").as_string());
    const bool is_idle = one.at("subscriptions").as_int64() == 0;
    const auto known = runs_.find(id);
    if (known == runs_.end()) {
      if (is_idle) continue;
      auto run = std::make_unique<Run>();
      run->source = id;
      run->command = command_of(one);
      run->changed_ms = one.at("changedMs").as_int64();
      run->thread = std::thread([this, mine = run.get()] { this->run(*mine); });
      runs_.emplace(id, std::move(run));
      wanted.insert(id);
      continue;
    }
    Run& run = *known->second;
    if (!is_idle) run.idle_since_ms = 0;
    if (is_idle && run.idle_since_ms == 0) run.idle_since_ms = now;
    const bool is_tired = is_idle && now - run.idle_since_ms >= options_.idle_grace_ms;
    if (!is_tired && run.changed_ms == one.at("changedMs").as_int64()) wanted.insert(id);
  }
  for (auto at = runs_.begin(); at != runs_.end();) {
    if (wanted.contains(at->first)) {
      ++at;
      continue;
    }
    at->second->is_over = true;
    at->second->thread.join();
    at = runs_.erase(at);
  }
}

void ExecRunner::run(Run& run) {
  for (std::int64_t wait_ms = options_.first_wait_ms; !run.is_over;) {
    const std::int64_t begun = clock_.monotonic_ns();
    if (!live(run))
      told(ErrorCode::file, run.source,
           fmt::format("The program {} cannot be started. Change the source's command.",
                       run.command.empty() ? "" : run.command.front()));
    if (clock_.monotonic_ns() - begun > 60'000'000'000) wait_ms = options_.first_wait_ms;
    for (std::int64_t left = wait_ms; left > 0 && !run.is_over; left -= 50) pause(50);
    wait_ms = std::min(wait_ms * 2, kLongestWaitMs);
  }
}

bool ExecRunner::live(Run& run) {
  inbox::ChildLines child(run.command);
  if (!child.is_started()) return false;
  while (!run.is_over) {
    const std::optional<std::string> line = child.next(100);
    if (line && !line->empty()) take(run, *line);
    if (!line && child.is_ended()) break;
    if (child.has_dropped())
      told(ErrorCode::limit, run.source, "A line was too long for an event.");
  }
  return true;
}

void ExecRunner::take(Run& run, const std::string& line) {
  JsonLimits limits;
  limits.rounds_wide_integers = true;  // no event is lost for one of its numbers
  const Result<Json> event = parse_json(line, limits);
  if (!event)
    return told(event.error().code, run.source, "A line is no JSON: " + event.error().message);
  while (!run.is_over) {
    const Result<Json> done = inbox_.append(run.source, *event);
    if (done) return;
    if (error_kind(done.error().code) != ErrorKind::unavailable)
      return told(done.error().code, run.source, done.error().message);
    pause(200);  // the store is busy: the event waits (R2)
  }
}

}  // namespace alfred
