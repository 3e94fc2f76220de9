#include <fmt/format.h>

#include "base/near_name.h"
#include "inbox/fields.h"
#include "inbox/registry/sources.h"
#include "inbox/source/source_types.h"

namespace alfred::inbox {
namespace {

constexpr Statement kAddHost(
    "INSERT INTO alfred_inbox_hosts (id, host_type, host_key, config_ref, config, created_ms, "
    "updated_ms) VALUES (:id, :type, :key, :ref, :config, :now, :now) "
    "ON CONFLICT (id) DO NOTHING");
constexpr Statement kHostByKey(
    "SELECT id, host_type, host_key, config_ref, config, created_ms, updated_ms "
    "FROM alfred_inbox_hosts WHERE host_type = :type AND host_key = :key");
constexpr Statement kHostByFoldedKey(
    "SELECT id, host_type, host_key, config_ref, config, created_ms, updated_ms "
    "FROM alfred_inbox_hosts WHERE host_type = :type AND lower(host_key) = :key "
    "ORDER BY created_ms, id LIMIT 1");
constexpr Statement kHost(
    "SELECT id, host_type, host_key, config_ref, config, created_ms, updated_ms "
    "FROM alfred_inbox_hosts WHERE id = :id");
constexpr Statement kHosts(
    "SELECT id, host_type, host_key, config_ref, config, created_ms, updated_ms "
    "FROM alfred_inbox_hosts WHERE (created_ms, id) > (:after_ms, :after) "
    "ORDER BY created_ms, id LIMIT :most");
constexpr Statement kMade("SELECT created_ms FROM alfred_inbox_hosts WHERE id = :id");
constexpr Statement kStreamsOfHost(
    "SELECT id, kind, source_key, status FROM alfred_inbox_sources "
    "WHERE host = :id AND status <> 'removed' ORDER BY created_ms, id");

Json host_json(const Row& row) {
  return JsonObject{{"hostId", text_at(row, 0)},   {"hostType", text_at(row, 1)},
                    {"hostKey", text_at(row, 2)},  {"configRef", maybe_at(row, 3)},
                    {"config", json_at(row, 4)},   {"createdAt", time_at(row, 5)},
                    {"updatedAt", time_at(row, 6)}};
}

}  // namespace

Result<Json> add_host(Sql& sql, const Json& request) {
  Fields fields(request, {"hostType", "hostKey", "configRef", "config"});
  const std::string type = fields.text("hostType");
  const SourceType* const known_type = find_source_type(type);
  if (!type.empty() && known_type == nullptr)
    fields.refuse(ErrorCode::enum_value,
                  fmt::format("hostType is one of {}.{}", fmt::join(source_type_names(), ", "),
                              did_you_mean(type, source_type_names())),
                  "hostType", source_type_names());
  std::string key = fields.text("hostKey");
  const std::optional<std::string> ref = fields.maybe_text("configRef");
  const Json config = fields.object("config");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  key = kept_key(*known_type, key);
  // Those that were kept before their case was folded are the same, too.
  const Statement& by_key = known_type->folds_case ? kHostByFoldedKey : kHostByKey;
  if (const auto known = sql.first(by_key, {{"type", type}, {"key", key}}))
    return host_json(*known);
  const std::string id = sql.add<IdKind::source_host>(kAddHost, {{"type", type},
                                                                 {"key", key},
                                                                 {"ref", maybe_value(ref)},
                                                                 {"config", write_json(config)},
                                                                 {"now", sql.now_ms()}});
  const std::optional<Row> row = sql.first(kHost, {{"id", id}});
  return row ? host_json(*row) : Json();
}

Result<Json> host_details(Sql& sql, std::string_view host) {
  const Result<std::string> id = id_text<IdKind::source_host>(host);
  if (!id) return Unexpected(id.error());
  const std::optional<Row> row = sql.first(kHost, {{"id", *id}});
  if (!row) return no_record("host", *id, "List hosts first.");
  JsonArray streams;
  for (const Row& one : sql.all(kStreamsOfHost, {{"id", *id}}))
    streams.push_back(JsonObject{{"sourceId", text_at(one, 0)},
                                 {"streamKind", text_at(one, 1)},
                                 {"streamKey", text_at(one, 2)},
                                 {"status", text_at(one, 3)}});
  return JsonObject{{"host", host_json(*row)},
                    {"schema", host_schema_json(text_at(*row, 1))},
                    {"streams", std::move(streams)}};
}

Result<Json> list_hosts(Sql& sql, const ListPage& page) {
  const Result<PageStart> from = page_start<IdKind::source_host>(sql, "host", page, kMade);
  if (!from) return Unexpected(from.error());
  const std::vector<Row> rows = sql.all(
      kHosts,
      {{"after_ms", from->after_ms}, {"after", from->after}, {"most", row_limit(page.most)}});
  return page_json("hosts", page.most, rows, host_json);
}

}  // namespace alfred::inbox
