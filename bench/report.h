// One table of measurements against their baselines, all taken in the same run with Google
// Benchmark. R1 A value is the median of its repetitions; those of one group are taken in random
// turns, so that
//    a machine that slows down slows down both sides of a ratio.
// R2 A goal is a ratio to the baseline, or a bound in the measurement's own unit; it is shown as
//    held or not and never fails the run.
// R3 A comparison whose side was not measured says so. A bound needs no baseline.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alfred::bench {

enum class Unit { mb_per_s, ns, us, bytes, count };

struct Goal {
  enum class Kind { none, speed_at_least, time_at_most, at_most, at_least };
  Kind kind = Kind::none;
  double value = 0;

  static Goal none() { return {}; }
  // Our speed over the baseline's.
  static Goal speed_at_least(double ratio) { return {Kind::speed_at_least, ratio}; }
  // Our time, or another size, over the baseline's.
  static Goal time_at_most(double ratio) { return {Kind::time_at_most, ratio}; }
  // Our value alone, in its unit.
  static Goal at_most(double value) { return {Kind::at_most, value}; }
  static Goal at_least(double value) { return {Kind::at_least, value}; }
};

struct Comparison {
  std::string id;        // "P1"
  std::string what;      // what is measured, in a few words
  std::string ours;      // names of measurements
  std::string baseline;  // empty: none
  Goal goal;
};

class Report {
 public:
  // Arguments of Google Benchmark, which override the defaults.
  Report(int argc, char** argv);

  // A value that was not measured by the clock here.
  void set(const std::string& measurement, Unit unit, double value);
  void compare(Comparison comparison) { comparisons_.push_back(std::move(comparison)); }
  std::string table() const;

 private:
  friend class Group;
  struct Value {
    Unit unit;
    double value;
  };
  std::string row_of(const Comparison& comparison) const;

  std::map<std::string, Value, std::less<>> values_;
  std::vector<Comparison> comparisons_;
};

// Measurements that share what they work on, and are taken together.
class Group {
 public:
  Group(Report& report, std::string_view title);

  // `body` loops over the state and calls SetBytesProcessed (mb_per_s) or SetItemsProcessed (ns).
  // With `passes` it loops so many times, and the time that passes counts, not a processor's.
  void measure(const std::string& name, Unit unit, std::function<void(benchmark::State&)> body,
               int passes = 0);

  // Runs what was added, and puts the medians into the report.
  void run();

 private:
  Report& report_;
  std::map<std::string, Unit, std::less<>> units_;
};

}  // namespace alfred::bench
