#include "engine/packs/pack_rows.h"

#include <array>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "records/field_value.h"
#include "records/new_key.h"
#include "records/record_keys.h"
#include "records/record_limits.h"

namespace alfred {
namespace {

constexpr std::array<Statement, 2> kTables{
    Statement("CREATE TABLE alfred_pack_rows ("
              "pack text NOT NULL, owner text NOT NULL, at_ms integer NOT NULL, "
              "PRIMARY KEY (pack, owner))"),
    Statement("CREATE TABLE alfred_pack_keys ("
              "pack text NOT NULL, table_name text NOT NULL, row_name text NOT NULL, "
              "key_text text, key_integer integer, PRIMARY KEY (pack, table_name, row_name))"),
};
constexpr std::array<Migration, 1> kMigrations{Migration{1, kTables}};

constexpr Statement kIsThere(
    "SELECT 1 FROM alfred_pack_rows WHERE pack = :pack AND owner = :owner");
constexpr Statement kClaim(
    "INSERT INTO alfred_pack_rows (pack, owner, at_ms) VALUES (:pack, :owner, :at) "
    "ON CONFLICT (pack, owner) DO NOTHING RETURNING pack");
constexpr Statement kKeepKey(
    "INSERT INTO alfred_pack_keys (pack, table_name, row_name, key_text, key_integer) "
    "VALUES (:pack, :table, :row, :text, :integer)");
constexpr Statement kKeys(
    "SELECT table_name, row_name, key_text, key_integer FROM alfred_pack_keys "
    "WHERE pack = :pack");

constexpr std::int64_t kDayMs = 86'400'000;

Value text(std::string_view value) { return Value(std::string(value)); }

// Puts rows in and knows under which key each named row went.
class Seeding {
 public:
  Seeding(Tx& tx, const Schema& schema, SeedingPorts ports)
      : tx_(tx), schema_(schema), ports_(ports), at_ms_(ports.clock.wall_ms()) {}

  void know(const std::string& table, const std::string& row, Value key) {
    keys_[{table, row}] = std::move(key);
  }
  Result<Value> insert(const SeedRow& row);

 private:
  // What every row of a table has, as they lie in it; no value: the row's or the database's own.
  using Cells = std::vector<std::optional<Value>>;

  Result<Cells> cells_of(const Table& table, const std::string& place);
  Result<Value> value_of(const Field& field, const SeedValue& value, const std::string& place);
  std::string day_text(const SeedDay& day) const;

