#include <algorithm>

#include <fmt/format.h>

#include "base/time/iso_time.h"
#include "inbox/source/github.h"

namespace alfred::inbox {
namespace {

// A value by its path; null when something on the way is not there.
const Json* at_path(const Json& from, std::initializer_list<std::string_view> path) {
  const Json* here = &from;
  for (const std::string_view name : path) {
    const JsonObject* const object = here->if_object();
    here = object == nullptr ? nullptr : object->if_contains(name);
    if (here == nullptr) return nullptr;
  }
  return here;
}

std::string text_in(const Json& from, std::initializer_list<std::string_view> path) {
  const Json* const value = at_path(from, path);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

bool is_ci(std::string_view event) {
  return event == "workflow_run" || event == "workflow_job" || event == "check_run" ||
         event == "check_suite" || event == "status";
}

std::string family_of(std::string_view event) {
  if (is_ci(event)) return "ci";
  if (event.starts_with("pull_request_review")) return "review";
  if (event.ends_with("comment")) return "comment";
  if (event == "pull_request" || event == "issues") return "state";
  return std::string(event);
}

void copy_text(JsonObject& to, const char* name, const std::string& text) {
  if (!text.empty()) to[name] = text;
}

// The pull request or issue that an event is about.
struct Subject {
  const Json* json = nullptr;
  bool is_pull_request = false;
};

Subject subject_of(const Json& payload) {
  if (const Json* const pull = at_path(payload, {"pull_request"})) return {pull, true};
  const Json* const issue = at_path(payload, {"issue"});
  return {issue, issue != nullptr && at_path(*issue, {"pull_request"}) != nullptr};
}

void add_subject(JsonObject& metadata, const std::string& repository, const Subject& subject) {
  const Json* const number = at_path(*subject.json, {"number"});
  if (number == nullptr || !number->is_int64()) return;
  metadata["number"] = *number;
  metadata["isPullRequest"] = subject.is_pull_request;
  metadata["resourceRef"] =
      fmt::format("repo:{}:{}:{}", github_key(repository), subject.is_pull_request ? "pr" : "issue",
                  number->as_int64());
  copy_text(metadata, "title", text_in(*subject.json, {"title"}));
  copy_text(metadata, "state", text_in(*subject.json, {"state"}));
  copy_text(metadata, "author", text_in(*subject.json, {"user", "login"}));
  copy_text(metadata, "url", text_in(*subject.json, {"html_url"}));
  copy_text(metadata, "headBranch", text_in(*subject.json, {"head", "ref"}));
  JsonArray labels;
  if (const Json* const all = at_path(*subject.json, {"labels"}); all != nullptr && all->is_array())
    for (const Json& one : all->as_array())
      if (std::string name = text_in(one, {"name"}); !name.empty()) labels.push_back(Json(name));
  metadata["labels"] = std::move(labels);
}

void add_run(JsonObject& metadata, const std::string& repository, const Json& run) {
  copy_text(metadata, "name", text_in(run, {"name"}));
  copy_text(metadata, "status", text_in(run, {"status"}));
  copy_text(metadata, "conclusion", text_in(run, {"conclusion"}));
  copy_text(metadata, "url", text_in(run, {"html_url"}));
  std::string branch = text_in(run, {"head_branch"});
  if (branch.empty()) branch = text_in(run, {"check_suite", "head_branch"});
  JsonArray numbers;
  if (const Json* const all = at_path(run, {"pull_requests"}); all != nullptr && all->is_array())
    for (const Json& one : all->as_array())
      if (const Json* const number = at_path(one, {"number"}); number != nullptr)
        numbers.push_back(*number);
  if (!numbers.empty() && numbers.front().is_int64())
    metadata["resourceRef"] =
        fmt::format("repo:{}:pr:{}", github_key(repository), numbers.front().as_int64());
  else if (!branch.empty())
    metadata["resourceRef"] = fmt::format("repo:{}:branch:{}", github_key(repository), branch);
  metadata["pullRequestNumbers"] = std::move(numbers);
  copy_text(metadata, "headBranch", branch);
}

// When it happened, as far as the payload says; empty: it does not.
std::string occurred_in(const Json& payload) {
  for (const char* const what :
       {"comment", "review", "workflow_run", "check_run", "pull_request", "issue"})
    for (const char* const when : {"submitted_at", "updated_at", "completed_at", "created_at"})
      if (std::string text = text_in(payload, {what, when}); iso_instant_ms(text)) return text;
  return "";
}

}  // namespace

std::string github_key(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

Result<Json> github_event(const GithubDelivery& delivery) {
  if (delivery.event.empty() || delivery.id.empty())
    return fail(ErrorCode::schema,
                "A delivery of GitHub has the headers X-GitHub-Event and X-GitHub-Delivery.",
                "X-GitHub-Event");
  const Json& payload = delivery.payload;
  const std::string action = text_in(payload, {"action"});
  const std::string repository = text_in(payload, {"repository", "full_name"});
  const Subject subject = subject_of(payload);
  const Json* const merged = at_path(payload, {"pull_request", "merged"});
  const bool is_closed =
      action == "closed" && (delivery.event == "pull_request" || delivery.event == "issues");
  const bool is_merged = is_closed && merged != nullptr && *merged == Json(true);
  JsonObject metadata{{"provider", "github"},
                      {"event", delivery.event},
                      {"eventFamily", family_of(delivery.event)}};
  copy_text(metadata, "action", action);
  copy_text(metadata, "repository", repository);
  copy_text(metadata, "sender", text_in(payload, {"sender", "login"}));
  if (delivery.event == "push") copy_text(metadata, "ref", text_in(payload, {"ref"}));
  if (subject.json != nullptr) add_subject(metadata, repository, subject);
  for (const char* const run : {"workflow_run", "workflow_job", "check_run", "check_suite"})
    if (const Json* const found = at_path(payload, {run});
        found != nullptr && is_ci(delivery.event))
      add_run(metadata, repository, *found);
  if (is_closed) {
    metadata["lifecycle"] = "terminal";
    metadata["flush"] = "immediate";
    metadata["isMerged"] = is_merged;
  }
  std::string variant = action.empty() ? delivery.event : delivery.event + "." + action;
  JsonObject out{{"sourceNativeId", delivery.id},
                 {"eventVariant", is_merged ? "pull_request.merged" : std::move(variant)},
                 {"metadata", metadata},
                 {"rawPayload", payload}};
  copy_text(out, "occurredAt", occurred_in(payload));
  if (metadata.contains("number"))
    out["deliveryHandle"] =
        JsonObject{{"provider", "github"},
                   {"surface", subject.is_pull_request ? "pull_request" : "issue"},
                   {"targetRef", fmt::format("{}#{}", repository, metadata["number"].as_int64())}};
  return out;
}

}  // namespace alfred::inbox
