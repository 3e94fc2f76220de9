// What every registry in the comparison is asked to do, and the measurements taken of it.
// A subject has types KeyForm and RefForm, the forms in which its callers hold keys and refs, with
// `static KeyForm key_form(const Key&)` and `static RefForm ref_form(std::uint32_t number)`, and
//   void add(const KeyForm&)                    a key not seen before gets the next number, from 1
//   std::uint64_t by_key(const KeyForm&) const  finds the ref; gives anything that depends on it
//   std::uint64_t by_ref(const RefForm&) const  finds the key; likewise
// and, if it can,
//   std::size_t bytes() const                   what its mapping takes; else what it allocated
//   counts std::uint64_t by_keys(std::span<const KeyForm>) const   the same as by_key for many at
//   once std::uint64_t by_refs(std::span<const RefForm>) const   the same as by_ref for many at
//   once
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "live_bytes.h"
#include "report.h"

namespace alfred::bench {

using Key = std::array<std::uint8_t, 16>;

// The keys to register, and which of them to look up (by number, from 1), in random order.
struct RegistryLoad {
  std::vector<Key> keys;
  std::vector<std::uint32_t> probes;
};

constexpr std::size_t kBatch = 32;
constexpr const char* kBatchByKey = "by key, 32 at once";
constexpr const char* kBatchByRef = "by ref, 32 at once";

inline std::string measurement_of(const std::string& subject, const char* what, std::size_t count) {
  return fmt::format("{}: {} at {}", subject, what, count);
}

template <class Subject>
class RegistryMeasurements {
 public:
  // Builds the subject that is asked, and notes how large it became.
  RegistryMeasurements(Report& report, std::string name, const RegistryLoad& load)
      : name_(std::move(name)) {
    for (const Key& key : load.keys) keys_.push_back(Subject::key_form(key));
    for (const std::uint32_t number : load.probes) {
      probe_keys_.push_back(keys_[number - 1]);
      probe_refs_.push_back(Subject::ref_form(number));
    }
    std::size_t bytes = live_bytes_after([&] { filled_ = filled(); });
    if constexpr (requires { filled_->bytes(); }) bytes = filled_->bytes();
    report.set(measurement_of(name_, "bytes", keys_.size()), Unit::bytes,
               static_cast<double>(bytes) / static_cast<double>(keys_.size()));
  }

  void add_to(Group& group) const {
    group.measure(measurement_of(name_, "new ref", keys_.size()), Unit::ns,
                  [this](benchmark::State& state) { measure_add(state); });
    group.measure(
        measurement_of(name_, "by key", keys_.size()), Unit::ns, [this](benchmark::State& state) {
          measure_find(state, probe_keys_, [&](const auto& key) { return filled_->by_key(key); });
        });
    group.measure(
        measurement_of(name_, "by ref", keys_.size()), Unit::ns, [this](benchmark::State& state) {
          measure_find(state, probe_refs_, [&](const auto& ref) { return filled_->by_ref(ref); });
        });
    if constexpr (requires { filled_->by_keys({}); }) add_batches_to(group);
  }

 private:
  void add_batches_to(Group& group) const {
    group.measure(measurement_of(name_, kBatchByKey, keys_.size()), Unit::ns,
                  [this](benchmark::State& state) {
                    measure_batches(state, probe_keys_,
                                    [&](auto keys) { return filled_->by_keys(keys); });
                  });
    group.measure(measurement_of(name_, kBatchByRef, keys_.size()), Unit::ns,
                  [this](benchmark::State& state) {
                    measure_batches(state, probe_refs_,
                                    [&](auto refs) { return filled_->by_refs(refs); });
                  });
  }

  std::unique_ptr<Subject> filled() const {
    auto subject = std::make_unique<Subject>();
    for (const auto& key : keys_) subject->add(key);
    return subject;
  }

  void measure_add(benchmark::State& state) const {
    for (auto _ : state) {
      std::unique_ptr<Subject> subject = filled();
      benchmark::DoNotOptimize(subject.get());
      state.PauseTiming();  // taking it down is no part of a new ref
      subject.reset();
      state.ResumeTiming();
    }
    count_items(state, keys_.size());
  }

  // Each lookup waits for the one before it, as where rows are read one after another: the time of
  // a lookup is measured, not how many a processor overlaps.
  template <class Probes, class Find>
  static void measure_find(benchmark::State& state, const Probes& probes, Find find) {
    std::uint64_t zero = 0;
    benchmark::DoNotOptimize(zero);
    for (auto _ : state) {
      std::uint64_t found = 0;
      for (std::size_t i = 0; i < probes.size(); ++i) found = find(probes[i + (found & zero)]);
      benchmark::DoNotOptimize(found);
    }
    count_items(state, probes.size());
  }

  // Batches wait for one another, as calls that hand over a page of rows do.
  template <class Probe, class Find>
  static void measure_batches(benchmark::State& state, const std::vector<Probe>& probes,
                              Find find) {
    std::uint64_t zero = 0;
    benchmark::DoNotOptimize(zero);
    const std::size_t batches = probes.size() / kBatch;
    for (auto _ : state) {
      std::uint64_t found = 0;
      for (std::size_t i = 0; i < batches; ++i)
        found = find(std::span(probes).subspan(i * kBatch + (found & zero), kBatch));
      benchmark::DoNotOptimize(found);
    }
    count_items(state, batches * kBatch);
  }

  static void count_items(benchmark::State& state, std::size_t items) {
    state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
  }

  std::string name_;
  std::vector<typename Subject::KeyForm> keys_;
  std::vector<typename Subject::KeyForm> probe_keys_;
  std::vector<typename Subject::RefForm> probe_refs_;
  std::unique_ptr<Subject> filled_;
};

}  // namespace alfred::bench
