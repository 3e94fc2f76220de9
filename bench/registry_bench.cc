#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstring>
#include <random>
#include <unordered_map>

#include "benches.h"
#include "refs/ref_registry.h"
#include "registry_subject.h"

namespace alfred::bench {
namespace {

constexpr std::size_t kFew = 100'000;
constexpr std::size_t kMany = 10'000'000;
constexpr std::size_t kProbes = 500'000;
constexpr const char* kFlatMaps = "unordered_flat_map x 2";
constexpr const char* kTextMaps = "unordered_map<string, string> x 2";

// The fastest maps at hand, with nothing but numbers in them.
class FlatMaps {
 public:
  using KeyForm = Key;
  using RefForm = std::uint32_t;
  static KeyForm key_form(const Key& key) { return key; }
  static RefForm ref_form(std::uint32_t number) { return number; }

  void add(const Key& key) {
    number_of_.emplace(key, ++count_);
    key_of_.emplace(count_, key);
  }
  std::uint64_t by_key(const Key& key) const { return number_of_.find(key)->second; }
  std::uint64_t by_ref(std::uint32_t number) const { return key_of_.find(number)->second[0]; }

 private:
  // The keys are random already; the map itself mixes what it gets.
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t halves[2];
      std::memcpy(halves, key.data(), sizeof halves);
      return halves[0] ^ halves[1];
    }
  };

  boost::unordered_flat_map<Key, std::uint32_t, Hash> number_of_;
  boost::unordered_flat_map<std::uint32_t, Key> key_of_;
  std::uint32_t count_ = 0;
};

// The registry as most would write it: text to text, both ways.
class TextMaps {
 public:
  using KeyForm = std::string;
  using RefForm = std::string;
  static KeyForm key_form(const Key& key) {
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i)
      text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", key[i]);
    return text;
  }
  static RefForm ref_form(std::uint32_t number) { return fmt::format("book_{}", number); }

  void add(const std::string& key) {
    std::string ref = ref_form(++count_);
    key_of_.emplace(ref, key);
    ref_of_.emplace(key, std::move(ref));
  }
  std::uint64_t by_key(const std::string& key) const { return ref_of_.find(key)->second.size(); }
  std::uint64_t by_ref(const std::string& ref) const { return key_of_.find(ref)->second.size(); }

 private:
  std::unordered_map<std::string, std::string> ref_of_;
  std::unordered_map<std::string, std::string> key_of_;
  std::uint32_t count_ = 0;
};

// Ours. Its callers hold keys as they were read, and refs as a model wrote them: as text.
class OurRegistry {
 public:
  using KeyForm = UuidBits;
  using RefForm = std::string;
  static KeyForm key_form(const Key& key) {
    UuidBits bits;
    std::memcpy(&bits, key.data(), sizeof bits);
    return bits;
  }
  static RefForm ref_form(std::uint32_t number) { return fmt::format("book_{}", number); }

  OurRegistry() : type_(*registry_.type_named("book", "books")) {}
  void add(UuidBits key) { entered_ += *registry_.register_read(type_, KeyView::uuid(key)); }
  std::uint64_t by_key(UuidBits key) const {
    return registry_.keys().number(registry_.keys().find(type_, KeyView::uuid(key)));
  }
  std::uint64_t by_ref(std::string_view ref) const {
    return static_cast<std::uint64_t>(registry_.key(registry_.find(ref)).kind());
  }
  std::uint64_t by_keys(std::span<const UuidBits> keys) const {
    std::array<EntityNo, kBatch> found;
    registry_.keys().find_many(type_, keys, found);
    std::uint64_t sum = 0;
    for (const EntityNo entity : found) sum += registry_.keys().number(entity);
    return sum;
  }
  std::uint64_t by_refs(std::span<const std::string> refs) const {
    std::array<EntityNo, kBatch> found;
    for (std::size_t i = 0; i < kBatch; ++i) found[i] = registry_.find(refs[i]);
    std::uint64_t sum = 0;
    for (const EntityNo entity : found)
      sum += static_cast<std::uint64_t>(registry_.key(entity).kind());
    return sum;
  }
  std::size_t bytes() const { return registry_.mapping_bytes(); }

 private:
  RefRegistry registry_;
  TypeNo type_;
  std::uint64_t entered_ = 0;
};

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
  const RegistryMeasurements<TextMaps> text_maps(report, kTextMaps, load);
  const RegistryMeasurements<OurRegistry> ours(report, kOurRegistry, load);
  Group group(report, "P3: registry of 100,000 entities");
  flat_maps.add_to(group);
  text_maps.add_to(group);
  ours.add_to(group);
  group.run();
}

void measure_many(Report& report) {
  const RegistryLoad load = make_load(kMany);
  const RegistryMeasurements<FlatMaps> flat_maps(report, kFlatMaps, load);
  const RegistryMeasurements<OurRegistry> ours(report, kOurRegistry, load);
  Group group(report, "P3: registry of 10,000,000 entities");
  flat_maps.add_to(group);
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
  for (const char* what : {"new ref", "by key", "by ref"})
    add("flat maps, 100,000", what, kFlatMaps, few, Goal::time_at_most(1.2));
  add("flat maps, 100,000", "bytes", kFlatMaps, few, Goal::size_at_most(64));
  for (const char* what : {"new ref", "by key", "by ref", "bytes"})
    add("maps of strings, 100,000", what, kTextMaps, few, Goal::none());
  // Memory that far away is waited for; who looks up many rows at once waits once for all of them.
  for (const char* what : {"new ref", kBatchByKey, kBatchByRef})
    add("10 million : 100,000", what, kOurRegistry, {kMany, kFew}, Goal::time_at_most(3));
  for (const char* what : {"by key", "by ref"})
    add("10 million : 100,000, one by one", what, kOurRegistry, {kMany, kFew}, Goal::none());
  add("flat maps, 10 million", "bytes", kFlatMaps, {kMany, kMany}, Goal::size_at_most(64));
  for (const char* what : {"new ref", "by key", "by ref"})
    add("flat maps, 10 million", what, kFlatMaps, {kMany, kMany}, Goal::none());
}

}  // namespace

void bench_registry(Report& report) {
  measure_few(report);
  measure_many(report);
  compare(report);
}

}  // namespace alfred::bench
