#include "corpus.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "corpus_words.h"

namespace alfred::bench {
namespace {

// SplitMix64: small, fast, and the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool once_in(std::size_t n) { return below(n) == 0; }

  template <std::size_t N>
  Word of(const std::array<Word, N>& words) {
    return words[below(N)];
  }

  // A version 4 UUID.
  std::string uuid() {
    const std::uint64_t high = (bits() & ~0xf000ULL) | 0x4000ULL;
    const std::uint64_t low = (bits() & ~(3ULL << 62)) | (2ULL << 62);
    return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                       high & 0xffff, low >> 48, low & 0xffffffffffff);
  }

 private:
  std::uint64_t state_;
};

struct SharedRow {
  std::string id;
  std::string name;
  Word shelf;
};

class Writer {
 public:
  explicit Writer(const CorpusOptions& options) : options_(options), dice_(options.seed) {
    for (const Word form : kForms)
      for (std::size_t i = 0; i < kFoods.size(); ++i)
        foods_.push_back({dice_.uuid(), fmt::format("{}{}", form, kFoods[i]),
                          kShelves[i / (kFoods.size() / kShelves.size())]});
    for (int i = 0; i < 40; ++i) users_.push_back(dice_.uuid());
  }

  std::string write() {
    out_.reserve(options_.bytes + 16'384);
    out_ += '[';
    while (out_.size() < options_.bytes) {
      if (out_.size() > 1) out_ += ',';
      add_recipe();
    }
    out_ += ']';
    return std::move(out_);
  }

 private:
  // One draw a statement: in what order a call's arguments are evaluated is up to the compiler.
  void add_recipe() {
    const std::string id = dice_.uuid();
    add("{{\"id\":\"{}\"", id);
    add_text("user_id", users_[dice_.below(users_.size())]);
    add_name();
    out_ += ",\"description\":";
    add_sentence(dice_.of(kDescriptions));
    add_text("cuisine", dice_.of(kCuisines));
    add_text("difficulty", dice_.of(kDifficulties));
    add_number("prep_time_minutes", dice_.between(1, 9) * 5);
    add_number("cook_time_minutes", dice_.between(2, 24) * 5);
    add_number("servings", dice_.between(1, 8));
    add_instructions();
    add_tags("occasions", kOccasions);
    add_tags("health_tags", kHealthTags);
    add_tags("flavor_tags", kFlavorTags);
    add_tags("equipment_tags", kEquipmentTags);
    add_source();
    // A variation names the row it varies, which came not long before.
    if (dice_.once_in(12) && !previous_id_.empty())
      add_text("parent_recipe_id", previous_id_);
    else
      add_null("parent_recipe_id");
    add_instant("created_at");
    add_instant("updated_at");
    add_ingredients(id);
    out_ += '}';
    if (dice_.once_in(4)) previous_id_ = id;
  }

  void add_ingredients(const std::string& recipe_id) {
    out_ += ",\"recipe_ingredients\":[";
    for (std::size_t i = 0, n = dice_.between(8, 12); i < n; ++i) {
      const SharedRow& food = foods_[dice_.below(foods_.size())];
      add("{}{{\"id\":\"{}\"", i > 0 ? "," : "", dice_.uuid());
      add_text("recipe_id", recipe_id);
      add_text("ingredient_id", food.id);
      add_text("name", food.name);
      add_quantity();
      add_text("unit", dice_.of(kUnits));
      add_note();
      add(",\"is_optional\":{}", dice_.once_in(10));
      add_text("category", food.shelf);
      out_ += '}';
    }
    out_ += ']';
  }

  void add_name() {
    const Word style = dice_.of(kStyles);
    const Word food = dice_.of(kFoods);
    add(",\"name\":\"{} {} {}\"", style, food, dice_.of(kDishes));
  }

  void add_instructions() {
    out_ += ",\"instructions\":[";
    for (std::size_t i = 0, n = dice_.between(4, 9); i < n; ++i) {
      if (i > 0) out_ += ',';
      add_sentence(dice_.of(kSteps));
    }
    out_ += ']';
  }

  void add_source() {
    if (dice_.once_in(3))
      add(",\"source_url\":\"https://example.com/recipes/{}\"", dice_.between(10'000, 99'999));
    else
      add_null("source_url");
  }

  void add_quantity() {
    if (dice_.once_in(12)) return add_null("quantity");
    const bool is_weight = dice_.once_in(3);
    const std::size_t whole = dice_.between(1, 12);
    if (is_weight) return add_number("quantity", whole * 50);
    add(",\"quantity\":{}{}", whole, dice_.once_in(4) ? ".5" : "");
  }

  void add_note() {
    if (options_.has_keys_in_prose && dice_.once_in(200))
      add(",\"notes\":\"same brand as in {}, if you can find it\"", dice_.uuid());
    else if (dice_.below(10) < 6)
      add_null("notes");
    else
      add_text("notes", dice_.of(kNotes));
  }

  void add_text(Word name, std::string_view text) { add(",\"{}\":\"{}\"", name, text); }
  void add_number(Word name, std::size_t number) { add(",\"{}\":{}", name, number); }
  void add_null(Word name) { add(",\"{}\":null", name); }

  void add_sentence(Word sentence) {
    out_ += '"';
    for (const char c : sentence) {
      if (c == '%')
        out_ += dice_.of(kFoods);
      else if (c == '#')
        add("{}", dice_.between(2, 45));
      else
        out_ += c;
    }
    out_ += '"';
  }

  template <std::size_t N>
  void add_tags(Word name, const std::array<Word, N>& tags) {
    add(",\"{}\":[", name);
    const std::size_t first = dice_.below(N);
    for (std::size_t i = 0, n = dice_.below(4); i < n; ++i)
      add("{}\"{}\"", i > 0 ? "," : "", tags[(first + i) % N]);
    out_ += ']';
  }

  void add_instant(Word name) {
    add(",\"{}\":\"2025-{:02}", name, dice_.between(1, 12));
    add("-{:02}", dice_.between(1, 28));
    add("T{:02}", dice_.below(24));
    add(":{:02}", dice_.below(60));
    add(":{:02}", dice_.below(60));
    add(".{:06}+00:00\"", dice_.below(1'000'000));
  }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  CorpusOptions options_;
  Dice dice_;
  std::vector<SharedRow> foods_;
  std::vector<std::string> users_;
  std::string previous_id_;
  std::string out_;
};

}  // namespace

std::string make_recipe_rows(const CorpusOptions& options) { return Writer(options).write(); }

}  // namespace alfred::bench
