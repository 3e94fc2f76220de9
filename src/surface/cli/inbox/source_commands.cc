// host, source: where events come from.

#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"

namespace alfred::cli {
namespace {

Result<Json> add_host(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.add_host(texts_of(arguments, {{"--type", "hostType"}, {"--key", "hostKey"}}));
}
Result<Json> list_hosts(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.hosts(page_of(arguments));
}
Result<Json> show_host(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.host(arguments.text("host"));
}

Result<Json> add_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request =
      texts_of(arguments, {{"host", "hostId"}, {"--kind", "streamKind"}, {"--key", "streamKey"}});
  if (!request.contains("streamKind")) request["streamKind"] = "events";
  if (arguments.has("--config-json"))
    if (Result<void> read = add_json(request, "config", arguments.text("--config-json")); !read)
      return Unexpected(read.error());
  return inbox.add_source(request);
}
Result<Json> list_sources(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.sources(page_of(arguments));
}
Result<Json> show_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.source(arguments.text("source"));
}
Result<Json> pause_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.pause_source(arguments.text("source"));
}
Result<Json> resume_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.resume_source(arguments.text("source"));
}
Result<Json> poll_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.poll_source(arguments.text("source"));
}
Result<Json> remove_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  return inbox.remove_source(arguments.text("source"), arguments.has("--with-subscriptions"));
}
Result<Json> change_source(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request = texts_of(arguments, {{"--config-ref", "configRef"}});
  if (arguments.has("--config-json"))
    if (Result<void> read = add_json(request, "config", arguments.text("--config-json")); !read)
      return Unexpected(read.error());
  return inbox.change_source(arguments.text("source"), request);
}
Result<Json> source_schema(Inbox& inbox, const Arguments& arguments, const Streams&) {
  const Result<Json> source = inbox.source(arguments.text("source"));
  if (!source) return Unexpected(source.error());
  return source->at("schema");
}
Result<Json> append(Inbox& inbox, const Arguments& arguments, const Streams&) {
  JsonObject request = texts_of(arguments, {{"--native-id", "sourceNativeId"},
                                            {"--variant", "eventVariant"},
                                            {"--occurred-at", "occurredAt"}});
  JsonLimits limits;
  limits.rounds_wide_integers = true;  // no event is lost for one of its numbers
  for (const auto& [name, field] :
       {std::pair{"--metadata-json", "metadata"}, std::pair{"--payload-json", "rawPayload"},
        std::pair{"--delivery-handle-json", "deliveryHandle"}})
    if (arguments.has(name))
      if (Result<void> read = add_json(request, field, arguments.text(name), limits); !read)
        return Unexpected(read.error());
  return inbox.append(arguments.text("source"), request);
}

}  // namespace

std::vector<Command> source_commands() {
  const Parameter host{"host", "HOST", "Its id, such as hst_7k2f9m3qw1bx", true};
  const Parameter source{"source", "SOURCE", "Its id, such as src_7k2f9m3qw1bx", true};
  return {
      {"host", "add", "Make a host, or print the one there is",
       with_inbox({{"--type", "TYPE", "local_event, webhook, github or exec", true},
                   {"--key", "KEY", "What tells it from others of its type", true}}),
       run_inbox<add_host>},
      {"host", "list", "Print the hosts", with_page(), look_inbox<list_hosts>},
      {"host", "show", "Print a host and its streams", with_inbox({host}), look_inbox<show_host>},
      {"source", "add", "Make a source under a host, or print the one there is",
       with_inbox({host,
                   {"--key", "KEY", "What tells it from others of its host", true},
                   {"--kind", "KIND", "The kind of its stream; events"},
                   {"--config-json", "JSON", "How it is set up; docs/inbox.md"}}),
       run_inbox<add_source>},
      {"source", "list", "Print the sources", with_page(), look_inbox<list_sources>},
      {"source", "show", "Print a source and its stream", with_inbox({source}),
       look_inbox<show_source>},
      {"source", "append", "Append an event to a source's stream",
       with_inbox(
           {source,
            {"--native-id", "ID", "The event's id where it comes from", true},
            {"--variant", "NAME", "What kind of event it is", true},
            {"--metadata-json", "JSON", "What filters look at first"},
            {"--payload-json", "JSON", "What the agent reads"},
            {"--delivery-handle-json", "JSON", "How to reply: {provider, surface, targetRef}"},
            {"--occurred-at", "INSTANT", "When it happened; now when not given"}}),
       run_inbox<append>},
      {"source", "update", "Change how a source is set up",
       with_inbox({source,
                   {"--config-json", "JSON", "How it is set up; docs/inbox.md"},
                   {"--config-ref", "REF", "What names that elsewhere"}}),
       run_inbox<change_source>},
      {"source", "schema", "Print what a source takes", with_inbox({source}),
       look_inbox<source_schema>},
      {"source", "pause", "Take no events for a while", with_inbox({source}),
       run_inbox<pause_source>},
      {"source", "resume", "Take events again", with_inbox({source}), run_inbox<resume_source>},
      {"source", "poll", "Read on now, for all who read it", with_inbox({source}),
       run_inbox<poll_source>},
      {"source", "remove", "Remove a source",
       with_inbox({source, {"--with-subscriptions", "", "And the subscriptions that read it"}}),
       run_inbox<remove_source>},
  };
}

}  // namespace alfred::cli
