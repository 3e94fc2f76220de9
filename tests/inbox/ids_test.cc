#include <set>

#include "inbox_for_tests.h"

namespace alfred {
namespace {

// Gives everything three times, so that most new ids are taken.
class RepeatingRandom final : public Random {
 public:
  void fill(std::span<std::byte> out) override {
    if (count_++ % 3 == 0 || out.size() != last_.size()) {
      last_.resize(out.size());
      source_.fill(last_);
    }
    std::copy(last_.begin(), last_.end(), out.begin());
  }
  std::uint64_t next_u64() override {
    if (numbers_++ % 3 == 0) number_ = source_.next_u64();
    return number_;
  }

 private:
  OsRandom source_;
  std::vector<std::byte> last_;
  std::uint64_t number_ = 0, count_ = 0, numbers_ = 0;
};

class InboxIds : public InboxUnderTest {
 protected:
  std::set<std::string> stored(const Statement& statement) {
    std::set<std::string> out;
    const Result<void> read = store_->state()->read({}, [&](Tx& tx) -> Result<void> {
      const Result<std::vector<Row>> rows = tx.run(statement);
      if (!rows) return Unexpected(rows.error());
      for (const Row& row : *rows) out.insert(inbox::text_at(row, 0));
      return {};
    });
    EXPECT_TRUE(read.has_value());
    return out;
  }
  // Every text that begins like an id of the kind, wherever it stands in an answer.
  static void collect(const Json& answer, std::string_view prefix, std::set<std::string>& into) {
    if (answer.is_string() && std::string_view(answer.as_string()).starts_with(prefix) &&
        answer.as_string().find_first_of("@:") == JsonString::npos)
      into.insert(std::string(answer.as_string()));
    if (const JsonArray* const list = answer.if_array())
      for (const Json& one : *list) collect(one, prefix, into);
    if (const JsonObject* const object = answer.if_object())
      for (const auto& member : *object) collect(member.value(), prefix, into);
  }
  std::set<std::string> shown(std::string_view prefix) const {
    std::set<std::string> out;
    for (const Json& answer : answers_) collect(answer, prefix, out);
    return out;
  }

  RepeatingRandom repeating_;
  std::vector<Json> answers_;
};

class QuietWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest&) override { return {}; }
};

TEST_P(InboxIds, R2_each_kind_is_stored_under_the_id_that_is_shown_also_when_ids_repeat) {
  inbox_ = std::make_unique<Inbox>(*store_->state(), clock_, repeating_);
  std::vector<std::string> agents;
  for (int i = 0; i < 4; ++i) agents.push_back(add_agent());
  std::vector<std::string> sources;
  for (int i = 0; i < 3; ++i) sources.push_back(add_source("s" + std::to_string(i)));
  must(inbox_->add_host(json(R"({"hostType":"local_event","hostKey":"other"})")));
  for (const std::string& agent : agents)
    for (const std::string& source : sources) subscribe(agent, source);
  for (const std::string& source : sources) {
    append(source, "a");
    append(source, "b", json(R"({"resourceRef":"r","flush":"immediate"})"));
  }
  for (const std::string& agent : agents)
    must(inbox_->add_timer(JsonObject{{"agentId", agent}, {"message", "m"}, {"every", 60'000}}));
  for (int i = 0; i < 3; ++i)
    must(inbox_->deliver(json(R"({"provider":"x","surface":"y","targetRef":"z"})")));
  clock_.advance_ms(3'000);
  QuietWaker waker;
  must(inbox_->dispatch({.webhook = &waker}));
  for (const std::string& agent : agents) {
    answers_.push_back(must(inbox_->inbox(agent)));
    answers_.push_back(must(inbox_->entries(agent, {.most = 1000})));
  }
  for (const Result<Json>& one : {inbox_->hosts(), inbox_->sources(), inbox_->subscriptions({}),
                                  inbox_->timers(), inbox_->status()})
    answers_.push_back(must(one));
  for (const std::string& one : shown("sub_")) answers_.push_back(must(inbox_->lag(one)));

  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_agents"), shown("agt_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_inboxes"), shown("inb_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_hosts"), shown("hst_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_sources"), shown("src_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_streams"), shown("str_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_subscriptions"), shown("sub_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_consumers"), shown("con_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_targets"), shown("tgt_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_timers"), shown("sch_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_items"), shown("itm_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_events"), shown("evt_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_entries"), shown("ent_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_threads"), shown("thr_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_activations"), shown("act_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_deliveries"), shown("dlv_"));
  EXPECT_EQ(stored("SELECT id FROM alfred_inbox_commits").size(), 4U * 3 * 2);
  EXPECT_EQ(shown("itm_").size(), 4U * 3 * 2);
  EXPECT_EQ(shown("act_").size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxIds, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

}  // namespace
}  // namespace alfred
