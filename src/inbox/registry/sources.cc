#include "inbox/registry/sources.h"

#include <fmt/format.h>

#include "inbox/fields.h"
#include "inbox/source/source_types.h"

namespace alfred::inbox {
namespace {

constexpr std::string_view kOwnType = "alfred";

constexpr Statement kAddOwnHost(
    "INSERT INTO alfred_inbox_hosts (id, host_type, host_key, config, created_ms, updated_ms) "
    "VALUES (:id, 'alfred', 'inbox', '{}', :now, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kOwnHost(
    "SELECT id FROM alfred_inbox_hosts WHERE host_type = 'alfred' AND host_key = 'inbox'");
constexpr Statement kDropOwn(
    "DELETE FROM alfred_inbox_sources WHERE host IN (SELECT id FROM alfred_inbox_hosts "
    "WHERE host_type = 'alfred') AND source_key NOT IN (SELECT id FROM alfred_inbox_agents)");
constexpr Statement kHostType("SELECT host_type FROM alfred_inbox_hosts WHERE id = :id");
constexpr Statement kAddSource(
    "INSERT INTO alfred_inbox_sources (id, host, kind, source_key, config_ref, config, status, "
    "created_ms, updated_ms) VALUES (:id, :host, :kind, :key, :ref, :config, 'active', :now, :now) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kAddStream(
    "INSERT INTO alfred_inbox_streams (id, source, last_place, pumped, created_ms) "
    "VALUES (:id, :source, 0, 0, :now) ON CONFLICT (id) DO NOTHING");
constexpr Statement kByKey(
    "SELECT id FROM alfred_inbox_sources WHERE host = :host AND kind = :kind "
    "AND source_key = :key AND status <> 'removed'");
constexpr Statement kByFoldedKey(
    "SELECT id FROM alfred_inbox_sources WHERE host = :host AND kind = :kind "
    "AND lower(source_key) = :key AND status <> 'removed' ORDER BY created_ms, id LIMIT 1");
constexpr Statement kSource(
    "SELECT s.id, s.host, h.host_type, s.kind, s.source_key, s.status, t.id, t.last_place, "
    "t.pumped FROM alfred_inbox_sources s JOIN alfred_inbox_hosts h ON h.id = s.host "
    "JOIN alfred_inbox_streams t ON t.source = s.id WHERE s.id = :id AND s.status <> 'removed'");
constexpr Statement kShown(
    "SELECT s.id, s.host, h.host_type, s.kind, s.source_key, s.status, t.id, t.last_place, "
    "s.config_ref, s.config, s.created_ms, s.updated_ms FROM alfred_inbox_sources s "
    "JOIN alfred_inbox_hosts h ON h.id = s.host JOIN alfred_inbox_streams t ON t.source = s.id "
    "WHERE s.id = :id");
constexpr Statement kAll(
    "SELECT s.id, s.host, h.host_type, s.kind, s.source_key, s.status, t.id, t.last_place, "
    "s.config_ref, s.config, s.created_ms, s.updated_ms FROM alfred_inbox_sources s "
    "JOIN alfred_inbox_hosts h ON h.id = s.host JOIN alfred_inbox_streams t ON t.source = s.id "
    "WHERE s.status <> 'removed' AND (s.created_ms, s.id) > (:after_ms, :after) "
    "ORDER BY s.created_ms, s.id LIMIT :most");
constexpr Statement kMade("SELECT created_ms FROM alfred_inbox_sources WHERE id = :id");
constexpr Statement kSetStatus(
    "UPDATE alfred_inbox_sources SET status = :status, updated_ms = :now WHERE id = :id");
constexpr Statement kSetConfig(
    "UPDATE alfred_inbox_sources SET config = :config, config_ref = :ref, updated_ms = :now "
    "WHERE id = :id");
constexpr Statement kSubscriptions(
    "SELECT id FROM alfred_inbox_subscriptions WHERE source = :id ORDER BY id");
constexpr Statement kDropSubscriptions(
    "DELETE FROM alfred_inbox_subscriptions WHERE source = :id RETURNING id");
constexpr Statement kPrograms(
    "SELECT s.id, s.config, s.updated_ms, "
    "(SELECT count(*) FROM alfred_inbox_subscriptions b WHERE b.source = s.id) "
    "FROM alfred_inbox_sources s JOIN alfred_inbox_hosts h ON h.id = s.host "
    "WHERE h.host_type = 'exec' AND s.status = 'active' ORDER BY s.id");
constexpr Statement kHold("UPDATE alfred_inbox_streams SET pumped = pumped WHERE id = :id");

Json source_json(const Row& row) {
  return JsonObject{{"sourceId", text_at(row, 0)},
                    {"hostId", text_at(row, 1)},
                    {"sourceType", text_at(row, 2)},
                    {"streamKind", text_at(row, 3)},
                    {"streamKey", text_at(row, 4)},
                    {"sourceKey", text_at(row, 4)},
                    {"status", text_at(row, 5)},
                    {"streamId", text_at(row, 6)},
                    {"lastOffset", number_at(row, 7)},
                    {"configRef", maybe_at(row, 8)},
                    {"config", shown_config(text_at(row, 2), json_at(row, 9))},
                    {"createdAt", time_at(row, 10)},
                    {"updatedAt", time_at(row, 11)}};
}

Json shown(Sql& sql, const std::string& id) {
  const std::optional<Row> row = sql.first(kShown, {{"id", id}});
  return row ? source_json(*row) : Json();
}

struct NewSource {
  std::string host, kind, key;
  std::optional<std::string> config_ref;
  Json config = JsonObject();
  bool folds_case = false;  // one that was kept before its case was folded is the same, too
};

std::string find_or_add(Sql& sql, const NewSource& made) {
  const Statement& by_key = made.folds_case ? kByFoldedKey : kByKey;
  const auto known =
      sql.first(by_key, {{"host", made.host}, {"kind", made.kind}, {"key", made.key}});
  if (known) return text_at(*known, 0);
  std::string id = sql.add<IdKind::source>(kAddSource, {{"host", made.host},
                                                        {"kind", made.kind},
                                                        {"key", made.key},
                                                        {"ref", maybe_value(made.config_ref)},
                                                        {"config", write_json(made.config)},
                                                        {"now", sql.now_ms()}});
  sql.add<IdKind::stream>(kAddStream, {{"source", id}, {"now", sql.now_ms()}});
  return id;
}

}  // namespace

Result<Json> add_source(Sql& sql, const Json& request) {
  Fields fields(request, {"hostId", "streamKind", "streamKey", "configRef", "config"});
  const std::string host = fields.text("hostId");
  NewSource made{host, fields.text("streamKind"), fields.text("streamKey"),
                 fields.maybe_text("configRef"), fields.object("config")};
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  const Result<std::string> id = id_text<IdKind::source_host>(host);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> type = sql.first(kHostType, {{"id", *id}});
  if (!type || text_at(*type, 0) == kOwnType)
    return no_record("host", *id, "List hosts, or add it.");
  if (const SourceType* const known = find_source_type(text_at(*type, 0))) {
    if (Result<void> good = check_kind(*known, made.kind); !good) return Unexpected(good.error());
    if (Result<void> good = check_config(*known, made.config); !good)
      return Unexpected(good.error());
    made.key = kept_key(*known, made.key);
    made.folds_case = known->folds_case;
  }
  return shown(sql, find_or_add(sql, made));
}

Result<SourceRow> find_source(Sql& sql, std::string_view source) {
  const Result<std::string> id = id_text<IdKind::source>(source);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> row = sql.first(kSource, {{"id", *id}});
  if (!row) return no_record("source", *id, "List sources, or add it.");
  return SourceRow{text_at(*row, 0), text_at(*row, 1),   text_at(*row, 2),
                   text_at(*row, 3), text_at(*row, 4),   text_at(*row, 5),
                   text_at(*row, 6), number_at(*row, 7), number_at(*row, 8)};
}

Result<SourceRow> find_open_source(Sql& sql, std::string_view source) {
  Result<SourceRow> found = find_source(sql, source);
  if (!found) return found;
  if (Result<void> open = check_open(*found); !open) return Unexpected(open.error());
  return found;
}

Result<void> check_open(const SourceRow& source) {
  if (source.host_type != kOwnType) return {};
  return fail(ErrorCode::conflict,
              "This source is an agent's own: its messages and timers come from it, and nothing "
              "else is done with it. Send the agent a message, or use a source of your own.",
              "sourceId");
}

void hold_stream(Sql& sql, std::string_view stream) {
  sql.all(kHold, {{"id", text_value(stream)}});
}

SourceRow own_source(Sql& sql, std::string_view kind, std::string_view key) {
  const std::optional<Row> known = sql.first(kOwnHost);
  const std::string host = known
                               ? text_at(*known, 0)
                               : sql.add<IdKind::source_host>(kAddOwnHost, {{"now", sql.now_ms()}});
  const std::string id =
      find_or_add(sql, {host, std::string(kind), std::string(key), {}, JsonObject()});
  Result<SourceRow> row = find_source(sql, id);
  if (row) return std::move(*row);
  sql.keep(row.error());
  return {};
}

void drop_own_sources(Sql& sql) { sql.all(kDropOwn); }

Result<Json> change_source(Sql& sql, std::string_view source, const Json& request) {
  const Result<SourceRow> found = find_open_source(sql, source);
  if (!found) return Unexpected(found.error());
  Fields fields(request, {"configRef", "config"});
  if (!fields.has("configRef") && !fields.has("config"))
    fields.refuse(ErrorCode::schema, "Give configRef, config or both.", "config");
  const Json before = config_of(sql, found->id);
  std::optional<std::string> ref = fields.maybe_text("configRef");
  Json config = fields.has("config") ? fields.object("config") : before.at("config");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (!ref && before.at("configRef").is_string())
    ref = std::string(before.at("configRef").as_string());
  if (const SourceType* const type = find_source_type(found->host_type)) {
    config = with_kept_secrets(*type, before.at("config"), config);
    if (Result<void> good = check_config(*type, config); !good) return Unexpected(good.error());
  }
  sql.all(kSetConfig, {{"config", write_json(config)},
                       {"ref", maybe_value(ref)},
                       {"now", sql.now_ms()},
                       {"id", found->id}});
  return JsonObject{{"updated", true}, {"source", shown(sql, found->id)}};
}

Json config_of(Sql& sql, std::string_view source) {
  const std::optional<Row> row = sql.first(kShown, {{"id", text_value(source)}});
  if (!row) return JsonObject{{"configRef", nullptr}, {"config", JsonObject()}};
  return JsonObject{{"configRef", maybe_at(*row, 8)}, {"config", json_at(*row, 9)}};
}

Result<Json> set_source_status(Sql& sql, std::string_view source, std::string_view status) {
  const Result<SourceRow> found = find_open_source(sql, source);
  if (!found) return Unexpected(found.error());
  sql.all(kSetStatus, {{"status", text_value(status)}, {"now", sql.now_ms()}, {"id", found->id}});
  sql.renew("subscriptions");
  return JsonObject{{status == "paused" ? "paused" : "resumed", true},
                    {"source", shown(sql, found->id)}};
}

Result<Json> remove_source(Sql& sql, std::string_view source, bool with_subscriptions) {
  const Result<SourceRow> found = find_open_source(sql, source);
  if (!found) return Unexpected(found.error());
  const std::size_t count = sql.all(kSubscriptions, {{"id", found->id}}).size();
  if (count != 0 && !with_subscriptions)
    return fail(ErrorCode::conflict,
                fmt::format("{} subscriptions read this source. Remove them first, or say "
                            "with_subscriptions.",
                            count),
                "with_subscriptions");
  sql.all(kDropSubscriptions, {{"id", found->id}});
  sql.renew("subscriptions");
  sql.all(kSetStatus,
          {{"status", text_value("removed")}, {"now", sql.now_ms()}, {"id", found->id}});
  return JsonObject{{"removed", true},
                    {"sourceId", found->id},
                    {"removedSubscriptions", count},
                    {"pausedSource", false}};
}

Result<Json> source_details(Sql& sql, std::string_view source) {
  const Result<SourceRow> found = find_source(sql, source);
  if (!found) return Unexpected(found.error());
  JsonArray subscriptions;
  for (const Row& row : sql.all(kSubscriptions, {{"id", found->id}}))
    subscriptions.push_back(Json(text_at(row, 0)));
  const bool is_idle = subscriptions.empty();
  const Result<Json> host = host_details(sql, found->host);
  return JsonObject{
      {"source", shown(sql, found->id)},
      {"runtime", JsonObject{{"status", found->status}}},
      {"host", host ? host->at("host") : Json()},
      {"resolvedIdentity", JsonObject{{"hostType", found->host_type},
                                      {"hostKey", host ? host->at("host").at("hostKey") : Json()},
                                      {"streamKind", found->kind},
                                      {"streamKey", found->key}}},
      {"schema", source_schema_json(found->host_type, found->kind)},
      {"stream", JsonObject{{"streamId", found->stream}, {"lastOffset", found->last_place}}},
      {"subscriptions", std::move(subscriptions)},
      {"idleState", JsonObject{{"isIdle", is_idle}}}};
}

Json list_programs(Sql& sql) {
  JsonArray out;
  for (const Row& row : sql.all(kPrograms))
    out.push_back(JsonObject{{"sourceId", text_at(row, 0)},
                             {"config", json_at(row, 1)},
                             {"changedMs", number_at(row, 2)},
                             {"subscriptions", number_at(row, 3)}});
  return out;
}

Result<Json> list_sources(Sql& sql, const ListPage& page) {
  const Result<PageStart> from = page_start<IdKind::source>(sql, "source", page, kMade);
  if (!from) return Unexpected(from.error());
  const std::vector<Row> rows = sql.all(
      kAll, {{"after_ms", from->after_ms}, {"after", from->after}, {"most", row_limit(page.most)}});
  return page_json("sources", page.most, rows, source_json);
}

}  // namespace alfred::inbox
