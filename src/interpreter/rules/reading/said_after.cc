#include "interpreter/rules/reading/said_after.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

bool takes_values(const Doing& doing) {
  return doing.verb == Verb::add || doing.verb == Verb::set ||
         (doing.verb == Verb::adjust && doing.how == "plus");
}

bool take(Doing& doing, std::vector<FieldSet> values) {
  if (values.empty()) return false;
  for (FieldSet& one : values) doing.values.push_back(std::move(one));
  return true;
}

// Rows that things may be put among, by the place that is said; null: none.
const Table* place_in(const ReadingWorld& world, std::span<const Token> tokens) {
  for (const Span& span : world.lexicon.spans_in(tokens))
    for (const Meaning& one : *span.meanings) {
      const bool is_place = one.kind == Meaning::Kind::rows && !one.where.empty();
      const Table* table = is_place ? world.schema().find(one.table) : nullptr;
      if (table != nullptr && !table->is_read_only &&
          amount_field(world.lexicon, *table) != nullptr)
        return table;
    }
  return nullptr;
}

// R1.
bool says_of_those(const ReadingWorld& world, std::string_view message, Doing& doing,
                   std::span<const Token> behind) {
  constexpr std::array<std::string_view, 5> kPointing{"it", "they", "both", "that", "its"};
  if (behind.size() < 2 || !is_among(kPointing, behind.front().text)) return false;
  const Table* place = doing.is_anywhere ? place_in(world, behind) : nullptr;
  const Table* table = place == nullptr ? world.schema().find(doing.table) : place;
  if (!take(doing, values_said(world, message, *table, behind.subspan(1)))) return false;
  if (place == nullptr) return true;
  doing.table = place->name;
  doing.is_anywhere = false;
  doing.ask.clear();
  doing.note.clear();
  return true;
}

// R2.
bool says_of_it(const ReadingWorld& world, std::string_view message, Doing& doing,
                std::span<const Token> behind, const ReadSentence& read) {
  if (behind.empty() || !world.intents.follows_thing(behind.front())) return false;
  std::vector<Doing> found = read("it " + typed(message, behind));
  if (found.size() != 1 || found.front().verb != Verb::set || found.front().table != doing.table ||
      found.front().targets.size() != 1 || !found.front().targets.front().is_pointing)
    return false;
  return take(doing, std::move(found.front().values));
}

// The one that the first word of the piece is a word of.
Item* item_in(std::vector<Item>& items, std::span<const Token> piece) {
  const std::span<const Token> named = without_articles(piece);
  Item* found = nullptr;
  for (Item& one : items) {
    const std::vector<std::string> words = words_in(one.name);
    if (named.empty() || std::find(words.begin(), words.end(), named.front().stem) == words.end())
      continue;
    if (found != nullptr) return nullptr;
    found = &one;
  }
  return found;
}

// R3.
bool places_items(const ReadingWorld& world, std::string_view message, Doing& doing,
                  std::span<const Token> behind) {
  const Table* table = world.schema().find(doing.table);
  if (table == nullptr || doing.items.size() < 2) return false;
  std::vector<Item> items = doing.items;
  for (const std::span<const Token> piece : split_list(behind, world.lexicon)) {
    const std::vector<FieldSet> values = values_said(world, message, *table, piece);
    Item* item = item_in(items, piece);
    if (values.empty() || item == nullptr) return false;
    for (const FieldSet& one : values) item->values[one.field] = one.value;
  }
  doing.items = std::move(items);
  return true;
}

// R5.
bool excepts(std::string_view message, Doing& doing, std::span<const Token> behind) {
  if (doing.verb != Verb::prefer || doing.how != "add" || behind.size() < 2 ||
      !behind.front().is("not"))
    return false;
  doing.note = "I keep to no exceptions, so “" + typed(message, behind) +
               "” changes nothing: all of it is left out.";
  return true;
}

}  // namespace

bool adds_items(const ReadingWorld& world, std::string_view message, Doing& doing,
                std::span<const Token> behind) {
  const bool has_place = std::any_of(doing.slots.begin(), doing.slots.end(),
                                     [](const auto& one) { return one.first == "where"; });
  if (doing.verb != Verb::add || doing.items.empty() || !has_place) return false;
  std::vector<Item> more = read_items(message, behind, world.lexicon);
  const bool are_things = std::all_of(more.begin(), more.end(), [&](const Item& one) {
    const std::vector<Meaning>* found = world.lexicon.find(one.name);
    return found != nullptr && Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr;
  });
  if (more.empty() || !are_things) return false;
  for (Item& one : more) doing.items.push_back(std::move(one));
  return true;
}

bool says_more_of(const ReadingWorld& world, std::string_view message, Doing& doing,
                  std::span<const Token> behind, const ReadSentence& read) {
  const bool has_rows = world.schema().find(doing.table) != nullptr;
  if (has_rows && takes_values(doing) &&
      (says_of_those(world, message, doing, behind) ||
       says_of_it(world, message, doing, behind, read)))
    return true;
  return excepts(message, doing, behind) || places_items(world, message, doing, behind) ||
         adds_items(world, message, doing, behind);
}

}  // namespace alfred::rules
