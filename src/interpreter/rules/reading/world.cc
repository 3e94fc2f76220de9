#include "interpreter/rules/reading/world.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 36> kPointing{
    "it",   "them",   "that",      "this", "those", "these",  "both",  "all",    "everything",
    "one",  "ones",   "of",        "the",  "first", "second", "third", "fourth", "fifth",
    "last", "latter", "former",    "just", "only",  "same",   "too",   "also",   "number",
    "rest", "others", "remaining", "st",   "nd",    "rd",     "th",    "but",    "except"};
constexpr std::array<std::string_view, 26> kTellingNothing{
    "the",   "a",   "an",    "my",    "our", "your", "that",  "this",   "those",
    "these", "one", "of",    "in",    "on",  "with", "about", "called", "for",
    "from",  "and", "thing", "stuff", "new", "some", "named", "is"};

bool is_word_of(const std::string& word, const Known& known) {
  return std::any_of(known.words.begin(), known.words.end(), [&](const std::string& own) {
    return own == word || (word.size() >= 5 && is_near(own, word)) ||
           (own.size() >= 5 && word.starts_with(own)) ||
           (word.size() >= 5 && own.starts_with(word));
  });
}

}  // namespace

std::vector<std::string> telling_words(std::string_view said) {
  std::vector<std::string> out;
  for (const std::string& word : words_in(said))
    if (!is_among(kTellingNothing, word)) out.push_back(word);
  return out;
}

bool is_ref_word(std::string_view word) {
  const std::size_t bar = word.rfind('_');
  if (bar == std::string_view::npos || bar == 0 || bar + 1 == word.size()) return false;
  const std::string_view number = word.substr(bar + 1);
  return word.substr(0, bar) != "lit" &&
         std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_pointing(std::string_view said) {
  const Tokens tokens = read_tokens(said);
  bool points = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.kind == Token::Kind::stop || token.is("and") || token.is("please")) continue;
    const bool is_range = token.is("to") && at > 0 && at + 1 < tokens.size() &&
                          tokens[at - 1].kind == Token::Kind::number &&
                          tokens[at + 1].kind == Token::Kind::number;
    if (is_range) continue;
    const bool is_number =
        token.kind == Token::Kind::number && token.number >= 1 && token.number <= 20;
    const bool is_known = is_among(kPointing, token.text) || token.stem == "number";
    if (!is_number && !is_known && !is_ref_word(token.text)) return false;
    points = points || (!token.is("the") && !token.is("of") && !token.is("just") &&
                        !token.is("only") && !token.is("too") && !token.is("also") &&
                        !token.is("but") && !token.is("except") && token.stem != "number");
  }
  return points;
}

bool is_pronoun(std::string_view said) {
  constexpr std::array<std::string_view, 6> kPronouns{"it",   "them",  "that",
                                                      "this", "those", "these"};
  return is_among(kPronouns, said);
}

bool ReadingWorld::is_made_latest(std::string_view type) const {
  const Known* latest = nullptr;
  for (const Known& one : known)
    if (one.type == type && !one.is_background && (latest == nullptr || one.turn > latest->turn))
      latest = &one;
  return latest != nullptr && latest->is_generated;
}

bool ReadingWorld::has_generated() const {
  return std::any_of(known.begin(), known.end(), [](const Known& one) { return one.is_generated; });
}

std::size_t ReadingWorld::made_last() const {
  std::uint32_t latest = 0;
  for (const Known& one : known)
    if (one.is_generated) latest = std::max(latest, one.turn);
  return static_cast<std::size_t>(std::count_if(known.begin(), known.end(), [&](const Known& one) {
    return one.is_generated && one.turn == latest;
  }));
}

std::string ReadingWorld::last_type(bool is_generated) const {
  const Known* last = nullptr;
  for (const Known& one : known) {
    if (one.is_background || one.is_looked_at || (is_generated && !one.is_generated)) continue;
    if (lexicon.subdomain_of(table_of(one.type)).empty()) continue;
    if (const Table* table = schema().find_ref(one.type); table != nullptr && table->is_read_only)
      continue;
    // The one row about the user is never "it".
    if (const PackEntity* entity = pack().find(table_of(one.type));
        entity != nullptr && entity->is_single)
      continue;
    if (last == nullptr || one.turn > last->turn) last = &one;
  }
  return last == nullptr ? "" : last->type;
}

std::string ReadingWorld::written_last() const {
  std::string last = last_type();
  std::uint32_t turn = 0;
  for (const Known& one : known)
    if (one.type == last && !one.is_background) turn = std::max(turn, one.turn);
  for (const Known& one : known) {
    const Table* table = schema().find_ref(one.type);
    const bool is_written = one.status == "created" || one.status == "updated";
    if (table == nullptr || !is_written || one.turn != turn || one.is_background) continue;
    for (const Field& field : table->fields)
      if (field.link && one.type != last && field.link->table == table_of(last) &&
          field.link->on_delete != OnDelete::cascade)
        return one.type;
  }
  return last;
}

