// What words mean in a pack: every phrase its declarations know, found in a message by the longest
// run.
//
// R1 words are compared in the singular; hyphens are spaces ("air-fryer").
// R2 a phrase may stand for several things; who reads decides by what fits.
// R3 a word of five letters or more that nobody knows and that is near to one word that somebody knows is taken
//    for it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "interpreter/rules/words/tokens.h"
#include "pack/pack.h"

namespace alfred::rules {

struct Meaning {
  enum class Kind : std::uint8_t { rows, field, value, order, unit, noun };
  Kind kind = Kind::noun;
  std::string table{};
  std::string field{};                  // of field, value, order
  Json value{};                         // of value; of order: true when descending
  std::map<std::string, Json> where{};  // of rows
  std::string name{};                   // of unit, noun
};

// A run of tokens and what it may stand for.
struct Span {
  std::size_t from = 0;
  std::size_t to = 0;  // behind the last
  const std::vector<Meaning>* meanings = nullptr;

  const Meaning* find(Meaning::Kind kind) const;
};

class Lexicon {
 public:
  Lexicon(const Pack& pack, const Schema& schema);

  const Pack& pack() const { return *pack_; }
  const Schema& schema() const { return *schema_; }
  // What is known of these words; null: nothing.
  const std::vector<Meaning>* find(std::string_view phrase) const;
  const std::vector<Meaning>* find_key(std::string_view key) const;  // a phrase_key
  // The longest runs, from the left.
  std::vector<Span> spans_in(std::span<const Token> tokens) const;
  // The longest that begins here; nothing when none does.
  std::optional<Span> span_at(std::span<const Token> tokens, std::size_t at) const;
  // All that begin here, the longest first.
  std::vector<Span> all_spans_at(std::span<const Token> tokens, std::size_t at) const;
  bool is_known_word(std::string_view stem) const { return words_.contains(std::string(stem)); }
  void add_known_word(std::string_view word) { words_.insert(stem_of(word)); }
  // R3, and words that mean others.
  void correct(Tokens& tokens) const;

  const Unit* unit(std::string_view word) const;
  // How the rows of a table are called: "library members".
  std::string name_of_rows(std::string_view table) const;
  std::string subdomain_of(std::string_view table) const;

 private:
  void add(std::string_view phrase, Meaning meaning);
  void add_entities();
  void add_fields(const Table& table, const PackEntity* entity);
  void add_subdomains();
  void add_words();
  void add_nouns();
  std::string corrected(const Token& token) const;

  const Pack* pack_;
  const Schema* schema_;
  std::map<std::string, std::vector<Meaning>, std::less<>> meanings_;
  std::map<std::string, std::string, std::less<>> replaced_;  // words that mean others
  std::set<std::string, std::less<>> words_;
  std::size_t longest_ = 1;
};

// The form in which phrases are compared (R1).
std::string phrase_key(std::string_view phrase);
std::string phrase_key(std::span<const Token> tokens);

}  // namespace alfred::rules
