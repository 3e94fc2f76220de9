// Things with amounts: "2 x 400g tins of tomatoes", "half a litre of buttermilk", "a dozen eggs".
//
// R1 "a", "an", "one" count one where a unit follows, else they are only said; "half", "a dozen", "a couple"
//    are numbers; "some" is none.
// R2 "2 more", "another" ask for more of what is there.
// R3 a list is split at commas, "and" and "plus", except inside of what the pack knows as one thing.
// R4 a number without a unit is a number of things: it converts into pieces, cans and jars, never into what is weighed
//    or poured.
//    "2 or 3", "2-3" is the larger one, and that is said.
// R5 an amount may stand behind its thing: "eggs x 6", "flour 250g", "eggs (12)", "stock, 2 cartons".
// R6 what stands between brackets is not split, nor a name that is joined by "&" and of which nobody knows a part.
// R7 "apples, no wait, pears" are pears.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "interpreter/rules/words/lexicon.h"

namespace alfred::rules {

struct Item {
  std::optional<double> amount{};
  std::string unit{};  // by its name
  std::string name{};  // as typed, without articles
  bool is_more = false;
  bool is_half = false;           // "half the cream": of what is there
  bool is_whole = false;          // "the whole spinach"
  std::optional<double> least{};  // "2 or 3": the 2
  JsonObject values{};            // what else was said of it
};

struct Amount {
  std::optional<double> number{};
  std::string unit{};
  bool is_more = false;
  bool is_half = false;
  bool is_whole = false;
  std::optional<double> least{};
  std::size_t to = 0;  // behind it
};

// What stands at the front; `to` is 0 when nothing of an amount does.
Amount read_amount(std::span<const Token> tokens, const Lexicon& lexicon);
Item read_item(std::string_view message, std::span<const Token> tokens, const Lexicon& lexicon);
std::vector<Item> read_items(std::string_view message, std::span<const Token> tokens,
                             const Lexicon& lexicon);
// What is taken where two numbers were said, for people; empty: nothing is.
std::string range_note(const std::vector<Item>& items);
// The tokens in pieces (R3).
std::vector<std::span<const Token>> split_list(std::span<const Token> tokens,
                                               const Lexicon& lexicon);

// An amount in another unit of its kind; nothing when they do not convert (R4).
std::optional<double> converted(double amount, std::string_view from, std::string_view to,
                                const Lexicon& lexicon);
// "2", "1.5"; no more digits than count.
std::string number_text(double number);

bool is_article(const Token& token);
std::span<const Token> without_articles(std::span<const Token> tokens);

}  // namespace alfred::rules
