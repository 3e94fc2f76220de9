// The same rows inserted by hand into a private PostgreSQL: prepared statements on the bare driver,
// row by row, or in its pipeline with one wait a transaction.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct pg_conn;

namespace alfred::bench {

struct PgSavedRow {
  bool is_item = false;
  std::vector<std::optional<std::string>> values;
};

class RawPostgres {
 public:
  explicit RawPostgres(const std::string& url);
  RawPostgres(const RawPostgres&) = delete;
  RawPostgres& operator=(const RawPostgres&) = delete;
  ~RawPostgres();

  // What batches of ours left, in the order in which they were inserted.
  std::vector<PgSavedRow> saved_rows();
  void insert(std::span<const PgSavedRow> rows);            // one transaction, a wait for each row
  void insert_pipelined(std::span<const PgSavedRow> rows);  // one transaction, one wait

 private:
  void execute(const char* text);
  std::vector<std::vector<std::optional<std::string>>> rows_of(const char* text);
  void prepare(const PgSavedRow& row);

  pg_conn* connection_;
  bool is_prepared_[2] = {false, false};
};

}  // namespace alfred::bench
