#include "records/filter/row_scores.h"

#include <algorithm>
#include <limits>
#include <numeric>

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

RowScores::RowScores(const Schema& schema, const Table& table, std::span<const Search> searches)
    : schema_(schema), table_(table), searches_(searches), sieve_(queries_of(searches)) {
  if (looks_further()) {
    if (table.searched.empty() && !table.label.empty()) add_path(table.label);
    for (const std::string& path : table.searched) add_path(path);
  }
  columns_ = own_;
  for (const Search& search : searches)
    if (search.field != nullptr) columns_.push_back(search.field);
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

bool RowScores::looks_further() const {
  return std::any_of(searches_.begin(), searches_.end(),
                     [](const Search& search) { return search.field == nullptr; });
}

// "title", "author_id.name", "chapters.title"; Schema::make saw to it that they lead somewhere.
void RowScores::add_path(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    if (const Field* const field = visible_field(table_, path)) own_.push_back(field);
    return;
  }
  const std::string_view step = path.substr(0, dot);
  Relative relative;
  if (const Field* const link = visible_field(table_, step); link != nullptr && link->link) {
    relative.table = schema_.find(link->link->table);
    relative.here = link;
    if (relative.table != nullptr) relative.there = relative.table->find(relative.table->key[0]);
  }
  for (const Relation& nested : table_.relations) {
    if (nested.member != step || table_.key.size() != 1) continue;
    relative.table = schema_.find(nested.table);
    relative.here = table_.find(table_.key.front());
    if (relative.table != nullptr) relative.there = relative.table->find(nested.column);
  }
  if (relative.table == nullptr || relative.there == nullptr) return;
  const Field* const field = visible_field(*relative.table, path.substr(dot + 1));
  if (field == nullptr) return;
  for (Relative& known : relatives_) {
    if (known.here != relative.here || known.there != relative.there) continue;
    known.fields.push_back(field);
    return;
  }
  relative.fields.push_back(field);
  relatives_.push_back(std::move(relative));
}

Result<void> RowScores::prepare(Tx& tx) {
  for (Relative& relative : relatives_)
    if (Result<void> ok = look_at(tx, relative); !ok) return ok;
  return {};
}

Result<void> RowScores::look_at(Tx& tx, Relative& relative) {
  RowFields fields(*relative.table);
  fields.add(relative.there);
  for (const Field* field : relative.fields) fields.add(field);
  relative.found.assign(searches_.size(), {});
  SelectRows plan;
  plan.table = relative.table;
  plan.fields.assign(fields.list().begin(), fields.list().end());
  return tx.scan_noted(plan, [&](const Row& row, std::unique_ptr<RowNote>* note) -> Result<bool> {
    const Looked at = looked(fields, row, note);
    WordSieve::Searches may_match = WordSieve::kNone;
    for (const Field* field : relative.fields) may_match |= sieved(at, field);
    for (std::size_t i = 0; i < searches_.size() && may_match != WordSieve::kNone; ++i) {
      if (searches_[i].field != nullptr || (may_match & WordSieve::bit(i)) == 0) continue;
      WordQuery::Scores scores = searches_[i].query.none();
      bool is_any = false;
      for (const Field* field : relative.fields)
        is_any = look_at_column(at, searches_[i].query, field, scores) || is_any;
      if (!is_any) continue;
      const auto [place, is_new] = relative.found[i].try_emplace(
          key_text(*relative.there, fields.of(row, relative.there)), scores);
      if (!is_new) WordQuery::merge(scores, place->second);
    }
    return true;
  });
}

void RowScores::add_fields(RowFields& fields) const {
  for (const Search& search : searches_)
    if (search.field != nullptr) fields.add(search.field);
  for (const Field* field : own_) fields.add(field);
  for (const Relative& relative : relatives_) fields.add(relative.here);
}

RowScores::Looked RowScores::looked(const RowFields& fields, const Row& row,
                                    std::unique_ptr<RowNote>* note) {
  RowWords* words = &words_;
  if (note != nullptr) {
    if (*note == nullptr) *note = std::make_unique<RowWords>();
    words = static_cast<RowWords*>(note->get());
  } else {
    words_.columns.clear();
  }
  if (words->columns.empty()) words->columns.resize(row.size());
  return {fields, row, *words, note != nullptr};
}

