#include "interpreter/rules/doing/targets.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 11> kOrdinals{"",       "first", "second", "third",
                                                     "fourth", "fifth", "sixth",  "seventh",
                                                     "eighth", "ninth", "tenth"};

std::string shown_text(const Json& value) {
  if (value.is_string()) return std::string(value.get_string());
  const JsonObject* link = value.if_object();
  return link == nullptr ? "" : text_of(*link, "label");
}

// All texts of a row that people may call it by: its name and the names of what it leads to.
std::string named_by(const Book& book, std::string_view table, const JsonObject& row) {
  std::string out = label_of(book, table, row);
  for (const auto& one : row)
    if (one.value().is_object() || one.value().is_string()) out += " " + shown_text(one.value());
  return out;
}

bool says(const Book& book, const std::vector<std::string>& wanted, std::string_view text,
          bool by_category = true) {
  std::vector<std::string> words = words_in(text);
  for (std::string& part : parts_of_words(words)) words.push_back(std::move(part));
  const auto& categories = book.lexicon.pack().categories;
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
    const bool is_there = std::any_of(words.begin(), words.end(), [&](const std::string& own) {
      return own == word || is_near(own, word) || (own.size() >= 4 && word.starts_with(own)) ||
             (word.size() >= 4 && own.starts_with(word));
    });
    return is_there ||
           (by_category && categories.is_category(word) && categories.is_meant(text, word));
  });
}

constexpr std::string_view kAllOfThem[] = {"everything", "all",          "all of it",
                                           "them all",   "all of those", "all of these",
                                           "those all",  "all those",    "all these"};

}  // namespace

namespace {

// "the first and the third": each by its place; empty: they are not told one by one.
std::vector<std::string> places_said(const std::string& said) {
  std::vector<std::string> out;
  bool is_open = true;  // the next place begins a new one
  for (const Token& token : read_tokens(said)) {
    if (token.kind == Token::Kind::stop || token.is("and")) {
      is_open = true;
      continue;
    }
    const bool is_place =
        token.is("last") || (!token.text.empty() && std::find(kOrdinals.begin(), kOrdinals.end(),
                                                              token.text) != kOrdinals.end());
    if (!is_place) continue;
    if (!is_open) return {};
    out.push_back("the " + token.text);
    is_open = false;
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

// "1 to 3": every place from the one to the other; empty: something else is said.
std::vector<std::string> places_between(const Tokens& tokens) {
  std::vector<std::string> out;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const Token& from = tokens[at - 1];
    const Token& to = tokens[at + 1];
    if (!tokens[at].is("to") || from.kind != Token::Kind::number ||
        to.kind != Token::Kind::number || from.number < 1 || to.number < from.number ||
        to.number >= static_cast<double>(kOrdinals.size()))
      continue;
    for (auto place = static_cast<std::size_t>(from.number);
         place <= static_cast<std::size_t>(to.number); ++place)
      out.push_back("the " + std::string(kOrdinals[place]));
  }
  return out;
}

// "the first two": so many from the first one on; empty: something else is said.
std::vector<std::string> first_ones(const std::string& said) {
  const Tokens tokens = read_tokens(said);
  std::vector<std::string> out;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const double count = tokens[at + 1].number;
    if (!tokens[at].is("first") || tokens[at + 1].kind != Token::Kind::number || count < 2 ||
        count >= static_cast<double>(kOrdinals.size()))
      continue;
    for (std::size_t place = 1; place <= static_cast<std::size_t>(count); ++place)
      out.push_back("the " + std::string(kOrdinals[place]));
    return out;
  }
  return out;
}

}  // namespace

std::vector<std::string> pointers(const std::string& said) {
  if (std::vector<std::string> first = first_ones(said); !first.empty()) return first;
  if (std::vector<std::string> places = places_said(said); !places.empty()) return places;
  std::vector<std::string> refs;
  std::vector<std::string> numbers;
  std::string out;
  bool is_numbered = false;  // "number two": the word is a place too
  const Tokens tokens = read_tokens(said);
  if (std::vector<std::string> range = places_between(tokens); !range.empty()) return range;
  for (const Token& token : tokens) {
    if (is_ref_word(token.text)) refs.push_back(token.text);
    is_numbered = is_numbered || token.stem == "number";
    const bool is_digit = token.kind == Token::Kind::number &&
                          (is_numbered || (token.text.size() <= 2 && token.text[0] <= '9'));
    if (is_digit && token.number >= 1 && token.number <= 10)
      numbers.push_back("the " + std::string(kOrdinals[static_cast<std::size_t>(token.number)]));
    if (token.kind == Token::Kind::stop || token.is("just") || token.is("only") ||
        token.is("please") || token.is("and") || token.is("too") || token.is("also"))
      continue;
    out += (out.empty() ? "" : " ") + token.text;
  }
  if (!refs.empty()) return refs;
  if (!numbers.empty()) return numbers;
  const bool is_all = std::any_of(std::begin(kAllOfThem), std::end(kAllOfThem),
                                  [&](std::string_view one) { return out == one; });
  if (is_all) out = "all of them";
  return {out.empty() ? "it" : out};
}

