// Appends and acks that came at the same time.
#include <atomic>
#include <set>
#include <thread>

#include "inbox/flow/write_together.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxTogether : public InboxUnderTest {
 protected:
  static inbox::NewEvent event(const std::string& native, const Json& metadata = JsonObject()) {
    return inbox::read_event(JsonObject{{"sourceNativeId", native},
                                        {"eventVariant", "built"},
                                        {"metadata", metadata},
                                        {"rawPayload", JsonObject{{"n", native}}}},
                             kNoon)
        .value();
  }
  // What each of them is told, in one transaction.
  std::vector<std::string> together(const std::vector<inbox::AskedWrite>& asked) {
    std::vector<std::string> out;
    const Result<std::string> done = store_->state()->write({}, [&](Tx& tx) -> Result<std::string> {
      inbox::Sql sql(tx, random_, kNoon);
      out.clear();
      for (const Result<Json>& one : write_together(sql, books_, asked, true).answers)
        out.push_back(code_of(one));
      if (Result<void> good = sql.result(); !good) return Unexpected(good.error());
      return std::string();
    });
    EXPECT_TRUE(done.has_value()) << told(done.error());
    return out;
  }
  void count_back(const Statement& statement) {
    const Result<std::string> done = store_->state()->write({}, [&](Tx& tx) -> Result<std::string> {
      const Result<std::vector<Row>> rows = tx.run(statement);
      if (!rows) return Unexpected(rows.error());
      return std::string();
    });
    ASSERT_TRUE(done.has_value());
  }
  // Threads that append side by side: how many events were new.
  std::int64_t append_at_once(const std::vector<std::string>& sources, int threads, int each) {
    std::atomic<std::int64_t> fresh = 0;
    std::vector<std::thread> running;
    running.reserve(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (int i = 0; i < each; ++i) {  // each event comes from two threads
          const std::string native = std::to_string(t / 2) + "-" + std::to_string(i);
          const Json told = append(sources[static_cast<std::size_t>(i) % sources.size()], native);
          fresh += told.at("appended").as_int64();
        }
      });
    for (std::thread& one : running) one.join();
    return fresh;
  }

  inbox::Books books_;
};

