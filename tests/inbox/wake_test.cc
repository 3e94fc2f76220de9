#include "inbox/wake/tmux.h"
#include "inbox/wake/webhook.h"
#include "inbox_for_tests.h"
#include "net/http_server_for_tests.h"

namespace alfred {
namespace {

// Says what a test wants, and remembers what it was asked.
class WakerForTests final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest& request) override {
    requests.push_back(request);
    return outcome;
  }
  std::vector<WakeRequest> requests;
  WakeOutcome outcome;
};

class InboxWake : public InboxUnderTest {
 protected:
  void SetUp() override { subscribe(agent_, source_); }
  std::size_t dispatch() {
    must(inbox_->dispatch({.webhook = &waker_}));
    return waker_.requests.size();
  }
  std::string status_of_agent() { return text(must(inbox_->agent(agent_)).at("agent"), "status"); }

  std::string agent_ = add_agent();
  std::string source_ = add_source();
  WakerForTests waker_;
};

TEST_P(InboxWake, R1_a_wake_up_follows_its_window_also_after_a_restart) {
  append(source_, "a");
  EXPECT_EQ(dispatch(), 0U);
  reopen();
  clock_.advance_ms(3'000);
  EXPECT_EQ(dispatch(), 1U);
  EXPECT_EQ(waker_.requests[0].unacked, 1);
  EXPECT_EQ(waker_.requests[0].latest_entry, text(entries(agent_).at(0), "entryId"));
  EXPECT_EQ(dispatch(), 1U);
}

TEST_P(InboxWake,
       F5_a_clock_that_was_set_back_wakes_early_and_clocks_that_differ_by_little_do_not) {
  append(source_, "a");
  const std::int64_t now = clock_.wall_ms();
  clock_.set_wall_ms(now - 5'000);
  EXPECT_EQ(dispatch(), 0U);
  clock_.set_wall_ms(now - 3'600'000);
  EXPECT_EQ(dispatch(), 1U);
}

TEST_P(InboxWake, R1_twenty_entries_do_not_wait) {
  for (int i = 0; i < 20; ++i) append(source_, std::to_string(i));
  EXPECT_EQ(dispatch(), 1U);
}

TEST_P(InboxWake, R5_within_the_lease_entries_only_add_up) {
  append(source_, "a");
  clock_.advance_ms(3'000);
  EXPECT_EQ(dispatch(), 1U);
  append(source_, "b");
  clock_.advance_ms(60'000);
  EXPECT_EQ(dispatch(), 1U);
  clock_.advance_ms(600'000);
  EXPECT_EQ(dispatch(), 2U);
  EXPECT_EQ(waker_.requests[1].unacked, 2);
  EXPECT_NE(waker_.requests[1].activation, waker_.requests[0].activation);
}

TEST_P(InboxWake, R2_an_ack_that_leaves_newer_entries_wakes_once_more) {
  append(source_, "a");
  clock_.advance_ms(3'000);
  dispatch();
  append(source_, "b");
  ack(agent_, JsonObject{{"entryIds", JsonArray{entries(agent_).at(0).at("entryId")}}});
  EXPECT_EQ(dispatch(), 2U);
  EXPECT_EQ(dispatch(), 2U);
}

TEST_P(InboxWake, R3_nothing_unacked_wakes_nobody) {
  append(source_, "a");
  ack(agent_, json(R"({"all":true})"));
  clock_.advance_ms(3'600'000);
  EXPECT_EQ(dispatch(), 0U);
  EXPECT_FALSE(inbox_->next_due_ms().value().has_value());
}

// Acks all there is before it says that it was woken.
class AckingWaker final : public Waker {
 public:
  explicit AckingWaker(Inbox& inbox) : inbox_(inbox) {}
  WakeOutcome wake(const WakeRequest& request) override {
    activations.push_back(request.activation);
    EXPECT_TRUE(inbox_.ack(request.agent, json(R"({"all":true})")));
    return {};
  }
  std::vector<std::string> activations;

 private:
  Inbox& inbox_;
};

TEST_P(InboxWake, R2_who_acks_while_being_woken_is_woken_again_by_what_comes_next) {
  AckingWaker waker(*inbox_);
  for (const char* native : {"a", "b", "c"}) {
    append(source_, native);
    clock_.advance_ms(3'000);
    must(inbox_->dispatch({.webhook = &waker}));
  }
  ASSERT_EQ(waker.activations.size(), 3U);
  EXPECT_NE(waker.activations[0], waker.activations[1]);
  EXPECT_NE(waker.activations[1], waker.activations[2]);
  const Json status = must(inbox_->status());
  for (const Json& one : status.at("recentActivations").as_array())
    EXPECT_EQ(text(one, "status"), "delivered");
}

TEST_P(InboxWake, R1_a_wake_up_that_was_acked_is_not_made_again_for_what_comes_next) {
  // Whoever was woken acked; whoever woke it died before it could say so.
  class Died {};
  class DyingWaker final : public Waker {
   public:
    explicit DyingWaker(Inbox& inbox) : inbox_(inbox) {}
    WakeOutcome wake(const WakeRequest& request) override {
      activation = request.activation;
      EXPECT_TRUE(inbox_.ack(request.agent, json(R"({"all":true})")));
      throw Died();
    }
    std::string activation;

   private:
    Inbox& inbox_;
  };
  DyingWaker dying(*inbox_);
  append(source_, "a");
  clock_.advance_ms(3'000);
  EXPECT_THROW((void)inbox_->dispatch({.webhook = &dying}), Died);
  append(source_, "b");
  clock_.advance_ms(3'000);
  EXPECT_EQ(dispatch(), 0U);
  clock_.advance_ms(120'000);
  EXPECT_EQ(dispatch(), 1U);
  EXPECT_NE(waker_.requests[0].activation, dying.activation);
  EXPECT_EQ(waker_.requests[0].unacked, 1);
}

TEST_P(InboxWake, R4_a_failure_is_tried_again_under_the_same_id_with_growing_pauses) {
  waker_.outcome = {WakeOutcome::Kind::failed, "no"};
  append(source_, "a");
  clock_.advance_ms(3'000);
  EXPECT_EQ(dispatch(), 1U);
  EXPECT_EQ(dispatch(), 1U);
  clock_.advance_ms(5'000);
  EXPECT_EQ(dispatch(), 2U);
  clock_.advance_ms(5'000);
  EXPECT_EQ(dispatch(), 2U);
  clock_.advance_ms(5'000);
  waker_.outcome = {};
  EXPECT_EQ(dispatch(), 3U);
  EXPECT_EQ(waker_.requests[2].activation, waker_.requests[0].activation);
  const Json activation = must(inbox_->status()).at("recentActivations").at(0);
  EXPECT_EQ(activation.at("attempt").as_int64(), 3);
  EXPECT_EQ(text(activation, "status"), "delivered");
}

TEST_P(InboxWake, R4_a_target_that_is_gone_takes_its_agent_offline_until_it_is_resumed) {
  waker_.outcome = {WakeOutcome::Kind::gone, "410"};
  append(source_, "a");
  clock_.advance_ms(3'000);
  dispatch();
  EXPECT_EQ(status_of_agent(), "offline");
  const Json message = json(R"({"message":"m"})");
  EXPECT_EQ(must(inbox_->send(agent_, message)).at("activated"), Json(false));
  append(source_, "b");
  clock_.advance_ms(600'000);
  EXPECT_EQ(dispatch(), 1U);
  waker_.outcome = {};
  must(inbox_->resume_agent(agent_));
  EXPECT_EQ(status_of_agent(), "active");
  EXPECT_EQ(must(inbox_->send(agent_, message)).at("activated"), Json(true));
  EXPECT_EQ(dispatch(), 2U);
  EXPECT_EQ(waker_.requests[1].unacked, 4);
}

TEST_P(InboxWake, R2_an_offline_agent_is_removed_after_a_week_with_all_that_hangs_on_it) {
  waker_.outcome = {WakeOutcome::Kind::gone, "410"};
  append(source_, "a");
  clock_.advance_ms(3'000);
  dispatch();
  clock_.advance_ms(8LL * 86'400'000);
  EXPECT_EQ(must(inbox_->gc()).at("removedAgents").as_int64(), 1);
  const Json counts = must(inbox_->status()).at("counts");
  for (const char* name : {"agents", "subscriptions", "items", "entries", "activationTargets"})
    EXPECT_EQ(counts.at(name).as_int64(), 0) << name;
  append(source_, "b");
}

TEST_P(InboxWake, R5_cleanup_policies_retire_subscriptions) {
  subscribe(
      agent_, source_,
      json(
          R"({"trackedResourceRef":"pr:7","cleanupPolicy":{"mode":"on_terminal","gracePeriodSecs":60}})"));
  subscribe(agent_, source_,
            JsonObject{{"cleanupPolicy",
                        JsonObject{{"mode", "at"}, {"at", rfc3339_utc(kNoon + 30'000)}}}});
  const auto retire = [&] { return must(inbox_->run_due({})).at("retired").as_int64(); };
  append(source_, "end",
         json(R"({"resourceRef":"pr:7","lifecycle":"terminal","flush":"immediate"})"));
  EXPECT_EQ(retire(), 0);
  clock_.advance_ms(30'000);
  EXPECT_EQ(retire(), 1);
  clock_.advance_ms(30'000);
  EXPECT_EQ(retire(), 1);
  EXPECT_EQ(must(inbox_->subscriptions({})).at("subscriptions").as_array().size(), 1U);
  EXPECT_EQ(seen(agent_), "end");
}

TEST_P(InboxWake, deliveries_are_recorded_also_when_they_fail) {
  const std::string other = add_agent();
  const Json sent = must(inbox_->deliver(JsonObject{{"provider", "alfred"},
                                                    {"surface", "agent"},
                                                    {"targetRef", other},
                                                    {"payload", JsonObject{{"text", "hi"}}}}));
  EXPECT_EQ(text(sent, "status"), "delivered");
  EXPECT_EQ(entries(other).size(), 1U);
  const Json failed = must(inbox_->deliver(json(
      R"({"handle":{"provider":"pigeon","surface":"post","targetRef":"x"},"payload":{"text":"hi"}})")));
  EXPECT_EQ(text(failed, "status"), "failed");
  EXPECT_EQ(must(inbox_->status()).at("recentDeliveries").as_array().size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxWake, testing::Values(StoreKind::sqlite, StoreKind::postgres),
                         store_name);

WakeRequest request_to(const std::string& address) {
  WakeRequest request;
  request.kind = "webhook";
  request.activation = "act_000000000000";
  request.agent = "agt_copper-fox";
  request.address = address;
  request.secret = "whsec_x";
  request.unacked = 2;
  request.at_ms = 1'780'000'000'000;
  return request;
}

TEST(InboxWebhook, R1_the_body_is_signed) {
  RequestForTests got;
  HttpServerForTests server([&](const RequestForTests& request) {
    got = request;
    return response_for_tests(204, "text/plain", "");
  });
  WebhookWaker waker(2'000);
  const WakeOutcome outcome = waker.wake(request_to(server.url() + "/wake"));
  EXPECT_EQ(outcome.kind, WakeOutcome::Kind::delivered) << outcome.reason;
  EXPECT_NE(got.head.find("X-Alfred-Activation: act_000000000000"), std::string::npos) << got.head;
  EXPECT_NE(got.head.find("X-Alfred-Signature: sha256=" +
                          hmac_sha256("whsec_x", "1780000000." + got.body)),
            std::string::npos);
  EXPECT_EQ(hmac_sha256("key", "The quick brown fox jumps over the lazy dog"),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
}

TEST(InboxWebhook, R2_what_answers_mean) {
  int status = 200;
  HttpServerForTests server(
      [&](const RequestForTests&) { return response_for_tests(status, "text/plain", "said"); });
  WebhookWaker waker(2'000);
  const auto answer = [&](int code) {
    status = code;
    return waker.wake(request_to(server.url() + "/wake")).kind;
  };
  EXPECT_EQ(answer(200), WakeOutcome::Kind::delivered);
  for (const int code : {404, 409, 410, 422}) EXPECT_EQ(answer(code), WakeOutcome::Kind::gone);
  for (const int code : {301, 400, 429, 500}) EXPECT_EQ(answer(code), WakeOutcome::Kind::failed);
  EXPECT_EQ(waker.wake(request_to("http://127.0.0.1:1/")).kind, WakeOutcome::Kind::failed);
}

TEST(InboxTmux, R1_what_strangers_wrote_is_typed_as_plain_words) {
  EXPECT_EQ(plain_words("a; rm -rf ~ && $(x) `y` \"z\" !1\n\x1b[2J", 80), "a rm -rf x y z 1 2J");
  EXPECT_EQ(plain_words("Grüße, 世界", 80), "Grüße, 世界");
  EXPECT_EQ(plain_words("\u202Eevil\u2066", 80), "evil ");
  EXPECT_EQ(plain_words(std::string(500, 'x'), 80).size(), 80U);
}

}  // namespace
}  // namespace alfred
