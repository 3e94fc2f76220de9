// subscription: which agent reads what.
#include <istream>
#include <iterator>

#include "base/files/file.h"
#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

Result<Json> subscribe(Inbox& inbox, const Arguments& arguments, const Streams& streams) {
  JsonObject request = texts_of(arguments, {{"agent", "agentId"},
                                            {"source", "sourceId"},
                                            {"--start-policy", "startPolicy"},
                                            {"--start-time", "startTime"},
                                            {"--tracked-resource-ref", "trackedResourceRef"}});
  std::string filter = arguments.text("--filter-json");
  if (arguments.has("--filter-file")) {
    Result<std::string> read = read_file(arguments.text("--filter-file"));
    if (!read) return Unexpected(read.error());
    filter = std::move(*read);
  }
  if (arguments.has("--filter-stdin"))
    filter.assign(std::istreambuf_iterator<char>(streams.in), {});
  Result<void> read;
  if (!filter.empty()) read = add_json(request, "filter", filter);
  if (read && arguments.has("--cleanup-json"))
    read = add_json(request, "cleanupPolicy", arguments.text("--cleanup-json"));
  if (read && arguments.has("--shortcut-json"))
    read = add_json(request, "shortcut", arguments.text("--shortcut-json"));
  if (read) read = add_number(request, "startOffset", arguments, "--start-offset");
  if (!read) return Unexpected(read.error());
  return inbox.subscribe(request);
}
Result<Json> list_subscriptions(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.subscriptions(
      {arguments.text("--source"), arguments.text("--agent"), page_of(arguments)});
}
Result<Json> show_subscription(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.subscription(arguments.text("subscription"));
}
Result<Json> remove_subscription(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.unsubscribe(arguments.text("subscription"));
}
Result<Json> show_lag(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.lag(arguments.text("subscription"));
}
Result<Json> reset(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request =
      texts_of(arguments, {{"--start-policy", "startPolicy"}, {"--start-time", "startTime"}});
  if (Result<void> read = add_number(request, "startOffset", arguments, "--start-offset"); !read)
    return Unexpected(read.error());
  return inbox.reset(arguments.text("subscription"), request);
}
Result<Json> poll(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.poll(arguments.text("subscription"));
}

}  // namespace

std::vector<Command> subscription_commands() {
  const Parameter one{"subscription", "SUBSCRIPTION", "Its id, such as sub_7k2f9m3qw1bx", true};
  const Parameter policy{"--start-policy", "POLICY", "latest, earliest, at_offset or at_time"};
  const Parameter offset{"--start-offset", "N", "The first offset to be read"};
  const Parameter time{"--start-time", "INSTANT", "The first time to be read"};
  return {
      {"subscription", "add", "Let an agent read a source",
       with_inbox({{"agent", "AGENT", "Its id", true},
                   {"source", "SOURCE", "Its id", true},
                   {"--filter-json", "JSON", "Which events: {metadata, payload, expr}"},
                   {"--filter-file", "FILE", "The filter in a file"},
                   {"--filter-stdin", "", "The filter from standard input"},
                   {"--shortcut-json", "JSON",
                    "A filter by name, such as {\"name\":\"pr\",\"args\":{\"number\":7}}"},
                   policy,
                   offset,
                   time,
                   {"--tracked-resource-ref", "REF", "The resource whose end retires it"},
                   {"--cleanup-json", "JSON", "When it goes: {mode, at, gracePeriodSecs}"}}),
       run_inbox<subscribe>},
      {"subscription", "list", "Print the subscriptions",
       with_page({{"--agent", "AGENT", "Of this agent only"},
                  {"--source", "SOURCE", "Of this source only"}}),
       look_inbox<list_subscriptions>},
      {"subscription", "show", "Print a subscription, its consumer and its lag", with_inbox({one}),
       look_inbox<show_subscription>},
      {"subscription", "remove", "Remove a subscription", with_inbox({one}),
       run_inbox<remove_subscription>},
      {"subscription", "lag", "Print how far it is behind", with_inbox({one}),
       look_inbox<show_lag>},
      {"subscription", "reset", "Put its consumer at another place",
       with_inbox({one, policy, offset, time}), run_inbox<reset>},
      {"subscription", "poll", "Read on now", with_inbox({one}), run_inbox<poll>},
  };
}

}  // namespace alfred::cli
