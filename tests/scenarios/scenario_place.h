// A database for one scenario: a file or a PostgreSQL database of ours, or one that plays a user's
// own, with the pack's tables and the rows that are always there. Gone with this object.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/record_service.h"
#include "pack/pack.h"
#include "pack/scenario/scenario.h"

namespace alfred {

enum class PlaceKind : std::uint8_t { sqlite, postgres, own_sqlite, own_postgres };
std::string place_name(PlaceKind kind);

// A pack and the folder it was read from.
struct ScenarioPack {
  explicit ScenarioPack(std::string from);
  std::string folder;
  std::shared_ptr<const Pack> loaded;
  const Pack& pack;
  std::vector<Scenario> scenarios;
};

class ScenarioPlace {
 public:
  // is_declared: whether who opens it has the pack, or only the tables.
  ScenarioPlace(PlaceKind kind, const ScenarioPack& pack, bool is_declared = true);
  ~ScenarioPlace();
  ScenarioPlace(const ScenarioPlace&) = delete;
  ScenarioPlace& operator=(const ScenarioPlace&) = delete;

  // What a process that works on a workspace opens.
  RecordPlace open(const std::string& workspace);
  const Clock& clock() const { return clock_; }
  Random& random() { return random_; }

  // The rows as somebody sees them who looks straight at the database: without keys, owners and
  // times; links by the label they lead to.
  JsonArray rows(const std::string& table);
  // The keys of all rows there are, as texts; those of read-only tables the first time only.
  std::vector<std::string> keys();
  const Schema& schema() const { return *schema_; }

  // What somebody else does to the database, who need not care for links.
  void outside(const std::string& sql) const;
  void reject(const std::string& table, const JsonObject& values) const;
  void accept(const std::string& table) const;

 private:
  void copy_file();
  std::string copied_database();
  void install();
  RecordPlace open_ours(const std::string& workspace);
  std::vector<Row> all_rows(const Table& table, bool only_keys = false);
  std::string label_of(const Field& link, const Value& key);

  PlaceKind kind_;
  const ScenarioPack& pack_;
  bool is_declared_;
  std::string dir_;
  std::string url_;
  SystemClock clock_;
  OsRandom random_;
  std::shared_ptr<const Schema> schema_;
  std::shared_ptr<RecordStore> store_;  // to look at
  bool is_looked_at_ = false;
};

}  // namespace alfred
