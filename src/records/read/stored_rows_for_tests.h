// For tests only: the rows of a MemoryRows in a real SQLite file or a real PostgreSQL, brought up
// to date before each look at them. One of each serves all tests of a program.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "records/read/memory_rows_for_tests.h"
#include "records/write/albums_schema_for_tests.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

class StoredRows {
 public:
  enum class Kind : std::uint8_t { sqlite, postgres };
  static constexpr std::array kKinds{Kind::sqlite, Kind::postgres};
  static std::string name(Kind kind) { return kind == Kind::sqlite ? "sqlite" : "postgres"; }

  // The one with these tables; all callers mean the same ones.
  static StoredRows& one(Kind kind, const Schema& schema) {
    if (kind == Kind::postgres) {
      static StoredRows postgres(PostgresForTests::server().lasting_database(), schema);
      return postgres;
    }
    static StoredRows sqlite("", schema);
    return sqlite;
  }
  // PostgreSQL holds no text that is no UTF-8.
  static bool takes(Kind kind, const MemoryRows& rows) {
    const auto is_good = [](const Value& value) {
      const auto* const text = std::get_if<std::string>(&value);
      return text == nullptr || is_utf8(*text);
    };
    if (kind == Kind::sqlite) return true;
    for (const auto& [name, of_table] : rows.tables)
      for (const Row& row : of_table)
        if (!std::all_of(row.begin(), row.end(), is_good)) return false;
    return true;
  }

  StoredRows(const StoredRows&) = delete;
  StoredRows& operator=(const StoredRows&) = delete;
  ~StoredRows() {
    store_.reset();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  const Schema& schema() const { return schema_; }
  RecordStore& store(const MemoryRows& rows) {
    if (rows.tables != held_) bring(rows);
    return *store_;
  }

 private:
  // Without a URL: a file of its own.
  StoredRows(const std::string& url, const Schema& schema) : schema_(schema) {
    std::string place = url;
    if (url.empty()) {
      folder_ = std::filesystem::temp_directory_path() / fmt::format("alfred_read_{}", getpid());
      std::filesystem::create_directories(folder_);
      place = (folder_ / "rows.db").string();
    }
    StoreOptions options;
    options.is_ours = true;
    PackTables tables;
    tables.name = "library";
    tables.sql = schema_sql();
    for (const Table& table : schema_.tables())
      if (!table.owner.empty()) tables.owners[table.name] = table.owner;
    options.packs = {tables};
    Result<std::unique_ptr<RecordStore>> opened =
        open_records(parse_database_url(place).value(), options);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message + opened.error().detail);
    store_ = std::move(*opened);
    if (!url.empty())
      schema_ = with_postgres_types({schema.tables().begin(), schema.tables().end()});
  }
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
    held_.clear();
    // A key may change hands, so all rows go before the first one comes.
    for (const bool is_coming : {false, true})
      for (const char* owner : {"ann", "bob"}) {
        const WriteCall call{std::nullopt, "", Caller{owner}};
        const Result<std::string> done = store_->write(call, [&](Tx& tx) -> Result<std::string> {
          for (const Table& table : schema_.tables()) {
            const bool is_meant = !table.owner.empty() || std::string_view(owner) == "ann";
            const Result<void> ok = !is_meant   ? Result<void>()
                                    : is_coming ? insert_all(tx, table, rows, owner)
                                                : remove_all(tx, table);
            if (!ok) return Unexpected(ok.error());
          }
          return std::string("done");
        });
        EXPECT_TRUE(done) << (done ? "" : done.error().message + done.error().detail);
        if (!done) return;
      }
    held_ = rows.tables;
  }

  static Result<void> remove_all(Tx& tx, const Table& table) {
    Condition has_value;
    has_value.kind = Condition::Kind::is_not_null;
    has_value.field = &table.fields.front();
    const Result<std::uint64_t> removed = tx.remove(DeleteRows{&table, has_value});
    if (!removed) return Unexpected(removed.error());
    return {};
  }

  static Result<void> insert_all(Tx& tx, const Table& table, const MemoryRows& rows,
                                 std::string_view owner) {
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

  Schema schema_;
  std::filesystem::path folder_;
  std::unique_ptr<RecordStore> store_;
  std::map<std::string, std::vector<Row>, std::less<>> held_;
};

}  // namespace alfred
