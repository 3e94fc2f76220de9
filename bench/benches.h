// The benchmarks, one function for each part; each takes its measurements and adds its comparisons.
#pragma once

#include "report.h"

namespace alfred::bench {

void bench_translate(Report& report);  // P1, P2
void bench_registry(Report& report);   // P3
void bench_short_id(Report& report);   // P4
void bench_batch(Report& report);      // P7

// The name of the measurement that scripts/bench takes with bench/python_reference.py.
inline constexpr const char* kPythonReference = "Python registry with json";

// The names under which our own measurements enter the comparisons.
inline constexpr const char* kOurTranslation = "ours: rows to refs";
inline constexpr const char* kOurProseTranslation = "ours: rows to refs, keys in prose";
inline constexpr const char* kOurRegistry = "ours: registry";

}  // namespace alfred::bench
