#include <set>

#include "inbox/store/near_random.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxLayout : public InboxUnderTest {};

TEST_P(InboxLayout, R1_a_database_of_the_first_layout_is_taken_over) {
  const PlaceForTests old{GetParam()};
  StateTables first = inbox::inbox_tables();
  first.migrations = first.migrations.first(1);
  first.newest = {};
  inbox_.reset();
  store_ = open_inbox_store(old.url(), first);
  inbox_ = std::make_unique<Inbox>(*store_->state(), clock_, random_);
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  for (const char* one : {"a", "b", "c"}) append(source, one);
  append(source, "d", json(R"({"resourceRef":"r","flush":"immediate"})"));
  append(source, "e", json(R"({"resourceRef":"r","flush":"immediate"})"));
  append(source, "f", json(R"({"resourceRef":"r"})"));
  ack(agent, JsonObject{{"entryIds", JsonArray{entries(agent)[1].at("entryId")}}});
  const auto all = [&] {
    return JsonArray{entries(agent, {.with_acked = true}), must(inbox_->inbox(agent)),
                     must(inbox_->lag(subscription)), must(inbox_->status())};
  };
  const JsonArray before = all();
  inbox_.reset();
  store_.reset();
  store_ = open_inbox_store(old.url());
  inbox_ = std::make_unique<Inbox>(*store_->state(), clock_, random_);
  EXPECT_EQ(write_json(all()), write_json(before));

  append(source, "g");
  clock_.advance_ms(60'000);
  must(inbox_->flush());
  EXPECT_EQ(seen(agent), "a c g d+e+f");
  EXPECT_EQ(append(source, "a").at("deduped").as_int64(), 1);
  EXPECT_EQ(ack(agent, json(R"({"all":true})")), 4);
  clock_.advance_ms(25LL * 3'600'000);
  EXPECT_EQ(must(inbox_->gc()).at("deleted").as_int64(), 7);
  EXPECT_EQ(must(inbox_->status()).at("counts").at("entries").as_int64(), 0);
}

TEST_P(InboxLayout, R2_an_event_that_no_inbox_can_take_is_appended_and_pumped_later) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  append(source, "a");
  run("UPDATE alfred_inbox_counters SET value = value - 1 WHERE name = 'sequence'");
  EXPECT_EQ(append(source, "b").at("appended").as_int64(), 1);
  EXPECT_EQ(append(source, "c").at("lastOffset").as_int64(), 3);
  EXPECT_EQ(must(inbox_->lag(subscription)).at("lag").as_int64(), 2);
  EXPECT_EQ(seen(agent), "a");
  run("UPDATE alfred_inbox_counters SET value = value + 1 WHERE name = 'sequence'");
  append(source, "d");
  EXPECT_EQ(seen(agent), "a b c d");
  EXPECT_EQ(must(inbox_->lag(subscription)).at("lag").as_int64(), 0);
}

TEST_P(InboxLayout, I32_items_entries_wake_ups_and_the_offset_are_there_together_or_not_at_all) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  append(source, "a");
  const auto all = [&] {
    const Json status = must(inbox_->status());
    return write_json(
        JsonArray{status.at("counts").at("events"), status.at("counts").at("items"),
                  status.at("counts").at("entries"),
                  status.at("activationDispatchStates").at(0).at("pendingEntries"),
                  must(inbox_->lag(subscription)).at("consumer").at("committedOffset")});
  };
  EXPECT_EQ(all(), "[1,1,1,1,1]");
  run("UPDATE alfred_inbox_counters SET value = value - 1 WHERE name = 'sequence'");
  append(source, "b");  // its entry cannot be written
  EXPECT_EQ(all(), "[2,1,1,1,1]");
  EXPECT_FALSE(inbox_->pump().has_value());
  EXPECT_EQ(all(), "[2,1,1,1,1]");
  run("UPDATE alfred_inbox_counters SET value = value + 1 WHERE name = 'sequence'");
  must(inbox_->pump());
  EXPECT_EQ(all(), "[2,2,2,2,2]");
}

TEST_P(InboxLayout, R3_what_another_process_changes_is_seen_by_the_next_append) {
  Inbox other(*store_->state(), clock_, random_);
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  const Json group = json(R"({"resourceRef":"r"})");
  append(source, "a");
  must(other.set_policy(agent, json(R"({"enabled":false})")));
  append(source, "b", group);
  EXPECT_EQ(seen(agent), "a b");
  must(other.pause_source(source));
  EXPECT_EQ(code_of(inbox_->append(source, json(R"({"sourceNativeId":"c","eventVariant":"v"})"))),
            "conflict");
  must(other.resume_source(source));
  append(source, "c");
  must(other.unsubscribe(subscription));
  append(source, "d");
  EXPECT_EQ(seen(agent), "a b c");
  must(other.remove_source(source, false));
  EXPECT_EQ(code_of(inbox_->append(source, json(R"({"sourceNativeId":"e","eventVariant":"v"})"))),
            "record");
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxLayout,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

TEST(NearRandom, R1_the_beginnings_of_ids_go_up_and_the_rest_differs) {
  constexpr std::size_t kCount = 2'000 * inbox::NearRandom::kNearIds;
  OsRandom source;
  inbox::NearRandom random(source);
  std::set<std::string> beginnings;
  std::set<std::string> rests;
  std::string before;
  std::size_t back = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string id(new_short_id<IdKind::stream_event>(random).view());
    const std::string beginning = id.substr(4, 5);
    if (beginning < before) ++back;  // zzzzz and then 00000
    before = beginning;
    beginnings.insert(beginning);
    rests.insert(id.substr(9));
  }
  EXPECT_LE(back, 1U);
  EXPECT_GE(beginnings.size(), 2'000U);
  EXPECT_LE(beginnings.size(), 2'001U);
  EXPECT_GE(rests.size(), kCount - 20);
}

TEST(NearRandom, R2_it_begins_anywhere) {
  OsRandom source;
  std::set<char> firsts;
  for (int i = 0; i < 2'000; ++i) {
    inbox::NearRandom random(source);
    firsts.insert(new_short_id<IdKind::stream_event>(random).view()[4]);
  }
  EXPECT_EQ(firsts.size(), 32U);
}

}  // namespace
}  // namespace alfred