// Several searches look at the same text: its words are read once.
const std::vector<TextWords>& RowScores::words_of_column(const Looked& at, const Field* field) {
  std::optional<std::vector<TextWords>>& words = at.words.columns[at.fields.slot_of(field)];
  if (words) return *words;
  words.emplace();
  const Value& value = at.fields.of(at.row, field);
  if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value)) words->emplace_back(element);
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    words->emplace_back(*text);
  }
  return *words;
}

bool RowScores::look_at_column(const Looked& at, const WordQuery& query, const Field* field,
                               WordQuery::Scores& best) {
  bool is_any = false;
  if (!query.is_literal()) {
    for (const TextWords& words : words_of_column(at, field))
      is_any = query.look_at(words, best) || is_any;
    return is_any;
  }
  const Value& value = at.fields.of(at.row, field);
  if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value))
      is_any = query.look_at(element, best) || is_any;
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    is_any = query.look_at(*text, best);
  }
  return is_any;
}

// Of a row that is not kept most words are looked at this once.
WordSieve::Searches RowScores::sieved(const Looked& at, const Field* field) {
  WordSieve::Searches found = WordSieve::kNone;
  if (at.is_kept) {
    for (const TextWords& words : words_of_column(at, field)) found |= sieve_.of_words(words);
    return found;
  }
  const Value& value = at.fields.of(at.row, field);
  if (field->type == FieldType::list) {
    for (const std::string& element : list_elements(value)) found |= sieve_.of_text(element);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    found = sieve_.of_text(*text);
  }
  return found;
}

void RowScores::start_row(const RowFields& fields, const Row& row, std::unique_ptr<RowNote>* note) {
  may_match_ = WordSieve::kNone;
  note_ = note;
  scores_.assign(searches_.size(), std::nullopt);
  const Looked at = looked(fields, row, note);
  for (const Field* field : columns_) may_match_ |= sieved(at, field);
  visit_related(fields, row, may_match_, [&](std::size_t i) { may_match_ |= WordSieve::bit(i); });
}

void RowScores::visit_related(const RowFields& fields, const Row& row, WordSieve::Searches known,
                              const std::function<void(std::size_t)>& visit) const {
  for (const Relative& relative : relatives_) {
    std::optional<std::string> key;
    for (std::size_t i = 0; i < relative.found.size(); ++i) {
      if (relative.found[i].empty() || (known & WordSieve::bit(i)) != 0) continue;
      if (!key) key = key_text(*relative.here, fields.of(row, relative.here));
      if (relative.found[i].contains(*key)) visit(i);
    }
  }
}

int RowScores::most(const RowFields& fields, const Row& row, std::unique_ptr<RowNote>* note) {
  if (note == nullptr) return std::numeric_limits<int>::max();
  const Looked at = looked(fields, row, note);
  sieve_.start(most_);
  for (const Field* field : columns_)
    for (const TextWords& words : words_of_column(at, field)) sieve_.raise(words, most_);
  visit_related(fields, row, WordSieve::kNone,
                [&](std::size_t i) { most_[i] = WordQuery::kFull + WordQuery::kWhole; });
  return std::accumulate(most_.begin(), most_.end(), 0);
}

int RowScores::score(std::size_t search, const RowFields& fields, const Row& row) {
  if ((may_match_ & WordSieve::bit(search)) == 0) return 0;
  std::optional<int>& known = scores_[search];
  if (known) return *known;
  RowWords& words = note_ == nullptr ? words_ : static_cast<RowWords&>(**note_);
  known = scored(search, {fields, row, words, note_ != nullptr});
  return *known;
}

int RowScores::scored(std::size_t search, const Looked& at) {
  const Search& wanted = searches_[search];
  WordQuery::Scores& scores = terms_;
  wanted.query.clear(scores);
  if (wanted.field != nullptr) {
    look_at_column(at, wanted.query, wanted.field, scores);
    return WordQuery::total(scores);
  }
  for (const Field* field : own_) look_at_column(at, wanted.query, field, scores);
  for (const Relative& relative : relatives_) {
    const auto found =
        relative.found[search].find(key_text(*relative.here, at.fields.of(at.row, relative.here)));
    if (found != relative.found[search].end()) WordQuery::merge(found->second, scores);
  }
  return WordQuery::total(scores);
}

}  // namespace alfred
