// P7 on PostgreSQL: a private server without fsync, which is the harder side for us: what both
// sides wait for the disk is not counted.
#include "postgres_bench.h"

#include <fmt/format.h>

#include "kitchen.h"
#include "raw_postgres.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred::bench {
namespace {

// A copy of the empty kitchen, which nobody has open.
std::string copy_of_kitchen() {
  static int copies = 0;
  PostgresForTests& server = PostgresForTests::server();
  const std::string name = fmt::format("copy{}", ++copies);
  server.admin(fmt::format("CREATE DATABASE {} TEMPLATE kitchen", name));
  return server.url(name);
}

void save(RecordService& service, KitchenBatch& batch) {
  if (const Result<void> saved = batch.save(service); !saved)
    throw std::runtime_error(saved.error().message + " " + saved.error().detail);
}

std::unique_ptr<RecordService> open_copy(const std::string& url) {
  Result<std::unique_ptr<RecordService>> service = open_kitchen(url);
  if (!service) throw std::runtime_error(service.error().message + " " + service.error().detail);
  return std::move(*service);
}

// The kitchen has one batch in it and statistics of it: with none, PostgreSQL may check links by an
// index of owners alone, and then each row costs all rows there are, on both sides.
std::vector<PgSavedRow> prepare() {
  PostgresForTests& server = PostgresForTests::server();
  server.admin("CREATE DATABASE kitchen TEMPLATE template0");
  KitchenBatch batch(kBatchItems);
  save(*open_copy(server.url("kitchen")), batch);
  server.admin("ANALYZE", "kitchen");
  const std::string url = copy_of_kitchen();
  {
    const std::unique_ptr<RecordService> service = open_copy(url);
    for (int i = 0; i < kBatches; ++i) save(*service, batch);
  }
  std::vector<PgSavedRow> rows = RawPostgres(url).saved_rows();
  rows.erase(rows.begin(), rows.begin() + kBatchRows);
  return rows;
}

void save_ours(benchmark::State& state, std::size_t items) {
  const std::unique_ptr<RecordService> service = open_copy(copy_of_kitchen());
  KitchenBatch batch(items);
  for (auto _ : state) save(*service, batch);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchRows));
}

using Insert = void (RawPostgres::*)(std::span<const PgSavedRow>);

void save_raw(benchmark::State& state, std::size_t items, std::span<const PgSavedRow> left,
              Insert insert) {
  RawPostgres raw(copy_of_kitchen());
  const std::size_t at_once = items * (1 + kBatchChildren);
  for (auto _ : state) {
    for (std::size_t done = 0; done < kBatchRows; done += at_once) {
      (raw.*insert)(left.first(at_once));
      left = left.subspan(at_once);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchRows));
}

}  // namespace

void bench_batch_postgres(Report& report) {
  const std::vector<PgSavedRow> rows = prepare();
  Group group(report, "P7: batches on PostgreSQL");
  for (const std::size_t items : {kBatchItems, std::size_t{10}}) {
    const std::string ours = fmt::format("ours: batch, PostgreSQL, {} items a call", items);
    const std::string one = fmt::format("raw PostgreSQL, {} items a transaction", items);
    const std::string piped = one + ", pipelined";
    group.measure(
        ours, Unit::ns, [items](benchmark::State& state) { save_ours(state, items); }, kBatches);
    group.measure(
        one, Unit::ns,
        [items, &rows](benchmark::State& state) {
          save_raw(state, items, rows, &RawPostgres::insert);
        },
        kBatches);
    group.measure(
        piped, Unit::ns,
        [items, &rows](benchmark::State& state) {
          save_raw(state, items, rows, &RawPostgres::insert_pipelined);
        },
        kBatches);
    const std::string what =
        fmt::format("PostgreSQL, {} x {} rows", kBatchItems / items, items * (1 + kBatchChildren));
    report.compare({"P7", what + " : row by row", ours, one, Goal::speed_at_least(0.5)});
    report.compare({"P7", what + " : pipelined", ours, piped, Goal::speed_at_least(0.5)});
  }
  group.run();
}

}  // namespace alfred::bench
