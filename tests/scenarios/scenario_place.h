// A database for one scenario: a file or a PostgreSQL database of ours, or one that plays a user's
// own, with the pack's tables and the rows that are always there. Gone with this object.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/scenario/scenario_stage.h"
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

class ScenarioPlace final : public ScenarioStage {
 public:
  // is_declared: whether who opens it has the pack, or only the tables.
  ScenarioPlace(PlaceKind kind, const ScenarioPack& pack, bool is_declared = true);
  ~ScenarioPlace() override;

  Result<RecordPlace> open(const std::string& workspace) override;
  RowsLook& look() override { return *look_; }
  const DatabaseUrl& database() const override { return database_; }
  const Clock& clock() const override { return clock_; }
  Random& random() override { return random_; }
  std::string killed(const std::string& workspace, int insert, const Work& work) override;

 private:
  void copy_file();
  std::string copied_database();
  void install();
  RecordPlace open_ours(const std::string& workspace);

  PlaceKind kind_;
  const ScenarioPack& pack_;
  bool is_declared_;
  std::string dir_;
  std::string url_;
  DatabaseUrl database_;
  SystemClock clock_;
  OsRandom random_;
  std::unique_ptr<RowsLook> look_;
};

}  // namespace alfred
