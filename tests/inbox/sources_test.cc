// What outside systems send, following, compaction and status, on both databases.
#include <atomic>
#include <chrono>
#include <thread>

#include "inbox/inbox_runner.h"
#include "inbox/wake/webhook.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxSources : public InboxUnderTest {
 protected:
  std::string add_typed(const std::string& type, const std::string& kind, const Json& config) {
    const Json host = must(inbox_->add_host(JsonObject{{"hostType", type}, {"hostKey", "k"}}));
    return text(must(inbox_->add_source(JsonObject{{"hostId", host.at("hostId")},
                                                   {"streamKind", kind},
                                                   {"streamKey", "acme/shop"},
                                                   {"config", config}})),
                "sourceId");
  }
  Result<Json> post(const std::string& source, const std::string& body,
                    std::vector<std::pair<std::string, std::string>> headers,
                    bool is_trusted = false) {
    const Json parsed = json(body);
    return inbox_->post(source, {headers, body, parsed, clock_.wall_ms()}, is_trusted);
  }
  static std::string signature(const std::string& body) {
    return "sha256=" + hmac_sha256("hush", body);
  }
};

TEST_P(InboxSources, R1_a_post_needs_its_signature_or_a_token) {
  const std::string agent = add_agent("fox");
  const std::string source = add_typed("webhook", "events", json(R"({"secret":"hush"})"));
  subscribe(agent, source);
  const std::string body = R"({"a":1})";
  EXPECT_EQ(code_of(post(source, body, {})), "access");
  EXPECT_EQ(code_of(post(source, body, {}, true)), "access");
  EXPECT_EQ(code_of(post(source, body, {{"x-hub-signature-256", signature("{}")}})), "access");
  const auto good = post(source, body, {{"x-hub-signature-256", signature(body)}, {"x-a", "b"}});
  EXPECT_EQ(write_json(must(good)), R"({"appended":1,"deduped":0,"lastOffset":1})");
  EXPECT_EQ(must(post(source, body, {{"x-hub-signature-256", signature(body)}})).at("deduped"),
            Json(1));
  const Json item = entries(agent).at(0).at("items").at(0);
  EXPECT_EQ(write_json(item.at("metadata")), R"({"headers":{"x-a":"b"}})");
  EXPECT_EQ(write_json(must(inbox_->source(source))).find("hush"), std::string::npos);
  must(inbox_->change_source(source, json(R"({"config":{"secret":null}})")));
  EXPECT_EQ(code_of(post(source, body, {})), "access");
  EXPECT_EQ(must(post(source, R"({"a":2})", {}, true)).at("appended"), Json(1));
  EXPECT_EQ(code_of(post(add_source(), body, {}, true)), "conflict");
}

TEST_P(InboxSources, R2_a_number_is_an_id_with_all_its_digits_or_not_at_all) {
  const std::string agent = add_agent("fox");
  const std::string source = add_typed("webhook", "events", json(R"({"nativeIdPath":"id"})"));
  subscribe(agent, source);
  for (const char* const id : {"7", "-9223372036854775808", "18446744073709551615"}) {
    must(post(source, fmt::format(R"({{"id":{}}})", id), {}, true));
    EXPECT_EQ(text(entries(agent).back().at("items").at(0), "sourceNativeId"), id);
  }
  must(post(source, R"({"id":1.5e20})", {{"x-request-id", "theirs"}}, true));
  EXPECT_EQ(text(entries(agent).back().at("items").at(0), "sourceNativeId"), "theirs");
}

