#include "records/search/words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "base/utf8.h"
#include "pack/ref_names.h"
#include "records/search/case_fold.h"

namespace alfred {
namespace {

using std::string_view;
using Words = std::vector<std::string>;

constexpr int kSingular = 98;
constexpr int kMember = 90;
constexpr int kBegins = 75;
constexpr int kOneSlip = 55;
constexpr int kTwoSlips = 45;
constexpr std::size_t kShortestPrefix = 3;
constexpr std::size_t kShortestSlip = 5;
constexpr std::size_t kShortestTwoSlips = 9;
constexpr std::size_t kMaxNames = 10;

// What people write around the words they mean.
constexpr std::array<string_view, 24> kSilent{
    "a",  "an", "and", "any", "for",  "from", "i",   "in",   "is", "it",  "me", "my",
    "of", "on", "or",  "our", "some", "that", "the", "this", "to", "use", "we", "with"};

bool is_apostrophe(char32_t point) { return point == '\'' || point == 0x2019; }

bool is_letter(char32_t point) {
  if (point < 0x80)
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') ||
           (point >= '0' && point <= '9');
  if (point < 0xC0) return point == 0xAA || point == 0xB5 || point == 0xBA;
  if (point == 0xD7 || point == 0xF7) return false;
  return !(point >= 0x2000 && point < 0x2070) && !(point >= 0x3000 && point < 0x3004) &&
         !(point >= 0x3008 && point < 0x3020) && !(point >= 0xFF00 && point < 0xFF10);
}

// Scripts that put no space between words: there a word is looked for inside others.
bool is_unspaced(string_view word) {
  if (word.empty() || static_cast<unsigned char>(word.front()) < 0x80) return false;
  const std::optional<CodePoint> first = next_code_point(word, 0);
  return first && first->value >= 0x2E80 && first->value < 0xAC00;
}

std::u32string points_of(string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    points += point ? point->value : static_cast<unsigned char>(text[at]);
    at += point ? point->size : 1;
  }
  return points;
}

Words singulars_of(std::span<const std::string> words) {
  Words singulars;
  for (const std::string& word : words) singulars.push_back(singular_of(word));
  return singulars;
}

std::string joined(std::span<const std::string> words) {
  std::string out = words.front();
  for (const std::string& word : words.subspan(1)) out.append(1, ' ').append(word);
  return out;
}

bool has_phrase_at(std::span<const std::string> words, std::size_t at,
                   std::span<const std::string> phrase) {
  return at + phrase.size() <= words.size() &&
         std::equal(phrase.begin(), phrase.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
}

int word_score(string_view term, string_view word) {
  if (term == word) return WordQuery::kFull;
  if (term.size() >= kShortestPrefix && word.starts_with(term)) return kBegins;
  if (is_unspaced(term)) return word.find(term) == string_view::npos ? 0 : kBegins;
  if (term.size() < kShortestSlip || word.size() < kShortestSlip || term[0] != word[0]) return 0;
  const std::size_t most = term.size() >= kShortestTwoSlips ? 2 : 1;
  const std::size_t distance = edit_distance(term, word, most);
  if (distance > most) return 0;
  return distance <= 1 ? kOneSlip : kTwoSlips;
}

bool is_ascii(string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
}

// The words of a text that is all ASCII, without looking at code points.
void visit_ascii_words(string_view text, std::string& word,
                       const std::function<void(string_view)>& visit) {
  word.clear();
  for (const char c : text) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += is_upper ? static_cast<char>(c + ('a' - 'A')) : c;
    } else if (c != '\'' && !word.empty()) {
      visit(word);
      word.clear();
    }
  }
  if (!word.empty()) visit(word);
}

// Three rows of the table of optimal string alignment are enough; of words they fit here.
template <class Points>
std::size_t distance_of(const Points& a, const Points& b, std::size_t most) {
  constexpr std::size_t kRoom = 33;
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > most) return most + 1;
  const std::size_t width = b.size() + 1;
  std::array<std::size_t, 3 * kRoom> room;
  std::vector<std::size_t> more(width > kRoom ? 3 * width : 0);
  std::size_t* before = more.empty() ? room.data() : more.data();
  std::size_t* above = before + width;
  std::size_t* row = above + width;
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, above[j] + 1, row[j - 1] + 1});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], most + 1);
}

// The table's name, and what one of its rows is called.
bool names_table(string_view word, string_view table) {
  const Words parts = words_of(table);
  return parts.size() == 1 && singular_of(word) == singular_of(parts.front());
}

}  // namespace

std::vector<std::string> words_of(string_view text) {
  Words words;
  std::string word;
  visit_words(text, word, [&](string_view one) { words.emplace_back(one); });
  return words;
}

