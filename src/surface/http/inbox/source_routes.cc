// Hosts, sources, and events into them.
#include "surface/http/inbox/inbox_route.h"

namespace alfred::http {
namespace {

// A program is named on the machine that runs it, never over the network.
Result<void> refuse_program(std::string_view host_type) {
  if (host_type != "exec") return {};
  return fail(ErrorCode::conflict,
              "A program is not set up over HTTP. Use `alfred host add` and `alfred source add` on "
              "the machine that runs it.",
              "hostType");
}
std::string body_text(const RouteCall& call, std::string_view name) {
  const Json* const value = call.body.as_object().if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

Result<Json> list_hosts(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  return inbox.hosts(*page);
}
Result<Json> add_host(Inbox& inbox, const RouteCall& call) {
  if (Result<void> good = refuse_program(body_text(call, "hostType")); !good)
    return Unexpected(good.error());
  return inbox.add_host(call.body);
}
Result<Json> show_host(Inbox& inbox, const RouteCall& call) {
  return inbox.host(call.name("host"));
}
Result<Json> host_schema(Inbox& inbox, const RouteCall& call) {
  const Result<Json> host = inbox.host(call.name("host"));
  if (!host) return Unexpected(host.error());
  return host->at("schema");
}
Result<Json> list_sources(Inbox& inbox, const RouteCall& call) {
  const Result<inbox::ListPage> page = query_page(call);
  if (!page) return Unexpected(page.error());
  return inbox.sources(*page);
}
Result<Json> add_source(Inbox& inbox, const RouteCall& call) {
  if (const Result<Json> host = inbox.host(body_text(call, "hostId")); host)
    if (Result<void> good = refuse_program(host->at("host").at("hostType").as_string()); !good)
      return Unexpected(good.error());
  return inbox.add_source(call.body);
}
Result<Json> show_source(Inbox& inbox, const RouteCall& call) {
  return inbox.source(call.name("source"));
}
Result<Json> source_schema(Inbox& inbox, const RouteCall& call) {
  const Result<Json> source = inbox.source(call.name("source"));
  if (!source) return Unexpected(source.error());
  return source->at("schema");
}
Result<Json> change_source(Inbox& inbox, const RouteCall& call) {
  if (const Result<Json> source = inbox.source(call.name("source")); source)
    if (Result<void> good = refuse_program(source->at("source").at("sourceType").as_string());
        !good)
      return Unexpected(good.error());
  return inbox.change_source(call.name("source"), call.body);
}
Result<Json> remove_source(Inbox& inbox, const RouteCall& call) {
  const Result<bool> with_subscriptions = query_flag(call, "with_subscriptions");
  if (!with_subscriptions) return Unexpected(with_subscriptions.error());
  return inbox.remove_source(call.name("source"), *with_subscriptions);
}
Result<Json> pause_source(Inbox& inbox, const RouteCall& call) {
  return inbox.pause_source(call.name("source"));
}
Result<Json> resume_source(Inbox& inbox, const RouteCall& call) {
  return inbox.resume_source(call.name("source"));
}
Result<Json> poll_source(Inbox& inbox, const RouteCall& call) {
  return inbox.poll_source(call.name("source"));
}
Result<Json> append_event(Inbox& inbox, const RouteCall& call) {
  return inbox.append(call.name("source"), call.body);
}
// Who sends it has no token of ours where the source has a secret to sign with.
Result<HttpResponse> take_post(Api& api, const RouteCall& call) {
  const Result<InboxDoor*> door = inbox_door(api, call);
  if (!door) return Unexpected(door.error());
  const HttpRequest& request = call.request;
  const Result<Json> answer = (*door)->inbox.post(
      call.name("source"), {request.headers, request.body, call.body, api.world().clock.wall_ms()},
      api.is_trusted(request));
  if (!answer) return Unexpected(answer.error());
  return json_response(*answer);
}
Result<Json> preview_schema(Inbox& inbox, const RouteCall& call) {
  return inbox.preview_schema(call.body);
}

std::vector<Route> host_routes() {
  return {
      with_query(inbox_get("/inbox/hosts", "list_hosts", "Where sources come from.", "InboxHosts",
                           answer_inbox<list_hosts>),
                 {"after", "limit"}),
      with_body(inbox_post("/inbox/hosts", "add_host", "Makes a host, or gives the one there is.",
                           "InboxHost", answer_inbox<add_host>),
                "InboxHostRequest"),
      inbox_get("/inbox/hosts/{host}", "get_host", "A host and its streams.", "InboxHostDetails",
                answer_inbox<show_host>),
      inbox_get("/inbox/hosts/{host}/schema", "get_host_schema", "What a host of its type takes.",
                "InboxHostSchema", answer_inbox<host_schema>),
      with_body(inbox_post("/inbox/streams/schema-preview", "preview_schema",
                           "What a source would take, before there is one.", "InboxSourceSchema",
                           answer_inbox<preview_schema>),
                "InboxSchemaPreview"),
  };
}

}  // namespace

std::vector<Route> source_routes() {
  std::vector<Route> out = host_routes();
  const std::vector<Route> more{
      with_query(inbox_get("/inbox/sources", "list_sources", "The sources.", "InboxSources",
                           answer_inbox<list_sources>),
                 {"after", "limit"}),
      with_body(inbox_post("/inbox/sources", "add_source",
                           "Makes a source under a host, or gives the one there is.", "InboxSource",
                           answer_inbox<add_source>),
                "InboxSourceRequest"),
      inbox_get("/inbox/sources/{source}", "get_source", "A source, its host and its stream.",
                "InboxSourceDetails", answer_inbox<show_source>),
      with_body(with_method(inbox_post("/inbox/sources/{source}", "change_source",
                                       "Changes how a source is set up.", "InboxChangedSource",
                                       answer_inbox<change_source>),
                            "PATCH"),
                "InboxSourceChange"),
      with_query(
          with_method(inbox_post("/inbox/sources/{source}", "remove_source", "Removes a source.",
                                 "InboxRemovedSource", answer_inbox<remove_source>),
                      "DELETE"),
          {"with_subscriptions"}),
      inbox_get("/inbox/sources/{source}/schema", "get_source_schema", "What a source takes.",
                "InboxSourceSchema", answer_inbox<source_schema>),
      inbox_post("/inbox/sources/{source}/pause", "pause_source", "Takes no events for a while.",
                 "InboxPausedSource", answer_inbox<pause_source>),
      inbox_post("/inbox/sources/{source}/resume", "resume_source", "Takes events again.",
                 "InboxResumedSource", answer_inbox<resume_source>),
      inbox_post("/inbox/sources/{source}/poll", "poll_source", "Reads on now.",
                 "InboxPolledSource", answer_inbox<poll_source>),
      with_others(with_event(inbox_post("/inbox/sources/{source}/events", "append_event",
                                        "Appends an event; one that was there already is deduped.",
                                        "InboxAppended", answer_inbox<append_event>),
                             "InboxEvent"),
                  Lane::together, joint_call<JointCall::Kind::append>),
  };
  Route post = with_event(inbox_post("/inbox/sources/{source}/webhook", "post_webhook",
                                     "Takes what an outside system sends, signed with the source's "
                                     "secret, or with the token.",
                                     "InboxAppended", take_post),
                          "InboxPosted");
  post.is_open = true;
  out.push_back(std::move(post));
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace alfred::http
