// The benchmarks, one function for each part; each takes its measurements and adds its comparisons.
#pragma once

#include "report.h"

namespace alfred::bench {

void bench_translate(Report& report);  // P1, P2
void bench_registry(Report& report);   // P3
void bench_short_id(Report& report);   // P4
void bench_turn(Report& report);       // P6
void bench_batch(Report& report);      // P7
void bench_serve(Report& report);      // P8
void bench_inbox(Report& report);      // P9
void bench_filters(Report& report);    // P10
void bench_sessions(Report& report);   // P11

// What o200k counts of the entities of Act's prompt, of the same text with UUIDs in the place of
// refs, and of their rows as JSON with UUIDs; 0: it was not asked, and our own estimator counts.
struct EntityTokens {
  double refs = 0;
  double uuids = 0;
  double rows = 0;
};
void bench_prompt(Report& report, EntityTokens tokens);  // P5, P12
// Those three texts for the tokenizer: JSON lines {"name", "text"}. False: it cannot.
bool write_entities(const char* path);

// What scripts/bench measures with bench/start_time.py; 0: it was not measured.
struct StartOfChat {
  double milliseconds = 0;  // to the first prompt, on an empty directory
  double megabytes = 0;     // of the program, stripped
};
void compare_start(Report& report, StartOfChat start);  // P13

// The name of the measurement that scripts/bench takes with bench/python_reference.py.
inline constexpr const char* kPythonReference = "Python registry with json";

// The names under which our own measurements enter the comparisons.
inline constexpr const char* kOurTranslation = "ours: rows to refs";
inline constexpr const char* kOurProseTranslation = "ours: rows to refs, keys in prose";
inline constexpr const char* kOurRegistry = "ours: registry";

}  // namespace alfred::bench
