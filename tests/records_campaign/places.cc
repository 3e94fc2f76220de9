#include "places.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/open_calls.h"
#include "records/write/albums_schema_for_tests.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred::campaign {
namespace {

// Several services on one store.
class SharedStore final : public RecordStore {
 public:
  explicit SharedStore(RecordStore& inner) : inner_(inner) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    return inner_.write(call, closure);
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_.read(caller, closure);
  }
  Result<Catalogue> catalogue() override { return inner_.catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override {
    return inner_.query(caller, sql, tables, max_rows);
  }
  StateStore* state() override { return inner_.state(); }

 private:
  RecordStore& inner_;
};

// Numbers that were used are not given again, as on PostgreSQL.
std::string campaign_sql() {
  std::string sql = kAlbumsSql;
  const std::string_view key = "no integer PRIMARY KEY";
  for (std::size_t at = sql.find(key); at != std::string::npos; at = sql.find(key, at + 1))
    sql.insert(at + key.size(), " AUTOINCREMENT");
  return sql;
}

[[noreturn]] void stop(const Error& error) {
  throw std::runtime_error("campaign: " + error.message + " " + error.detail);
}

std::string json_text(const Field& field, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return write_json(Json(*number));
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return "null";
  if (field.type == FieldType::json || field.type == FieldType::list) return *text;
  return write_json(Json(*text));
}

// A text for a key, in the order of keys.
std::string key_text(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{:019}", *number);
  return std::get<std::string>(value);
}

}  // namespace

std::vector<Table> campaign_tables() {
  std::vector<Table> tables = albums_tables();
  for (Table& table : tables)
    if (table.name == "albums") table.searched = {"name", "parent_id.name", "tracks.title"};
  return tables;
}

Place::Place(Kind kind, const Clock& clock)
    : schema_(kind == Kind::postgres ? with_postgres_types(campaign_tables())
                                     : Schema::make(campaign_tables()).value()) {
  std::string url;
  if (kind == Kind::postgres) {
    url = PostgresForTests::server().fresh_database();
  } else {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    url = "sqlite:" + directory_ + "/campaign.db";
  }
  const StateTables tables[] = {workspace_tables(), open_call_tables()};
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  PackTables pack;
  pack.name = "albums";
  pack.sql = campaign_sql();
  for (const Table& table : schema_.tables())
    if (!table.owner.empty()) pack.owners[table.name] = table.owner;
  options.packs = {pack};
  Result<std::unique_ptr<RecordStore>> opened =
      open_records(parse_database_url(url).value(), options);
  if (!opened) stop(opened.error());
  store_ = std::move(*opened);
  const Table& charts = *schema_.find("charts");
  const Result<std::string> seeded =
      store_->write({std::nullopt, "", {}}, [&](Tx& tx) -> Result<std::string> {
        for (const char* name : {"blue", "gold", "red"}) {
          const Result<Row> row = tx.insert({&charts,
                                             {{charts.find("name"), Value(std::string(name))},
                                              {charts.find("week"), Value(std::int64_t{7})}},
                                             {}});
          if (!row) return Unexpected(row.error());
        }
        return std::string();
      });
  if (!seeded) stop(seeded.error());
  for (const Who& who : kSessions) {
    RecordPlace place;
    place.rows = std::make_unique<SharedStore>(*store_);
    place.schema = std::make_shared<Schema>(schema_);
    place.caller = Caller{who.user};
    place.workspace = {who.workspace, "campaign", who.user};
    Result<std::unique_ptr<RecordService>> service =
        RecordService::open(std::move(place), clock, random_);
    if (!service) stop(service.error());
    services_.push_back(std::move(*service));
  }
}

Place::~Place() {
  services_.clear();
  store_.reset();
  std::error_code failure;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, failure);
}

std::vector<Place::Found> Place::rows_of(const Table& table) {
  std::vector<Found> found;
  for (const char* user : kUsers) {
    if (table.owner.empty() && !found.empty()) break;
    SelectRows plan{.table = &table};
    for (const Field& field : table.fields) plan.fields.push_back(&field);
    for (const std::string& column : table.key) plan.order.push_back({table.find(column), false});
    const Result<void> read = store_->read(Caller{user}, [&](Tx& tx) {
      return tx.scan(plan, [&](const Row& row) -> Result<bool> {
        found.push_back({table.owner.empty() ? "" : user, row});
        return true;
      });
    });
    if (!read) stop(read.error());
  }
  return found;
}

std::string Place::rows() {
  std::map<std::string, std::map<std::string, std::size_t>> places;
  std::map<std::string, std::vector<Found>> all;
  for (const Table& table : schema_.tables()) {
    all[table.name] = rows_of(table);
    if (table.key.size() != 1) continue;
    const auto at = static_cast<std::size_t>(table.find(table.key[0]) - table.fields.data());
    std::map<std::string, std::size_t>& numbers = places[table.name];
    for (const Found& found : all[table.name]) numbers[key_text(found.row[at])] = 0;
    std::size_t next = 0;
    for (auto& [key, number] : numbers) number = ++next;
  }
  std::string out;
  for (const Table& table : schema_.tables())
    for (const Found& found : all[table.name]) {
      out += table.name + " " + found.user;
      for (std::size_t i = 0; i < found.row.size(); ++i) {
        const Field& field = table.fields[i];
        if (field.name == table.owner || field.is_hidden) continue;
        const std::string target = field.link ? field.link->table : table.name;
        const bool is_key = field.link || (table.key.size() == 1 && table.is_key(field.name));
        out += " " + field.name + "=";
        out += is_key && !is_null(found.row[i])
                   ? std::to_string(places[target][key_text(found.row[i])])
                   : json_text(field, found.row[i]);
      }
      out += "\n";
    }
  return out;
}

std::vector<std::string> Place::uuid_keys() {
  std::vector<std::string> keys;
  for (const char* name : {"albums", "tracks", "plays"})
    for (const Found& found : rows_of(*schema_.find(name)))
      keys.push_back(std::get<std::string>(found.row[0]));
  return keys;
}

std::string model_rows(const Schema& schema, const Model& model) {
  std::map<std::string, std::map<std::string, std::size_t>> places;
  for (const auto& [name, table] : model.tables())
    for (const auto& [key, row] : table) places[name].emplace(key, places[name].size() + 1);
  std::string out;
  for (const Table& table : schema.tables())
    for (const char* user : kUsers) {
      if (table.owner.empty() && std::string_view(user) != "ann") continue;
      for (const RowPtr& row : model.visible(table.name, user)) {
        out += table.name + " " + row->owner;
        for (const Field& field : table.fields) {
          if (field.name == table.owner || field.is_hidden) continue;
          const Json value = row->value(field.name);
          out += " " + field.name + "=";
          if (field.name == key_column(table))
            out += std::to_string(places[table.name][row->key]);
          else if (field.link && !value.is_null())
            out += std::to_string(places[field.link->table][std::string(value.as_string())]);
          else
            out += write_json(value);
        }
        out += "\n";
      }
    }
  return out;
}

}  // namespace alfred::campaign
