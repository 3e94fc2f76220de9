// Wake-ups that must not be lost when targets come, go, or are acked while they are told.
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class CountingWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest& request) override {
    requests.push_back(request);
    if (during) during(request);
    return outcome;
  }
  std::vector<WakeRequest> requests;
  std::function<void(const WakeRequest&)> during;
  WakeOutcome outcome;
};

class InboxTargets : public InboxUnderTest {
 protected:
  void SetUp() override { subscribe(agent_, source_); }
  void dispatch() {
    must(inbox_->dispatch({.webhook = &webhook_, .terminal = &terminal_, .mcp = &mcp_}));
  }
  Json add_pane(const std::string& agent, const std::string& pane) {
    return must(inbox_->add_target(
        agent, JsonObject{{"kind", "terminal"}, {"tmuxPaneId", pane}, {"tmuxSocket", "/s"}}));
  }
  std::string target_of(const std::string& kind) {
    const Json all = must(inbox_->targets(agent_)).at("targets");
    for (const Json& one : all.as_array())
      if (text(one, "kind") == kind) return text(one, "targetId");
    return "";
  }

  std::string agent_ = add_agent();
  std::string source_ = add_source();
  CountingWaker webhook_, terminal_, mcp_;
};

TEST_P(InboxTargets, R5_what_comes_after_an_ack_during_the_wake_up_wakes_once_more) {
  append(source_, "a");
  clock_.advance_ms(3'000);
  webhook_.during = [&](const WakeRequest& request) {
    ack(request.agent, json(R"({"all":true})"));
    append(source_, "late");
    webhook_.during = nullptr;
  };
  dispatch();
  ASSERT_EQ(webhook_.requests.size(), 1U);
  EXPECT_TRUE(inbox_->next_due_ms().value().has_value());
  clock_.advance_ms(3'000);
  dispatch();
  ASSERT_EQ(webhook_.requests.size(), 2U);
  EXPECT_EQ(webhook_.requests[1].unacked, 1);
  EXPECT_NE(webhook_.requests[1].activation, webhook_.requests[0].activation);
}

TEST_P(InboxTargets, R5_what_comes_during_a_wake_up_wakes_at_the_end_of_its_lease) {
  append(source_, "a");
  clock_.advance_ms(3'000);
  webhook_.during = [&](const WakeRequest&) {
    append(source_, "late");
    webhook_.during = nullptr;
  };
  dispatch();
  clock_.advance_ms(599'000);
  dispatch();
  EXPECT_EQ(webhook_.requests.size(), 1U);
  clock_.advance_ms(1'000);
  dispatch();
  EXPECT_EQ(webhook_.requests.size(), 2U);
  clock_.advance_ms(3'600'000);
  dispatch();
  EXPECT_EQ(webhook_.requests.size(), 2U);
}

TEST_P(InboxTargets, F4_I35_one_attempt_at_a_time_and_a_stale_result_is_not_believed) {
  append(source_, "a");
  clock_.advance_ms(3'000);
  CountingWaker second;
  webhook_.outcome = {WakeOutcome::Kind::gone, "too late"};
  webhook_.during = [&](const WakeRequest&) {
    must(inbox_->dispatch({.webhook = &second}));
    EXPECT_EQ(second.requests.size(), 0U);  // it is in flight
    clock_.advance_ms(120'000);
    must(inbox_->dispatch({.webhook = &second}));
    EXPECT_EQ(second.requests.size(), 1U);  // its time is over: offered again
  };
  dispatch();
  ASSERT_EQ(webhook_.requests.size(), 1U);
  EXPECT_EQ(second.requests[0].activation, webhook_.requests[0].activation);
  EXPECT_EQ(text(must(inbox_->agent(agent_)).at("agent"), "status"), "active");
  const Json activation = must(inbox_->status()).at("recentActivations").at(0);
  EXPECT_EQ(text(activation, "status"), "delivered");
  EXPECT_EQ(activation.at("attempt").as_int64(), 2);
}

TEST_P(InboxTargets, R6_a_pane_is_told_when_the_webhook_that_won_goes_away) {
  add_pane(agent_, "%1");
  append(source_, "a");
  clock_.advance_ms(3'000);
  webhook_.outcome = {WakeOutcome::Kind::failed, "no"};
  dispatch();
  EXPECT_EQ(terminal_.requests.size(), 0U);
  webhook_.outcome = {WakeOutcome::Kind::gone, "410"};
  clock_.advance_ms(5'000);
  dispatch();
  dispatch();
  ASSERT_EQ(terminal_.requests.size(), 1U);
  EXPECT_EQ(terminal_.requests[0].unacked, 1);
}

TEST_P(InboxTargets, R6_a_pane_is_told_when_the_webhook_that_won_is_removed) {
  add_pane(agent_, "%1");
  append(source_, "a");
  clock_.advance_ms(3'000);
  dispatch();
  EXPECT_EQ(webhook_.requests.size(), 1U);
  EXPECT_EQ(terminal_.requests.size(), 0U);
  must(inbox_->remove_target(agent_, target_of("webhook")));
  dispatch();
  EXPECT_EQ(terminal_.requests.size(), 1U);
}

TEST_P(InboxTargets, what_waited_is_told_to_a_target_that_is_registered_later) {
  webhook_.outcome = {WakeOutcome::Kind::gone, "410"};
  append(source_, "a");
  clock_.advance_ms(3'000);
  dispatch();
  append(source_, "b");
  add_pane(agent_, "%1");
  dispatch();
  ASSERT_EQ(terminal_.requests.size(), 1U);
  EXPECT_EQ(terminal_.requests[0].unacked, 2);
  // The same webhook, registered again after it was gone.
  webhook_.outcome = {};
  must(inbox_->register_agent(JsonObject{
      {"agentId", agent_}, {"webhook", JsonObject{{"url", "http://127.0.0.1:9/wake"}}}}));
  dispatch();
  EXPECT_EQ(webhook_.requests.size(), 2U);
}

TEST_P(InboxTargets, a_target_for_an_empty_inbox_has_nothing_to_be_told) {
  add_pane(agent_, "%1");
  EXPECT_FALSE(inbox_->next_due_ms().value().has_value());
}

TEST_P(InboxTargets, what_is_not_given_again_is_kept) {
  const auto webhook = [](const char* more) {
    return json(std::string(R"({"kind":"webhook","url":"http://127.0.0.1:9/wake")") + more + "}");
  };
  must(inbox_->add_target(agent_, webhook(R"(,"notifyLeaseMs":5000,"minUnackedItems":3,)"
                                          R"("activationMode":"activation_with_items")")));
  const Json again = must(inbox_->add_target(agent_, webhook("")));
  EXPECT_EQ(again.at("notifyLeaseMs").as_int64(), 5'000);
  EXPECT_EQ(again.at("minUnackedItems").as_int64(), 3);
  EXPECT_EQ(text(again.at("config"), "activationMode"), "activation_with_items");
  const Json changed = must(inbox_->add_target(agent_, webhook(R"(,"minUnackedItems":1)")));
  EXPECT_EQ(changed.at("notifyLeaseMs").as_int64(), 5'000);
  EXPECT_EQ(changed.at("minUnackedItems").as_int64(), 1);
}

TEST_P(InboxTargets, R3_a_pane_of_another_agent_is_not_taken_through_targets) {
  const std::string other = add_agent();
  add_pane(other, "%1");
  EXPECT_EQ(code_of(inbox_->add_target(
                agent_, json(R"({"kind":"terminal","tmuxPaneId":"%1","tmuxSocket":"/s"})"))),
            "conflict");
  must(inbox_->add_target(
      agent_,
      json(R"({"kind":"terminal","tmuxPaneId":"%1","tmuxSocket":"/s","forceRebind":true})")));
  EXPECT_EQ(must(inbox_->targets(other)).at("targets").as_array().size(), 1U);
  EXPECT_EQ(text(must(inbox_->agent_of_pane("/s", "%1")).at("agent"), "agentId"), agent_);
}

TEST_P(InboxTargets, R4_resume_looks_whether_the_target_is_there) {
  class GoneWaker final : public Waker {
   public:
    WakeOutcome wake(const WakeRequest&) override { return {}; }
    WakeOutcome probe(const WakeRequest& request) override {
      asked = std::string(request.config.at("tmuxPaneId").as_string());
      return outcome;
    }
    WakeOutcome outcome{WakeOutcome::Kind::gone, "it is not there"};
    std::string asked;
  };
  GoneWaker gone;
  const std::string pane = text(add_pane(agent_, "%1"), "targetId");
  must(inbox_->remove_target(agent_, target_of("webhook")));
  Json resumed = must(inbox_->resume_target(agent_, pane, {.terminal = &gone}));
  EXPECT_EQ(gone.asked, "%1");
  EXPECT_EQ(write_json(resumed), R"({"targetId":")" + pane +
                                     R"(","resumed":false,"status":"offline",)"
                                     R"("reason":"it is not there"})");
  resumed = must(inbox_->resume_agent(agent_, {.terminal = &gone}));
  EXPECT_EQ(text(resumed.at("agent"), "status"), "offline");
  gone.outcome = {};
  resumed = must(inbox_->resume_agent(agent_, {.terminal = &gone}));
  EXPECT_EQ(text(resumed.at("agent"), "status"), "active");
  EXPECT_EQ(text(resumed.at("targets").at(0), "status"), "active");
  EXPECT_TRUE(must(inbox_->resume_target(agent_, pane)).at("resumed").as_bool());
}

TEST_P(InboxTargets, a_webhook_has_a_host_a_port_that_there_is_and_no_password) {
  const auto add = [&](const std::string& url) {
    return inbox_->add_target(agent_, JsonObject{{"kind", "webhook"}, {"url", url}});
  };
  for (const char* const good :
       {"http://h", "http://h/", "https://h.example:1/a?b=c#d", "http://127.0.0.1:65535/x",
        "http://[::1]:8080/", "http://h/@team", "https://a_b-c.d?x@y", "http://h:/"})
    EXPECT_TRUE(add(good).has_value()) << good;
  const auto told_of = [&](const std::string& url) {
    const Result<Json> made = add(url);
    EXPECT_EQ(code_of(made), "value") << url;
    return made ? "" : made.error().message;
  };
  for (const char* const bad :
       {"http://h:99999/", "http://h:65536", "http://h:0/",    "http://h:-1/",
        "http://h:8x/",    "http://h:1:2/",  "http://",        "http:///path",
        "http://:80/",     "http://?q",      "http://#f",      "http://[::1",
        "http://[]/",      "http://[nine]/", "http://[::1]x/", "http://h\\.example/",
        "http://h%2e/",    "http://*/",      "ftp://h/",       "h",
        "http:/h",         "http://h /"}) {
    EXPECT_NE(told_of(bad).find("http:// or https://"), std::string::npos) << told_of(bad);
    EXPECT_EQ(code_of(inbox_->register_agent(
                  JsonObject{{"agentId", "late"}, {"webhook", JsonObject{{"url", bad}}}})),
              "value");
  }
  EXPECT_NE(told_of("http://h:99999/").find("99999"), std::string::npos);
  EXPECT_NE(told_of("http://h:99999/").find("1 to 65535"), std::string::npos);
  EXPECT_NE(told_of("http:///path").find("no host"), std::string::npos);
  EXPECT_NE(told_of("http://" + std::string(2048, 'h')).find("2055 bytes"), std::string::npos);
  for (const char* const secret :
       {"http://user:pass-word@h/", "http://user:pass-word@h:99999/", "http://pass-word@h/",
        "http://user:pass-word@", "http://user:pass/pass-word@h/", "http://user:pass-word@h@k/",
        "http://[::1%user:pass-word@[::1]/x"}) {
    const Result<Json> made = add(secret);
    ASSERT_EQ(code_of(made), "value") << secret;
    EXPECT_EQ(told(made.error()).find("pass-word"), std::string::npos) << told(made.error());
    EXPECT_NE(made.error().message.find("password"), std::string::npos) << made.error().message;
  }
  const std::string all = write_json(must(inbox_->targets(agent_)));
  EXPECT_EQ(all.find("user:pass"), std::string::npos) << all;
}

TEST_P(InboxTargets, a_password_that_was_kept_once_is_not_shown) {
  const Json made = must(
      inbox_->add_target(agent_, json(R"({"kind":"webhook","url":"http://127.0.0.1:7/hook"})")));
  run("UPDATE alfred_inbox_targets SET address = 'http://user:pass-word@127.0.0.1:7/hook' "
      "WHERE address = 'http://127.0.0.1:7/hook'");
  const std::string all = write_json(must(inbox_->agent(agent_)));
  EXPECT_EQ(all.find("pass-word"), std::string::npos) << all;
  EXPECT_NE(all.find("@127.0.0.1:7/hook"), std::string::npos) << all;
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxTargets,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
