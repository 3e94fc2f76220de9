// GitHub as a source: its webhooks as events, and what it is to follow something there. Pure
// functions.
//
// R1 an event is known by its delivery's id; its variant is `<event>.<action>`, a merge `pull_request.merged`.
// R2 what it is about is in metadata: repository, number, isPullRequest, resourceRef
//    (`repo:<owner>/<name>:pr:<number>`), eventFamily, and for the end of a pull request or issue
//    `lifecycle`.
//    Names of owners and repositories are one whatever their letters' case: in refs they are small.
// R3 the payload is kept as it came.
// R4 a template says which source, filter, tracked resource and cleanup follow something: repo, pr, issue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace alfred::inbox {

struct GithubDelivery {
  std::string event;  // X-GitHub-Event
  std::string id;     // X-GitHub-Delivery
  const Json& payload;
};

// The event as an append takes it. Errors: schema.
Result<Json> github_event(const GithubDelivery& delivery);

// A name of GitHub as it is compared.
std::string github_key(std::string_view name);

struct FollowPlan {
  std::string template_id;
  std::string host_type, host_key, stream_kind, stream_key;
  Json filter = JsonObject();
  std::optional<std::string> tracked{};
  Json cleanup = JsonObject{{"mode", "manual"}};
};

// Errors: schema, value, enum_value.
Result<FollowPlan> github_follow(std::string_view name, const Json& args);
// The same for a source that is there: its key is `<owner>/<repo>`.
Result<FollowPlan> github_shortcut(std::string_view stream_key, std::string_view name,
                                   const Json& args);

}  // namespace alfred::inbox