void visit_words(string_view text, std::string& word,
                 const std::function<void(string_view)>& visit) {
  if (is_ascii(text)) return visit_ascii_words(text, word, visit);
  word.clear();
  const auto end_word = [&] {
    if (!word.empty()) visit(fold_case_without_accents(word));
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::size_t size = point ? point->size : 1;
    if (point && is_letter(point->value))
      word += text.substr(at, size);
    else if (!point || !is_apostrophe(point->value))
      end_word();
    at += size;
  }
  end_word();
}

TextWords::TextWords(string_view text) : words(words_of(text)), singulars(singulars_of(words)) {}

std::size_t edit_distance(string_view first, string_view second, std::size_t most) {
  if (is_ascii(first) && is_ascii(second)) return distance_of(first, second, most);
  return distance_of(points_of(first), points_of(second), most);
}

std::vector<std::string> nearest_names(string_view wanted, Words names) {
  const string_view looked_for = cut_utf8(is_utf8(wanted) ? wanted : "", 64);
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < names.size(); ++i)
    order.emplace_back(edit_distance(looked_for, names[i], 64), i);
  std::sort(order.begin(), order.end());
  if (order.size() > kMaxNames) order.resize(kMaxNames);
  Words nearest;
  for (const auto& [distance, i] : order) nearest.push_back(std::move(names[i]));
  return nearest;
}

Result<WordQuery> WordQuery::make(const Given& given) {
  if (given.text.size() > kMaxBytes)
    return fail(ErrorCode::limit,
                fmt::format("a search takes {} bytes of text at most; this one has {}. Name the "
                            "words that matter.",
                            kMaxBytes, given.text.size()),
                given.path);
  WordQuery query;
  query.words_ = words_of(given.text);
  if (query.words_.empty())
    return fail(ErrorCode::value, "a search needs at least one word to look for", given.path);
  Result<void> read;
  if (given.intent == SearchIntent::literal) read = query.read_literal(given);
  if (given.intent == SearchIntent::category) read = query.read_category(given);
  if (given.intent == SearchIntent::similar) read = query.read_terms(given);
  if (!read) return Unexpected(read.error());
  return query;
}

Result<void> WordQuery::read_literal(const Given& given) {
  literal_ = fold_case(given.text);
  terms_.push_back({});
  return {};
}

Result<void> WordQuery::read_category(const Given& given) {
  Term term = category_term(given.categories, words_);
  if (term.members.empty())
    return fail(ErrorCode::value,
                fmt::format("{} is no category here. Search with intent similar, or literal for "
                            "the text as it is.",
                            quoted_text(given.text)),
                given.path, {"similar", "literal"});
  terms_.push_back(std::move(term));
  return {};
}

// Greedily from the left: the longest run of words that is a category or known as one thing, else a
// word.
Result<void> WordQuery::read_terms(const Given& given) {
  constexpr std::size_t kLongestCategory = 4;
  std::vector<Term> silent;
  for (std::size_t at = 0; at < words_.size();) {
    Term term;
    std::size_t taken = std::min(kLongestCategory, words_.size() - at);
    for (; taken > 0; --taken) {
      const std::span<const std::string> run = std::span(words_).subspan(at, taken);
      term = category_term(given.categories, run);
      const bool is_known =
          taken > 1 && given.categories != nullptr && given.categories->is_known(joined(run));
      if (!term.members.empty() || is_known) break;
    }
    taken = std::max<std::size_t>(taken, 1);
    if (taken > 1)
      term.members.push_back(singulars_of(std::span(words_).subspan(at, taken)));
    else
      term.word = words_[at];
    term.singular = singular_of(term.word);
    const bool says_nothing = term.members.empty() && (std::find(kSilent.begin(), kSilent.end(),
                                                                 term.word) != kSilent.end() ||
                                                       names_table(term.word, given.table));
    (says_nothing ? silent : terms_).push_back(std::move(term));
    at += taken;
  }
  if (terms_.empty()) terms_ = std::move(silent);
  if (terms_.size() <= kMaxTerms) return {};
  return fail(ErrorCode::limit,
              fmt::format("a search takes {} words at most; this one has {}. Name those that "
                          "matter.",
                          kMaxTerms, terms_.size()),
              given.path);
}