TEST_P(InboxSources, a_secret_stays_until_another_is_given_or_null) {
  const std::string source = add_typed("webhook", "events", json(R"({"secret":"hush"})"));
  const auto is_signed_with = [&](const std::string& secret, const std::string& body) {
    return post(source, body, {{"x-hub-signature-256", "sha256=" + hmac_sha256(secret, body)}})
        .has_value();
  };
  Json config = must(inbox_->source(source)).at("source").at("config");
  EXPECT_EQ(text(config, "secret"), "(kept)");
  config.as_object()["variantPath"] = "type";
  must(inbox_->change_source(source, JsonObject{{"config", config}}));  // as it was shown
  EXPECT_FALSE(is_signed_with("(kept)", R"({"a":1})"));
  EXPECT_TRUE(is_signed_with("hush", R"({"a":1})"));
  must(inbox_->change_source(source, json(R"({"config":{}})")));
  EXPECT_TRUE(is_signed_with("hush", R"({"a":2})"));
  EXPECT_EQ(code_of(post(source, R"({"a":3})", {}, true)), "access");
  must(inbox_->change_source(source, json(R"({"config":{"secret":"other"}})")));
  EXPECT_TRUE(is_signed_with("other", R"({"a":4})"));
  must(inbox_->change_source(source, json(R"({"config":{"secret":null}})")));
  EXPECT_EQ(must(post(source, R"({"a":5})", {}, true)).at("appended"), Json(1));
  // There is none to be kept, here and where a source is made.
  EXPECT_EQ(code_of(inbox_->change_source(source, json(R"x({"config":{"secret":"(kept)"}})x"))),
            "value");
  const Json host = must(inbox_->add_host(json(R"({"hostType":"webhook","hostKey":"k"})")));
  EXPECT_EQ(code_of(inbox_->add_source(JsonObject{{"hostId", host.at("hostId")},
                                                  {"streamKind", "events"},
                                                  {"streamKey", "new"},
                                                  {"config", JsonObject{{"secret", "(kept)"}}}})),
            "value");
}

TEST_P(InboxSources, R1_following_makes_nothing_twice_and_ends_with_the_pull_request) {
  const std::string agent = add_agent("fox");
  const Json wanted = json(R"({"agentId":"fox","providerOrKind":"github","template":"pr",
    "templateArgs":{"owner":"acme","repo":"shop","number":87},"config":{"secret":"hush"}})");
  const Json made = must(inbox_->follow(wanted));
  EXPECT_EQ(made.at("templateId"), Json("github.pr"));
  EXPECT_EQ(made.at("subscriptions").at(0).at("created"), Json(true));
  const Json again = must(inbox_->follow(wanted));
  EXPECT_EQ(again.at("sources").at(0).at("created"), Json(false));
  EXPECT_EQ(again.at("subscriptions").at(0).at("created"), Json(false));
  EXPECT_EQ(again.at("subscriptions").at(0).at("subscriptionId"),
            made.at("subscriptions").at(0).at("subscriptionId"));
  const std::string source = text(made.at("sources").at(0), "sourceId");
  const std::string body = R"({"action":"closed","pull_request":{"number":87,"merged":true},
    "repository":{"full_name":"acme/shop"}})";
  must(post(source, body,
            {{"x-hub-signature-256", signature(body)},
             {"x-github-event", "pull_request"},
             {"x-github-delivery", "d-1"}}));
  EXPECT_EQ(seen(agent), "d-1");
  must(inbox_->run_due({}));
  EXPECT_TRUE(must(inbox_->subscriptions({})).at("subscriptions").as_array().empty());
  EXPECT_EQ(code_of(inbox_->follow(json(R"({"agentId":"fox","providerOrKind":"pigeon",
    "template":"pr"})"))),
            "enum_value");
}