TEST_P(InboxTogether, R1_R2_each_is_told_what_it_would_be_told_alone) {
  const std::string agent = add_agent();
  const std::string builds = add_source();
  const std::string tests = add_source("tests");
  const std::string paused = add_source("paused");
  const std::string subscription = subscribe(agent, builds);
  subscribe(agent, tests);
  must(inbox_->pause_source(paused));
  append(builds, "a");
  const inbox::NewEvent a = event("a");
  const inbox::NewEvent b = event("b");
  const inbox::NewEvent c = event("c", json(R"({"resourceRef":"r","flush":"immediate"})"));
  const inbox::NewEvent d = event("d");
  const std::vector<std::string> told = together({{builds, &b},
                                                  {builds, &a},
                                                  {"src_000000000000", &a},
                                                  {tests, &a},
                                                  {builds, &b},
                                                  {paused, &a},
                                                  {builds, &c},
                                                  {builds, &d}});
  const std::vector<std::string> expected = {R"(none: {"appended":1,"deduped":0,"lastOffset":2})",
                                             R"(none: {"appended":0,"deduped":1,"lastOffset":1})",
                                             "record",
                                             R"(none: {"appended":1,"deduped":0,"lastOffset":1})",
                                             R"(none: {"appended":0,"deduped":1,"lastOffset":2})",
                                             "conflict",
                                             R"(none: {"appended":1,"deduped":0,"lastOffset":3})",
                                             R"(none: {"appended":1,"deduped":0,"lastOffset":4})"};
  EXPECT_EQ(told, expected);
  append(builds, "e");
  std::set<std::int64_t> sequences;
  for (const Json& entry : entries(agent)) sequences.insert(entry.at("sequence").as_int64());
  EXPECT_EQ(sequences, (std::set<std::int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(must(inbox_->status()).at("counts").at("sequence").as_int64(), 6);
  const Json lag = must(inbox_->lag(subscription));
  EXPECT_EQ(lag.at("lag").as_int64(), 0);
  EXPECT_EQ(lag.at("consumer").at("committedOffset").as_int64(), 5);
  EXPECT_EQ(must(inbox_->status()).at("activationDispatchStates").at(0).at("pendingEntries"), 6);
}

TEST_P(InboxTogether, R2_R4_acks_come_first_and_each_is_told_what_it_would_be_told_alone) {
  const std::string agent = add_agent();
  const std::string other = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  subscribe(other, source);
  append(source, "a");
  append(source, "b");
  const Json first = entries(agent)[0].at("entryId");
  const std::string through = text(entries(agent)[0], "entryId");
  const inbox::NewEvent c = event("c");
  const inbox::AskedAck one = inbox::read_ack(JsonObject{{"entryIds", JsonArray{first}}}).value();
  const inbox::AskedAck again = one;
  const inbox::AskedAck wrong = inbox::read_ack(JsonObject{{"throughEntryId", through}}).value();
  const inbox::AskedAck all = inbox::read_ack(json(R"({"all":true})")).value();
  const std::vector<std::string> told = together({{source, &c},
                                                  {agent, nullptr, &one},
                                                  {agent, nullptr, &again},
                                                  {other, nullptr, &wrong},
                                                  {"agt_nobody-here", nullptr, &all},
                                                  {other, nullptr, &all}});
  const std::vector<std::string> expected = {R"(none: {"appended":1,"deduped":0,"lastOffset":3})",
                                             R"(none: {"acked":1})",
                                             R"(none: {"acked":0})",
                                             "record",
                                             "record",
                                             R"(none: {"acked":2})"};
  EXPECT_EQ(told, expected);
  EXPECT_EQ(seen(agent), "b c");
  EXPECT_EQ(seen(other), "c");
}

TEST_P(InboxTogether, Many_writes_at_once_are_told_each_its_own_and_bad_ones_harm_nobody) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  append(source, "a");
  const Json b = json(R"({"sourceNativeId":"b","eventVariant":"v"})");
  const Json odd = json(R"({"sourceNativeId":"c","eventVariant":"v","more":1})");
  const Json all = json(R"({"all":true})");
  const Json nothing = JsonObject();
  using Kind = JointCall::Kind;
  const std::vector<JointCall> writes = {
      {Kind::append, source, b},   {Kind::append, source, odd},
      {Kind::ack, agent, nothing}, {Kind::append, "src_000000000000", b},
      {Kind::ack, agent, all},     {Kind::append, source, b}};
  std::vector<std::string> told;
  for (const Result<Json>& one : inbox_->answer_all(writes)) told.push_back(code_of(one));
  const std::vector<std::string> expected = {R"(none: {"appended":1,"deduped":0,"lastOffset":2})",
                                             "schema",
                                             "schema",
                                             "record",
                                             R"(none: {"acked":1})",
                                             R"(none: {"appended":0,"deduped":1,"lastOffset":2})"};
  EXPECT_EQ(told, expected);
  EXPECT_EQ(seen(agent), "b");
  EXPECT_TRUE(inbox_->answer_all({}).empty());
  // When the inboxes can take none of them, they are appended all the same, and acks are done.
  run("UPDATE alfred_inbox_counters SET value = value - 1 WHERE name = 'sequence'");
  const Json d = json(R"({"sourceNativeId":"d","eventVariant":"v"})");
  const std::vector<JointCall> more = {{Kind::append, source, d}, {Kind::ack, agent, all}};
  const std::vector<Result<Json>> left = inbox_->answer_all(more);
  EXPECT_EQ(code_of(left[0]), R"(none: {"appended":1,"deduped":0,"lastOffset":3})");
  EXPECT_EQ(code_of(left[1]), R"(none: {"acked":1})");
  run("UPDATE alfred_inbox_counters SET value = value + 1 WHERE name = 'sequence'");
  must(inbox_->pump());
  EXPECT_EQ(seen(agent), "d");
}

TEST_P(InboxTogether, Reads_among_writes_are_told_what_they_would_be_told_alone_afterwards) {
  const std::string agent = add_agent();
  const std::string other = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  subscribe(other, source);
  append(source, "a");
  using Kind = JointCall::Kind;
  const Json none = JsonObject();
  const Json b = json(R"({"sourceNativeId":"b","eventVariant":"v"})");
  const Json all = json(R"({"all":true})");
  const inbox::ReadEntries some{.most = 10};
  const inbox::ReadEntries one{.most = 1};
  const inbox::ReadEntries nowhere{.after_entry = "ent_000000000000", .most = 10};
  const std::vector<JointCall> reads = {{Kind::read, agent, none, some},
                                        {Kind::read, other, none, some},
                                        {Kind::read, agent, none, one},
                                        {Kind::read, "agt_nobody-here", none, some},
                                        {Kind::read, agent, none, nowhere}};
  const auto alone = [&] {
    std::vector<std::string> out;
    for (const JointCall& read : reads) out.push_back(code_of(inbox_->entries(read.of, read.read)));
    return out;
  };
  const auto joint = [&](const std::vector<JointCall>& calls) {
    std::vector<std::string> out;
    for (const Result<Json>& answer : inbox_->answer_all(calls)) out.push_back(code_of(answer));
    return out;
  };
  EXPECT_EQ(joint(reads), alone());
  std::vector<JointCall> mixed = reads;
  mixed.push_back({Kind::append, source, b});
  mixed.push_back({Kind::ack, other, all});
  std::vector<std::string> told = joint(mixed);
  EXPECT_EQ(told[5], R"(none: {"appended":1,"deduped":0,"lastOffset":2})");
  EXPECT_EQ(told[6], R"(none: {"acked":1})");
  told.resize(reads.size());
  EXPECT_EQ(told, alone());
  EXPECT_EQ(seen(agent), "a b");
  EXPECT_EQ(seen(other), "b");
}

// A store that can be read and not written, as on a full disk.
class NoWrites final : public StateStore {
 public:
  explicit NoWrites(StateStore& inner) : inner_(inner) {}
  Result<std::string> write(const WriteCall&, const WriteFn&) override {
    return fail(ErrorCode::busy, "Somebody else writes.");
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_.read(caller, closure);
  }
  Result<std::optional<std::string>> answer_of(OpId op) override { return inner_.answer_of(op); }

 private:
  StateStore& inner_;
};

TEST_P(InboxTogether, Who_only_reads_needs_no_store_that_can_write) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  append(source, "a");
  NoWrites store(*store_->state());
  Inbox inbox(store, clock_, random_);
  using Kind = JointCall::Kind;
  const Json b = json(R"({"sourceNativeId":"b","eventVariant":"v"})");
  const std::vector<JointCall> calls = {
      {Kind::append, source, b}, {Kind::read, agent, b, {.most = 10}}, {Kind::append, source, b}};
  const std::vector<Result<Json>> answers = inbox.answer_all(calls);
  EXPECT_EQ(code_of(answers[0]), "busy");
  EXPECT_EQ(code_of(answers[1]), code_of(inbox_->entries(agent, {.most = 10})));
  EXPECT_EQ(code_of(answers[2]), "busy");
}

