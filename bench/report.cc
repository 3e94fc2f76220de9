#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace alfred::bench {
namespace {

// Keeps every repetition's value by the name of its measurement.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(const std::map<std::string, Unit, std::less<>>& units) : units_(units) {}

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto unit = units_.find(run.run_name.function_name);
      if (run.run_type != Run::RT_Iteration || unit == units_.end()) continue;
      if (run.error_occurred)
        fmt::print(stderr, "bench: {}: {}\n", unit->first, run.error_message);
      else
        values_[unit->first].push_back(value_of(run, unit->second));
    }
  }

  std::map<std::string, double> medians() {
    std::map<std::string, double> out;
    for (auto& [name, values] : values_) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      out[name] = *middle;
    }
    return out;
  }

 private:
  static double value_of(const Run& run, Unit unit) {
    if (unit == Unit::mb_per_s) return run.counters.at("bytes_per_second") / 1e6;
    return (unit == Unit::us ? 1e6 : 1e9) / run.counters.at("items_per_second");
  }

  const std::map<std::string, Unit, std::less<>>& units_;
  std::map<std::string, std::vector<double>> values_;
};

std::string text_of(double value, Unit unit) {
  switch (unit) {
    case Unit::mb_per_s: return fmt::format("{:.0f} MB/s", value);
    case Unit::ns: return fmt::format("{:.1f} ns", value);
    case Unit::us: return fmt::format("{:.1f} us", value);
    case Unit::bytes: return fmt::format("{:.1f} B", value);
    case Unit::count: return fmt::format("{:.1f}", value);
  }
  return {};
}

std::string text_of(const Goal& goal) {
  switch (goal.kind) {
    case Goal::Kind::none: return "-";
    case Goal::Kind::speed_at_least: return fmt::format(">= {:g} x speed", goal.value);
    case Goal::Kind::time_at_most: return fmt::format("<= {:g} x", goal.value);
    case Goal::Kind::at_most: return fmt::format("<= {:g}", goal.value);
    case Goal::Kind::at_least: return fmt::format(">= {:g}", goal.value);
  }
  return {};
}

bool is_held(const Goal& goal, double ours, double ratio) {
  switch (goal.kind) {
    case Goal::Kind::none: return true;
    case Goal::Kind::speed_at_least: return ratio >= goal.value;
    case Goal::Kind::time_at_most: return ratio <= goal.value;
    case Goal::Kind::at_most: return ours <= goal.value;
    case Goal::Kind::at_least: return ours >= goal.value;
  }
  return false;
}

// Ours over the baseline, as the goal counts: times and sizes unless it asks for speed.
double ratio_of(const Goal& goal, Unit unit, double ours, double baseline) {
  const bool speed_is_measured = unit == Unit::mb_per_s;
  const bool speed_is_asked = goal.kind == Goal::Kind::speed_at_least;
  const bool as_measured = speed_is_measured || !speed_is_asked;
  return as_measured ? ours / baseline : baseline / ours;
}

constexpr std::string_view kRow =
    "| {:<3} | {:<42} | {:>11} | {:>11} | {:>7} | {:<15} | {:<12} |\n";

}  // namespace

Report::Report(int argc, char** argv) {
  static std::string defaults[] = {"--benchmark_repetitions=7", "--benchmark_min_time=0.2",
                                   "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments{argv[0]};
  for (std::string& argument : defaults) arguments.push_back(argument.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
}

void Report::set(const std::string& measurement, Unit unit, double value) {
  values_.insert_or_assign(measurement, Value{unit, value});
}

std::string Report::row_of(const Comparison& comparison) const {
  const auto ours = values_.find(comparison.ours);
  const auto baseline = values_.find(comparison.baseline);
  const auto shown = [&](const auto& side) {
    return side == values_.end() ? std::string("-")
                                 : text_of(side->second.value, side->second.unit);
  };
  std::string ratio = "-";
  std::string held = "not measured";
  const Goal& goal = comparison.goal;
  const bool is_bound = goal.kind == Goal::Kind::at_most || goal.kind == Goal::Kind::at_least;
  if (ours != values_.end() && (is_bound || baseline != values_.end())) {
    double value = 0;
    if (baseline != values_.end()) {
      value = ratio_of(goal, ours->second.unit, ours->second.value, baseline->second.value);
      ratio = fmt::format("{:.2f}", value);
    }
    held = goal.kind == Goal::Kind::none              ? "-"
           : is_held(goal, ours->second.value, value) ? "held"
                                                      : "NOT HELD";
  }
  return fmt::format(fmt::runtime(kRow), comparison.id, comparison.what, shown(ours),
                     shown(baseline), ratio, text_of(comparison.goal), held);
}

std::string Report::table() const {
  std::string out =
      fmt::format(fmt::runtime(kRow), "id", "what", "ours", "baseline", "ratio", "goal", "held");
  out += fmt::format("|-----|{0:-<44}|{0:-<12}:|{0:-<12}:|{0:-<8}:|{0:-<17}|{0:-<14}|\n", "");
  for (const Comparison& comparison : comparisons_) out += row_of(comparison);
  return out;
}

Group::Group(Report& report, std::string_view title) : report_(report) {
  fmt::print(stderr, "bench: {}\n", title);
}

void Group::measure(const std::string& name, Unit unit, std::function<void(benchmark::State&)> body,
                    int passes) {
  units_.emplace(name, unit);
  benchmark::internal::Benchmark* const added =
      benchmark::RegisterBenchmark(name.c_str(), std::move(body));
  if (passes > 0) added->Iterations(passes)->UseRealTime();
}

void Group::run() {
  Collector collector(units_);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  for (const auto& [name, median] : collector.medians()) report_.set(name, units_.at(name), median);
}

}  // namespace alfred::bench