TEST_P(InboxSources, R1_following_once_more_looks_at_all_that_is_said_and_takes_a_new_config) {
  add_agent("fox");
  const auto wanted = [](const std::string& more) {
    return json(R"({"agentId":"fox","providerOrKind":"github","template":"repo",
      "templateArgs":{"owner":"acme","repo":"shop"})" +
                more + "}");
  };
  const Json made = must(inbox_->follow(wanted("")));
  const std::string source = text(made.at("sources").at(0), "sourceId");
  const std::string body = R"({"repository":{"full_name":"acme/shop"}})";
  must(post(source, body, {{"x-github-event", "push"}, {"x-github-delivery", "d-1"}}, true));
  const Json again = must(inbox_->follow(wanted(R"(,"config":{"secret":"hush"})")));
  EXPECT_EQ(again.at("sources").at(0).at("created"), Json(false));
  // The secret holds from now on.
  EXPECT_EQ(
      code_of(post(source, body, {{"x-github-event", "push"}, {"x-github-delivery", "d-2"}}, true)),
      "access");
  for (const auto& [more, code] :
       {std::pair{R"(,"startPolicy":"bogus")", "enum_value"},
        std::pair{R"(,"startPolicy":1)", "schema"},
        std::pair{R"(,"startPolicy":"at_offset")", "schema"},
        std::pair{R"(,"startOffset":-1)", "value"}, std::pair{R"(,"config":[1])", "schema"},
        std::pair{R"(,"config":{"zzz":1})", "schema"},
        std::pair{R"(,"configRef":{"a":1})", "schema"}})
    EXPECT_EQ(code_of(inbox_->follow(wanted(more))), code) << more;
}

TEST_P(InboxSources, an_event_takes_a_handle_that_is_one_and_times_as_fine_as_they_come) {
  const std::string agent = add_agent("fox");
  const std::string source = add_source();
  subscribe(agent, source);
  const auto event = [](const std::string& more) {
    return json(R"({"sourceNativeId":"a","eventVariant":"v")" + more + "}");
  };
  for (const char* bad : {"{}", R"({"zz":1})", R"({"provider":"p","surface":"s","targetRef":1})"})
    EXPECT_EQ(code_of(inbox_->append(source, event(std::string(R"(,"deliveryHandle":)") + bad))),
              "schema")
        << bad;
  must(inbox_->append(
      source, event(R"(,"deliveryHandle":{"provider":"p","surface":"s","targetRef":"t","more":1},)"
                    R"("occurredAt":"2026-01-01T00:00:00.123456789Z")")));
  const Json item = entries(agent).at(0).at("items").at(0);
  EXPECT_EQ(item.at("deliveryHandle").at("more"), Json(1));
  EXPECT_EQ(text(item, "occurredAt"), "2026-01-01T00:00:00.123Z");
}

TEST_P(InboxSources, R1_compaction_is_of_one_inbox) {
  const std::string fox = add_agent("fox");
  const std::string owl = add_agent("owl");
  for (const std::string& agent : {fox, owl}) {
    must(inbox_->send(agent, json(R"({"message":"m"})")));
    ack(agent, json(R"({"all":true})"));
  }
  const std::string past = text(entries(fox, {.with_acked = true}).at(0), "entryId");
  EXPECT_EQ(must(inbox_->compact(fox)).at("deleted"), Json(0));
  clock_.advance_ms(options_.keep_acked_ms + 1);
  EXPECT_EQ(must(inbox_->compact(fox)).at("deleted"), Json(1));
  EXPECT_TRUE(entries(fox, {.with_acked = true}).empty());
  EXPECT_EQ(entries(owl, {.with_acked = true}).size(), 1U);
  EXPECT_TRUE(entries(fox, {.after_entry = past}).empty());
  EXPECT_EQ(code_of(inbox_->compact("nobody")), "record");
}

