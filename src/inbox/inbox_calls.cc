// The calls that are one function in one transaction.
#include "inbox/flow/status.h"
#include "inbox/inbox.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/follow.h"
#include "inbox/registry/sources.h"
#include "inbox/registry/target_request.h"
#include "inbox/source/source_types.h"

namespace alfred {

using inbox::Sql;

Result<Json> Inbox::register_agent(const Json& request, const Once& once) {
  return write([&](Sql& sql) { return inbox::register_agent(sql, request); }, once);
}
Result<Json> Inbox::agents(const inbox::ListPage& page, bool with_targets) {
  return read([&](Sql& sql) { return inbox::list_agents(sql, page, with_targets); });
}
Result<Json> Inbox::agent(std::string_view agent) {
  return read([&](Sql& sql) { return inbox::agent_details(sql, agent); });
}
Result<Json> Inbox::remove_agent(std::string_view agent) {
  return write([&](Sql& sql) { return inbox::remove_agent(sql, agent); });
}
Result<Json> Inbox::agent_of_pane(std::string_view socket, std::string_view pane) {
  return read([&](Sql& sql) -> Result<Json> {
    const std::string id = inbox::agent_of_pane(sql, inbox::pane_address(socket, pane));
    if (id.empty())
      return fail(ErrorCode::record, "No agent is registered for this pane. Register one.");
    return inbox::agent_details(sql, id);
  });
}
Result<Json> Inbox::targets(std::string_view agent) {
  return read([&](Sql& sql) -> Result<Json> {
    const Result<std::string> id = inbox::find_agent(sql, agent);
    if (!id) return Unexpected(id.error());
    return JsonObject{{"targets", inbox::targets_of(sql, *id)}};
  });
}
Result<Json> Inbox::add_target(std::string_view agent, const Json& request) {
  return write([&](Sql& sql) { return inbox::add_target(sql, agent, request); });
}
Result<Json> Inbox::remove_target(std::string_view agent, std::string_view target) {
  return write([&](Sql& sql) { return inbox::remove_target(sql, agent, target); });
}

Result<Json> Inbox::add_host(const Json& request) {
  return write([&](Sql& sql) { return inbox::add_host(sql, request); });
}
Result<Json> Inbox::host(std::string_view host) {
  return read([&](Sql& sql) { return inbox::host_details(sql, host); });
}
Result<Json> Inbox::hosts(const inbox::ListPage& page) {
  return read([&](Sql& sql) { return inbox::list_hosts(sql, page); });
}
Result<Json> Inbox::add_source(const Json& request) {
  return write([&](Sql& sql) { return inbox::add_source(sql, request); });
}
Result<Json> Inbox::source(std::string_view source) {
  return read([&](Sql& sql) { return inbox::source_details(sql, source); });
}
Result<Json> Inbox::sources(const inbox::ListPage& page) {
  return read([&](Sql& sql) { return inbox::list_sources(sql, page); });
}
Result<Json> Inbox::programs() {
  return read([&](Sql& sql) -> Result<Json> { return inbox::list_programs(sql); });
}
Result<Json> Inbox::change_source(std::string_view source, const Json& request) {
  return write([&](Sql& sql) { return inbox::change_source(sql, source, request); });
}
Result<Json> Inbox::pause_source(std::string_view source) {
  return write([&](Sql& sql) { return inbox::set_source_status(sql, source, "paused"); });
}
Result<Json> Inbox::resume_source(std::string_view source) {
  return write([&](Sql& sql) { return inbox::set_source_status(sql, source, "active"); });
}
Result<Json> Inbox::remove_source(std::string_view source, bool with_subscriptions) {
  return write([&](Sql& sql) { return inbox::remove_source(sql, source, with_subscriptions); });
}

Result<Json> Inbox::subscribe(const Json& request, const Once& once) {
  Result<Json> made = write([&](Sql& sql) { return inbox::add_subscription(sql, request); }, once);
  if (!made || !options_.is_eager) return made;
  // What it reads from the past is done here; if not, the next pump does it.
  if (const Result<Json> pumped = pump(); !pumped) return made;
  return made;
}
Result<Json> Inbox::follow(const Json& request, const Once& once) {
  Result<Json> made = write([&](Sql& sql) { return inbox::follow(sql, request); }, once);
  if (!made || !options_.is_eager) return made;
  if (const Result<Json> pumped = pump(); !pumped) return made;
  return made;
}
Result<Json> Inbox::subscription(std::string_view subscription) {
  return read([&](Sql& sql) { return inbox::subscription_details(sql, subscription); });
}
Result<Json> Inbox::subscriptions(const inbox::ListSubscriptions& list) {
  return read([&](Sql& sql) { return inbox::list_subscriptions(sql, list); });
}
Result<Json> Inbox::unsubscribe(std::string_view subscription) {
  return write([&](Sql& sql) { return inbox::remove_subscription(sql, subscription); });
}
Result<Json> Inbox::lag(std::string_view subscription) {
  return read([&](Sql& sql) { return inbox::lag_of(sql, subscription); });
}
Result<Json> Inbox::reset(std::string_view subscription, const Json& request) {
  return write([&](Sql& sql) { return inbox::reset_consumer(sql, subscription, request); });
}
Result<Json> Inbox::commit(std::string_view subscription, const Json& request) {
  return write([&](Sql& sql) { return inbox::commit_offset(sql, subscription, request); });
}

Result<Json> Inbox::inbox(std::string_view agent) {
  return read([&](Sql& sql) { return inbox::inbox_details(sql, agent); });
}
Result<Json> Inbox::entries(std::string_view agent, const inbox::ReadEntries& read_entries) {
  const Work work = [&](Sql& sql) { return inbox::read_entries(sql, agent, read_entries); };
  return read_entries.asks_for_few() ? read_briefly(work) : read(work);
}
Result<Json> Inbox::newest(std::string_view agent) {
  return read([&](Sql& sql) { return inbox::newest_entry(sql, agent); });
}
Result<Json> Inbox::policy(std::string_view agent) {
  return read([&](Sql& sql) { return inbox::inbox_policy(sql, agent); });
}
Result<Json> Inbox::set_policy(std::string_view agent, const Json& request) {
  return write([&](Sql& sql) { return inbox::set_inbox_policy(sql, agent, request); });
}
Result<Json> Inbox::dead(const inbox::ListPage& page) {
  return read([&](Sql& sql) { return inbox::dead_letters(sql, page); });
}
Result<Json> Inbox::status() {
  return read([&](Sql& sql) -> Result<Json> {
    return inbox::status_of(sql, {options_.keep_acked_ms, options_.keep_offline_ms});
  });
}
Result<Json> Inbox::preview_schema(const Json& request) { return inbox::preview_schema(request); }
Result<Json> Inbox::compact(std::string_view agent) {
  return write([&](Sql& sql) {
    return inbox::compact_inbox(sql, agent, {options_.keep_acked_ms, options_.keep_offline_ms});
  });
}
Result<Json> Inbox::gc() {
  return write([&](Sql& sql) -> Result<Json> {
    return inbox::collect(sql, {options_.keep_acked_ms, options_.keep_offline_ms});
  });
}

}  // namespace alfred
