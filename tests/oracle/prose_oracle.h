// What of a text must be hidden, byte by byte, for the oracle.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/registry_model.h"

namespace alfred::oracle {

// The first and last eight characters of every key that is known.
struct KnownPieces {
  std::set<std::string> hex;  // lower case: of uuids and integers
  std::set<std::string> texts;
  std::set<std::string> words;  // whole keys that are texts of eight characters or more

  explicit KnownPieces(const RegistryModel& registry);

 private:
  void learn(const ModelKey& key);
};

struct HiddenSpan {
  std::size_t from = 0;
  std::size_t upto = 0;
};

// In order, not touching.
std::vector<HiddenSpan> hidden_spans(std::string_view text, const KnownPieces& pieces);

// Whether a name is or holds a key (is_key_name).
bool names_key(const std::string& name, const KnownPieces& pieces);

// Words and times, which are no secret where they are keys (D33).
bool is_ordinary(const std::string& text);

// Eight hex digits in a row.
bool has_eight_hex(std::string_view text);

}  // namespace alfred::oracle
