#include "records/filter/row_scores.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace alfred {
namespace {

#ifdef NDEBUG
constexpr bool kIsChecked = false;
#else
constexpr bool kIsChecked = true;
#endif

}  // namespace

RowScores::RowScores(const Schema& schema, const Table& table, std::span<const Search> searches)
    : schema_(schema), table_(table), searches_(searches), look_(searches) {
  bool looks_further = false;
  for (const Search& search : searches) {
    is_plain_.push_back(search.query.is_plain() ? 1 : 0);
    is_on_label_.push_back(search.field == nullptr ? 1 : 0);
    looks_further = looks_further || search.field == nullptr;
  }
  if (looks_further) {
    if (table.searched.empty() && !table.label.empty()) add_path(table.label);
    for (const std::string& path : table.searched) add_path(path);
  }
  for (std::size_t i = 0; i < searches.size(); ++i)
    if (searches[i].field != nullptr) own_column(searches[i].field).asks[i] = 1;
}

// One that no search asks for yet when it is new.
RowLook::Column& RowScores::own_column(const Field* field) {
  const auto known = std::find_if(own_.begin(), own_.end(), [&](const RowLook::Column& column) {
    return column.field == field;
  });
  if (known != own_.end()) return *known;
  return own_.emplace_back(RowLook::Column{field, RowLook::Flags(searches_.size(), 0)});
}

// "title", "author_id.name", "chapters.title"; Schema::make saw to it that they lead somewhere.
void RowScores::add_path(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    if (const Field* const field = visible_field(table_, path))
      own_column(field).asks = is_on_label_;
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
    known.columns.push_back({field, is_on_label_});
    return;
  }
  relative.columns.push_back({field, is_on_label_});
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
  for (const RowLook::Column& column : relative.columns) fields.add(column.field);
  SelectRows plan;
  plan.table = relative.table;
  plan.fields.assign(fields.list().begin(), fields.list().end());
  look_.start_rows(fields, relative.columns);
  return tx.scan_noted(plan, [&](const Row& row, NotePlaces* notes) -> Result<bool> {
    look_.start(row, notes);
    if (kIsChecked || !look_.is_silent()) look_at_related(relative);
    return true;
  });
}

void RowScores::look_at_related(Relative& relative) {
  Related* related = nullptr;  // what rows with this one's key say
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (is_on_label_[i] == 0 || !finds(i, relative.columns)) continue;
    if (related == nullptr) {
      related = &relative.found[look_.key(relative.there)];
      related->resize(searches_.size());
    }
    WordQuery::Scores& scores = (*related)[i];
    if (scores.terms.empty())
      scores = terms_;
    else
      WordQuery::merge(terms_, scores);
  }
}

// Whether the search finds anything in these columns of the row; what it does is in terms_.
bool RowScores::finds(std::size_t search, std::span<const RowLook::Column> columns) {
  const bool may_match = look_.may_match(search);
  if (!may_match && !kIsChecked) return false;
  const bool is_known = look_.is_kept() && is_plain_[search] != 0;
  searches_[search].query.clear(terms_);
  if (!is_known || kIsChecked) {
    bool is_any = false;
    for (const RowLook::Column& column : columns)
      if (column.asks[search] != 0) is_any = look_.look_at(search, column.field, terms_) || is_any;
    ALFRED_CHECK(may_match || !is_any, "a search that is left out finds nothing");
    ALFRED_CHECK(!is_known || (terms_.terms.front() == look_.said().most[search] &&
                               terms_.is_whole == (look_.said().is_whole[search] != 0)),
                 "what a search for one word finds is known");
    return is_any;
  }
  terms_.terms.front() = look_.said().most[search];
  terms_.is_whole = look_.said().is_whole[search] != 0;
  return true;
}

void RowScores::add_fields(RowFields& fields) const {
  for (const RowLook::Column& column : own_) fields.add(column.field);
  for (const Relative& relative : relatives_) fields.add(relative.here);
}

void RowScores::start_row(const Row& row, NotePlaces* notes) {
  look_.start(row, notes);
  is_silent_ = look_.is_silent();
  for (Relative& relative : relatives_) {
    relative.of_row = nullptr;
    if (relative.found.empty()) continue;
    const auto found = relative.found.find(look_.key(relative.here));
    if (found == relative.found.end()) continue;
    relative.of_row = &found->second;
    is_silent_ = false;
  }
  if (kIsChecked || !is_silent_) scores_.assign(searches_.size(), std::nullopt);
}

// Null: nothing.
const WordQuery::Scores* RowScores::related(const Relative& relative, std::size_t search) {
  if (relative.of_row == nullptr) return nullptr;
  const WordQuery::Scores& scores = (*relative.of_row)[search];
  return scores.terms.empty() ? nullptr : &scores;
}

// The most that the search can give the row; of a plain one what it gives.
int RowScores::most(std::size_t search) {
  const NumberedSieve::Said& said = look_.said();
  int most = said.most[search];
  bool is_whole = said.is_whole[search] != 0;
  for (const Relative& relative : relatives_) {
    const WordQuery::Scores* const scores = related(relative, search);
    if (scores == nullptr) continue;
    most = std::max(most, is_plain_[search] != 0 ? scores->terms.front() : WordQuery::kFull);
    is_whole = is_whole || scores->is_whole || is_plain_[search] == 0;
  }
  return most == 0 ? 0 : most + (is_whole ? WordQuery::kWhole : 0);
}

int RowScores::most() {
  if (is_silent_) return 0;
  if (!look_.is_kept()) return std::numeric_limits<int>::max();
  int sum = 0;
  for (std::size_t i = 0; i < searches_.size(); ++i) sum += most(i);
  return sum;
}

int RowScores::score(std::size_t search) {
  if (is_silent_ && !kIsChecked) return 0;
  std::optional<int>& known = scores_[search];
  if (known) return *known;
  const bool is_known = look_.is_kept() && is_plain_[search] != 0;
  if (is_known) known = most(search);
  if (!is_known || kIsChecked) {
    const int score = scored(search);
    ALFRED_CHECK(!is_known || score == *known, "what a search for one word gives is known");
    known = score;
  }
  return *known;
}

int RowScores::scored(std::size_t search) {
  bool may_match = look_.may_match(search);
  searches_[search].query.clear(terms_);
  for (const Relative& relative : relatives_) {
    const WordQuery::Scores* const scores = related(relative, search);
    if (scores != nullptr) WordQuery::merge(*scores, terms_);
    may_match = may_match || scores != nullptr;
  }
  if (!may_match && !kIsChecked) return 0;
  for (const RowLook::Column& column : own_)
    if (column.asks[search] != 0) look_.look_at(search, column.field, terms_);
  const int score = WordQuery::total(terms_);
  ALFRED_CHECK(may_match || score == 0, "a search that is left out finds nothing");
  return score;
}

}  // namespace alfred
