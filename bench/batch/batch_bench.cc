// P7: a batch of 100 recipes with 12 ingredients each, exactly once, against raw prepared inserts
// of the very rows it leaves. Time that passes, not that of a processor: what is saved is on the
// disk.
#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "../benches.h"
#include "kitchen.h"
#include "postgres_bench.h"
#include "saved_rows.h"

namespace alfred::bench {
namespace {

// Where a repetition works: a copy of the empty kitchen.
class Copy {
 public:
  explicit Copy(const std::string& kitchen) { std::filesystem::copy_file(kitchen, file()); }
  std::string file() const { return folder_.file("kitchen.db"); }

 private:
  TemporaryFolder folder_;
};

void save_ours(benchmark::State& state, const std::string& kitchen, std::size_t items_per_call) {
  const Copy copy(kitchen);
  const Result<std::unique_ptr<RecordService>> service = open_kitchen("sqlite:" + copy.file());
  if (!service) return state.SkipWithError(service.error().message.c_str());
  KitchenBatch batch(items_per_call);
  for (auto _ : state)
    if (const Result<void> saved = batch.save(**service); !saved)
      return state.SkipWithError((saved.error().message + saved.error().detail).c_str());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchRows));
}

void save_raw(benchmark::State& state, const std::string& kitchen, std::size_t items_per_call,
              const std::vector<SavedRow>& rows) {
  const Copy copy(kitchen);
  RawSqlite raw(copy.file());
  const std::size_t at_once = items_per_call * (1 + kBatchChildren);
  std::span<const SavedRow> left = rows;
  for (auto _ : state) {
    for (std::size_t done = 0; done < kBatchRows; done += at_once) {
      raw.insert(left.first(at_once));
      left = left.subspan(at_once);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchRows));
}

// An empty kitchen, and the rows of as many batches as a repetition saves.
Result<std::vector<SavedRow>> prepare(const std::string& kitchen) {
  if (const auto made = open_kitchen("sqlite:" + kitchen); !made) return Unexpected(made.error());
  settle_file(kitchen);
  const Copy copy(kitchen);
  {
    const Result<std::unique_ptr<RecordService>> service = open_kitchen("sqlite:" + copy.file());
    if (!service) return Unexpected(service.error());
    KitchenBatch batch(kBatchItems);
    for (int i = 0; i < kBatches; ++i)
      if (const Result<void> saved = batch.save(**service); !saved)
        return Unexpected(saved.error());
  }
  return saved_rows(copy.file());
}

}  // namespace

void bench_batch(Report& report) {
  const TemporaryFolder folder;
  const std::string kitchen = folder.file("kitchen.db");
  const Result<std::vector<SavedRow>> rows = prepare(kitchen);
  if (!rows) {
    fmt::print(stderr, "bench: P7: {} {}\n", rows.error().message, rows.error().detail);
    return;
  }
  Group group(report, "P7: batches");
  for (const std::size_t items : {kBatchItems, std::size_t{10}}) {
    const std::string ours = fmt::format("ours: batch, SQLite, {} items a call", items);
    const std::string raw = fmt::format("raw SQLite, {} items a transaction", items);
    group.measure(
        ours, Unit::ns,
        [&kitchen, items](benchmark::State& state) { save_ours(state, kitchen, items); }, kBatches);
    group.measure(
        raw, Unit::ns,
        [&kitchen, &rows, items](benchmark::State& state) {
          save_raw(state, kitchen, items, *rows);
        },
        kBatches);
    report.compare({"P7",
                    fmt::format("SQLite, {} x {} rows : raw inserts", kBatchItems / items,
                                items * (1 + kBatchChildren)),
                    ours, raw, Goal::speed_at_least(0.5)});
  }
  group.run();
  try {
    bench_batch_postgres(report);
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "bench: P7 on PostgreSQL: {}\n", thrown.what());
  }
}

}  // namespace alfred::bench
