#include "interpreter/rules/words/lexicon.h"

#include <algorithm>

namespace alfred::rules {
namespace {

// "cook_time_minutes" → "cook time minutes".
std::string spaced(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::size_t words_of_key(std::string_view key) {
  return 1 + static_cast<std::size_t>(std::count(key.begin(), key.end(), ' '));
}

}  // namespace

const Meaning* Span::find(Meaning::Kind kind) const {
  if (meanings == nullptr) return nullptr;
  for (const Meaning& one : *meanings)
    if (one.kind == kind) return &one;
  return nullptr;
}

namespace {

// A token as it stands in a key (R1).
std::string key_of(const Token& token) {
  std::string out = token.stem;
  std::replace(out.begin(), out.end(), '-', ' ');
  return out;
}

}  // namespace

std::string phrase_key(std::span<const Token> tokens) {
  std::string out;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::stop) return "";
    out += (out.empty() ? "" : " ") + key_of(token);
  }
  return out;
}

std::string phrase_key(std::string_view phrase) {
  std::string plain(phrase);
  std::replace(plain.begin(), plain.end(), '-', ' ');
  std::string out;
  for (const std::string& word : words_in(plain)) out += (out.empty() ? "" : " ") + word;
  return out;
}

Lexicon::Lexicon(const Pack& pack, const Schema& schema) : pack_(&pack), schema_(&schema) {
  add_entities();
  add_subdomains();
  add_words();
  add_nouns();
}

void Lexicon::add(std::string_view phrase, Meaning meaning) {
  const std::string key = phrase_key(phrase);
  if (key.empty()) return;
  for (const std::string& word : words_in(key)) words_.insert(word);
  longest_ = std::max(longest_, words_of_key(key));
  meanings_[key].push_back(std::move(meaning));
}

void Lexicon::add_fields(const Table& table, const PackEntity* /*entity*/) {
  for (const Field& field : table.fields) {
    if (field.is_hidden || field.link || table.is_key(field.name)) continue;
    add(spaced(field.name), {Meaning::Kind::field, table.name, field.name, {}, {}, {}});
    for (const std::string& value : field.enum_values)
      add(value, {Meaning::Kind::value, table.name, field.name, Json(value), {}, {}});
    for (const auto& [said, value] : field.value_aliases)
      add(said, {Meaning::Kind::value, table.name, field.name, Json(value), {}, {}});
  }
}

void Lexicon::add_entities() {
  for (const Table& table : schema_->tables()) {
    const PackEntity* entity = pack_->find(table.name);
    if (entity != nullptr)
      for (const std::string& word : entity->words)
        add(word, {Meaning::Kind::rows, table.name, {}, {}, {}, {}});
    add(spaced(table.name), {Meaning::Kind::rows, table.name, {}, {}, {}, {}});
    add_fields(table, entity);
  }
}

void Lexicon::add_subdomains() {
  for (const Subdomain& one : pack_->subdomains) {
    if (one.tables.empty()) continue;
    for (const auto& [word, where] : one.scopes)
      add(word, {Meaning::Kind::rows, one.tables.front(), {}, {}, where, {}});
    for (const std::string& word : one.words)
      if (!one.scopes.contains(word))
        add(word, {Meaning::Kind::rows, one.tables.front(), {}, {}, {}, {}});
  }
}

void Lexicon::add_words() {
  for (const RuleWord& word : pack_->rules.words)
    for (const std::string& said : word.says) {
      if (!word.means.empty())
        replaced_[phrase_key(said)] = word.means;
      else if (!word.order.empty()) {
        const std::size_t space = word.order.find(' ');
        const bool is_descending = word.order.ends_with(" desc");
        add(said, {Meaning::Kind::order,
                   word.table,
                   word.order.substr(0, space),
                   Json(is_descending),
                   {},
                   {}});
      } else if (word.value) {
        add(said, {Meaning::Kind::value, word.table, word.field, *word.value, {}, {}});
      } else if (!word.field.empty()) {
        add(said, {Meaning::Kind::field, word.table, word.field, {}, {}, {}});
      } else {
        add(said, {Meaning::Kind::rows, word.table, {}, {}, word.where, {}});
      }
      for (const std::string& known : words_in(said)) words_.insert(known);
    }
}

void Lexicon::add_nouns() {
  for (const Unit& unit : pack_->units) {
    add(unit.name, {Meaning::Kind::unit, {}, {}, {}, {}, unit.name});
    for (const std::string& word : unit.words)
      add(word, {Meaning::Kind::unit, {}, {}, {}, {}, unit.name});
  }
  const auto noun = [&](const std::string& word) {
    add(word, {Meaning::Kind::noun, {}, {}, {}, {}, word});
  };
  for (const Category& category : pack_->categories.all()) {
    noun(category.name);
    for (const std::string& word : category.words) noun(word);
    for (const std::string& word : category.members) noun(word);
  }
}