std::string ReadingWorld::type_of_ref(std::string_view ref) const {
  if (!is_ref_word(ref)) return "";
  for (const Known& one : known)
    if (one.ref == ref) return one.type;
  // One that nobody knows: by its word, so that it is said to be unknown.
  std::string_view word = ref.substr(0, ref.rfind('_'));
  if (word.starts_with("gen_")) word.remove_prefix(4);
  const Table* table = schema().find_ref(word);
  return table == nullptr ? "" : table->ref;
}

std::string ReadingWorld::table_of(std::string_view type) const {
  const Table* table = schema().find_ref(type);
  return table == nullptr ? "" : table->name;
}

std::string ReadingWorld::type_of(std::string_view table) const {
  const Table* found = schema().find(table);
  return found == nullptr ? "" : found->ref;
}

std::vector<const Known*> ReadingWorld::find(std::string_view said, std::string_view type) const {
  const std::vector<std::string> wanted = telling_words(said);
  std::vector<const Known*> out;
  if (wanted.empty()) return out;
  for (const Known& one : known) {
    if (!type.empty() && one.type != type) continue;
    // Words that name the type do not tell which one.
    std::set<std::string> names;
    if (const PackEntity* entity = pack().find(table_of(one.type)))
      for (const std::string& word : entity->words)
        for (const std::string& part : words_in(word)) names.insert(part);
    const auto is_told = [&](const std::string& word) {
      return is_word_of(word, one) || names.contains(word) ||
             (pack().categories.is_category(word) && pack().categories.is_meant(one.label, word));
    };
    const bool has_own = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
      return !names.contains(word);
    });
    if (has_own && std::all_of(wanted.begin(), wanted.end(), is_told)) out.push_back(&one);
  }
  return out;
}

std::vector<const Known*> ReadingWorld::named_last(std::string_view said) const {
  std::uint32_t last = 0;
  for (const Known& one : known)
    if (!one.is_background && !one.is_looked_at) last = std::max(last, one.turn);
  std::vector<const Known*> out;
  std::vector<std::string> wanted;  // as typed: "bananas" is not called "Banana Bread"
  for (const Token& token : read_tokens(said))
    if (token.kind != Token::Kind::stop && !is_among(kTellingNothing, token.text))
      wanted.push_back(token.text);
  if (wanted.empty()) return out;
  for (const Known& one : known) {
    if (one.is_background || one.is_looked_at || one.turn != last) continue;
    const Tokens own = read_tokens(one.label);
    if (std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
          return std::any_of(own.begin(), own.end(),
                             [&](const Token& token) { return token.text == word; });
        }))
      out.push_back(&one);
  }
  return out;
}

