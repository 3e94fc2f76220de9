#include "raw_postgres.h"

#include <libpq-fe.h>

#include <stdexcept>

#include <fmt/format.h>

#include "kitchen.h"

namespace alfred::bench {
namespace {

constexpr const char* kNames[] = {"child", "item"};

void must(pg_conn* connection, PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC)
    throw std::runtime_error(fmt::format("PostgreSQL: {}", PQerrorMessage(connection)));
}

std::vector<const char*> values_of(const PgSavedRow& row) {
  std::vector<const char*> values;
  for (const auto& value : row.values) values.push_back(value ? value->c_str() : nullptr);
  return values;
}

}  // namespace

RawPostgres::RawPostgres(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
  if (PQstatus(connection_) != CONNECTION_OK)
    throw std::runtime_error(fmt::format("PostgreSQL: {}", PQerrorMessage(connection_)));
}

RawPostgres::~RawPostgres() { PQfinish(connection_); }

void RawPostgres::execute(const char* text) { must(connection_, PQexec(connection_, text)); }

std::vector<std::vector<std::optional<std::string>>> RawPostgres::rows_of(const char* text) {
  PGresult* const result = PQexec(connection_, text);
  std::vector<std::vector<std::optional<std::string>>> rows;
  for (int at = 0; at < PQntuples(result); ++at) {
    auto& row = rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column) {
      const bool is_null = PQgetisnull(result, at, column) != 0;
      row.push_back(is_null ? std::nullopt
                            : std::optional<std::string>(PQgetvalue(result, at, column)));
    }
  }
  must(connection_, result);
  return rows;
}

std::vector<PgSavedRow> RawPostgres::saved_rows() {
  auto items = rows_of("SELECT * FROM recipes ORDER BY ctid");
  auto children = rows_of("SELECT * FROM recipe_ingredients ORDER BY ctid");
  std::vector<PgSavedRow> rows;
  for (std::size_t item = 0; item < items.size(); ++item) {
    rows.push_back({true, std::move(items[item])});
    for (std::size_t child = 0; child < kBatchChildren; ++child)
      rows.push_back({false, std::move(children[item * kBatchChildren + child])});
  }
  return rows;
}

void RawPostgres::prepare(const PgSavedRow& row) {
  if (is_prepared_[row.is_item]) return;
  std::string text =
      fmt::format("INSERT INTO {} VALUES (", row.is_item ? "recipes" : "recipe_ingredients");
  for (std::size_t i = 0; i < row.values.size(); ++i)
    text += fmt::format("{}${}", i == 0 ? "" : ", ", i + 1);
  must(connection_, PQprepare(connection_, kNames[row.is_item], (text + ")").c_str(), 0, nullptr));
  is_prepared_[row.is_item] = true;
}

void RawPostgres::insert(std::span<const PgSavedRow> rows) {
  execute("BEGIN");
  for (const PgSavedRow& row : rows) {
    prepare(row);
    const std::vector<const char*> values = values_of(row);
    must(connection_,
         PQexecPrepared(connection_, kNames[row.is_item], static_cast<int>(values.size()),
                        values.data(), nullptr, nullptr, 0));
  }
  execute("COMMIT");
}

void RawPostgres::insert_pipelined(std::span<const PgSavedRow> rows) {
  for (const PgSavedRow& row : rows.first(2)) prepare(row);
  PQenterPipelineMode(connection_);
  PQsendQueryParams(connection_, "BEGIN", 0, nullptr, nullptr, nullptr, nullptr, 0);
  for (const PgSavedRow& row : rows) {
    const std::vector<const char*> values = values_of(row);
    PQsendQueryPrepared(connection_, kNames[row.is_item], static_cast<int>(values.size()),
                        values.data(), nullptr, nullptr, 0);
  }
  PQsendQueryParams(connection_, "COMMIT", 0, nullptr, nullptr, nullptr, nullptr, 0);
  PQpipelineSync(connection_);
  for (std::size_t answers = 0; answers < rows.size() + 2; ++answers) {
    must(connection_, PQgetResult(connection_));
    PQclear(PQgetResult(connection_));  // the end of this one
  }
  must(connection_, PQgetResult(connection_));
  PQexitPipelineMode(connection_);
}

}  // namespace alfred::bench