TEST_P(InboxSources, R1_status_lists_what_there_is) {
  const std::string agent = add_agent("fox");
  const std::string source = add_source();
  const std::string subscription = subscribe(
      agent, source, json(R"({"cleanupPolicy":{"mode":"at","at":"2031-01-01T00:00:00Z"}})"));
  append(source, "a");
  const Json status = must(inbox_->status());
  for (const char* name : {"agents", "sources", "subscriptions", "inboxes", "activationTargets",
                           "activationDispatchStates", "streams", "consumers"})
    EXPECT_EQ(status.at(name).as_array().size(), 1U) << name;
  EXPECT_EQ(status.at("sources").at(0).at("runtime").at("status"), Json("active"));
  EXPECT_EQ(status.at("inboxes").at(0).at("unackedItems"), Json(1));
  EXPECT_EQ(status.at("activationDispatchStates").at(0).at("pendingEntries"), Json(1));
  EXPECT_EQ(status.at("lifecycle").at("retiringSubscriptions").at(0).at("subscriptionId"),
            Json(subscription));
  EXPECT_EQ(status.at("adapters").as_array().size(), 4U);
  EXPECT_TRUE(must(inbox_->programs()).as_array().empty());
  add_typed("exec", "events", json(R"({"command":["true"]})"));
  EXPECT_EQ(must(inbox_->programs()).at(0).at("subscriptions"), Json(0));
  EXPECT_EQ(code_of(inbox_->lag(subscription)).substr(0, 4), "none");
}

TEST_P(InboxSources, status_tells_the_offset_that_lag_tells) {
  const std::string agent = add_agent("fox");
  const std::string source = add_source();
  const std::string subscription = subscribe(agent, source);
  append(source, "a");
  append(source, "b");
  EXPECT_EQ(must(inbox_->lag(subscription)).at("consumer").at("committedOffset"), Json(2));
  EXPECT_EQ(must(inbox_->status()).at("consumers").at(0).at("committedOffset"), Json(2));
}

TEST_P(InboxSources, R4_the_own_sources_of_an_agent_are_for_looking_at_only) {
  const std::string agent = add_agent("fox");
  add_agent("owl");
  must(inbox_->send("owl", json(R"({"message":"m"})")));
  const Json sources = must(inbox_->sources()).at("sources");
  const std::string own = text(sources.at(0), "sourceId");
  EXPECT_EQ(code_of(inbox_->subscribe(JsonObject{{"agentId", agent}, {"sourceId", own}})),
            "conflict");
  EXPECT_EQ(code_of(inbox_->append(own, json(R"({"sourceNativeId":"x","eventVariant":"v"})"))),
            "conflict");
  EXPECT_EQ(code_of(inbox_->pause_source(own)), "conflict");
  EXPECT_EQ(code_of(inbox_->resume_source(own)), "conflict");
  EXPECT_EQ(code_of(inbox_->change_source(own, json(R"({"config":{}})"))), "conflict");
  EXPECT_EQ(code_of(inbox_->remove_source(own, true)), "conflict");
  EXPECT_EQ(text(must(inbox_->source(own)).at("source"), "status"), "active");
  must(inbox_->send("owl", json(R"({"message":"n"})")));
  EXPECT_EQ(entries("owl").size(), 2U);
}

TEST_P(InboxSources, R4_an_agent_takes_its_own_sources_along) {
  const auto count = [&](const char* name) {
    return must(inbox_->status()).at("counts").at(name).as_int64();
  };
  for (const char* agent : {"fox", "owl"}) {
    add_agent(agent);
    must(inbox_->send(agent, json(R"({"message":"m"})")));
  }
  must(inbox_->remove_agent("fox"));
  EXPECT_EQ(count("sources"), 1);
  EXPECT_EQ(count("events"), 1);
  EXPECT_EQ(entries("owl").size(), 1U);
  const Json targets = must(inbox_->targets("owl")).at("targets");
  must(inbox_->remove_target("owl", text(targets.at(0), "targetId")));
  clock_.advance_ms(8LL * 86'400'000);
  EXPECT_EQ(must(inbox_->gc()).at("removedAgents"), Json(1));
  EXPECT_EQ(count("sources"), 0);
  EXPECT_EQ(count("events"), 0);
}

