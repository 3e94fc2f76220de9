// GitHub's deliveries, as it sends them (made up, and cut to what is read), as events.
#include "inbox/source/github.h"

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "inbox/filter/filter.h"

namespace alfred::inbox {
namespace {

Json parsed(std::string_view text) { return parse_json(text, JsonLimits::none()).value(); }

Json event_of(const std::string& event, std::string_view payload) {
  const Json body = parsed(payload);
  const Result<Json> out = github_event({event, "d-1", body});
  if (!out) throw std::runtime_error(out.error().message);
  return *out;
}

constexpr std::string_view kOpened = R"({"action":"opened","number":87,
  "pull_request":{"number":87,"state":"open","title":"Blue","html_url":"https://x/87",
    "user":{"login":"ann"},"head":{"ref":"blue"},"labels":[{"name":"bug"},{"name":"ui"}],
    "updated_at":"2026-03-01T09:30:00Z","merged":false},
  "repository":{"full_name":"acme/shop"},"sender":{"login":"bob"}})";
constexpr std::string_view kMerged = R"({"action":"closed","pull_request":{"number":87,
  "state":"closed","merged":true},"repository":{"full_name":"acme/shop"},"sender":{"login":"bob"}})";
constexpr std::string_view kComment =
    R"({"action":"created","issue":{"number":87,"pull_request":{}},
  "comment":{"body":"hm","created_at":"2026-03-01T09:31:00Z"},"repository":{"full_name":"acme/shop"}})";
constexpr std::string_view kRun = R"({"action":"completed","workflow_run":{"name":"ci",
  "status":"completed","conclusion":"failure","head_branch":"blue","pull_requests":[{"number":87}]},
  "repository":{"full_name":"acme/shop"}})";
constexpr std::string_view kBranchRun =
    R"({"action":"completed","workflow_run":{"head_branch":"main",
  "pull_requests":[]},"repository":{"full_name":"acme/shop"}})";
constexpr std::string_view kIssue = R"({"action":"closed","issue":{"number":5,"state":"closed"},
  "repository":{"full_name":"acme/shop"}})";

