// RowWords: the words of a row's columns by their numbers, and what relations find the row by, left
// with a row that a store keeps. PlanWords: the numbers, left with all rows of the plan.
//
// R1 each column has one text, or one for each element of a list, or none; they are in one run of memory. Each of
//    the row's words is once in another.
// R2 a row with a word that has no number says so, and has no words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "records/search/word_numbers.h"
#include "storage/store.h"

namespace alfred {

struct PlanWords final : RowNote {
  WordNumbers numbers{};
  // The columns that were looked at last, and how often they were others than before.
  std::vector<std::size_t> columns{};
  std::uint32_t round = 0;
};

class RowWords final : public RowNote {
 public:
  using Number = WordNumbers::Number;

  explicit RowWords(std::size_t columns) : run_(columns, 0) {}
  bool is_without_numbers() const { return is_without_numbers_; }  // R2
  bool has(std::size_t column) const { return run_[column] != 0; }
  // The last round (PlanWords) in which all columns were there. 0: none.
  std::uint32_t round() const { return round_; }
  void set_round(std::uint32_t round) { round_ = round; }
  void put(std::size_t column, std::span<const std::string_view> texts, WordNumbers& numbers);
  // All words of the columns that were put.
  std::span<const Number> all() const { return all_; }
  // What look() is given for each of the texts: a span of numbers. Precondition: it has the column.
  template <class Look>
  void visit(std::size_t column, const Look& look) const {
    const Number* at = run_.data() + run_[column];
    for (Number left = *at++; left > 0; --left) {
      const Number words = *at++;
      look(std::span(at, words));
      at += words;
    }
  }
  // The text that relations find the row by; null: not put yet.
  const std::string* key(std::size_t column) const {
    for (const auto& [of, text] : keys_)
      if (of == column) return &text;
    return nullptr;
  }
  const std::string& put_key(std::size_t column, std::string text) {
    return keys_.emplace_back(column, std::move(text)).second;
  }

 private:
  // Where each column's texts begin: how many, then each as its size and numbers. 0: not put yet.
  std::vector<Number> run_;
  std::vector<Number> all_;
  std::vector<std::pair<std::size_t, std::string>> keys_;
  std::uint32_t round_ = 0;
  bool is_without_numbers_ = false;
};

}  // namespace alfred
