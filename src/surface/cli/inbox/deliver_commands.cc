// deliver: replies through a handle.
#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

// By its parts, or whole as it stands in an entry.
Result<JsonObject> handle_of(const Arguments& arguments) {
  JsonObject request = texts_of(
      arguments,
      {{"--provider", "provider"}, {"--surface", "surface"}, {"--target-ref", "targetRef"}});
  const bool is_whole = arguments.has("--handle-json");
  if (is_whole == !request.empty())
    return fail(ErrorCode::usage,
                "Name the handle once: with --handle-json, or with --provider, --surface and "
                "--target-ref.",
                "--handle-json");
  if (is_whole)
    if (Result<void> read = add_json(request, "handle", arguments.text("--handle-json")); !read)
      return Unexpected(read.error());
  return request;
}

Result<Json> send(Inbox& inbox, const Arguments& arguments, const Streams&) {
  Result<JsonObject> request = handle_of(arguments);
  if (!request) return Unexpected(std::move(request).error());
  (*request)["payload"] = JsonObject{{"text", arguments.text("--text")}};
  return inbox.deliver(*request);
}

Result<Json> actions(Inbox& inbox, const Arguments& arguments, const Streams&) {
  const Result<JsonObject> request = handle_of(arguments);
  return request ? inbox.delivery_actions(*request) : Unexpected(request.error());
}

Result<Json> invoke(Inbox& inbox, const Arguments& arguments, const Streams&) {
  Result<JsonObject> request = handle_of(arguments);
  if (!request) return Unexpected(std::move(request).error());
  (*request)["operation"] = arguments.text("operation");
  if (arguments.has("--input-json"))
    if (Result<void> read = add_json(*request, "input", arguments.text("--input-json")); !read)
      return Unexpected(read.error());
  return inbox.deliver(*request);
}

}  // namespace

std::vector<Command> deliver_commands() {
  const auto with_handle = [](std::vector<Parameter> more) {
    std::vector<Parameter> all{
        {"--provider", "NAME", "Of the handle; alfred is built in"},
        {"--surface", "NAME", "Of the handle; agent is built in"},
        {"--target-ref", "REF", "Of the handle"},
        {"--handle-json", "JSON", "The handle whole, as an entry has it as deliveryHandle"}};
    all.insert(all.begin(), more.begin(), more.end());
    return with_inbox(std::move(all));
  };
  return {
      {"deliver", "send", "Send a reply through a handle",
       with_handle({{"--text", "TEXT", "What it says", true}}), run_inbox<send>},
      {"deliver", "actions", "Print what can be done through a handle", with_handle({}),
       run_inbox<actions>},
      {"deliver", "invoke", "Do one of these things",
       with_handle({{"operation", "OPERATION", "Which, as `deliver actions` names it", true},
                    {"--input-json", "JSON", "What it takes"}}),
       run_inbox<invoke>},
  };
}

}  // namespace alfred::cli
