#include "scenario_place.h"

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/open_calls.h"
#include "engine/open_place.h"
#include "engine/pack_categories.h"
#include "engine/pack_rows.h"
#include "engine/session_store.h"
#include "pack/overlay.h"
#include "records/field_value.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kUser = "ann";

template <class T>
T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message + " " + result.error().path + " " +
                             result.error().detail);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

bool is_postgres(PlaceKind kind) {
  return kind == PlaceKind::postgres || kind == PlaceKind::own_postgres;
}
bool is_own(PlaceKind kind) {
  return kind == PlaceKind::own_sqlite || kind == PlaceKind::own_postgres;
}

std::string sql_text(const Json& value) {
  std::string text = value.is_string() ? std::string(value.as_string()) : write_json(value);
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 2))
    text.insert(at, 1, '\'');
  return "'" + text + "'";
}

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

std::string place_name(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::sqlite: return "sqlite";
    case PlaceKind::postgres: return "postgres";
    case PlaceKind::own_sqlite: return "own_sqlite";
    case PlaceKind::own_postgres: return "own_postgres";
  }
  return "";
}

ScenarioPack::ScenarioPack(std::string from)
    : folder(std::move(from)),
      loaded(std::make_shared<const Pack>(must(load_pack(folder)))),
      pack(*loaded) {
  for (const PackFile& file : pack.scenarios) scenarios.push_back(must(read_scenario(file)));
}

ScenarioPlace::ScenarioPlace(PlaceKind kind, const ScenarioPack& pack, bool is_declared)
    : kind_(kind), pack_(pack), is_declared_(is_declared) {
  std::string pattern = (std::filesystem::temp_directory_path() / "alfred-scene-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  dir_ = pattern;
  if (kind == PlaceKind::own_postgres || kind == PlaceKind::postgres)
    url_ = copied_database();
  else
    copy_file();
  RecordPlace place = open_ours("nobody");
  schema_ = place.schema;
  store_ = std::move(place.rows);
}

// The pack's rows are put in once for each pack; scenarios get copies.
void ScenarioPlace::copy_file() {
  static std::map<std::string, std::string> bytes;
  url_ = "sqlite:" + dir_ + "/rows.db";
  std::string& known = bytes[pack_.pack.name];
  if (known.empty()) {
    install();
    std::ifstream file(dir_ + "/rows.db", std::ios::binary);
    known.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return;
  }
  std::ofstream(dir_ + "/rows.db", std::ios::binary) << known;
}

std::string ScenarioPlace::copied_database() {
  static std::map<std::string, std::string> names;
  static int copies = 0;
  PostgresForTests& server = PostgresForTests::server();
  std::string& original = names[pack_.pack.name];
  if (original.empty()) {
    original = "original_" + pack_.pack.name;
    server.admin("CREATE DATABASE " + original + " TEMPLATE template0");
    url_ = server.url(original);
    install();
  }
  const std::string name = fmt::format("scene_{}", ++copies);
  server.admin("CREATE DATABASE " + name + " TEMPLATE " + original);
  return server.url(name);
}

void ScenarioPlace::install() {
  const RecordPlace place = open_ours("nobody");
  must(install_pack_rows(*place.rows, pack_.pack, *place.schema, clock_, random_));
}

ScenarioPlace::~ScenarioPlace() {
  store_.reset();
  std::error_code failure;
  std::filesystem::remove_all(dir_, failure);
}

RecordPlace ScenarioPlace::open_ours(const std::string& workspace) {
  const StateTables tables[] = {workspace_tables(), open_call_tables(), session_tables(),
                                pack_rows_tables()};
  const Pack& pack = pack_.pack;
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  options.packs.push_back(
      {.name = pack.name, .version = pack.schema_version, .sql = pack.schema_sql, .owners = {}});
  RecordPlace place;
  const DatabaseUrl url = must(parse_database_url(url_));
  place.rows = must(open_records(url, options));
  place.schema = std::make_shared<const Schema>(must(overlay(pack, must(place.rows->catalogue()))));
  place.categories = std::make_shared<PackCategories>(pack_.loaded);
  place.pack = pack_.loaded;
  place.caller.user = kUser;
  place.workspace = {workspace, url.identity, kUser};
  return place;
}

RecordPlace ScenarioPlace::open(const std::string& workspace) {
  if (!is_own(kind_)) return open_ours(workspace);
  PlaceOptions options;
  options.db = url_;
  if (is_declared_) options.loaded_pack = pack_.loaded;
  options.workspace = workspace;
  options.user = kUser;
  options.data_dir = dir_ + "/data";
  return must(open_place(options, clock_, random_));
}

std::vector<Row> ScenarioPlace::all_rows(const Table& table, bool only_keys) {
  SelectRows plan{.table = &table};
  for (const Field& field : table.fields)
    if (!only_keys || table.is_key(field.name)) plan.fields.push_back(&field);
  for (const std::string& column : table.key) plan.order.push_back({table.find(column), false});
  std::vector<Row> rows;
  must(store_->read(Caller{kUser}, [&](Tx& tx) -> Result<void> {
    Result<std::vector<Row>> found = tx.select(plan);
    if (!found) return Unexpected(found.error());
    rows = std::move(*found);
    return {};
  }));
  return rows;
}

std::string ScenarioPlace::label_of(const Field& link, const Value& key) {
  const Table& table = *schema_->find(link.link->table);
  for (const Row& row : all_rows(table))
    for (std::size_t at = 0; at < row.size(); ++at)
      if (table.is_key(table.fields[at].name) && row[at] == key)
        for (std::size_t label = 0; label < row.size(); ++label)
          if (table.fields[label].name == table.label) return text_of(row[label]);
  return "(a row that is not there)";
}

JsonArray ScenarioPlace::rows(const std::string& name) {
  const Table& table = *schema_->find(name);
  JsonArray out;
  for (const Row& row : all_rows(table)) {
    JsonObject shown;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const Field& field = table.fields[at];
      if (table.is_key(field.name) || field.name == table.owner || field.name == table.created_at ||
          field.name == table.updated_at)
        continue;
      if (field.link && !is_null(row[at])) {
        shown[field.name] = label_of(field, row[at]);
        continue;
      }
      std::string text;
      append_field_json(field, row[at], text);
      shown[field.name] = must(parse_json(text, JsonLimits::none()));
    }
    out.push_back(std::move(shown));
  }
  return out;
}