TEST_P(InboxSources, R4_what_is_over_goes_after_a_week) {
  const std::string agent = add_agent("fox");
  const std::string source = add_source();
  subscribe(agent, source, json(R"x({"filter":{"expr":"matches('x', metadata.pattern)"}})x"));
  append(source, "a", json(R"({"pattern":"("})"));
  must(inbox_->add_timer(
      JsonObject{{"agentId", agent}, {"message", "now"}, {"at", rfc3339_utc(kNoon + 1'000)}}));
  must(inbox_->add_timer(
      json(R"({"agentId":"fox","message":"later","at":"2040-01-01T00:00:00Z"})")));
  must(inbox_->deliver(json(
      R"({"provider":"alfred","surface":"agent","targetRef":"fox","payload":{"text":"hi"}})")));
  class Good final : public Waker {
    WakeOutcome wake(const WakeRequest&) override { return {}; }
  };
  Good good;
  clock_.advance_ms(3'000);
  must(inbox_->run_due({.webhook = &good}));
  const auto left = [&] {
    must(inbox_->gc());
    const Json status = must(inbox_->status());
    return JsonArray{status.at("counts").at("timers"), status.at("counts").at("deadLetters"),
                     Json(status.at("recentActivations").as_array().size()),
                     Json(status.at("recentDeliveries").as_array().size())};
  };
  clock_.advance_ms(6LL * 86'400'000);
  EXPECT_EQ(write_json(left()), "[2,1,1,1]");
  clock_.advance_ms(1LL * 86'400'000);
  EXPECT_EQ(write_json(left()), "[1,0,0,0]");
}

TEST_P(InboxSources, R1_a_config_has_the_fields_of_its_type) {
  for (const auto& [type, config] :
       {std::pair{"webhook", R"({"colour":"red"})"}, std::pair{"webhook", R"({"secret":7})"},
        std::pair{"webhook", R"({"signature":"wax"})"}, std::pair{"exec", R"({})"},
        std::pair{"exec", R"({"command":[]})"}, std::pair{"exec", R"({"command":"ls"})"}}) {
    const Json host = must(inbox_->add_host(JsonObject{{"hostType", type}, {"hostKey", "k"}}));
    const JsonObject request{{"hostId", host.at("hostId")},
                             {"streamKind", "events"},
                             {"streamKey", "x"},
                             {"config", json(config)}};
    EXPECT_EQ(code_of(inbox_->add_source(request)).substr(0, 4) == "none", false) << type << config;
  }
  EXPECT_EQ(code_of(Inbox::preview_schema(json(R"({"sourceRef":"pigeon"})"))), "enum_value");
  EXPECT_EQ(must(Inbox::preview_schema(json(R"({"sourceRef":"github"})"))).at("streamKind"),
            Json("repo_events"));
}

// A target that holds up whoever wakes it until it is let go.
class SlowWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest&) override {
    is_called = true;
    while (!is_let_go) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {};
  }
  std::atomic<bool> is_called{false}, is_let_go{false};
};

TEST_P(InboxSources, R2_a_slow_target_holds_up_no_timer) {
  const std::string agent = add_agent("fox");
  for (int i = 0; i < 20; ++i) must(inbox_->send(agent, json(R"({"message":"m"})")));
  SlowWaker slow;
  {
    InboxRunner::Options options;
    options.more.webhook = &slow;
    options.at_once = 1;
    const InboxRunner runner(*inbox_, clock_, options);
    const auto until = [](const auto& condition) {
      for (int i = 0; i < 2000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return condition();
    };
    EXPECT_TRUE(until([&] { return slow.is_called.load(); }));
    must(inbox_->add_timer(
        json(R"({"agentId":"fox","message":"tea","at":"2001-01-01T00:00:00Z"})")));
    EXPECT_TRUE(until([&] { return entries(agent).size() == 21U; }));
    slow.is_let_go = true;
  }
  EXPECT_EQ(must(inbox_->status()).at("recentActivations").at(0).at("status"), Json("delivered"));
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxSources,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