WordQuery::Term WordQuery::category_term(const WordCategories* categories,
                                         std::span<const std::string> words) {
  Term term;
  if (categories == nullptr) return term;
  std::string name = joined(words);
  Words members = categories->members_of(name);
  if (members.empty()) {
    Words in_singular(words.begin(), words.end());
    in_singular.back() = singular_of(words.back());
    if (in_singular.back() != words.back()) {
      name = joined(in_singular);
      members = categories->members_of(name);
    }
  }
  const auto phrases_of = [](const Words& texts) {
    std::vector<Phrase> phrases;
    for (const std::string& text : texts) phrases.push_back(singulars_of(words_of(text)));
    std::erase_if(phrases, [](const Phrase& phrase) { return phrase.empty(); });
    return phrases;
  };
  term.members = phrases_of(members);
  if (!members.empty()) term.others = phrases_of(categories->near_misses(name));
  return term;
}

// Whether these words of the text are part of a longer name that is none of the category.
bool WordQuery::is_in_other(const Term& term, std::span<const std::string> singulars,
                            std::size_t at, std::size_t size) {
  return std::any_of(term.others.begin(), term.others.end(), [&](const Phrase& other) {
    const std::size_t reach = other.size() - std::min(size, other.size());
    for (std::size_t from = at - std::min(at, reach); from <= at; ++from)
      if (from + other.size() >= at + size && has_phrase_at(singulars, from, other)) return true;
    return false;
  });
}

bool WordQuery::has_member(const Term& term, std::span<const std::string> singulars) {
  return std::any_of(term.members.begin(), term.members.end(), [&](const Phrase& member) {
    for (std::size_t at = 0; at + member.size() <= singulars.size(); ++at)
      if (has_phrase_at(singulars, at, member) && !is_in_other(term, singulars, at, member.size()))
        return true;
    return false;
  });
}

int WordQuery::score(const Term& term, std::span<const std::string> words,
                     std::span<const std::string> singulars) {
  int best = 0;
  for (std::size_t i = 0; i < words.size() && !term.word.empty() && best < kFull; ++i) {
    int one = word_score(term.word, words[i]);
    if (term.singular == singulars[i]) one = std::max(one, kSingular);
    if (one > best && !is_in_other(term, singulars, i, 1)) best = one;
  }
  if (best >= kMember) return best;
  return has_member(term, singulars) ? kMember : best;
}

bool WordQuery::look_at(string_view text, Scores& best) const {
  if (!literal_.empty()) {
    const std::string folded = fold_case(text);
    if (folded.find(literal_) == std::string::npos) return false;
    best.terms[0] = kFull;
    best.is_whole = best.is_whole || folded == literal_;
    return true;
  }
  return look_at(TextWords(text), best);
}

bool WordQuery::look_at(const TextWords& text, Scores& best) const {
  bool is_any = false;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const int found = score(terms_[i], text.words, text.singulars);
    is_any = is_any || found > 0;
    best.terms[i] = std::max(best.terms[i], found);
  }
  best.is_whole = best.is_whole || text.words == words_;
  return is_any;
}

int WordQuery::most_for(string_view word, string_view singular) const {
  int most = 0;
  for (const Term& term : terms_) {
    if (!term.word.empty()) most = std::max(most, word_score(term.word, word));
    if (!term.word.empty() && term.singular == singular) most = std::max(most, kSingular);
    if (most < kMember && std::any_of(term.members.begin(), term.members.end(),
                                      [&](const Phrase& one) { return one.front() == singular; }))
      most = kMember;
  }
  return most > 0 && terms_.size() > 1 ? kFull : most;
}

// A plural begins as its singular does; only "ies" alone would become "y".
std::bitset<256> WordQuery::first_bytes() const {
  std::bitset<256> bytes;
  const auto add = [&](string_view word) {
    if (word.empty()) return;
    bytes.set(static_cast<unsigned char>(word.front()));
    if (word.front() == 'y') bytes.set('i');
    if (is_unspaced(word)) bytes.set();  // it may stand anywhere in a word
  };
  for (const Term& term : terms_) {
    add(term.word);
    add(term.singular);
    for (const Phrase& member : term.members) add(member.front());
  }
  return bytes;
}

void WordQuery::merge(const Scores& from, Scores& into) {
  for (std::size_t i = 0; i < from.terms.size(); ++i)
    into.terms[i] = std::max(into.terms[i], from.terms[i]);
  into.is_whole = into.is_whole || from.is_whole;
}

int WordQuery::total(const Scores& scores) {
  int sum = 0;
  std::size_t matched = 0;
  for (const int one : scores.terms) {
    sum += one;
    matched += one > 0 ? 1 : 0;
  }
  if (matched == 0 || matched * 2 < scores.terms.size()) return 0;
  return std::max(1, sum / static_cast<int>(scores.terms.size())) + (scores.is_whole ? kWhole : 0);
}

}  // namespace alfred
