#include "records/filter/row_look.h"

#include <algorithm>
#include <utility>

#include "records/search/case_fold.h"

namespace alfred {
namespace {

std::vector<const WordQuery*> queries_of(std::span<const Search> searches) {
  std::vector<const WordQuery*> queries;
  queries.reserve(searches.size());
  for (const Search& search : searches) queries.push_back(&search.query);
  return queries;
}

}  // namespace

std::string value_text(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text;
  return "";
}

std::string key_text(const Field& field, const Value& value) {
  std::string text = value_text(value);
  if (field.match == TextMatch::letters) return fold_case(text);
  if (field.match == TextMatch::ascii_letters)
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

RowLook::RowLook(std::span<const Search> searches)
    : searches_(searches), queries_(queries_of(searches)), sieve_(queries_) {
  for (const WordQuery* const query : queries_) has_literal_ = has_literal_ || query->is_literal();
}

void RowLook::start_rows(const RowFields& fields, std::span<const Column> columns) {
  fields_ = &fields;
  columns_ = columns;
  slots_.clear();
  for (const Column& column : columns) slots_.push_back(fields.slot_of(column.field));
  numbered_.reset();
  plan_ = nullptr;
  is_silent_ = false;
}

void RowLook::start(const Row& row, NotePlaces* notes) {
  row_ = &row;
  words_ = nullptr;
  if (!texts_.empty()) texts_.clear();
  const bool was_silent = std::exchange(is_silent_, false);
  if (notes != nullptr) {
    if (notes->of_plan == nullptr) notes->of_plan = std::make_unique<PlanWords>();
    find_words(*notes, static_cast<PlanWords&>(*notes->of_plan));
  }
  if (words_ != nullptr) {
    is_silent_ = !has_literal_ && !numbered_->may_say(words_->all());
    if (!is_silent_ || !was_silent) said_.start(searches_.size());
    if (!is_silent_) look_at_words();
    return;
  }
  said_.start(searches_.size());
  may_match_ = WordSieve::kNone;
  for (const Column& column : columns_) may_match_ |= sieved(column.field);
}

void RowLook::find_words(NotePlaces& notes, PlanWords& plan) {
  if (plan_ != &plan) {
    plan_ = &plan;
    numbered_.emplace(queries_, plan.numbers);
    if (plan.round == 0 || plan.columns != slots_) {
      plan.columns = slots_;
      ++plan.round;
    }
  }
  if (notes.of_row == nullptr) notes.of_row = std::make_unique<RowWords>(row_->size());
  auto& words = static_cast<RowWords&>(*notes.of_row);
  if (words.round() != plan.round) {
    read_words(words, plan.numbers);
    words.set_round(plan.round);
  }
  if (!words.is_without_numbers()) words_ = &words;
}

void RowLook::read_words(RowWords& words, WordNumbers& numbers) const {
  for (std::size_t i = 0; i < slots_.size() && !words.is_without_numbers(); ++i) {
    if (words.has(slots_[i])) continue;
    const Value& value = (*row_)[slots_[i]];
    std::vector<std::string> elements;
    std::vector<std::string_view> texts;
    if (columns_[i].field->type == FieldType::list) {
      elements = list_elements(value);
      texts.assign(elements.begin(), elements.end());
    } else if (const auto* const text = std::get_if<std::string>(&value)) {
      texts.emplace_back(*text);
    }
    words.put(slots_[i], texts, numbers);
  }
}

void RowLook::look_at_words() {
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    const Column& column = columns_[at];
    words_->visit(slots_[at],
                  [&](NumberedSieve::Text text) { numbered_->look_at(text, column.asks, said_); });
    for (std::size_t i = 0; has_literal_ && i < searches_.size(); ++i) {
      if (column.asks[i] == 0 || !searches_[i].query.is_literal()) continue;
      said_.most[i] = WordQuery::kFull;
      said_.is_whole[i] = 1;
    }
  }
}

// Of a row that is not kept most words are looked at this once.
WordSieve::Searches RowLook::sieved(const Field* field) {
  WordSieve::Searches found = WordSieve::kNone;
  const Value& value = fields_->of(*row_, field);
  if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value)) found |= sieve_.of_text(element);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    found = sieve_.of_text(*text);
  }
  return found;
}

// Several searches look at the same text: its words are read once.
const RowLook::Texts& RowLook::texts(const Field* field) {
  const std::size_t slot = fields_->slot_of(field);
  if (texts_.empty()) texts_.resize(row_->size());
  std::optional<Texts>& texts = texts_[slot];
  if (texts) return *texts;
  texts.emplace();
  const Value& value = (*row_)[slot];
  if (words_ != nullptr && words_->has(slot)) {
    words_->visit(slot, [&](NumberedSieve::Text text) {
      TextWords& words = texts->emplace_back();
      for (const WordNumbers::Number number : text) {
        words.words.push_back(numbered_->numbers().word(number));
        words.singulars.push_back(numbered_->numbers().singular(number));
      }
    });
  } else if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value)) texts->emplace_back(element);
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    texts->emplace_back(*text);
  }
  return *texts;
}

bool RowLook::look_at(std::size_t search, const Field* field, WordQuery::Scores& best) {
  const WordQuery& query = searches_[search].query;
  bool is_any = false;
  if (!query.is_literal()) {
    for (const TextWords& words : texts(field)) is_any = query.look_at(words, best) || is_any;
    return is_any;
  }
  const Value& value = fields_->of(*row_, field);
  if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value))
      is_any = query.look_at(element, best) || is_any;
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    is_any = query.look_at(*text, best);
  }
  return is_any;
}

const std::string& RowLook::key(const Field* field) {
  const std::size_t slot = fields_->slot_of(field);
  if (words_ == nullptr) return key_ = key_text(*field, (*row_)[slot]);
  if (const std::string* const known = words_->key(slot)) return *known;
  return words_->put_key(slot, key_text(*field, (*row_)[slot]));
}

}  // namespace alfred
