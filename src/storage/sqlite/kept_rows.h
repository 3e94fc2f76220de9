// KeptRows: rows that are looked through again and again, held in memory from one transaction of a
// connection to the next, so that only what changed is read again.
//
// R1 what it gives is what the database would give now. A row that this connection changed is read again; a commit
//    of anybody else, or another schema, makes it forget everything; a part that is undone makes it
//    forget what was read since the transaction began. Builds with assertions compare.
// R2 it keeps rows of tables only whose every change SQLite tells of: tables with row numbers and without a
//    conflict clause, in a database without triggers.
// R3 a plan's rows are kept when it is asked for a second time, and only so many: of plans, of rows of one, and
//    of all rows. Who was not asked for the longest is forgotten first.
// R4 a note that was left with a row is gone when the row changes; one that was left with a plan is gone when its
//    rows are read anew.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/sql_builder.h"
#include "storage/store.h"

namespace alfred {

class SqliteConnection;

class KeptRows {
 public:
  struct Entry {
    std::int64_t number = 0;  // SQLite's of the row
    Row row{};
    std::unique_ptr<RowNote> note{};
  };
  using Entries = std::vector<Entry>;
  struct Plan {
    Entries rows{};
    std::unique_ptr<RowNote> note{};
    void clear() {
      rows.clear();
      note.reset();
    }
  };
  static constexpr std::size_t kMostPlans = 64;
  static constexpr std::size_t kMostRowsOfPlan = 20'000;
  static constexpr std::size_t kMostRows = 60'000;

  KeptRows() = default;
  KeptRows(const KeptRows&) = delete;
  KeptRows& operator=(const KeptRows&) = delete;
  ~KeptRows() = default;

  // A transaction begins; a part of it was undone, or all of it.
  void begin() { ++transaction_; }
  void undone();

  // The rows of a plan without condition, limit or place to go on from, in its order; null where
  // they are not kept.
  Result<Plan*> find(SqliteConnection& connection, const Caller& caller, const SelectRows& plan);
  // How many rows the caller has in the plan's table, which says nothing else; nothing where they
  // are not kept. Only those that changed are looked for.
  Result<std::optional<std::size_t>> count(SqliteConnection& connection, const Caller& caller,
                                           const SelectRows& plan);

 private:
  struct Kept {
    std::string table{};
    std::optional<std::string> user{};
    Plan plan{};
    std::vector<std::int64_t> changed{};  // numbers of rows to be read again
    bool is_read = false;
    bool is_too_much = false;
    std::uint64_t read_in = 0;  // the transaction
    std::uint64_t used = 0;
  };
  using Sets = std::map<std::string, Kept, std::less<>>;
  static void on_change(void* self, int what, const char* schema, const char* table,
                        long long number);
  void note_change(const char* table, std::int64_t number);
  Result<void> look_for_others(SqliteConnection& connection);
  Result<bool> may_keep(SqliteConnection& connection, const std::string& table);
  Result<void> read_all(SqliteConnection& connection, const Caller& caller, const SelectRows& plan,
                        Kept& kept);
  Result<bool> read_changed(SqliteConnection& connection, const Caller& caller,
                            const SelectRows& plan, Kept& kept);
  static Result<std::size_t> count_changed(SqliteConnection& connection, const Caller& caller,
                                           const SelectRows& plan, const Kept& kept);
  void forget_oldest(const Kept& but);

  Sets sets_;
  bool is_told_ = false;  // of changes, by SQLite
  std::uint64_t transaction_ = 1;
  std::uint64_t looked_in_ = 0;  // the transaction in which others were last looked for
  std::int64_t data_version_ = -1;
  std::int64_t schema_version_ = -1;
  bool has_triggers_ = true;
  std::uint64_t clock_ = 0;
};

}  // namespace alfred
