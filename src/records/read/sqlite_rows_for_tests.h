// For tests only: the rows of a MemoryRows in a real SQLite file, brought up to date before each
// look at them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "records/read/memory_rows_for_tests.h"
#include "storage/open_store.h"

namespace alfred {

class SqliteRows {
 public:
  explicit SqliteRows(const Schema& schema) : schema_(schema) {
    static int number = 0;
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("alfred_read_{}_{}", getpid(), ++number);
    std::filesystem::create_directories(folder_);
    StoreOptions options;
    options.is_ours = true;
    PackTables tables;
    tables.name = "library";
    tables.sql = schema_sql();
    options.packs = {tables};
    Result<std::unique_ptr<RecordStore>> opened =
        open_records(parse_database_url((folder_ / "rows.db").string()).value(), options);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message + opened.error().detail);
    store_ = std::move(*opened);
  }
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;
  ~SqliteRows() {
    store_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  RecordStore& store(const MemoryRows& rows) {
    if (rows.tables != held_) bring(rows);
    return *store_;
  }

 private:
  std::string schema_sql() const {
    std::string sql;
    for (const Table& table : schema_.tables()) {
      std::string columns;
      for (const Field& field : table.fields)
        columns +=
            fmt::format("{}{} {}", columns.empty() ? "" : ", ", field.name, field.database_type);
      if (!table.key.empty())
        columns += fmt::format(", PRIMARY KEY ({})", fmt::join(table.key, ", "));
      sql += fmt::format("CREATE TABLE {} ({});\n", table.name, columns);
    }
    return sql;
  }

  void bring(const MemoryRows& rows) {
    for (const char* owner : {"ann", "bob"}) {
      const WriteCall call{new_short_id<IdKind::operation>(), fmt::format("rows of {}", owner),
                           Caller{owner}};
      const Result<std::string> done = store_->write(call, [&](Tx& tx) -> Result<std::string> {
        for (const Table& table : schema_.tables())
          if (Result<void> ok = bring(tx, table, rows, owner); !ok) return Unexpected(ok.error());
        return std::string("done");
      });
      EXPECT_TRUE(done) << (done ? "" : done.error().message + done.error().detail);
    }
    held_ = rows.tables;
  }

  static Result<void> bring(Tx& tx, const Table& table, const MemoryRows& rows,
                            std::string_view owner) {
    Condition has_value;
    has_value.kind = Condition::Kind::is_not_null;
    has_value.field = &table.fields.front();
    const Result<std::uint64_t> removed = tx.remove(DeleteRows{&table, has_value});
    if (!removed) return Unexpected(removed.error());
    const auto found = rows.tables.find(table.name);
    if (found == rows.tables.end()) return {};
    for (const Row& row : found->second) {
      InsertRow insert;
      insert.table = &table;
      bool is_owners = table.owner.empty();
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (table.fields[i].name == table.owner)
          is_owners = row[i] == Value(std::string(owner));
        else
          insert.values.push_back({&table.fields[i], row[i]});
      }
      if (!is_owners) continue;
      if (const Result<Row> inserted = tx.insert(insert); !inserted)
        return Unexpected(inserted.error());
    }
    return {};
  }

  const Schema& schema_;
  std::filesystem::path folder_;
  std::unique_ptr<RecordStore> store_;
  std::map<std::string, std::vector<Row>, std::less<>> held_;
};

}  // namespace alfred
