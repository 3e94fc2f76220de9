#include <set>

#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxDigest : public InboxUnderTest {
 protected:
  void SetUp() override { subscribe(agent_, source_); }
  void event(const std::string& native, const std::string& more = "") {
    append(source_, native, json(R"({"resourceRef":"pr:7","eventFamily":"review")" + more + "}"));
  }
  void flush() {
    clock_.advance_ms(30'000);
    must(inbox_->flush());
  }
  Json only_entry() {
    const JsonArray read = entries(agent_);
    EXPECT_EQ(read.size(), 1U);
    return read.empty() ? Json() : read[0];
  }

  std::string agent_ = add_agent();
  std::string source_ = add_source();
};

TEST_P(InboxDigest, R3_a_window_ends_with_one_snapshot) {
  event("a");
  clock_.advance_ms(20'000);
  event("b");
  clock_.advance_ms(20'000);
  must(inbox_->flush());
  EXPECT_EQ(seen(agent_), "");  // the window slides
  flush();
  EXPECT_EQ(seen(agent_), "a+b");
  const Json entry = only_entry();
  EXPECT_EQ(text(entry, "kind"), "digest_snapshot");
  EXPECT_EQ(entry.at("revision").as_int64(), 1);
  event("c");
  flush();
  EXPECT_EQ(seen(agent_), "a+b+c");
  EXPECT_EQ(only_entry().at("revision").as_int64(), 2);
  EXPECT_EQ(only_entry().at("threadId"), entry.at("threadId"));
}

TEST_P(InboxDigest, R3_many_items_and_immediate_ones_flush_at_once) {
  event("a", R"(,"flush":"immediate")");
  EXPECT_EQ(seen(agent_), "a");
  for (int i = 0; i < 20; ++i) event("n" + std::to_string(i));
  EXPECT_EQ(only_entry().at("count").as_int64(), 21);
}

TEST_P(InboxDigest, R3_a_superseded_snapshot_is_acked_and_the_rest_is_the_next_revision) {
  event("a");
  event("b");
  flush();
  const Json first = only_entry();
  event("c");
  flush();
  EXPECT_EQ(ack(agent_, JsonObject{{"entryIds", JsonArray{first.at("entryId")}}}), 1);
  EXPECT_EQ(seen(agent_), "c");
  EXPECT_EQ(only_entry().at("revision").as_int64(), 3);
  EXPECT_EQ(ack(agent_, JsonObject{{"entryIds", JsonArray{first.at("entryId")}}}), 0);
  EXPECT_EQ(ack(agent_, json(R"({"all":true})")), 1);
  EXPECT_EQ(seen(agent_), "");
}

TEST_P(InboxDigest, I33_through_a_superseded_anchor_leaves_what_came_later) {
  append(source_, "plain");
  event("a");
  flush();
  const Json anchor = entries(agent_).at(1);
  event("b");
  flush();
  event("c");  // waits
  // The plain one, and the anchor, which was named.
  EXPECT_EQ(ack(agent_, JsonObject{{"throughEntryId", anchor.at("entryId")}}), 2);
  EXPECT_EQ(seen(agent_), "b");
  flush();
  EXPECT_EQ(seen(agent_), "b+c");
}

TEST_P(InboxDigest, R2_through_a_superseded_snapshot_counts_it_as_naming_it_by_its_id_does) {
  event("a");
  flush();
  const Json first = only_entry();
  event("b");
  flush();
  const Json through = JsonObject{{"throughEntryId", first.at("entryId")}};
  EXPECT_EQ(ack(agent_, through), 1);
  EXPECT_EQ(seen(agent_), "b");
  EXPECT_EQ(ack(agent_, through), 0);
  EXPECT_EQ(ack(agent_, JsonObject{{"throughEntryId", only_entry().at("entryId")}}), 1);
  EXPECT_EQ(seen(agent_), "");
}

TEST_P(InboxDigest, I34_a_thread_has_one_entry_its_revisions_go_up_and_no_item_is_missed) {
  std::set<std::string> members;
  std::int64_t revision = 0;
  std::string thread;
  for (int round = 0; round < 6; ++round) {
    event("n" + std::to_string(2 * round));
    event("n" + std::to_string(2 * round + 1));
    flush();
    const Json entry = only_entry();
    if (thread.empty()) thread = text(entry, "threadId");
    EXPECT_EQ(text(entry, "threadId"), thread);
    EXPECT_GT(entry.at("revision").as_int64(), revision);
    revision = entry.at("revision").as_int64();
    for (const Json& item : entry.at("items").as_array())
      members.insert(text(item, "sourceNativeId"));
    event("late" + std::to_string(round));  // the thread is not over with this ack
    if (round % 2 == 1) ack(agent_, JsonObject{{"entryIds", JsonArray{entry.at("entryId")}}});
  }
  flush();
  const Json last = only_entry();
  for (const Json& item : last.at("items").as_array()) members.insert(text(item, "sourceNativeId"));
  EXPECT_EQ(members.size(), 18U);
}

TEST_P(InboxDigest, R5_a_full_thread_takes_no_more_and_no_item_is_acked_unread) {
  must(inbox_->set_policy(agent_, json(R"({"maxItems":10000})")));
  for (int i = 0; i < 205; ++i) event("n" + std::to_string(i));
  flush();
  const JsonArray read = entries(agent_);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].at("items").as_array().size(), 200U);
  EXPECT_EQ(read[0].at("count").as_int64(), 200);
  EXPECT_EQ(read[1].at("items").as_array().size(), 5U);
  EXPECT_EQ(text(read[1].at("items").as_array().back(), "sourceNativeId"), "n204");
  EXPECT_EQ(ack(agent_, JsonObject{{"entryIds", JsonArray{read[0].at("entryId")}}}), 1);
  EXPECT_EQ(must(inbox_->inbox(agent_)).at("itemCounts").at("unacked").as_int64(), 5);
}

TEST_P(InboxDigest, R5_an_acked_thread_is_closed_and_an_old_one_takes_no_more) {
  event("a");
  flush();
  const Json first = only_entry();
  ack(agent_, json(R"({"all":true})"));
  event("b");
  flush();
  EXPECT_NE(only_entry().at("threadId"), first.at("threadId"));
  clock_.advance_ms(25LL * 3'600'000);
  event("c");
  flush();
  EXPECT_EQ(seen(agent_), "b c");
}

TEST_P(InboxDigest, the_policy_can_be_turned_off) {
  must(inbox_->set_policy(agent_, json(R"({"enabled":false})")));
  event("a");
  event("b");
  EXPECT_EQ(seen(agent_), "a b");
  EXPECT_EQ(code_of(inbox_->set_policy(agent_, json(R"({"maxItems":0})"))), "value");
}

TEST_P(InboxDigest, R1_after_retention_an_old_id_is_still_a_cursor_and_a_boundary) {
  append(source_, "x");
  event("a");
  flush();
  const JsonArray old = entries(agent_);
  ack(agent_, json(R"({"all":true})"));
  clock_.advance_ms(25LL * 3'600'000);
  EXPECT_EQ(must(inbox_->gc()).at("deleted").as_int64(), 2);
  append(source_, "y");
  EXPECT_EQ(seen(agent_, {.after_entry = text(old.at(1), "entryId")}), "y");
  EXPECT_EQ(ack(agent_, JsonObject{{"throughEntryId", old.at(1).at("entryId")}}), 0);
  EXPECT_EQ(seen(agent_), "y");
  EXPECT_GT(entries(agent_).at(0).at("sequence").as_int64(), old.at(1).at("sequence").as_int64());
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxDigest,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
