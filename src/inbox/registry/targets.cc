// Targets: what wakes an agent.
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/flow/intents.h"
#include "inbox/registry/agents.h"
#include "inbox/registry/target_request.h"
#include "inbox/registry/web_address.h"

namespace alfred::inbox {
namespace {

constexpr Statement kAddTarget(
    "INSERT INTO alfred_inbox_targets (id, agent, kind, address, config, secret, lease_ms, "
    "min_unacked, status, created_ms, updated_ms) VALUES (:id, :agent, :kind, :address, :config, "
    ":secret, :lease, :least, 'active', :now, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kAddDispatch(
    "INSERT INTO alfred_inbox_dispatch (target, pending, set_ms, attempts, told_sequence, told_key) "
    "VALUES (:target, 0, :now, 0, 0, '')");
constexpr Statement kFindTarget(
    "SELECT id, status, config FROM alfred_inbox_targets "
    "WHERE agent = :agent AND kind = :kind AND address = :address");
// What was not given stays as it was.
constexpr Statement kChangeTarget(
    "UPDATE alfred_inbox_targets SET config = :config, lease_ms = coalesce(:lease, lease_ms), "
    "min_unacked = coalesce(:least, min_unacked), status = 'active', reason = NULL, "
    "updated_ms = :now WHERE id = :id");
constexpr Statement kTargets(
    "SELECT id, agent, kind, address, config, lease_ms, min_unacked, status, reason, created_ms "
    "FROM alfred_inbox_targets WHERE agent = :agent ORDER BY created_ms, id");
constexpr Statement kTarget(
    "SELECT id, agent, kind, address, config, lease_ms, min_unacked, status, reason, created_ms "
    "FROM alfred_inbox_targets WHERE agent = :agent AND id = :id");
constexpr Statement kRemoveTarget(
    "DELETE FROM alfred_inbox_targets WHERE agent = :agent AND id = :id");
constexpr Statement kResume(
    "UPDATE alfred_inbox_targets SET status = 'active', reason = NULL, updated_ms = :now "
    "WHERE agent = :agent AND id = :id");
// What waited is told at once, if anything is unacked by then.
constexpr Statement kDueNow(
    "UPDATE alfred_inbox_dispatch SET due_ms = :now, set_ms = :now, attempts = 0, "
    "lease_until_ms = NULL, told_key = '' WHERE target = :id");
constexpr Statement kOffline(
    "UPDATE alfred_inbox_targets SET status = 'offline', reason = :reason, updated_ms = :now "
    "WHERE id = :id RETURNING agent");
constexpr Statement kNotDue(
    "UPDATE alfred_inbox_dispatch SET due_ms = NULL, flight = NULL, "
    "flight_until_ms = NULL WHERE target = :id");

constexpr std::int64_t kLeaseMs = 600'000;

std::string new_secret(Random& random) {
  std::array<std::byte, 32> bytes{};
  random.fill(bytes);
  std::string out = "whsec_";
  for (const std::byte byte : bytes) out += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return out;
}

// What a target begins with; what it was registered with stays when it is registered again.
Json first_config(const TargetRequest& request) {
  Json out = request.config;
  if (request.kind == "webhook" && !out.as_object().contains("activationMode"))
    out.as_object()["activationMode"] = "activation_only";
  return out;
}

// One that was kept with a password, before these were refused, is shown without it.
std::string shown_address(const std::string& kind, std::string address) {
  return kind == "webhook" ? without_password(address) : std::move(address);
}

Json target_json(const Row& row) {
  return JsonObject{{"targetId", text_at(row, 0)},
                    {"agentId", text_at(row, 1)},
                    {"kind", text_at(row, 2)},
                    {"address", shown_address(text_at(row, 2), text_at(row, 3))},
                    {"config", json_at(row, 4)},
                    {"notifyLeaseMs", number_at(row, 5)},
                    {"minUnackedItems", number_at(row, 6)},
                    {"status", text_at(row, 7)},
                    {"reason", maybe_at(row, 8)},
                    {"createdAt", time_at(row, 9)}};
}

}  // namespace

Json put_target(Sql& sql, std::string_view agent, const TargetRequest& request) {
  const std::optional<Row> known = sql.first(
      kFindTarget,
      {{"agent", text_value(agent)}, {"kind", request.kind}, {"address", request.address}});
  std::string id = known ? text_at(*known, 0) : std::string();
  std::string secret;
  const bool was_active = known && text_at(*known, 1) == "active";
  if (known) {
    Json config = json_at(*known, 2);
    for (const auto& [name, value] : request.config.as_object()) config.as_object()[name] = value;
    sql.all(kChangeTarget, {{"config", write_json(config)},
                            {"lease", maybe_value(request.lease_ms)},
                            {"least", maybe_value(request.min_unacked)},
                            {"now", sql.now_ms()},
                            {"id", id}});
  } else {
    if (request.kind == "webhook") secret = new_secret(sql.random());
    id = sql.add<IdKind::activation_target>(kAddTarget,
                                            {{"agent", text_value(agent)},
                                             {"kind", request.kind},
                                             {"address", request.address},
                                             {"config", write_json(first_config(request))},
                                             {"secret", secret},
                                             {"lease", request.lease_ms.value_or(kLeaseMs)},
                                             {"least", request.min_unacked.value_or(1)},
                                             {"now", sql.now_ms()}});
    sql.all(kAddDispatch, {{"target", id}, {"now", sql.now_ms()}});
  }
  if (!was_active && newest_unacked(sql, agent) > 0)
    sql.all(kDueNow, {{"id", id}, {"now", sql.now_ms()}});
  settle_agent(sql, agent);
  const std::optional<Row> row = sql.first(kTarget, {{"agent", text_value(agent)}, {"id", id}});
  if (!row) return {};
  Json json = target_json(*row);
  if (!secret.empty()) json.as_object()["secret"] = secret;
  return json;
}

Result<Json> add_target(Sql& sql, std::string_view agent, const Json& request) {
  const Result<std::string> found = find_agent(sql, agent);
  if (!found) return Unexpected(found.error());
  const Result<TargetRequest> target = read_target(request);
  if (!target) return Unexpected(target.error());
  if (Result<void> claimed = claim_pane(sql, *found, *target); !claimed)
    return Unexpected(claimed.error());
  return put_target(sql, *found, *target);
}

Json targets_of(Sql& sql, std::string_view agent) {
  JsonArray out;
  for (const Row& row : sql.all(kTargets, {{"agent", text_value(agent)}}))
    out.push_back(target_json(row));
  return out;
}

Result<Json> remove_target(Sql& sql, std::string_view agent, std::string_view target) {
  const Result<std::string> id = id_text<IdKind::activation_target>(target);
  if (!id) return Unexpected(id.error());
  if (sql.change(kRemoveTarget, {{"agent", text_value(agent)}, {"id", *id}}) == 0 &&
      !sql.has_failed())
    return no_record("target", *id, "List the agent's targets first.");
  settle_agent(sql, agent);
  raise_owed(sql, agent);
  return JsonObject{{"removed", true}, {"targetId", *id}};
}

Result<Json> resume_target(Sql& sql, std::string_view agent, std::string_view target) {
  const Result<std::string> id = id_text<IdKind::activation_target>(target);
  if (!id) return Unexpected(id.error());
  const Sql::Binds binds{{"agent", text_value(agent)}, {"id", *id}, {"now", sql.now_ms()}};
  if (sql.change(kResume, binds) == 0 && !sql.has_failed())
    return no_record("target", *id, "List the agent's targets first.");
  sql.all(kDueNow, {{"id", *id}, {"now", sql.now_ms()}});
  settle_agent(sql, agent);
  return JsonObject{
      {"targetId", *id}, {"resumed", true}, {"status", "active"}, {"reason", nullptr}};
}

void take_offline(Sql& sql, std::string_view target, std::string_view reason) {
  const std::optional<Row> row = sql.first(
      kOffline,
      {{"id", text_value(target)}, {"reason", text_value(reason)}, {"now", sql.now_ms()}});
  sql.all(kNotDue, {{"id", text_value(target)}});
  if (!row) return;
  settle_agent(sql, text_at(*row, 0));
  raise_owed(sql, text_at(*row, 0));
}

}  // namespace alfred::inbox
