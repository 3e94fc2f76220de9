// inbox_worker DATABASE AGENT SOURCE RUN LOG: appends, acks, sets timers and wakes until it is
// killed. Prints a line for each thing that it was told is done; writes each wake-up to LOG before
// it counts.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "inbox/open_inbox.h"
#include "inbox/worker_for_tests.h"

namespace {

using namespace alfred;

// Not buffered: what was written is out when the process is killed.
void say(int to, const std::string& line) {
  if (::write(to, (line + "\n").data(), line.size() + 1) < 0) std::_Exit(3);
}

class LogWaker final : public Waker {
 public:
  explicit LogWaker(const char* path) : file_(::open(path, O_WRONLY | O_APPEND | O_CREAT, 0600)) {}
  WakeOutcome wake(const WakeRequest& request) override {
    say(file_, request.activation + " " + request.latest_entry);
    return {};
  }

 private:
  int file_;
};

void must(const Result<Json>& result) {
  if (result) return;
  say(2, result.error().message + " " + result.error().detail);
  std::_Exit(2);
}

}  // namespace

int main(int, char** words) {
  const std::string agent = words[2];
  const std::string source = words[3];
  const std::int64_t run = std::atoll(words[4]);
  ManualClock clock(kWorkBegins + run * kRunMs);
  OsRandom random;
  Result<OpenInbox> opened = OpenInbox::open(words[1], clock, random);
  if (!opened) return 1;
  Inbox& inbox = opened->inbox();
  LogWaker waker(words[5]);
  for (int i = 0;; ++i) {
    clock.advance_ms(1'000);
    const std::string native = fmt::format("{}-{}", run, i);
    must(inbox.append(source, JsonObject{{"sourceNativeId", native}, {"eventVariant", "v"}}));
    say(1, "append " + native);
    if (i % 3 == 1) {
      const Result<Json> read = inbox.entries(agent, {.most = 1});
      must(read);
      if (!read->at("entries").as_array().empty()) {
        const Json id = read->at("entries").at(0).at("entryId");
        must(inbox.ack(agent, JsonObject{{"entryIds", JsonArray{id}}}));
        say(1, "ack " + std::string(id.as_string()));
      }
    }
    if (i % 4 == 2) {
      const Result<Json> timer = inbox.add_timer(JsonObject{
          {"agentId", agent}, {"message", "now"}, {"at", rfc3339_utc(clock.wall_ms() + 2'000)}});
      must(timer);
      say(1, "timer " + std::string(timer->at("scheduleId").as_string()));
    }
    must(inbox.run_due({.webhook = &waker}));
  }
}
