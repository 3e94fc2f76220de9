// The process that works on an inbox is killed again and again: nothing it was told is done is lost
// or doubled.
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "inbox/wake/webhook.h"
#include "inbox/worker_for_tests.h"
#include "inbox_for_tests.h"
#include "net/http_server_for_tests.h"

extern char** environ;

namespace alfred {
namespace {

constexpr int kRunsPerDatabase = 10;
constexpr std::size_t kPoints = 140;  // of some fourteen rounds of a worker

// Where agents are woken: what came, as it came.
class Receiver {
 public:
  std::string url() const { return server_.url() + "/wake"; }
  // The activations that told of each entry as the latest.
  std::map<std::string, std::set<std::string>> told() {
    const std::scoped_lock lock(mutex_);
    return told_;
  }

 private:
  ResponseForTests take(const RequestForTests& request) {
    const Json body = json(request.body);
    const std::scoped_lock lock(mutex_);
    told_[std::string(body.at("latestEntryId").as_string())].insert(
        std::string(body.at("activationId").as_string()));
    return response_for_tests(204, "text/plain", "");
  }
  std::mutex mutex_;
  std::map<std::string, std::set<std::string>> told_;
  HttpServerForTests server_{[this](const RequestForTests& request) { return take(request); }};
};

class InboxKilled : public InboxUnderTest {
 protected:
  InboxKilled() {
    agent_ = add_woken_agent();
    source_ = add_source();
    subscribe(agent_, source_);
    inbox_.reset();
    store_.reset();
  }
  std::string add_woken_agent() {
    const Json made =
        must(inbox_->register_agent(JsonObject{{"webhook", JsonObject{{"url", receiver_.url()}}}}));
    return text(made.at("agent"), "agentId");
  }

  // Lets a worker say so many lines and kills it, unless it ends itself at a point before; what it
  // said is remembered.
  struct End {
    std::uint64_t lines = 1, pause_us = 0, point = 0;
  };
  void run_and_kill(std::int64_t run, const End& end) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, 0), 0);
    std::string words[] = {ALFRED_INBOX_WORKER, place_.url().target,      agent_, source_,
                           std::to_string(run), std::to_string(end.point)};
    if (GetParam() == StoreKind::sqlite) words[1] = "sqlite:" + words[1];
    char* raw[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                   words[4].data(), words[5].data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, raw[0], &actions, nullptr, raw, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    FILE* const out = ::fdopen(ends[0], "r");
    char room[200];
    for (std::uint64_t i = 0; i < end.lines && std::fgets(room, sizeof room, out) != nullptr; ++i)
      remember(room);
    ::usleep(static_cast<useconds_t>(end.pause_us));
    ::kill(child, SIGKILL);
    while (std::fgets(room, sizeof room, out) != nullptr) remember(room);
    std::fclose(out);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the worker ended by itself: " << status;
  }
  void remember(std::string line) {
    while (!line.empty() && line.back() == '\n') line.pop_back();
    const std::size_t space = line.find(' ');
    said_[line.substr(0, space)].insert(line.substr(space + 1));
  }

  // Opens what the killed one left, lets time go on, and looks.
  void check(std::int64_t run) {
    clock_.set_wall_ms(kWorkBegins + run * kRunMs + kLookMs);
    reopen();
    must(inbox_->pump());
    WebhookWaker waker(5'000);
    must(inbox_->run_due({.webhook = &waker}));
    // What a timer brought just now is told when its window is over.
    for (int i = 0; i < 5; ++i) {
      const Result<std::optional<std::int64_t>> next = inbox_->next_due_ms();
      ASSERT_TRUE(next) << next.error().message;
      if (!*next) break;
      clock_.set_wall_ms(std::max(clock_.wall_ms(), **next));
      must(inbox_->run_due({.webhook = &waker}));
    }
    std::map<std::string, int> natives;
    std::set<std::string> acked;
    for (const Json& entry : entries(agent_, {.with_acked = true, .most = 100'000})) {
      ++natives[text(entry.at("items").at(0), "sourceNativeId")];
      if (!entry.at("ackedAt").is_null()) acked.insert(text(entry, "entryId"));
    }
    for (const auto& [native, count] : natives) EXPECT_EQ(count, 1) << native << " is doubled";
    for (const std::string& native : said_["append"])
      EXPECT_TRUE(natives.contains(native)) << native;
    for (const std::string& entry : said_["ack"]) EXPECT_TRUE(acked.contains(entry)) << entry;
    for (const std::string& timer : said_["timer"]) {
      const auto fired = natives.lower_bound(timer + "@");
      EXPECT_TRUE(fired != natives.end() && fired->first.starts_with(timer)) << timer;
    }
    const JsonArray left = entries(agent_, {.most = 100'000});
    ASSERT_FALSE(left.empty());
    const auto told = receiver_.told();
    EXPECT_TRUE(told.contains(text(left.back(), "entryId"))) << "a wake-up is lost";
    for (const auto& [entry, activations] : told)
      EXPECT_EQ(activations.size(), 1U) << entry << " woke twice";
    check_offsets();
    inbox_.reset();
    store_.reset();
  }
  void check_offsets() {
    const Json lag = must(inbox_->lag(
        text(must(inbox_->subscriptions({})).at("subscriptions").at(0), "subscriptionId")));
    EXPECT_EQ(lag.at("lag").as_int64(), 0);
    EXPECT_GE(lag.at("latestOffset").as_int64(), std::ssize(said_["append"]));
  }

  Receiver receiver_;
  std::string agent_, source_;
  std::map<std::string, std::set<std::string>> said_;
};

TEST_P(InboxKilled, I31_nothing_is_lost_or_doubled) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("ALFRED_TEST_SEED=" + std::to_string(seed));
  SeededRandom random(seed);
  const bool is_sqlite = GetParam() == StoreKind::sqlite;
  const std::size_t runs = test_size({1, is_sqlite ? 3U : 1U, is_sqlite ? 280U : 30U});
  for (std::size_t run = 0; run < runs && !HasFailure(); ++run) {
    if (run > 0 && run % kRunsPerDatabase == 0) {  // small again, so that looking stays quick
      reopen();
      agent_ = add_woken_agent();
      source_ = add_source("builds-" + std::to_string(run));
      const Json old = must(inbox_->subscriptions({})).at("subscriptions");
      must(inbox_->unsubscribe(text(old.at(0), "subscriptionId")));
      subscribe(agent_, source_);
      said_.clear();
      inbox_.reset();
      store_.reset();
    }
    // By turns at the next point of the flow, before and after every write and after every wake-up,
    // and anywhere.
    End end{.lines = 1 + random.next_u64() % 25, .pause_us = random.next_u64() % 20'000};
    if (run % 2 == 1) end = {.lines = 1'000'000, .point = 1 + (run / 2) % kPoints};
    run_and_kill(static_cast<std::int64_t>(run), end);
    check(static_cast<std::int64_t>(run));
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxKilled,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
