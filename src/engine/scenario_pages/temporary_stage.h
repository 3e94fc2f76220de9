// A stage for whoever has the program: a database that is made for one page and gone with this
// object.
//
// R1 without a database of the user's own: a file with the pack's tables and the rows that are always there, no
//    demo rows; the embedded pack when none is named.
// R2 with one: a copy of it, with all its rows (scratch_database.h); the original is only read.
#pragma once

#include <memory>
#include <string>

#include "engine/open_place.h"
#include "engine/scenario/scenario_stage.h"
#include "storage/scratch_database.h"

namespace alfred {

struct StageOptions {
  std::string db{};           // empty: R1
  std::string pack{};         // a folder; empty: the embedded one, or derived from the database
  std::int64_t later_ms = 0;  // how far its clock is ahead
};

class TemporaryStage final : public ScenarioStage {
 public:
  static Result<std::unique_ptr<TemporaryStage>> make(const StageOptions& options);
  ~TemporaryStage() override;

  Result<RecordPlace> open(const std::string& workspace) override;
  RowsLook& look() override { return *look_; }
  const DatabaseUrl& database() const override { return database_; }
  const Clock& clock() const override { return clock_; }
  Random& random() override { return random_; }

 private:
  class LaterClock final : public Clock {
   public:
    explicit LaterClock(std::int64_t by_ms) : by_ms_(by_ms) {}
    std::int64_t wall_ms() const override { return SystemClock().wall_ms() + by_ms_; }
    std::int64_t monotonic_ns() const override { return SystemClock().monotonic_ns(); }

   private:
    std::int64_t by_ms_;
  };

  explicit TemporaryStage(std::int64_t later_ms) : clock_(later_ms) {}
  Result<void> set_up(const StageOptions& options);

  LaterClock clock_;
  OsRandom random_;
  std::string folder_;
  PlaceOptions options_;
  DatabaseUrl database_;
  std::unique_ptr<ScratchDatabase> scratch_;
  std::unique_ptr<RowsLook> look_;
};

}  // namespace alfred
