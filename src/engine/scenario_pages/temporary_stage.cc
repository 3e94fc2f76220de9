#include "engine/scenario_pages/temporary_stage.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace alfred {

Result<std::unique_ptr<TemporaryStage>> TemporaryStage::make(const StageOptions& options) {
  std::unique_ptr<TemporaryStage> stage(new TemporaryStage(options.later_ms));
  if (Result<void> done = stage->set_up(options); !done) return Unexpected(std::move(done).error());
  return stage;
}

Result<void> TemporaryStage::set_up(const StageOptions& options) {
  std::error_code failure;
  std::string folder =
      (std::filesystem::temp_directory_path(failure) / "alfred-scenario-XXXXXX").string();
  if (failure || ::mkdtemp(folder.data()) == nullptr)
    return fail(ErrorCode::file, "There is no room for a temporary folder: set TMPDIR to one.");
  folder_ = folder;
  options_.pack = options.pack;
  options_.user = kScenarioUser;
  options_.data_dir = folder_;
  options_.has_demo = false;
  if (!options.db.empty()) {
    const Result<DatabaseUrl> original = parse_database_url(options.db);
    if (!original) return Unexpected(original.error());
    Result<std::unique_ptr<ScratchDatabase>> scratch =
        ScratchDatabase::copy_of(*original, folder_, random_);
    if (!scratch) return Unexpected(std::move(scratch).error());
    scratch_ = std::move(*scratch);
    options_.db = scratch_->url();
  }
  Result<RecordPlace> place = open("nobody");
  if (!place) return Unexpected(std::move(place).error());
  const Result<DatabaseUrl> database = parse_database_url(
      scratch_ ? scratch_->url() : "sqlite:" + folder_ + "/" + place->pack->name + ".db");
  if (!database) return Unexpected(database.error());
  database_ = *database;
  look_ = std::make_unique<RowsLook>(std::move(place->rows), place->schema, place->caller);
  return {};
}

TemporaryStage::~TemporaryStage() {
  look_.reset();
  scratch_.reset();
  std::error_code failure;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, failure);
}

Result<RecordPlace> TemporaryStage::open(const std::string& workspace) {
  PlaceOptions options = options_;
  options.workspace = workspace;
  return open_place(options, clock_, random_);
}

}  // namespace alfred
