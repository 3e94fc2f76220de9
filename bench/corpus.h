// The rows every benchmark of the translator reads: kitchen rows as a database driver prints them,
// compact JSON in UTF-8. The same options give the same bytes on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace alfred::bench {

struct CorpusOptions {
  std::size_t bytes = 60'000'000;  // stops after the row that reaches it
  bool has_keys_in_prose = false;  // about one note in 200 names another row by its key
  std::uint64_t seed = 20260106;
};

// A JSON array of recipe rows, each with its recipe_ingredients rows.
std::string make_recipe_rows(const CorpusOptions& options);

}  // namespace alfred::bench