namespace {

// "the task about the knives" → "the knives", and the table that the words name.
std::string without_type(const ReadingWorld& world, std::string said, std::string& table) {
  const Tokens tokens = read_tokens(said);
  std::span<const Token> rest = without_articles(tokens);
  if (rest.empty()) return said;
  const std::vector<Span> spans = world.lexicon.spans_in(rest);
  for (const Span& span : spans) {
    const Meaning* rows = span.find(Meaning::Kind::rows);
    if (rows == nullptr || !rows->where.empty()) continue;
    const bool is_last = span.to == rest.size() && span.from > 0;
    const bool is_first =
        span.from == 0 && span.to < rest.size() &&
        (rest[span.to].is("about") || rest[span.to].is("called") || rest[span.to].is("named") ||
         rest[span.to].is("with") || rest[span.to].is("for") || rest[span.to].is("of"));
    if (!is_last && !is_first) continue;
    if (table.empty()) table = rows->table;
    if (is_last && table == rows->table) return typed(said, rest.first(span.from));
    if (is_first && table == rows->table) return typed(said, rest.subspan(span.to + 1));
  }
  return typed(said, rest);
}

// "that book", "the book", by nothing but the word for one such row, of which one was spoken of:
// its type; empty: something else is said.
std::string type_pointed_at(const ReadingWorld& world, std::string_view said) {
  const Tokens tokens = read_tokens(said);
  const bool is_pointed =
      tokens.size() == 1 ||
      (tokens.size() == 2 && (tokens[0].is("that") || tokens[0].is("this") || tokens[0].is("the")));
  if (!is_pointed || tokens.back().text != tokens.back().stem) return "";
  for (const Table& table : world.schema().tables()) {
    const PackEntity* entity = world.pack().find(table.name);
    if (entity == nullptr || std::find(entity->words.begin(), entity->words.end(),
                                       tokens.back().text) == entity->words.end())
      continue;
    if (std::any_of(world.known.begin(), world.known.end(), [&](const Known& one) {
          return one.type == table.ref && !one.is_background && !one.is_looked_at;
        }))
      return table.ref;
  }
  return "";
}

bool begins_with_place(std::span<const Token> tokens) {
  constexpr std::array<std::string_view, 11> kPlaces{"first", "second", "third",   "fourth",
                                                     "fifth", "sixth",  "seventh", "eighth",
                                                     "ninth", "tenth",  "last"};
  return !tokens.empty() && is_among(kPlaces, tokens.front().text);
}

bool is_place(std::string_view said) {
  const Tokens tokens = read_tokens(said);
  return tokens.size() == 1 && begins_with_place(tokens);
}

// Whether the words are the name of a thing that the pack knows.
bool is_noun(const ReadingWorld& world, std::string_view said) {
  const Tokens tokens = read_tokens(said);
  const std::vector<Meaning>* found = world.lexicon.find_key(phrase_key(without_articles(tokens)));
  return found != nullptr && Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr;
}

// Whose names fit best: those that were just told by these words, the whole name before a part of
// it, those in play before those of the background, and of these the latest.
std::string type_by_name(const ReadingWorld& world, std::string_view said) {
  const Known* best = nullptr;
  const std::vector<const Known*> told = world.named_last(said);
  const auto rank = [&](const Known& one) {
    return std::tuple(std::find(told.begin(), told.end(), &one) != told.end(),
                      telling_words(one.label) == telling_words(said), !one.is_background,
                      one.turn);
  };
  for (const Known* one : world.find(said, "")) {
    if (world.lexicon.subdomain_of(world.table_of(one->type)).empty()) continue;
    // What others lead to and nobody may change is not what is spoken of.
    if (const Table* table = world.schema().find_ref(one->type);
        table != nullptr && table->is_read_only)
      continue;
    if (best == nullptr || rank(*one) > rank(*best)) best = one;
  }
  // While there is a goal only rows of its kind are brought to mind: the thing itself is looked up
  // before something that has it in its name.
  const bool is_named_so = best != nullptr && (!best->is_background ||
                                               telling_words(best->label) == telling_words(said));
  if (world.has_goal && !is_named_so && is_noun(world, said))
    if (std::string things = world.type_of(world.pack().rules.things); !things.empty())
      return things;
  return best == nullptr ? "" : best->type;
}

// Where the name stands whole, as first and behind the last token; nothing: it does not.
std::optional<std::pair<std::size_t, std::size_t>> place_of(std::span<const Token> tokens,
                                                            std::string_view name) {
  const std::string key = phrase_key(name);
  const std::size_t size = read_tokens(name).size();
  for (std::size_t at = 0; size > 1 && at + size <= tokens.size(); ++at)
    if (phrase_key(tokens.subspan(at, size)) == key) return std::pair(at, at + size);
  return std::nullopt;
}

}  // namespace

std::vector<Moment> moments_in(const ReadingWorld& world, std::span<const Token> tokens) {
  std::vector<Moment> out = find_moments(tokens, world.now);
  for (const Known& one : world.known) {
    if (out.empty()) break;
    const Table* table = world.schema().find_ref(one.type);
    const Field* label = table == nullptr ? nullptr : table->find(table->label);
    if (label == nullptr || label->type != FieldType::text) continue;
    const auto place = place_of(tokens, one.label);
    if (!place) continue;
    std::erase_if(out, [&](const Moment& moment) {
      return moment.to > place->first && moment.to <= place->second;
    });
  }
  return out;
}

bool says_place(std::string_view said) {
  const Tokens tokens = read_tokens(said);
  return is_pointing(said) && std::any_of(tokens.begin(), tokens.end(), [](const Token& one) {
           return begins_with_place(std::span(&one, 1)) ||
                  (one.kind == Token::Kind::number && !one.is("one"));
         });
}

Target make_target(const ReadingWorld& world, std::string said, std::string_view table) {
  Target out{.said = std::move(said), .type = world.type_of(table)};
  // "it's back": the verb is said with it.
  if (const std::size_t mark = out.said.rfind('\'');
      mark != std::string::npos && out.said.substr(mark) == "'s" &&
      is_pointing(std::string_view(out.said).substr(0, mark)))
    out.said.resize(mark);
  if (is_pointing(out.said)) {
    out.is_pointing = true;
    if (begins_with_place(read_tokens(out.said))) out.said = "the " + out.said;
    for (const Token& token : read_tokens(out.said))
      if (const std::string type = world.type_of_ref(token.text); !type.empty()) out.type = type;
    for (const auto& [words, type] : world.pointed)
      if (out.type.empty() && words_in(words) == words_in(out.said)) out.type = type;
    if (out.type.empty() && !world.pointed.empty()) out.type = world.pointed.front().second;
    if (out.type.empty()) out.type = world.last_type();
    return out;
  }
  if (const std::string type = type_pointed_at(world, out.said); !type.empty()) {  // "that book"
    out.type = type;
    out.said = "it";
    out.is_pointing = true;
    return out;
  }
  std::string named(table);
  const std::string rest = without_type(world, out.said, named);
  if (!rest.empty()) out.said = rest;
  if (out.type.empty()) out.type = world.type_of(named);
  if (is_place(out.said)) {  // "the first book"
    out.said = "the " + out.said;
    out.is_pointing = true;
    return out;
  }
  if (out.type.empty()) out.type = type_by_name(world, out.said);
  return out;
}

}  // namespace alfred::rules