TEST_P(InboxTogether, Threads_that_append_read_and_ack_at_once_deal_with_each_event_once) {
  constexpr int kThreads = 6;
  constexpr int kEach = 8;
  const std::string source = add_source();
  std::vector<std::string> agents;
  for (int t = 0; t < kThreads; ++t) agents.push_back(add_agent());
  for (const std::string& agent : agents) subscribe(agent, source);
  std::atomic<std::int64_t> acked = 0;
  std::vector<std::thread> running;
  for (int t = 0; t < kThreads; ++t)
    running.emplace_back([&, t] {
      const std::string& agent = agents[static_cast<std::size_t>(t)];
      for (int i = 0; i < kEach; ++i) {
        append(source, std::to_string(t) + "-" + std::to_string(i));
        acked +=
            ack(agent,
                JsonObject{{"entryIds", JsonArray{entries(agent, {.most = 1})[0].at("entryId")}}});
      }
    });
  for (std::thread& one : running) one.join();
  EXPECT_EQ(acked, kThreads * kEach);
  for (const std::string& agent : agents)
    EXPECT_EQ(std::ssize(entries(agent, {.most = 1'000})), kThreads * kEach - kEach);
}

TEST_P(InboxTogether, Threads_that_append_at_once_lose_nothing_and_double_nothing) {
  const std::string agent = add_agent();
  const std::vector<std::string> sources = {add_source(), add_source("tests")};
  for (const std::string& source : sources) subscribe(agent, source);
  EXPECT_EQ(append_at_once(sources, 8, 10), 4 * 10);
  std::set<std::string> natives;
  std::set<std::int64_t> sequences;
  for (const Json& entry : entries(agent, {.most = 1'000})) {
    natives.insert(text(entry.at("items").at(0), "sourceNativeId"));
    sequences.insert(entry.at("sequence").as_int64());
  }
  EXPECT_EQ(natives.size(), 40U);
  EXPECT_EQ(sequences.size(), 40U);
  for (const std::string& source : sources)
    EXPECT_EQ(append(source, "last").at("lastOffset").as_int64(), 21);
}

TEST_P(InboxTogether, R2_when_no_inbox_can_take_them_threads_have_appended_all_the_same) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  append(source, "first");
  count_back("UPDATE alfred_inbox_counters SET value = value - 1 WHERE name = 'sequence'");
  EXPECT_EQ(append_at_once({source}, 6, 5), 3 * 5);
  EXPECT_EQ(seen(agent), "first");
  count_back("UPDATE alfred_inbox_counters SET value = value + 1 WHERE name = 'sequence'");
  must(inbox_->pump());
  EXPECT_EQ(std::ssize(entries(agent, {.most = 1'000})), 16);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxTogether,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