TEST(Github, R1_R2_a_pull_request_says_what_it_is_about) {
  const Json event = event_of("pull_request", kOpened);
  EXPECT_EQ(event.at("eventVariant"), Json("pull_request.opened"));
  EXPECT_EQ(event.at("sourceNativeId"), Json("d-1"));
  EXPECT_EQ(event.at("occurredAt"), Json("2026-03-01T09:30:00Z"));
  EXPECT_EQ(event.at("rawPayload"), parsed(kOpened));
  EXPECT_EQ(event.at("deliveryHandle").at("targetRef"), Json("acme/shop#87"));
  EXPECT_EQ(
      write_json(event.at("metadata")),
      R"({"provider":"github","event":"pull_request","eventFamily":"state","action":"opened",)"
      R"("repository":"acme/shop","sender":"bob","number":87,"isPullRequest":true,)"
      R"("resourceRef":"repo:acme/shop:pr:87","title":"Blue","state":"open","author":"ann",)"
      R"("url":"https://x/87","headBranch":"blue","labels":["bug","ui"]})");
}

TEST(Github, R2_the_end_of_something_is_a_terminal_signal) {
  const Json merged = event_of("pull_request", kMerged);
  EXPECT_EQ(merged.at("eventVariant"), Json("pull_request.merged"));
  EXPECT_EQ(merged.at("metadata").at("lifecycle"), Json("terminal"));
  const Json issue = event_of("issues", kIssue);
  EXPECT_EQ(issue.at("eventVariant"), Json("issues.closed"));
  EXPECT_EQ(issue.at("metadata").at("lifecycle"), Json("terminal"));
  EXPECT_EQ(issue.at("metadata").at("resourceRef"), Json("repo:acme/shop:issue:5"));
  EXPECT_FALSE(event_of("pull_request", kOpened).at("metadata").as_object().contains("lifecycle"));
}

TEST(Github, R2_runs_belong_to_their_pull_request_or_their_branch) {
  const Json run = event_of("workflow_run", kRun).at("metadata");
  EXPECT_EQ(run.at("resourceRef"), Json("repo:acme/shop:pr:87"));
  EXPECT_EQ(run.at("eventFamily"), Json("ci"));
  EXPECT_EQ(run.at("conclusion"), Json("failure"));
  EXPECT_EQ(event_of("workflow_run", kBranchRun).at("metadata").at("resourceRef"),
            Json("repo:acme/shop:branch:main"));
}

TEST(Github, R1_what_says_little_is_an_event_all_the_same) {
  EXPECT_EQ(event_of("ping", R"({"zen":"x"})").at("eventVariant"), Json("ping"));
  for (const char* odd : {R"({"action":7,"pull_request":[],"issue":"x"})",
                          R"({"pull_request":{"number":"7","labels":{}}})",
                          R"({"workflow_run":{"pull_requests":[{"number":"x"},7]}})"})
    EXPECT_FALSE(event_of("workflow_run", odd).at("eventVariant").as_string().empty()) << odd;
  const Json empty = JsonObject();
  EXPECT_FALSE(github_event({"", "d", empty}).has_value());
  EXPECT_FALSE(github_event({"ping", "", empty}).has_value());
}

// Which of the deliveries a template is for.
std::string followed(std::string_view name, std::string_view args) {
  const Result<FollowPlan> plan = github_follow(name, parsed(args));
  if (!plan) return plan.error().message;
  const Result<Filter> filter = Filter::compile(plan->filter);
  if (!filter) return filter.error().message;
  std::string out = plan->tracked.value_or("none") + ":";
  for (const auto& [event, payload] :
       {std::pair{"pull_request", kOpened}, std::pair{"pull_request", kMerged},
        std::pair{"issue_comment", kComment}, std::pair{"workflow_run", kRun},
        std::pair{"workflow_run", kBranchRun}, std::pair{"issues", kIssue}}) {
    const Json one = event_of(event, payload);
    const Result<bool> holds =
        filter->matches({one.at("metadata"), one.at("rawPayload"), "v", "github", "acme/shop"});
    out += holds ? *holds ? " yes" : " no" : " " + holds.error().message;
  }
  return out;
}

TEST(Github, R4_a_template_is_for_what_it_names) {
  EXPECT_EQ(followed("repo", R"({"owner":"acme","repo":"shop"})"), "none: yes yes yes yes yes yes");
  EXPECT_EQ(followed("pr", R"({"owner":"acme","repo":"shop","number":87})"),
            "repo:acme/shop:pr:87: yes yes yes no no no");
  EXPECT_EQ(followed("pr", R"({"owner":"acme","repo":"shop","number":87,"withCi":true})"),
            "repo:acme/shop:pr:87: yes yes yes yes no no");
  EXPECT_EQ(followed("issue", R"({"owner":"acme","repo":"shop","number":5})"),
            "repo:acme/shop:issue:5: no no no no no yes");
}

TEST(Github, R2_names_are_one_whatever_their_case) {
  EXPECT_EQ(followed("pr", R"({"owner":"ACME","repo":"Shop","number":87})"),
            "repo:acme/shop:pr:87: yes yes yes no no no");
  const Result<FollowPlan> plan =
      github_follow("repo", parsed(R"({"owner":"Acme","repo":"SHOP"})"));
  EXPECT_EQ(plan->stream_key, "acme/shop");
  const Json event = event_of("pull_request", R"({"action":"closed",
    "pull_request":{"number":87},"repository":{"full_name":"Acme/Shop"}})");
  EXPECT_EQ(event.at("metadata").at("resourceRef"), Json("repo:acme/shop:pr:87"));
  EXPECT_EQ(event.at("metadata").at("repository"), Json("Acme/Shop"));
}

TEST(Github, R4_what_is_no_template_is_refused) {
  for (const auto& [name, args] :
       {std::pair{"star", R"({"owner":"a","repo":"b"})"},
        std::pair{"pr", R"({"owner":"a","repo":"b"})"},
        std::pair{"pr", R"({"owner":"a","repo":"b","number":0})"},
        std::pair{"repo", R"({"owner":"a/b","repo":"b"})"}, std::pair{"repo", R"({"owner":"a"})"},
        std::pair{"repo", R"({"owner":"a","repo":"b","x":1})"}})
    EXPECT_FALSE(github_follow(name, parsed(args)).has_value()) << name << args;
}

}  // namespace
}  // namespace alfred::inbox