std::vector<std::string> ScenarioPlace::keys() {
  std::vector<std::string> out;
  const bool is_first = std::exchange(is_looked_at_, true);
  for (const Table& table : schema_->tables()) {
    if (table.is_read_only && !is_first) continue;
    if (table.key.empty()) continue;
    for (const Row& row : all_rows(table, true))
      for (const Value& part : row) out.push_back(text_of(part));
  }
  return out;
}

void ScenarioPlace::outside(const std::string& sql) const {
  // As on SQLite, nobody looks after links.
  if (is_postgres(kind_))
    return PostgresForTests::run_on(url_, "set session_replication_role = replica;" + sql);
  sqlite3* db = nullptr;
  char* message = nullptr;
  const bool is_done = sqlite3_open((dir_ + "/rows.db").c_str(), &db) == SQLITE_OK &&
                       sqlite3_busy_timeout(db, 5000) == SQLITE_OK &&
                       sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK;
  const std::string said = message == nullptr ? "" : message;
  sqlite3_free(message);
  sqlite3_close(db);
  if (!is_done) throw std::runtime_error("outside: " + said);
}

void ScenarioPlace::reject(const std::string& table, const JsonObject& values) const {
  std::string when = "true";
  for (const auto& value : values)
    when += fmt::format(" and new.{} = {}", std::string_view(value.key()), sql_text(value.value()));
  if (!is_postgres(kind_))
    return outside(
        fmt::format("create trigger reject_{0} before insert on {0} when {1} begin "
                    "select raise(abort, 'rejected'); end;",
                    table, when));
  outside(
      fmt::format("create function reject_{0}() returns trigger language plpgsql as $$ begin "
                  "if {1} then raise exception 'rejected' using errcode = '23514'; end if; "
                  "return new; end $$; create trigger reject_{0} before insert on {0} "
                  "for each row execute function reject_{0}();",
                  table, when));
}

void ScenarioPlace::accept(const std::string& table) const {
  if (!is_postgres(kind_)) return outside("drop trigger reject_" + table);
  outside(fmt::format("drop trigger reject_{0} on {0}; drop function reject_{0}();", table));
}

}  // namespace alfred
