#include <algorithm>

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/source/github.h"

namespace alfred::inbox {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

// What of a repository, and until when.
void narrow(FollowPlan& plan, std::string_view name, std::int64_t number, bool with_ci) {
  const bool is_pull = name == "pr";
  std::string expression =
      fmt::format("metadata.number == {} && {}metadata.isPullRequest", number, is_pull ? "" : "!");
  if (is_pull && with_ci)
    expression =
        fmt::format("({}) || contains(metadata.pullRequestNumbers, {})", expression, number);
  plan.filter = JsonObject{{"expr", std::move(expression)}};
  plan.tracked = fmt::format("repo:{}:{}:{}", github_key(plan.stream_key), name, number);
  plan.cleanup = JsonObject{{"mode", "on_terminal"}};
}

Result<FollowPlan> plan_of(std::string_view name, Fields& fields, std::string key) {
  FollowPlan plan{.template_id = fmt::format("github.{}", name),
                  .host_type = "github",
                  .host_key = "github.com",
                  .stream_kind = "repo_events",
                  .stream_key = std::move(key)};
  if (name != "repo" && name != "pr" && name != "issue")
    return fail(ErrorCode::enum_value, "GitHub has the templates repo, pr and issue.", "template",
                {"repo", "pr", "issue"});
  if (name != "repo") {
    const auto number = fields.maybe_number("number", 1, 1'000'000'000);
    if (!number) fields.refuse(ErrorCode::schema, "number is needed, such as 87.", "number");
    narrow(plan, name, number.value_or(0), fields.maybe_flag("withCi").value_or(false));
  }
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  return plan;
}

}  // namespace

Result<FollowPlan> github_follow(std::string_view name, const Json& args) {
  Fields fields(args, {"owner", "repo", "number", "withCi"});
  const std::string owner = fields.text("owner");
  const std::string repo = fields.text("repo");
  if (!owner.empty() && !repo.empty() && (!is_name(owner) || !is_name(repo)))
    fields.refuse(ErrorCode::value,
                  "owner and repo have letters, digits, dots, dashes and underscores.", "owner");
  return plan_of(name, fields, github_key(owner + "/" + repo));
}

Result<FollowPlan> github_shortcut(std::string_view stream_key, std::string_view name,
                                   const Json& args) {
  Fields fields(args, {"number", "withCi"});
  return plan_of(name, fields, std::string(stream_key));
}

}  // namespace alfred::inbox
