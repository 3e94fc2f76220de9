// Finds text inside prose that looks like a database key, or is a piece of one that is known.
//
// R1 a uuid with all, some or no dashes, in any case, wherever it stands.
// R2 eight characters or more at the start or the end of a known key (a truncated uuid, a long integer
//    or text key); hex digits in any case.
// R3 text that looks like one of our own literals, so that `lit_1` typed by a person survives.
// R4 a span covers whole words ([A-Za-z0-9_]) and whole code points, so that what replaces it stands
//    alone; spans come in order and do not touch.
// R5 of texts only those that look like keys: ordinary words, a date or a time as a key hide nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "refs/keys/key_store.h"

namespace alfred {

// The known keys' first and last eight characters: learned when asked for the first time, and then
// only from keys that are new. Lives no longer than the store, and not across a rollback of it.
class KeyPieces {
 public:
  explicit KeyPieces(const KeyStore& keys) : keys_(keys) {}
  bool has_long_texts() const { return keys_.long_text_count() > 0; }
  bool knows_hex(std::uint32_t eight_digits);
  bool knows_text(std::uint64_t eight_bytes);
  // Whether this is a whole key, one of eight characters or more that are all of a-z and _.
  bool knows_word(std::string_view word);

 private:
  void learn();
  bool learn_key(EntityNo entity);
  void learn_part(const KeyView& key);

  const KeyStore& keys_;
  EntityNo learned_ = 0;
  std::vector<EntityNo> keyless_;  // had no key when learned
  std::size_t late_keys_ = 0;
  boost::unordered_flat_set<std::uint32_t> hex_;
  boost::unordered_flat_set<std::uint64_t> texts_;
  std::set<std::string, std::less<>> words_;
};

struct TextSpan {
  std::size_t from = 0;
  std::size_t upto = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// Appends the spans of text that must not be shown (R1–R4). Hex runs of eight or more that are not
// known yet are appended to unknown_hex, when given: a key learned later may make them known.
void find_key_spans(std::string_view text, KeyPieces& pieces, std::vector<TextSpan>& spans,
                    std::vector<std::uint32_t>* unknown_hex = nullptr);

// Whether a name (of a column, a member, a table) is or holds a key, so that it is neither shown
// nor made the type of refs: it has a key's shape, or holds a piece of a known key that is a text.
// A name of plain words a-z and _ must hold such a key whole: a key customer-17 hides no
// customer_id.
bool is_key_name(std::string_view name, KeyPieces& pieces);

// Whether a text that is a key looks like one, so that it is known by value wherever it stands
// (R5): eight bytes or more, and not only letters, spaces and the marks of prose, nor a date or a
// time; letters whose case keeps changing are no word.
bool looks_like_key(std::string_view text);

// Whether eight hex digits in a row stand in the text: what an error message does not repeat.
bool has_key_shape(std::string_view text);

}  // namespace alfred
