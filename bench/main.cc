// alfred_bench [--only=P7] [--python-mb-per-s=X] [--o200k=REFS,UUIDS,ROWS] [--start=MS,MB]
// [--write-slice=FILE] [--write-entities=FILE] [arguments of Google Benchmark]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "benches.h"
#include "corpus.h"

namespace {

constexpr std::string_view kPython = "--python-mb-per-s=";
constexpr std::string_view kSlice = "--write-slice=";
constexpr std::string_view kOnly = "--only=";
constexpr std::string_view kTokens = "--o200k=";
constexpr std::string_view kEntities = "--write-entities=";
constexpr std::string_view kStart = "--start=";
constexpr std::size_t kSliceBytes = 10'000'000;

int write_slice(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << alfred::bench::make_recipe_rows({.bytes = kSliceBytes});
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "bench: cannot write %s\n", path.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  double python_mb_per_s = 0;
  alfred::bench::EntityTokens tokens;
  alfred::bench::StartOfChat start;
  std::string_view only;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kSlice)) return write_slice(argv[i] + kSlice.size());
    if (argument.starts_with(kEntities))
      return alfred::bench::write_entities(argv[i] + kEntities.size()) ? 0 : 1;
    if (argument.starts_with(kTokens))
      std::sscanf(argv[i] + kTokens.size(), "%lf,%lf,%lf", &tokens.refs, &tokens.uuids,
                  &tokens.rows);
    else if (argument.starts_with(kStart))
      std::sscanf(argv[i] + kStart.size(), "%lf,%lf", &start.milliseconds, &start.megabytes);
    else if (argument.starts_with(kOnly))
      only = argument.substr(kOnly.size());
    else if (argument.starts_with(kPython))
      python_mb_per_s = std::strtod(argv[i] + kPython.size(), nullptr);
    else
      argv[kept++] = argv[i];
  }
  using namespace alfred::bench;
  Report report(kept, argv);
  if (python_mb_per_s > 0) report.set(kPythonReference, Unit::mb_per_s, python_mb_per_s);
  const auto is_wanted = [&](std::string_view ids) {
    const std::string words = " " + std::string(ids) + " ";
    return only.empty() || words.find(" " + std::string(only) + " ") != std::string::npos;
  };
  if (is_wanted("P1 P2")) bench_translate(report);
  if (is_wanted("P3")) bench_registry(report);
  if (is_wanted("P4")) bench_short_id(report);
  if (is_wanted("P5 P12")) bench_prompt(report, tokens);
  if (is_wanted("P6")) bench_turn(report);
  if (is_wanted("P7")) bench_batch(report);
  if (is_wanted("P8")) bench_serve(report);
  if (is_wanted("P9")) bench_inbox(report);
  if (is_wanted("P10")) bench_filters(report);
  if (is_wanted("P11")) bench_sessions(report);
  if (is_wanted("P13")) compare_start(report, start);
  std::fputs(report.table().c_str(), stdout);
  return 0;
}
