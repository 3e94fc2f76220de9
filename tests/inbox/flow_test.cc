#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxFlow : public InboxUnderTest {};

TEST_P(InboxFlow, R1_an_event_goes_from_append_to_read_to_ack) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  EXPECT_EQ(write_json(append(source, "a")), R"({"appended":1,"deduped":0,"lastOffset":1})");
  append(source, "b");
  EXPECT_EQ(seen(agent), "a b");
  const JsonArray read = entries(agent);
  EXPECT_EQ(ack(agent, JsonObject{{"entryIds", JsonArray{read[0].at("entryId")}}}), 1);
  EXPECT_EQ(ack(agent, JsonObject{{"entryIds", JsonArray{read[0].at("entryId")}}}), 0);
  EXPECT_EQ(seen(agent), "b");
  EXPECT_EQ(seen(agent, {.with_acked = true}), "a b");
}

TEST_P(InboxFlow, I29_a_repeated_event_is_deduped_and_burns_no_offset) {
  const std::string source = add_source();
  append(source, "a");
  EXPECT_EQ(write_json(append(source, "a")), R"({"appended":0,"deduped":1,"lastOffset":1})");
  EXPECT_EQ(append(source, "b").at("lastOffset").as_int64(), 2);
}

TEST_P(InboxFlow, I31_two_subscriptions_of_one_agent_give_one_item) {
  const std::string agent = add_agent();
  const std::string other = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  subscribe(agent, source);
  subscribe(other, source);
  append(source, "a");
  EXPECT_EQ(seen(agent), "a");
  EXPECT_EQ(seen(other), "a");
}

TEST_P(InboxFlow, R1_start_positions) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  append(source, "a");
  clock_.advance_ms(1000);
  append(source, "b");
  append(source, "c");
  subscribe(agent, source);
  EXPECT_EQ(seen(agent), "");
  const std::string second = add_agent();
  subscribe(second, source, json(R"({"startPolicy":"earliest"})"));
  EXPECT_EQ(seen(second), "a b c");
  const std::string third = add_agent();
  subscribe(third, source, json(R"({"startPolicy":"at_offset","startOffset":3})"));
  EXPECT_EQ(seen(third), "c");
  const std::string fourth = add_agent();
  subscribe(fourth, source,
            JsonObject{{"startPolicy", "at_time"}, {"startTime", rfc3339_utc(kNoon + 500)}});
  EXPECT_EQ(seen(fourth), "b c");
  append(source, "d");
  for (const std::string& one : {second, third, fourth}) EXPECT_TRUE(seen(one).ends_with(" d"));
  EXPECT_EQ(seen(agent), "d");
}

TEST_P(InboxFlow, G16_I30_only_reset_goes_back_and_it_doubles_nothing) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  append(source, "a");
  append(source, "b");
  EXPECT_EQ(code_of(inbox_->commit(subscription, json(R"({"offset":1})"))), "offset");
  EXPECT_EQ(code_of(inbox_->commit(subscription, json(R"({"offset":3})"))), "offset");
  EXPECT_EQ(must(inbox_->lag(subscription)).at("lag").as_int64(), 0);
  clock_.advance_ms(1);
  const Json reset = must(inbox_->reset(subscription, json(R"({"startPolicy":"earliest"})")));
  EXPECT_EQ(reset.at("lag").as_int64(), 2);
  EXPECT_EQ(text(reset.at("consumer").at("lastCommit"), "kind"), "reset");
  EXPECT_EQ(code_of(inbox_->reset(subscription, JsonObject())), "schema");
  must(inbox_->pump());
  EXPECT_EQ(must(inbox_->lag(subscription)).at("lag").as_int64(), 0);
  EXPECT_EQ(seen(agent), "a b");
}

TEST_P(InboxFlow, R2_what_an_append_left_is_pumped_later) {
  options_.is_eager = false;
  reopen();
  const std::string agent = add_agent();
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  for (int i = 0; i < 105; ++i) append(source, std::to_string(i));
  EXPECT_EQ(must(inbox_->lag(subscription)).at("lag").as_int64(), 105);
  reopen();
  EXPECT_EQ(must(inbox_->pump()).at("inboxItemsCreated").as_int64(), 105);
  EXPECT_EQ(entries(agent, {.most = 1000}).size(), 105U);
  EXPECT_EQ(must(inbox_->pump()).at("eventsRead").as_int64(), 0);
}

TEST_P(InboxFlow, R4_a_subscription_made_while_its_stream_is_behind_reads_only_what_comes) {
  options_.is_eager = false;
  reopen();
  const std::string early = add_agent();
  const std::string late = add_agent();
  const std::string source = add_source();
  subscribe(early, source);
  append(source, "a");
  append(source, "b");
  subscribe(late, source);
  append(source, "c");
  must(inbox_->pump());
  EXPECT_EQ(seen(early), "a b c");
  EXPECT_EQ(seen(late), "c");
}

