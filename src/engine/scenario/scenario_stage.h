// Where a scenario is played: a database that is the page's own, what a process opens on it, and
// what others do to it. The tests have four kinds of it, `alfred scenario` one.
#pragma once

#include <functional>
#include <string>

#include "base/time/clock.h"
#include "engine/record_service.h"
#include "engine/rows_look.h"
#include "storage/open_store.h"

namespace alfred {

inline constexpr const char* kScenarioUser = "ann";  // where rows have owners, theirs are all

// An error as a failure tells it, with what is for operators.
std::string error_text(const Error& error);

class ScenarioStage {
 public:
  ScenarioStage() = default;
  ScenarioStage(const ScenarioStage&) = delete;
  ScenarioStage& operator=(const ScenarioStage&) = delete;
  virtual ~ScenarioStage() = default;

  // What a process that works on a workspace opens.
  virtual Result<RecordPlace> open(const std::string& workspace) = 0;
  virtual RowsLook& look() = 0;
  virtual const DatabaseUrl& database() const = 0;
  virtual const Clock& clock() const = 0;
  virtual Random& random() = 0;

  // A process of its own does `work` and is killed before its insert of this number, or after a
  // write that inserts less. What is wrong; empty: it was killed.
  using Work = std::function<bool(RecordPlace place)>;
  virtual std::string killed(const std::string& workspace, int insert, const Work& work);

  // What somebody else does to the database, who need not care for links.
  Result<void> outside(const std::string& sql);
  Result<void> reject(const std::string& table, const JsonObject& values);
  Result<void> accept(const std::string& table);

 private:
  bool is_postgres() const { return database().kind == DatabaseUrl::Kind::postgres; }
};

}  // namespace alfred
