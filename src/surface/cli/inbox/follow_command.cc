// follow github pr OWNER/REPO NUMBER: a source and a subscription by a template.
#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

Result<Json> follow(Inbox& inbox, const Arguments& arguments, const Streams&) {
  const std::string name = arguments.text("repository");
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos)
    return fail(ErrorCode::usage, "A repository is OWNER/NAME.", "repository");
  JsonObject args{{"owner", name.substr(0, slash)}, {"repo", name.substr(slash + 1)}};
  if (Result<void> read = add_number(args, "number", arguments, "number"); !read)
    return Unexpected(read.error());
  if (arguments.has("--with-ci")) args["withCi"] = true;
  JsonObject request = texts_of(arguments, {{"--agent", "agentId"},
                                            {"provider", "providerOrKind"},
                                            {"template", "template"},
                                            {"--start-policy", "startPolicy"}});
  request["templateArgs"] = std::move(args);
  if (arguments.has("--config-json"))
    if (Result<void> read = add_json(request, "config", arguments.text("--config-json")); !read)
      return Unexpected(read.error());
  return inbox.follow(request);
}

}  // namespace

std::vector<Command> follow_commands() {
  return {{"", "follow", "Let an agent read a repository, a pull request or an issue",
           with_inbox({{"provider", "PROVIDER", "github", true},
                       {"template", "TEMPLATE", "repo, pr or issue", true},
                       {"repository", "OWNER/REPO", "Which repository", true},
                       {"number", "NUMBER", "Which pull request or issue"},
                       {"--agent", "AGENT", "Who reads it", true},
                       {"--with-ci", "", "And the runs of its checks"},
                       {"--start-policy", "POLICY", "latest, earliest, at_offset or at_time"},
                       {"--config-json", "JSON", "How a new source is set up: {\"secret\": …}"}}),
           run_inbox<follow>}};
}

}  // namespace alfred::cli