TEST_P(InboxFlow, shortcut_filters_choose_events) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  subscribe(agent, source,
            json(R"({"filter":{"metadata":{"status":["failed","lost"],"job.name":"deploy"}}})"));
  append(source, "a", json(R"({"status":"failed","job":{"name":"deploy"}})"));
  append(source, "b", json(R"({"status":"ok","job":{"name":"deploy"}})"));
  append(source, "c", json(R"({"status":"lost","job":{"name":"test"}})"));
  append(source, "d", json(R"({"status":"lost","job.name":"deploy"})"));
  EXPECT_EQ(seen(agent), "a d");
}

TEST_P(InboxFlow, G15_ack_through) {
  const std::string agent = add_agent();
  const std::string other = add_agent();
  const std::string source = add_source();
  subscribe(agent, source);
  for (const char* one : {"a", "b", "c", "d"}) append(source, one);
  const JsonArray all = entries(agent);
  const auto through = [&](const Json& id) { return JsonObject{{"throughEntryId", id}}; };
  EXPECT_EQ(code_of(inbox_->ack(agent, through("ent_000000000000"))), "record");
  EXPECT_EQ(code_of(inbox_->ack(other, through(all[1].at("entryId")))), "record");
  EXPECT_EQ(code_of(inbox_->ack(agent, through("ent_nonsense"))), "id_syntax");
  EXPECT_EQ(ack(agent, through(all[2].at("entryId"))), 3);
  EXPECT_EQ(ack(agent, through(all[2].at("entryId"))), 0);
  EXPECT_EQ(ack(agent, through(all[0].at("entryId"))), 0);
  EXPECT_EQ(seen(agent), "d");
  EXPECT_EQ(ack(agent, json(R"({"entryIds":["ent_000000000000"]})")), 0);
  EXPECT_EQ(code_of(inbox_->ack(agent, json(R"({"all":true,"entryIds":[]})"))), "schema");
  EXPECT_EQ(code_of(inbox_->ack(agent, json(R"({"all":false})"))), "schema");
  EXPECT_EQ(ack(agent, json(R"({"all":true})")), 1);
  EXPECT_EQ(seen(agent), "");
}

TEST_P(InboxFlow, G18_an_event_that_is_too_large_is_refused_whole) {
  const std::string source = add_source();
  const Json request = JsonObject{{"sourceNativeId", "big"},
                                  {"eventVariant", "v"},
                                  {"rawPayload", JsonObject{{"x", std::string(256 * 1024, 'x')}}}};
  EXPECT_EQ(code_of(inbox_->append(source, request)), "limit");
  EXPECT_EQ(append(source, "small").at("lastOffset").as_int64(), 1);
}

TEST_P(InboxFlow, R1_fields_that_are_not_known_are_refused) {
  const std::string source = add_source();
  EXPECT_EQ(
      code_of(inbox_->append(source, json(R"({"sourceNativeId":"a","eventVariant":"b","x":1})"))),
      "schema");
  EXPECT_EQ(
      code_of(inbox_->append("src_nonsense", json(R"({"sourceNativeId":"a","eventVariant":"b"})"))),
      "id_syntax");
  EXPECT_EQ(code_of(inbox_->append("src_000000000000",
                                   json(R"({"sourceNativeId":"a","eventVariant":"b"})"))),
            "record");
}

TEST_P(InboxFlow, an_own_agent_id_and_native_ids_are_kept_verbatim) {
  const std::string own = "Émile / build-bot 3f1304e0";
  EXPECT_EQ(add_agent(own), own);
  EXPECT_EQ(add_agent(own), own);
  const std::string source = add_source();
  subscribe(own, source);
  append(source, "run{1}:a b");
  EXPECT_EQ(seen(own), "run{1}:a b");
}

TEST_P(InboxFlow, a_direct_message_comes_from_a_real_source) {
  const std::string agent = add_agent();
  const Json sent = must(inbox_->send(agent, json(R"({"message":"hello","sender":"ann"})")));
  const JsonArray read = entries(agent);
  ASSERT_EQ(read.size(), 1U);
  const Json& item = read[0].at("items").at(0);
  EXPECT_EQ(item.at("itemId"), sent.at("itemId"));
  EXPECT_EQ(text(item.at("rawPayload"), "message"), "hello");
  EXPECT_TRUE(inbox_->source(text(item, "sourceId")).has_value());
}

TEST_P(InboxFlow, R2_agents_without_a_target_are_refused_subscriptions) {
  const std::string agent = add_agent();
  const std::string source = add_source();
  const Json targets = must(inbox_->targets(agent)).at("targets");
  must(inbox_->remove_target(agent, text(targets.at(0), "targetId")));
  EXPECT_EQ(code_of(inbox_->subscribe(JsonObject{{"agentId", agent}, {"sourceId", source}})),
            "conflict");
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxFlow, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

}  // namespace
}  // namespace alfred