std::string said_but(const std::string& said) {
  const Tokens tokens = read_tokens(said);
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at)
    if (tokens[at].is("but") || tokens[at].is("except"))
      return typed(said, std::span(tokens).subspan(at + 1));
  return "";
}

std::size_t place_said(std::string_view pointer, std::size_t count) {
  if (pointer.starts_with("the last")) return count;
  for (std::size_t place = 1; place < kOrdinals.size(); ++place)
    if (pointer.starts_with("the " + std::string(kOrdinals[place]))) return place;
  return 0;
}

bool is_plural_pointer(std::string_view pointer) {
  constexpr std::array<std::string_view, 6> kPlural{"them", "those",        "these",
                                                    "both", "both of them", "all of them"};
  return std::find(kPlural.begin(), kPlural.end(), pointer) != kPlural.end();
}

std::size_t number_in(std::string_view ref) {
  std::size_t out = 0;
  for (const char c : ref.substr(std::min(ref.size(), ref.rfind('_') + 1)))
    out =
        c >= '0' && c <= '9' && out < 1'000'000 ? out * 10 + static_cast<std::size_t>(c - '0') : 0;
  return out;
}

namespace {

std::size_t count_made(const Facts& facts) {
  for (const Constraint& one : facts.constraints)
    if (one.type == "count" && one.value.is_int64() && one.value.get_int64() > 0)
      return static_cast<std::size_t>(one.value.get_int64());
  return 0;
}

// Whether the words say this place: "the third one".
bool is_at(std::string_view said, std::size_t place) {
  return place > 0 && !said.starts_with("the last") && place_said(said, 0) == place;
}

// Of those that were made at once and last, with nothing of them saved yet, by place or all: who of
// them was changed or looked at since makes no other list.
std::vector<std::string> of_last_batch(const Facts& facts, const Target& target,
                                       std::vector<std::string> left, std::size_t count) {
  const Known* latest = nullptr;
  for (const Known& one : facts.known)
    if (one.type == target.type && !one.is_background &&
        (latest == nullptr || one.turn > latest->turn))
      latest = &one;
  if (count < 2 || left.size() < count || latest == nullptr || !latest->is_generated) return {};
  left.erase(left.begin(), left.end() - static_cast<std::ptrdiff_t>(count));
  if (number_in(left.back()) - number_in(left.front()) + 1 != count) return {};
  std::vector<std::string> out;
  for (const std::string& said : pointers(target.said)) {
    if (said == "all of them" || said == "both" || said == "both of them")
      return said.starts_with("both") && count != 2 ? std::vector<std::string>() : left;
    for (std::size_t place = 1; place <= count; ++place)
      if (is_at(said, place) || (place == count && said.starts_with("the last")))
        out.push_back(left[place - 1]);
  }
  return out;
}

}  // namespace

std::vector<std::string> left_of_made(const Facts& facts, const Target& target) {
  std::vector<std::string> left;
  for (const Known& one : facts.known)
    if (one.is_generated && one.type == target.type) left.push_back(one.ref);
  const std::vector<std::string> words = words_in(target.said);
  const bool is_rest = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "rest" || word == "other" || word == "others" || word == "remaining";
  });
  if (is_rest || left.empty()) return is_rest ? left : std::vector<std::string>();
  const std::size_t count = count_made(facts);
  const bool is_one_batch =
      left.size() < count && std::all_of(left.begin(), left.end(), [&](const std::string& ref) {
        return number_in(ref) <= count;
      });
  if (!is_one_batch) return of_last_batch(facts, target, std::move(left), count);
  std::vector<std::string> out;
  for (const std::string& said : pointers(target.said))
    for (const std::string& ref : left)
      if (is_at(said, number_in(ref))) out.push_back(ref);
  return out;
}