const std::vector<Meaning>* Lexicon::find(std::string_view phrase) const {
  return find_key(phrase_key(phrase));
}

const std::vector<Meaning>* Lexicon::find_key(std::string_view key) const {
  const auto found = meanings_.find(key);
  return found == meanings_.end() ? nullptr : &found->second;
}

std::vector<Span> Lexicon::all_spans_at(std::span<const Token> tokens, std::size_t at) const {
  std::vector<Span> out;
  std::string key;
  for (std::size_t size = 1; size <= longest_ && at + size <= tokens.size(); ++size) {
    const Token& next = tokens[at + size - 1];
    if (next.kind == Token::Kind::stop) break;
    key += (key.empty() ? "" : " ") + key_of(next);
    if (const std::vector<Meaning>* meanings = find_key(key))
      out.insert(out.begin(), Span{at, at + size, meanings});
  }
  return out;
}

std::optional<Span> Lexicon::span_at(std::span<const Token> tokens, std::size_t at) const {
  const std::vector<Span> all = all_spans_at(tokens, at);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<Span> Lexicon::spans_in(std::span<const Token> tokens) const {
  std::vector<Span> out;
  for (std::size_t at = 0; at < tokens.size();) {
    if (const std::optional<Span> span = span_at(tokens, at)) {
      out.push_back(*span);
      at = span->to;
    } else {
      ++at;
    }
  }
  return out;
}

std::string Lexicon::corrected(const Token& token) const {
  const std::string& stem = token.stem;
  // One letter off is nearer than two.
  std::vector<std::string> close;
  for (const std::string& known : words_)
    if (known.size() >= 5 && known[0] == stem[0] && is_one_off(known, stem)) close.push_back(known);
  if (close.size() == 1) return close.front();
  const bool is_plural = token.text.ends_with('s');
  std::string best;
  for (const std::string& known : words_) {
    if (known.size() < 5 || known[0] != stem[0]) continue;
    // In the plural too, where two letters may be wrong.
    if (!is_near(known, stem) && !(is_plural && is_near(known + "s", token.text))) continue;
    if (!best.empty()) return stem;  // not clear
    best = known;
  }
  return best.empty() ? stem : best;
}

void Lexicon::correct(Tokens& tokens) const {
  for (Token& token : tokens)
    if (token.kind == Token::Kind::word && token.text.size() >= 5 && !words_.contains(token.stem)) {
      const std::string known = corrected(token);
      if (known == token.stem) continue;
      token.stem = known;
      token.text = known;
    }
  for (std::size_t at = 0; at < tokens.size(); ++at)
    for (std::size_t size = std::min<std::size_t>(5, tokens.size() - at); size > 0; --size) {
      const auto found = replaced_.find(phrase_key(std::span(tokens).subspan(at, size)));
      if (found == replaced_.end() || found->first.empty()) continue;
      Tokens means = read_tokens(found->second);
      for (Token& one : means) {
        one.begin = tokens[at].begin;
        one.end = tokens[at + size - 1].end;
      }
      const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = means.size();
      const auto next = tokens.erase(from, from + static_cast<std::ptrdiff_t>(size));
      tokens.insert(next, std::make_move_iterator(means.begin()),
                    std::make_move_iterator(means.end()));
      at += count == 0 ? 0 : count - 1;
      break;
    }
}

const Unit* Lexicon::unit(std::string_view word) const {
  const std::vector<Meaning>* found = find_key(word);
  if (found == nullptr) return nullptr;
  for (const Meaning& one : *found)
    if (one.kind == Meaning::Kind::unit)
      for (const Unit& unit : pack_->units)
        if (unit.name == one.name) return &unit;
  return nullptr;
}

std::string Lexicon::name_of_rows(std::string_view table) const {
  const PackEntity* entity = pack_->find(table);
  const std::string out =
      entity != nullptr && entity->words.size() > 1 ? entity->words[1] : spaced(table);
  return out.empty() ? "rows" : out;
}

std::string Lexicon::subdomain_of(std::string_view table) const {
  for (const Subdomain& one : pack_->subdomains)
    if (!one.tables.empty() && one.tables.front() == table) return one.name;
  for (const Subdomain& one : pack_->subdomains)
    if (std::find(one.tables.begin(), one.tables.end(), table) != one.tables.end()) return one.name;
  return pack_->subdomains.empty() ? "" : pack_->subdomains.front().name;
}

}  // namespace alfred::rules
