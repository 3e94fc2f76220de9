// What every registry in the comparison is asked to do, and the measurements taken of it.
// A subject has a type KeyForm, in which its callers hold keys, with
// `static KeyForm key_form(const Key&)`, and
//   void add(const KeyForm&)          a key not seen before gets the next number, from 1
// and, as far as it can, the following; all but bytes() give anything that depends on what was
// found
//   by_key(const KeyForm&) const      finds the ref
//   by_ref(const RefForm&) const      finds the key; with `static RefForm ref_form(number)`
//   by_text(const TextForm&) const    finds the key by the ref's text; with `text_form(number)`
//   add_all, by_keys, by_refs, by_texts        the same for a span of kBatch at once
//   bytes() const                     what its mapping takes; else what it allocated counts
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "live_bytes.h"
#include "report.h"

namespace alfred::bench {

using Key = std::array<std::uint8_t, 16>;

// A ref as text, in sixteen bytes: padded with zeros, its size last.
struct ShortText {
  std::array<char, 15> bytes{};
  std::uint8_t size = 0;

  static ShortText of_ref(std::uint32_t number) {
    ShortText text;
    text.size = static_cast<std::uint8_t>(
        fmt::format_to_n(text.bytes.data(), text.bytes.size(), "book_{}", number).size);
    return text;
  }
  std::string_view view() const { return {bytes.data(), size}; }
  friend bool operator==(const ShortText& a, const ShortText& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
};
static_assert(sizeof(ShortText) == 16);

// The keys to register, and which of them to look up (by number, from 1), in random order.
struct RegistryLoad {
  std::vector<Key> keys;
  std::vector<std::uint32_t> probes;
};

constexpr std::size_t kBatch = 32;
constexpr const char* kNewRef = "new ref";
constexpr const char* kBatchNewRef = "new ref, 32 at once";
constexpr const char* kByKey = "by key";
constexpr const char* kByRef = "by ref";
constexpr const char* kByText = "by ref, as text";
constexpr const char* kBatchByKey = "by key, 32 at once";
constexpr const char* kBatchByRef = "by ref, 32 at once";
constexpr const char* kBatchByText = "by ref, as text, 32 at once";

inline std::string measurement_of(const std::string& subject, const char* what, std::size_t count) {
  return fmt::format("{}: {} at {}", subject, what, count);
}

// The forms of a subject that has them.
template <class Subject>
struct RefFormOf {
  using Type = std::uint32_t;
};
template <class Subject>
  requires requires { typename Subject::RefForm; }
struct RefFormOf<Subject> {
  using Type = typename Subject::RefForm;
};
template <class Subject>
struct TextFormOf {
  using Type = ShortText;
};
template <class Subject>
  requires requires { typename Subject::TextForm; }
struct TextFormOf<Subject> {
  using Type = typename Subject::TextForm;
};

template <class Subject>
class RegistryMeasurements {
 public:
  // Builds the subject that is asked, and notes how large it became.
  RegistryMeasurements(Report& report, std::string name, const RegistryLoad& load)
      : name_(std::move(name)) {
    for (const Key& key : load.keys) keys_.push_back(Subject::key_form(key));
    for (const std::uint32_t number : load.probes) {
      probe_keys_.push_back(keys_[number - 1]);
      if constexpr (kHasRefs) probe_refs_.push_back(Subject::ref_form(number));
      if constexpr (kHasTexts) probe_texts_.push_back(Subject::text_form(number));
    }
    std::size_t bytes = live_bytes_after([&] { filled_ = filled(); });
    if constexpr (requires { filled_->bytes(); }) bytes = filled_->bytes();
    report.set(measurement_of(name_, "bytes", keys_.size()), Unit::bytes,
               static_cast<double>(bytes) / static_cast<double>(keys_.size()));
  }

  void add_to(Group& group) const {
    group.measure(measurement_of(name_, kNewRef, keys_.size()), Unit::ns,
                  [this](benchmark::State& state) { measure_add(state); });
    if constexpr (requires(Subject& s) { s.add_all({}); })
      group.measure(measurement_of(name_, kBatchNewRef, keys_.size()), Unit::ns,
                    [this](benchmark::State& state) { measure_add_all(state); });
    if constexpr (requires(const Subject& s) { s.by_key(probe_keys_[0]); })
      add_find(group, kByKey, probe_keys_,
               [](auto& of, const auto& key) { return of.by_key(key); });
    if constexpr (requires(const Subject& s) { s.by_keys({}); })
      add_batch(group, kBatchByKey, probe_keys_,
                [](auto& of, auto keys) { return of.by_keys(keys); });
    if constexpr (kHasRefs)
      add_find(group, kByRef, probe_refs_,
               [](auto& of, const auto& ref) { return of.by_ref(ref); });
    if constexpr (requires(const Subject& s) { s.by_refs({}); })
      add_batch(group, kBatchByRef, probe_refs_,
                [](auto& of, auto refs) { return of.by_refs(refs); });
    if constexpr (kHasTexts)
      add_find(group, kByText, probe_texts_, [](auto& of, const auto& t) { return of.by_text(t); });
    if constexpr (requires(const Subject& s) { s.by_texts({}); })
      add_batch(group, kBatchByText, probe_texts_, [](auto& of, auto t) { return of.by_texts(t); });
  }

 private:
  static constexpr bool kHasRefs = requires { Subject::ref_form(1); };
  static constexpr bool kHasTexts = requires { Subject::text_form(1); };

  template <class Probes, class Find>
  void add_find(Group& group, const char* what, const Probes& probes, Find find) const {
    group.measure(measurement_of(name_, what, keys_.size()), Unit::ns,
                  [this, &probes, find](benchmark::State& state) {
                    measure_find(state, probes,
                                 [&](const auto& probe) { return find(*filled_, probe); });
                  });
  }
  template <class Probes, class Find>
  void add_batch(Group& group, const char* what, const Probes& probes, Find find) const {
    group.measure(measurement_of(name_, what, keys_.size()), Unit::ns,
                  [this, &probes, find](benchmark::State& state) {
                    measure_batches(state, probes,
                                    [&](auto batch) { return find(*filled_, batch); });
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

  void measure_add_all(benchmark::State& state) const {
    for (auto _ : state) {
      auto subject = std::make_unique<Subject>();
      for (std::size_t i = 0; i < keys_.size(); i += kBatch)
        subject->add_all(std::span(keys_).subspan(i, std::min(kBatch, keys_.size() - i)));
      benchmark::DoNotOptimize(subject.get());
      state.PauseTiming();
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
  std::vector<typename RefFormOf<Subject>::Type> probe_refs_;
  std::vector<typename TextFormOf<Subject>::Type> probe_texts_;
  std::unique_ptr<Subject> filled_;
};

}  // namespace alfred::bench
