// What appends and acks remember of agents (inbox/flow/agent_book.h) is never older than the
// tables.
#include <map>

#include <fmt/format.h>

#include "inbox/flow/write_together.h"
#include "inbox/registry/agents.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class GoneWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest&) override { return {WakeOutcome::Kind::gone}; }
};

class InboxAgentBook : public InboxUnderTest {
 protected:
  // How many entries each target of an agent is to be told of: "1 0", in the order of their
  // addresses.
  std::string pending(const std::string& agent) {
    std::map<std::string, std::string> address_of;
    const Json targets = must(inbox_->targets(agent)).at("targets");
    for (const Json& target : targets.as_array())
      address_of[text(target, "targetId")] = text(target, "address");
    std::map<std::string, std::int64_t> by_address;
    const Json states = must(inbox_->status()).at("activationDispatchStates");
    for (const Json& state : states.as_array())
      if (const auto known = address_of.find(text(state, "targetId")); known != address_of.end())
        by_address[known->second] = state.at("pendingEntries").as_int64();
    std::string out;
    for (const auto& [address, count] : by_address)
      out += fmt::format("{}{}", out.empty() ? "" : " ", count);
    return out;
  }
  static Json webhook(int port) {
    return JsonObject{{"kind", "webhook"}, {"url", fmt::format("http://127.0.0.1:{}/wake", port)}};
  }

  // What another process has: nothing is shared with inbox_ but the tables.
  std::unique_ptr<Inbox> other_ = std::make_unique<Inbox>(*store_->state(), clock_, random_);
};

TEST_P(InboxAgentBook, R1_targets_that_come_and_go_are_known_to_the_next_append) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  append(source, "a");
  EXPECT_EQ(pending(agent), "1");

  const std::string more = text(must(other_->add_target(agent, webhook(10))), "targetId");
  append(source, "b");
  EXPECT_EQ(pending(agent), "1 2") << "10 before 9: what was added is told of what came since";

  must(other_->remove_target(agent, more));
  append(source, "c");
  EXPECT_EQ(pending(agent), "3");
  EXPECT_EQ(ack(agent, json(R"({"all":true})")), 3);
  EXPECT_EQ(pending(agent), "0");
}

TEST_P(InboxAgentBook, R1_a_target_that_is_offline_is_told_nothing_until_it_is_resumed) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  append(source, "a");
  clock_.advance_ms(4'000);
  GoneWaker gone;
  EXPECT_EQ(must(other_->dispatch({.webhook = &gone})).at("failed").as_int64(), 1);
  const std::string before = pending(agent);
  append(source, "b");
  EXPECT_EQ(pending(agent), before);
  const std::string target = text(must(inbox_->targets(agent)).at("targets").at(0), "targetId");
  must(other_->resume_target(agent, target));
  append(source, "c");
  EXPECT_NE(pending(agent), before);
}

TEST_P(InboxAgentBook,
       R1_an_agent_that_was_removed_is_known_no_more_and_a_new_one_has_its_own_inbox) {
  const std::string source = add_source();
  const std::string agent = add_agent("agt_quiet-heron");
  subscribe(agent, source);
  append(source, "a");
  EXPECT_EQ(ack(agent, json(R"({"all":true})")), 1);
  must(other_->remove_agent(agent));
  EXPECT_EQ(code_of(inbox_->ack(agent, json(R"({"all":true})"))), "record");
  ASSERT_EQ(add_agent("agt_quiet-heron"), agent);
  subscribe(agent, source);
  append(source, "b");
  EXPECT_EQ(pending(agent), "1");
  EXPECT_EQ(seen(agent), "b");
  EXPECT_EQ(ack(agent, json(R"({"all":true})")), 1);
  EXPECT_EQ(pending(agent), "0");
}

// A page that was read in a transaction which was undone is of a number that never comes again.
TEST_P(InboxAgentBook, R1_what_a_transaction_saw_that_was_undone_is_not_believed_later) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  inbox::Books books;
  const inbox::NewEvent a =
      inbox::read_event(json(R"({"sourceNativeId":"a","eventVariant":"v"})"), kNoon).value();
  const inbox::NewEvent b =
      inbox::read_event(json(R"({"sourceNativeId":"b","eventVariant":"v"})"), kNoon).value();
  const auto add_and_append = [&](const inbox::NewEvent& event, bool ends_well) {
    const inbox::AskedWrite asked{source, &event};
    const Result<std::string> done = store_->state()->write({}, [&](Tx& tx) -> Result<std::string> {
      inbox::Sql sql(tx, random_, kNoon);
      if (Result<Json> added = inbox::add_target(sql, agent, webhook(10)); !added)
        return Unexpected(added.error());
      static_cast<void>(write_together(sql, books, {&asked, 1}, true));
      if (Result<void> good = sql.result(); !good) return Unexpected(good.error());
      if (!ends_well) return fail(ErrorCode::conflict, "It is undone.");
      return std::string();
    });
    EXPECT_EQ(done.has_value(), ends_well);
  };
  add_and_append(a, false);
  EXPECT_EQ(pending(agent), "0");
  add_and_append(b, true);
  EXPECT_EQ(pending(agent), "1 1") << "the target that is there now was told";
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxAgentBook,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
