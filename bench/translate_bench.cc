#include <fmt/format.h>
#include <simdjson.h>

#include <cstring>
#include <memory>

#include "benches.h"
#include "corpus.h"
#include "dom_translation.h"
#include "records/to_refs/rows_to_refs.h"

namespace alfred::bench {
namespace {

constexpr const char* kDomParse = "simdjson DOM parse";
constexpr const char* kWalk = "simdjson On-Demand walk";
constexpr const char* kMinify = "simdjson minify";
constexpr const char* kCopy = "memcpy";
constexpr const char* kDomTranslation = "Boost.JSON DOM translation";
constexpr const char* kDomParseProse = "simdjson DOM parse, keys in prose";

void set_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void parse_dom(benchmark::State& state, const simdjson::padded_string& rows) {
  simdjson::dom::parser parser;  // its memory is there before the clock runs, as is ours below
  simdjson::dom::element document;
  if (parser.parse(rows).get(document) != simdjson::SUCCESS) state.SkipWithError("not JSON");
  for (auto _ : state) {
    if (parser.parse(rows).get(document) != simdjson::SUCCESS) state.SkipWithError("not JSON");
    benchmark::DoNotOptimize(document);
  }
  set_bytes(state, rows.size());
}

// Visits every member and every value, and takes nothing apart.
std::size_t walk(simdjson::ondemand::value value) {
  namespace ondemand = simdjson::ondemand;
  std::size_t seen = 1;
  switch (ondemand::json_type(value.type())) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) seen += walk(element.value());
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        seen += ondemand::raw_json_string(field.key()).raw()[0] == 'i' ? 1 : 0;
        seen += walk(field.value().value());
      }
      break;
    default: seen += value.raw_json_token().size();
  }
  return seen;
}

void walk_on_demand(benchmark::State& state, const simdjson::padded_string& rows) {
  simdjson::ondemand::parser parser;
  for (auto _ : state) {
    try {
      simdjson::ondemand::document document = parser.iterate(rows);
      std::size_t seen = 0;
      for (auto row : document.get_array()) seen += walk(row.value());
      benchmark::DoNotOptimize(seen);
    } catch (const simdjson::simdjson_error& error) {
      state.SkipWithError(error.what());
    }
  }
  set_bytes(state, rows.size());
}

void minify(benchmark::State& state, const simdjson::padded_string& rows) {
  const auto out = std::make_unique<char[]>(rows.size() + simdjson::SIMDJSON_PADDING);
  for (auto _ : state) {
    std::size_t bytes = 0;
    if (simdjson::minify(rows.data(), rows.size(), out.get(), bytes) != simdjson::SUCCESS)
      state.SkipWithError("not JSON");
    benchmark::DoNotOptimize(bytes);
  }
  set_bytes(state, rows.size());
}

void copy(benchmark::State& state, const simdjson::padded_string& rows) {
  const auto out = std::make_unique<char[]>(rows.size());
  for (auto _ : state) {
    std::memcpy(out.get(), rows.data(), rows.size());
    benchmark::DoNotOptimize(out.get());
    benchmark::ClobberMemory();
  }
  set_bytes(state, rows.size());
}

void translate_dom(benchmark::State& state, std::string_view rows) {
  for (auto _ : state) benchmark::DoNotOptimize(translate_with_dom(rows));
  set_bytes(state, rows.size());
}

constexpr const char* kTypes = R"(
[[entity]]
table = "recipes"
ref = "recipe"
label = "name"
links = { user_id = "users", parent_recipe_id = "recipes" }
nested = { recipe_ingredients = "recipe_ingredients" }

[[entity]]
table = "recipe_ingredients"
ref = "ri"
label = "name"
links = { recipe_id = "recipes", ingredient_id = "ingredients", user_id = "users" }

[[entity]]
table = "ingredients"
ref = "ingredient"

[[entity]]
table = "users"
ref = "user"
)";

// Into a registry that knows nothing yet, every time; taking that down is no part of it.
void translate_ours(benchmark::State& state, std::string_view rows, bool masks_prose) {
  const Result<EntityTypes> types = read_entity_types(kTypes, "bench");
  if (!types) return state.SkipWithError("types do not parse");
  ByteBuffer out;
  auto registry = std::make_unique<RefRegistry>();
  if (!translate_read_output(*registry, *types, "recipes", rows, out, {.masks_prose = masks_prose}))
    return state.SkipWithError("not translated");
  for (auto _ : state) {
    state.PauseTiming();
    registry = std::make_unique<RefRegistry>();
    out.clear();
    state.ResumeTiming();
    if (!translate_read_output(*registry, *types, "recipes", rows, out,
                               {.masks_prose = masks_prose}))
      state.SkipWithError("not translated");
  }
  set_bytes(state, rows.size());
}

}  // namespace

void bench_translate(Report& report) {
  const simdjson::padded_string rows(make_recipe_rows({}));
  const simdjson::padded_string prose(make_recipe_rows({.has_keys_in_prose = true}));
  Group group(report, "P1, P2: translate rows to refs");
  const auto add = [&](const char* name, auto run, const simdjson::padded_string& input) {
    group.measure(name, Unit::mb_per_s,
                  [run, &input](benchmark::State& state) { run(state, input); });
  };
  add(kDomParse, parse_dom, rows);
  add(kWalk, walk_on_demand, rows);
  add(kMinify, minify, rows);
  add(kCopy, copy, rows);
  add(kDomTranslation, translate_dom, rows);
  add(kDomParseProse, parse_dom, prose);
  add(
      kOurTranslation,
      [](benchmark::State& state, std::string_view input) { translate_ours(state, input, false); },
      rows);
  add(
      kOurProseTranslation,
      [](benchmark::State& state, std::string_view input) { translate_ours(state, input, true); },
      prose);
  group.run();

  for (const auto& [baseline, goal] :
       {std::pair{kDomParse, Goal::speed_at_least(1.15)},
        std::pair{kPythonReference, Goal::speed_at_least(40)},
        std::pair{kDomTranslation, Goal::none()}, std::pair{kWalk, Goal::none()},
        std::pair{kMinify, Goal::none()}, std::pair{kCopy, Goal::none()}})
    report.compare(
        {"P1", fmt::format("rows to refs : {}", baseline), kOurTranslation, baseline, goal});
  report.compare({"P2", "keys in prose too : simdjson DOM parse", kOurProseTranslation,
                  kDomParseProse, Goal::speed_at_least(0.9)});
}

}  // namespace alfred::bench