std::vector<std::string> refs_of(const Facts& facts, const Target& target) {
  std::vector<std::string> out;
  const std::vector<std::string> said =
      target.is_pointing ? pointers(target.said) : std::vector{target.said};
  for (const std::string& one : said)
    if (const MentionFact* mention = facts.mention(one, target.type))
      out.insert(out.end(), mention->refs.begin(), mention->refs.end());
  if (!out.empty() || !target.is_pointing) return out;
  // Those that a place among what was made stood for (left_of_made).
  for (const MentionFact& one : facts.mentions)
    if (one.type == target.type && is_ref_word(one.raw_text))
      out.insert(out.end(), one.refs.begin(), one.refs.end());
  return out;
}

bool is_unsure(const Facts& facts, const Target& target) {
  const MentionFact* mention = facts.mention(target.said, target.type);
  return mention != nullptr && !mention->refs.empty() && !mention->is_sure;
}

std::string ref_of(const Book& book, std::string_view table, const JsonObject& row) {
  const Table* found = book.lexicon.schema().find(table);
  if (found != nullptr && found->key.size() == 1 && found->find(found->key.front()) != nullptr &&
      !found->find(found->key.front())->link)
    if (std::string ref = text_of(row, found->key.front()); !ref.empty()) return ref;
  const std::string beside = text_of(row, "_ref");
  return beside.empty() ? text_of(row, "id") : beside;
}

std::string label_of(const Book& book, std::string_view table, const JsonObject& row) {
  const Table* found = book.lexicon.schema().find(table);
  const Json* label = found == nullptr ? nullptr : member(row, found->label);
  if (label != nullptr && !label->is_null()) return shown_text(*label);
  for (const auto& one : row)
    if (one.value().is_object())
      if (std::string text = shown_text(one.value()); !text.empty()) return text;
  return "";
}

std::vector<const JsonObject*> rows_meant(const Book& book, std::string_view table,
                                          const Facts& facts, const Target& target,
                                          const std::vector<const JsonObject*>& rows) {
  if (target.is_all) return rows;
  std::vector<const JsonObject*> out;
  const std::vector<std::string> refs = refs_of(facts, target);
  for (const JsonObject* row : rows)
    if (std::find(refs.begin(), refs.end(), ref_of(book, table, *row)) != refs.end())
      out.push_back(row);
  if (!out.empty()) return out;
  const std::vector<std::string> wanted = telling_words(target.said);
  if (wanted.empty()) return rows;
  const std::string whole = phrase_key(target.said);
  for (const JsonObject* row : rows)
    if (phrase_key(label_of(book, table, *row)) == whole) out.push_back(row);
  if (!out.empty()) return out;
  for (const JsonObject* row : rows)
    if (says(book, wanted, named_by(book, table, *row))) out.push_back(row);
  return out;
}

std::vector<const JsonObject*> rows_named(const Book& book, std::string_view table,
                                          std::string_view said,
                                          const std::vector<const JsonObject*>& rows) {
  const std::vector<std::string> wanted = telling_words(said);
  std::vector<const JsonObject*> out;
  for (const JsonObject* row : rows)
    if (says(book, wanted, named_by(book, table, *row))) out.push_back(row);
  return out;
}

bool is_called(const Book& book, std::string_view table, std::string_view said,
               const JsonObject& row) {
  std::string own = label_of(book, table, row);
  for (const auto& one : row)
    if (one.value().is_object()) own += " " + shown_text(one.value());
  return says(book, telling_words(said), own, false);
}

const Constraint* banned_by(const Book& book, const Facts& facts, const Constraint& wish) {
  if (wish.type != text_of(book.lexicon.pack().rules.wishes, "required") || !wish.value.is_string())
    return nullptr;
  for (const Constraint& one : facts.permanent)
    if (is_banned(book, std::string(wish.value.get_string()), one)) return &one;
  return nullptr;
}

std::string broken_wish(const Book& book, const Facts& facts, const std::string& label,
                        const JsonObject& content) {
  for (const Constraint& one : facts.constraints)
    if (one.type != "count" && !holds(book, content, one))
      return label + " does not keep to what you want now: " + wish_text(book, one) +
             ". Ask for a new one, or say “start over” to drop that wish. Nothing was changed.";
  return "";
}

bool has_name(const Book& book, std::string_view table) {
  const Table* found = book.lexicon.schema().find(table);
  const Field* label = found == nullptr ? nullptr : found->find(found->label);
  return label != nullptr && label->type == FieldType::text;
}

}  // namespace alfred::rules