  Tx& tx_;
  const Schema& schema_;
  SeedingPorts ports_;
  std::int64_t at_ms_;
  std::uint32_t made_ = 0;
  std::map<std::pair<std::string, std::string>, Value> keys_;
  std::map<const Table*, Cells> cells_;
};

std::size_t place_of(const Table& table, std::string_view column) {
  return static_cast<std::size_t>(table.find(column) - table.fields.data());
}

std::string Seeding::day_text(const SeedDay& day) const {
  const std::int64_t start = at_ms_ / kDayMs * kDayMs + day.days * kDayMs;
  if (day.minute) return rfc3339_utc(start + *day.minute * std::int64_t{60'000});
  return rfc3339_utc(start).substr(0, 10);
}

Result<Value> Seeding::value_of(const Field& field, const SeedValue& value,
                                const std::string& place) {
  if (const auto* link = std::get_if<SeedLink>(&value)) {
    const auto found = keys_.find({link->table, link->row});
    if (found != keys_.end()) return found->second;
    return fail(ErrorCode::pack, fmt::format("{} {} leads to a row that is not there: {}", place,
                                             field.name, link->row));
  }
  if (const auto* day = std::get_if<SeedDay>(&value)) return text(day_text(*day));
  const Json& json = std::get<Json>(value);
  if (json.is_null()) return Value();
  Result<Value> read = read_field_value(field, json, place, RecordLimits{});
  if (!read) read.error().path = place + " " + field.name;
  return read;
}

Result<Seeding::Cells> Seeding::cells_of(const Table& table, const std::string& place) {
  if (const auto known = cells_.find(&table); known != cells_.end()) return known->second;
  Cells cells(table.fields.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!table.fields[i].default_value) continue;
    Result<Value> value =
        read_field_value(table.fields[i], *table.fields[i].default_value, place, {});
    if (!value) return Unexpected(std::move(value).error());
    cells[i] = std::move(*value);
  }
  for (const std::string& audit : {table.created_at, table.updated_at})
    if (!audit.empty()) cells[place_of(table, audit)] = text(rfc3339_utc(at_ms_));
  cells_.emplace(&table, cells);
  return cells;
}

Result<Value> Seeding::insert(const SeedRow& row) {
  const Table& table = *schema_.find(row.table);
  Result<Cells> cells = cells_of(table, row.place);
  if (!cells) return Unexpected(std::move(cells).error());
  if (table.key_source == KeySource::ours)
    (*cells)[place_of(table, table.key[0])] =
        RecordKeys::values(table, new_uuid_key(at_ms_, made_++, ports_.random)).front();
  for (const auto& [column, seed] : row.values) {
    const std::size_t at = place_of(table, column);
    Result<Value> value = value_of(table.fields[at], seed, row.place);
    if (!value) return value;
    (*cells)[at] = std::move(*value);
  }
  std::vector<const Field*> key;
  key.reserve(table.key.size());
  for (const std::string& part : table.key) key.push_back(table.find(part));
  InsertRow plan{.table = &table, .values = {}, .returning = std::move(key)};
  plan.values.reserve(cells->size());
  for (std::size_t i = 0; i < cells->size(); ++i)
    if ((*cells)[i]) plan.values.push_back({table.fields.data() + i, std::move(*(*cells)[i])});
  const Result<Row> stored = tx_.insert(plan);
  if (!stored) {
    Error error = stored.error();
    error.message = row.place + ": " + error.message;
    return Unexpected(std::move(error));
  }
  if (table.key.size() == 1) know(row.table, row.name, stored->at(0));
  return table.key.size() == 1 ? stored->at(0) : Value();
}

struct Install {
  const Pack& pack;
  const Schema& schema;
  SeedingPorts ports;
  std::string owner;  // empty: rows for all
};

Result<bool> is_installed(Tx& tx, const Install& install, bool claims) {
  const std::array<Param, 3> params{Param{"pack", text(install.pack.name)},
                                    Param{"owner", text(install.owner)},
                                    Param{"at", install.ports.clock.wall_ms()}};
  const Result<std::vector<Row>> rows =
      claims ? tx.run(kClaim, params) : tx.run(kIsThere, std::span(params).first(2));
  if (!rows) return Unexpected(rows.error());
  return rows->empty() == claims;
}

Result<void> keep_key(Tx& tx, const Install& install, const SeedRow& row, const Value& key) {
  const auto* integer = std::get_if<std::int64_t>(&key);
  const std::array<Param, 5> params{Param{"pack", text(install.pack.name)},
                                    Param{"table", text(row.table)}, Param{"row", text(row.name)},
                                    Param{"text", integer == nullptr ? key : Value()},
                                    Param{"integer", integer == nullptr ? Value() : key}};
  if (const auto kept = tx.execute(kKeepKey, params); !kept) return Unexpected(kept.error());
  return {};
}

Result<void> know_shared_rows(Tx& tx, const Install& install, Seeding& seeding) {
  const std::array<Param, 1> params{Param{"pack", text(install.pack.name)}};
  const Result<std::vector<Row>> rows = tx.run(kKeys, params);
  if (!rows) return Unexpected(rows.error());
  for (const Row& row : *rows)
    seeding.know(std::get<std::string>(row[0]), std::get<std::string>(row[1]),
                 is_null(row[2]) ? row[3] : row[2]);
  return {};
}

using LoadRows = Result<std::vector<SeedRow>> (*)(const Pack&, const Schema&);

// Unless somebody did it before.
Result<void> put_rows(Tx& tx, const Install& install, std::span<const SeedRow> rows) {
  const Result<bool> came_late = is_installed(tx, install, true);
  if (!came_late) return Unexpected(came_late.error());
  if (*came_late) return {};
  Seeding seeding(tx, install.schema, install.ports);
  if (Result<void> known = know_shared_rows(tx, install, seeding); !known) return known;
  for (const SeedRow& row : rows) {
    const Result<Value> key = seeding.insert(row);
    if (!key) return Unexpected(key.error());
    if (!install.owner.empty() || is_null(*key)) continue;
    if (Result<void> kept = keep_key(tx, install, row, *key); !kept) return kept;
  }
  return {};
}

// Reads them only where they are not there yet: there may be many.
Result<void> install_rows(RecordStore& store, const Caller& caller, const Install& install,
                          LoadRows load) {
  bool is_there = false;
  const auto look = [&](Tx& tx) -> Result<void> {
    const Result<bool> found = is_installed(tx, install, false);
    if (!found) return Unexpected(found.error());
    is_there = *found;
    return {};
  };
  if (Result<void> looked = store.read(caller, look); !looked) return looked;
  if (is_there) return {};
  const Result<std::vector<SeedRow>> rows = load(install.pack, install.schema);
  if (!rows) return Unexpected(rows.error());
  const Result<std::string> done =
      store.write({std::nullopt, "", caller}, [&](Tx& tx) -> Result<std::string> {
        if (Result<void> put = put_rows(tx, install, *rows); !put) return Unexpected(put.error());
        return std::string();
      });
  if (!done) return Unexpected(done.error());
  return {};
}

std::string demo_owner(const Caller& caller) { return caller.user.value_or("-"); }

}  // namespace

StateTables pack_rows_tables() { return {"pack_rows", kMigrations}; }

Result<void> install_pack_rows(RecordStore& store, const Pack& pack, const Schema& schema,
                               const Clock& clock, Random& random) {
  return install_rows(store, {}, {pack, schema, {clock, random}, ""}, load_seed_rows);
}

Result<void> install_demo_rows(RecordStore& store, const Pack& pack, const Schema& schema,
                               const Caller& caller, const Clock& clock, Random& random) {
  return install_rows(store, caller, {pack, schema, {clock, random}, demo_owner(caller)},
                      load_demo);
}

Result<void> put_first_rows(NewDatabase& database, const Pack& pack, const Schema& schema,
                            const PackRows& rows, const std::optional<Caller>& demo_for,
                            const SeedingPorts& ports) {
  const auto put = [&](const Caller& caller, std::string owner, std::span<const SeedRow> some) {
    const Install install{pack, schema, ports, std::move(owner)};
    return database.put(caller, [&](Tx& tx) { return put_rows(tx, install, some); });
  };
  if (Result<void> shared = put({}, "", rows.shared); !shared || !demo_for) return shared;
  return put(*demo_for, demo_owner(*demo_for), rows.demo);
}

}  // namespace alfred
