// inbox_worker DATABASE AGENT SOURCE RUN POINT: appends, acks, sets timers and wakes until it is
// killed, or ends itself at a point of the flow. Prints a line for each thing that it was told is
// done.
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

#include "inbox/inbox.h"
#include "inbox/store/tables.h"
#include "inbox/wake/webhook.h"
#include "inbox/worker_for_tests.h"
#include "storage/open_store.h"

namespace {

using namespace alfred;

// Not buffered: what was written is out when the process is killed.
void say(int to, const std::string& line) {
  if (::write(to, (line + "\n").data(), line.size() + 1) < 0) std::_Exit(3);
}

// Where the process is to end; 0: nowhere.
class Points {
 public:
  explicit Points(std::int64_t end) : end_(end) {}
  void pass() {
    if (++passed_ == end_) std::raise(SIGKILL);
  }

 private:
  std::int64_t end_, passed_ = 0;
};

// A point before and after everything that is written.
class PointedState final : public StateStore {
 public:
  PointedState(StateStore& inner, Points& points) : inner_(inner), points_(points) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    points_.pass();
    Result<std::string> done = inner_.write(call, closure);
    points_.pass();
    return done;
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_.read(caller, closure);
  }
  Result<std::optional<std::string>> answer_of(OpId op) override { return inner_.answer_of(op); }

 private:
  StateStore& inner_;
  Points& points_;
};

// And one after every wake-up that arrived.
class PointedWaker final : public Waker {
 public:
  explicit PointedWaker(Points& points) : points_(points) {}
  WakeOutcome wake(const WakeRequest& request) override {
    WakeOutcome out = inner_.wake(request);
    points_.pass();
    return out;
  }

 private:
  WebhookWaker inner_{5'000};
  Points& points_;
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
  const StateTables tables[] = {inbox::inbox_tables()};
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  const Result<DatabaseUrl> url = parse_database_url(words[1]);
  if (!url) return 1;
  const auto store = open_records(*url, options);
  if (!store) return 1;
  Points points(std::atoll(words[5]));
  PointedState state(*(*store)->state(), points);
  Inbox inbox(state, clock, random);
  PointedWaker waker(points);
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
