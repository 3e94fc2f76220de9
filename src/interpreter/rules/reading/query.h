// Questions about rows, read by their words rather than by their order: "any poetry left on
// the shelf?", "short science books", "how many loans this week".
//
// R1 a question begins as one does, or consists of nothing but words that the pack knows.
// R2 words for rows say where to look; values, days and comparisons narrow; what is left is looked for by name.
// R3 what was asked about before is asked again with what is new: "and with chicken?", "what about tomorrow".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

struct ScoredDoing {
  Doing doing{};
  int score = 0;
  bool names_type = false;  // a wish: of which type it is was said
};

// What is said in questions of every domain: no typing errors for other words.
std::vector<std::string_view> words_of_questions();

std::optional<ScoredDoing> read_query(const ReadingWorld& world, const Clause& clause);
// R3. `before` is what was asked or added then.
std::optional<ScoredDoing> read_follow_up(const ReadingWorld& world, const Clause& clause,
                                          const Doing& before);

}  // namespace alfred::rules
