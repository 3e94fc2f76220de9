// Nobody waits for another: streams that fail, filters that compile no more, hooks that are slow,
// many subscriptions.
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "inbox/inbox_runner.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxFair : public InboxUnderTest {
 protected:
  // No entry can be written for the agent `bad`: the next sequences are taken in its inbox.
  void block() {
    run("INSERT INTO alfred_inbox_entries (id, inbox, sequence, kind, created_ms, acked_ms, is_superseded) "
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
        "SELECT 'ent_blocked' || n.i, b.id, c.value + n.i, 'item', 0, 1, 0 FROM n, alfred_inbox_inboxes b, "
        "alfred_inbox_counters c WHERE b.agent = 'bad' AND c.name = 'sequence'");
  }
  void unblock() { run("DELETE FROM alfred_inbox_entries WHERE id LIKE 'ent_blocked%'"); }
};

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 4'000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

TEST_P(InboxFair, streams_that_cannot_go_on_hold_up_no_other_and_no_timer) {
  options_.is_eager = false;
  const std::string good = add_agent("good");
  add_agent("bad");
  reopen();  // appends only append
  for (int i = 0; i < 70; ++i) {
    const std::string source = add_source(std::to_string(i));
    subscribe("bad", source);
    append(source, "a");
  }
  const std::string last = add_source("last");
  subscribe(good, last);
  append(last, "a");
  must(inbox_->add_timer(
      JsonObject{{"agentId", good}, {"message", "now"}, {"at", rfc3339_utc(kNoon + 1'000)}}));
  block();
  EXPECT_FALSE(inbox_->pump().has_value());
  EXPECT_EQ(seen(good), "a");
  clock_.advance_ms(1'000);
  must(inbox_->run_due({}));
  EXPECT_EQ(entries(good).size(), 2U);
  unblock();
  must(inbox_->pump());
  EXPECT_EQ(entries("bad", {.most = 100}).size(), 70U);
}

TEST_P(InboxFair, R4_a_kept_filter_that_compiles_no_more_makes_dead_letters) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string broken =
      subscribe(agent, source, json(R"({"filter":{"expr":"metadata.x == 1"}})"));
  const std::string behind = add_agent("late");
  const std::string other = add_agent("other");
  subscribe(other, source);
  append(source, "a", json(R"({"x":1})"));
  EXPECT_EQ(seen(agent), "a");
  run("UPDATE alfred_inbox_subscriptions SET filter_text = '{\"expr\":\"1 +\"}' WHERE filter_text <> '{}'");
  reopen();
  append(source, "b", json(R"({"x":1})"));
  EXPECT_EQ(append(source, "b").at("deduped").as_int64(), 1);
  EXPECT_EQ(seen(agent), "a");
  EXPECT_EQ(seen(other), "a b");
  const Json dead = must(inbox_->dead()).at("dead");
  ASSERT_EQ(dead.as_array().size(), 1U);
  EXPECT_EQ(text(dead.at(0), "subscriptionId"), broken);
  EXPECT_NE(text(dead.at(0), "reason").find("Subscribe anew"), std::string::npos);
  EXPECT_EQ(must(inbox_->status()).at("counts").at("deadLetters").as_int64(), 1);
  // One that reads from the beginning goes on, too.
  must(inbox_->reset(broken, json(R"({"startPolicy":"earliest"})")));
  must(inbox_->pump());
  EXPECT_EQ(must(inbox_->lag(broken)).at("consumer").at("committedOffset").as_int64(), 2);
  EXPECT_EQ(must(inbox_->dead()).at("dead").as_array().size(), 2U);
}

// Answers at once those it knows for quick, the others when it is let go.
class HoldingWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest& request) override {
    {
      const std::scoped_lock lock(mutex_);
      called_.push_back(request.agent);
    }
    while (!request.agent.starts_with("quick") && !is_let_go)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {};
  }
  std::size_t count(std::string_view agent) {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        called_.begin(), called_.end(), [&](const auto& one) { return one.starts_with(agent); }));
  }
  std::atomic<bool> is_let_go{false};

 private:
  std::mutex mutex_;
  std::vector<std::string> called_;
};

TEST_P(InboxFair, R2_slow_hooks_hold_up_no_other_agent) {
  HoldingWaker waker;
  const auto fill = [&](const std::string& agent) {
    for (int i = 0; i < 20; ++i) must(inbox_->send(agent, json(R"({"message":"m"})")));
  };
  {
    InboxRunner::Options options;
    options.more.webhook = &waker;
    options.at_once = 8;
    const InboxRunner runner(*inbox_, clock_, options);
    // One agent with more hooks than there are places has some of them.
    add_agent("slow");
    for (int i = 0; i < 9; ++i)
      must(inbox_->add_target(
          "slow",
          JsonObject{{"kind", "webhook"}, {"url", "http://127.0.0.1:9/" + std::to_string(i)}}));
    fill("slow");
    EXPECT_TRUE(soon([&] { return waker.count("slow") == 4; }));
    add_agent("quick");
    fill("quick");
    EXPECT_TRUE(soon([&] { return waker.count("quick") == 1; }));
    EXPECT_EQ(waker.count("slow"), 4U);
    waker.is_let_go = true;
    EXPECT_TRUE(soon([&] { return waker.count("slow") == 10; }));
  }
  EXPECT_EQ(waker.count("slow"), 10U);
  EXPECT_EQ(waker.count("quick"), 1U);
}

TEST_P(InboxFair, those_that_failed_hide_nobody_who_is_due) {
  HoldingWaker waker;
  for (int i = 0; i < 120; ++i) {
    const std::string agent = add_agent("failed-" + std::to_string(i));
    must(inbox_->send(agent, json(R"({"message":"m"})")));
  }
  run("UPDATE alfred_inbox_dispatch SET attempts = 3, due_ms = 1");
  add_agent("quick");
  must(inbox_->send("quick", json(R"({"message":"m"})")));
  clock_.advance_ms(10'000);
  const std::vector<inbox::DueWake> due = inbox_->due_wakes({.webhook = &waker}).value();
  ASSERT_EQ(due.size(), 101U);
  EXPECT_EQ(due[0].agent, "quick");
  EXPECT_FALSE(due[0].has_failed);
  EXPECT_TRUE(due[1].has_failed);
}

TEST_P(InboxFair, G18_ten_thousand_subscriptions_on_one_stream) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source, json(R"({"filter":{"metadata":{"x":1}}})"));
  run("INSERT INTO alfred_inbox_subscriptions (id, agent, source, filter_text, cleanup, start_policy, created_ms) "
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) "
      "SELECT 'sub_many' || n.i, b.agent, b.source, '{\"metadata\":{\"x\":2}}', b.cleanup, b.start_policy, "
      "b.created_ms FROM n, alfred_inbox_subscriptions b");
  run("INSERT INTO alfred_inbox_consumers (id, subscription, stream, place, is_following, created_ms, updated_ms) "
      "SELECT 'con_' || b.id, b.id, c.stream, 0, 1, 0, 0 FROM alfred_inbox_subscriptions b, "
      "(SELECT min(stream) AS stream FROM alfred_inbox_consumers) c WHERE b.id LIKE 'sub_many%'");
  reopen();
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(append(source, "a", json(R"({"x":1})")).at("appended").as_int64(), 1);
  EXPECT_EQ(append(source, "b", json(R"({"x":2})")).at("appended").as_int64(), 1);
  EXPECT_EQ(append(source, "c", json(R"({"x":3})")).at("appended").as_int64(), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  EXPECT_EQ(seen(agent), "a b");  // one item of an inbox, however many of its subscriptions match
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxFair, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

TEST(WakeSlots, R1_so_many_at_once_and_a_target_once) {
  inbox::WakeSlots slots(3);
  EXPECT_TRUE(slots.take({"a", "1", false}));
  EXPECT_FALSE(slots.take({"a", "1", false}));
  EXPECT_TRUE(slots.take({"b", "2", false}));
  EXPECT_TRUE(slots.take({"c", "3", false}));
  EXPECT_FALSE(slots.take({"d", "4", false}));
  slots.give_back({"b", "2", false}, 1);
  EXPECT_TRUE(slots.take({"d", "4", false}));
}

TEST(WakeSlots, R2_who_failed_or_was_slow_has_half_of_the_places) {
  inbox::WakeSlots slots(4);
  EXPECT_TRUE(slots.take({"failed 1", "1", true}));
  EXPECT_TRUE(slots.take({"slow", "2", false}));
  slots.give_back({"slow", "2", false}, inbox::WakeSlots::kSlowMs + 1);
  EXPECT_TRUE(slots.take({"slow", "2", false}));
  EXPECT_FALSE(slots.take({"failed 2", "3", true}));
  EXPECT_TRUE(slots.take({"good 1", "4", false}));
  EXPECT_TRUE(slots.take({"good 2", "5", false}));
  slots.give_back({"slow", "2", false}, 1);  // it was quick this time
  EXPECT_TRUE(slots.take({"failed 2", "3", true}));
  slots.give_back({"good 1", "4", false}, 1);
  EXPECT_TRUE(slots.take({"slow", "2", false}));
}

}  // namespace
}  // namespace alfred
