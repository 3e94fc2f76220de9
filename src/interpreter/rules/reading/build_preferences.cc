// What somebody is like: members of lists in the one row about the user.
#include <algorithm>
#include <array>

#include "interpreter/rules/reading/builder.h"

namespace alfred::rules {
namespace {

// Said beside a thing, and no part of it.
constexpr std::array<std::string_view, 28> kBeside{
    "i think",    "i believe",  "i guess",   "i suppose",    "i am afraid",  "i fear",
    "as well",    "as",         "well",      "either",       "anymore",      "any more",
    "any longer", "at all",     "at",        "honestly",     "to be honest", "really",
    "actually",   "though",     "very much", "a lot",        "sadly",        "apparently",
    "you know",   "by the way", "anyway",    "unfortunately"};
// With one of these it is a sentence, and no name of a thing.
constexpr std::array<std::string_view, 24> kOfSentences{
    "i",    "we",   "he",    "she",     "they", "my",   "you",  "who",
    "is",   "are",  "was",   "were",    "has",  "have", "had",  "does",
    "hate", "love", "think", "because", "when", "that", "like", "not"};

bool ends_with(std::span<const Token> tokens, std::string_view words) {
  const Tokens wanted = read_tokens(words);
  return tokens.size() > wanted.size() &&
         std::equal(wanted.begin(), wanted.end(),
                    tokens.end() - static_cast<std::ptrdiff_t>(wanted.size()),
                    [](const Token& a, const Token& b) { return a.text == b.text; });
}

std::string without_beside(const std::string& name) {
  const Tokens all = read_tokens(name);
  std::span<const Token> tokens = all;
  for (std::size_t before = 0; before != tokens.size();) {
    before = tokens.size();
    while (tokens.size() > 1 && tokens.back().kind == Token::Kind::stop)
      tokens = tokens.first(tokens.size() - 1);
    for (const std::string_view words : kBeside)
      if (ends_with(tokens, words))
        tokens = tokens.first(tokens.size() - read_tokens(words).size());
  }
  return tokens.size() == all.size() ? name : typed(name, tokens);
}

}  // namespace

// "peanuts or shellfish" are both.
void Builder::take_members(const Captured& what) {
  std::span<const Token> rest = tokens_of(what);
  while (!rest.empty()) {
    const auto joint = std::find_if(rest.begin(), rest.end(),
                                    [](const Token& one) { return one.is("or") || one.is("nor"); });
    const auto size = static_cast<std::size_t>(joint - rest.begin());
    for (Item& one : read_items(clause_.message, rest.first(size), world_.lexicon)) {
      one.name = without_beside(one.name);
      if (is_among(kBeside, lower(one.name))) continue;
      out_.items.push_back(std::move(one));
    }
    rest = rest.subspan(std::min(rest.size(), size + 1));
  }
}

std::string Builder::no_member() const {
  for (const Item& item : out_.items) {
    const Tokens tokens = read_tokens(item.name);
    const bool is_sentence =
        is_pointing(item.name) || std::any_of(tokens.begin(), tokens.end(), [](const Token& one) {
          return is_among(kOfSentences, one.text) || is_among(kOfSentences, one.stem);
        });
    std::string known;     // a thing in it
    std::size_t read = 0;  // words of things
    for (const Span& span : world_.lexicon.spans_in(tokens)) {
      if (span.find(Meaning::Kind::noun) == nullptr) continue;
      read += span.to - span.from;
      if (known.empty())
        known = typed(item.name, std::span(tokens).subspan(span.from, span.to - span.from));
    }
    if (!is_sentence && (known.empty() || read == tokens.size())) continue;
    return "I do not know what “" + item.name + "” is. Say each thing by its name alone" +
           (known.empty() ? "." : ", such as “" + known + "”.");
  }
  return "";
}

std::vector<Doing> Builder::prefer() {
  const Captured* what = slot("what");
  if (table() == nullptr) return {};
  const bool is_named = what != nullptr && what->meaning == nullptr;
  if (is_named) {
    take_members(*what);
  } else if (what != nullptr) {
    Item item;
    const Json& value = what->meaning->value;
    item.name = value.is_string() ? std::string(value.get_string()) : what->meaning->name;
    if (item.name.empty()) item.name = said(*what);
    out_.items.push_back(std::move(item));
  } else if (const std::string always = text_of(with_, "what"); !always.empty()) {
    out_.items.push_back({.name = always});
  }
  take_set();
  if (out_.items.empty() && out_.values.empty()) return {};
  if (flag_of(with_, "known") && !are_known_things()) return {};
  // "spicy food" is no thing: what is wanted of what is made is a wish.
  for (const Item& one : out_.items)
    if (const Tokens tokens = read_tokens(one.name);
        is_named && tokens.size() > 1 && (tokens.back().is("food") || tokens.back().is("dishes")))
      return {};
  if (is_named && out_.how == "add")
    if (std::string why = no_member(); !why.empty()) return refused(std::move(why));
  return {out_};
}

}  // namespace alfred::rules
