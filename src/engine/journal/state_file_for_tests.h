// For tests only: a state store on a file of its own, and what somebody with an SQL shell does to
// it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "storage/open_store.h"

namespace alfred {

class StateFile {
 public:
  explicit StateFile(std::span<const StateTables> tables) {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-sta-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    options_.is_ours = true;
    options_.tables = tables;
    store_ = open_state(path(), options_).value();
  }
  ~StateFile() {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  StateStore& store() { return *store_; }
  // Opens it again for statements that do at most so much.
  void limit_work(std::uint64_t steps) {
    options_.work_budget = steps;
    store_.reset();
    store_ = open_state(path(), options_).value();
  }
  // Statements of ours, run without asking anybody.
  Result<std::string> tamper(std::span<const Statement> statements) {
    return store_->write({std::nullopt, "", {}}, [&](Tx& tx) -> Result<std::string> {
      for (const Statement& statement : statements)
        if (const auto rows = tx.run(statement); !rows) return Unexpected(rows.error());
      return std::string();
    });
  }

 private:
  std::string path() const { return folder_ + "/state.db"; }

  std::string folder_;
  StoreOptions options_;
  std::unique_ptr<StateStore> store_;
};

}  // namespace alfred
