#include <cstring>
#include <random>

#include "benches.h"
#include "our_registry.h"
#include "registry_maps.h"
#include "registry_subject.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kFew = 100'000;
constexpr std::size_t kMany = 10'000'000;
constexpr std::size_t kProbes = 500'000;
constexpr const char* kFlatMaps = "unordered_flat_map x 2";
constexpr const char* kFlatTextMap = "unordered_flat_map by text";
constexpr const char* kOurMixed = "ours, two tables by turns";
constexpr const char* kPlainArray = "array of keys";
constexpr const char* kStringMaps = "unordered_map<string, string> x 2";

RegistryLoad make_load(std::size_t count) {
  std::mt19937_64 random(count);
  RegistryLoad load;
  load.keys.resize(count);
  for (Key& key : load.keys) {
    const std::uint64_t halves[2] = {random(), random()};
    std::memcpy(key.data(), halves, sizeof halves);
  }
  for (std::size_t i = 0; i < kProbes; ++i)
    load.probes.push_back(static_cast<std::uint32_t>(random() % count + 1));
  return load;
}

void measure_few(Report& report) {
  const RegistryLoad load = make_load(kFew);
  const RegistryMeasurements<FlatMaps> flat_maps(report, kFlatMaps, load);
  const RegistryMeasurements<FlatTextMap> flat_text_map(report, kFlatTextMap, load);
  const RegistryMeasurements<StringMaps> string_maps(report, kStringMaps, load);
  const RegistryMeasurements<PlainArray> plain_array(report, kPlainArray, load);
  const RegistryMeasurements<OurRegistry> ours(report, kOurRegistry, load);
  const RegistryMeasurements<OurMixedRegistry> mixed(report, kOurMixed, load);
  Group group(report, "P3: registry of 100,000 entities");
  flat_maps.add_to(group);
  flat_text_map.add_to(group);
  string_maps.add_to(group);
  plain_array.add_to(group);
  ours.add_to(group);
  mixed.add_to(group);
  group.run();
}

void measure_many(Report& report) {
  const RegistryLoad load = make_load(kMany);
  const RegistryMeasurements<FlatMaps> flat_maps(report, kFlatMaps, load);
  const RegistryMeasurements<PlainArray> plain_array(report, kPlainArray, load);
  const RegistryMeasurements<OurRegistry> ours(report, kOurRegistry, load);
  Group group(report, "P3: registry of 10,000,000 entities");
  flat_maps.add_to(group);
  plain_array.add_to(group);
  ours.add_to(group);
  group.run();
}

void compare(Report& report) {
  const auto add = [&](const char* against, const char* what, const char* baseline,
                       std::pair<std::size_t, std::size_t> counts, Goal goal) {
    report.compare({"P3", fmt::format("{} : {}", what, against),
                    measurement_of(kOurRegistry, what, counts.first),
                    measurement_of(baseline, what, counts.second), goal});
  };
  const auto few = std::pair{kFew, kFew};
  for (const char* what : {kNewRef, kByKey, kByRef})
    add("flat maps, 100,000", what, kFlatMaps, few, Goal::time_at_most(1.2));
  add("flat map, 100,000", kByText, kFlatTextMap, few, Goal::time_at_most(1.2));
  add("flat maps, 100,000", "bytes", kFlatMaps, few, Goal::at_most(64));
  for (const auto& [what, baseline] : {std::pair{kNewRef, kFlatMaps},
                                       {kByKey, kFlatMaps},
                                       {kByRef, kFlatMaps},
                                       {kByText, kFlatTextMap}})
    report.compare({"P3", fmt::format("{}, two tables by turns : flat maps, 100,000", what),
                    measurement_of(kOurMixed, what, kFew), measurement_of(baseline, what, kFew),
                    Goal::none()});
  for (const char* what : {kNewRef, kByKey, kByText, "bytes"})
    add("maps of strings, 100,000", what, kStringMaps, few, Goal::none());
  // Memory that far away is waited for; who looks up many rows at once waits once for all of them.
  const auto growth = std::pair{kMany, kFew};
  for (const char* what : {kBatchNewRef, kBatchByKey, kBatchByRef, kBatchByText})
    add("10 million : 100,000", what, kOurRegistry, growth, Goal::time_at_most(3));
  for (const char* what : {kNewRef, kByKey, kByRef, kByText})
    add("10 million : 100,000, one by one", what, kOurRegistry, growth, Goal::none());
  // What of it is the memory's own: the same lookups in nothing but an array.
  for (const char* what : {kBatchByRef, kByRef})
    report.compare({"P3", fmt::format("{} : an array of keys, 10 million : 100,000", what),
                    measurement_of(kPlainArray, what, kMany),
                    measurement_of(kPlainArray, what, kFew), Goal::none()});
  const auto many = std::pair{kMany, kMany};
  add("flat maps, 10 million", "bytes", kFlatMaps, many, Goal::at_most(64));
  for (const char* what : {kNewRef, kByKey, kByRef})
    add("flat maps, 10 million", what, kFlatMaps, many, Goal::none());
}

}  // namespace

void bench_registry(Report& report) {
  measure_few(report);
  measure_many(report);
  compare(report);
}

}  // namespace alfred::bench
