#include "interpreter/rules/making/at_hand.h"

#include <algorithm>

#include "interpreter/rules/doing/parts.h"

namespace alfred::rules {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& one : names) out += (out.empty() ? "" : ", ") + one;
  return out;
}

void add_new(std::vector<std::string>& all, std::vector<std::string> names) {
  for (std::string& one : names)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
}

// "cod fillet" is a cut of cod; a "cherry tomato" is none of a tomato.
bool is_cut_of(const Book& book, const std::string& there, const std::string& part) {
  const std::vector<std::string> whole = words_in(there);
  const std::vector<std::string> cut = words_in(part);
  const Categories& categories = book.lexicon.pack().categories;
  return !whole.empty() && whole.size() < cut.size() &&
         std::equal(whole.begin(), whole.end(), cut.begin()) && !categories.is_category(there) &&
         categories.is_meant(part, there);
}

}  // namespace

AtHand::AtHand(const Book& book, const Stock& stock) : book_(book), stock_(stock) {
  const JsonObject& parts = book.lexicon.pack().rules.parts;
  for (const char* list : {"staples", "skip"})
    for (const std::string& one : texts_of(parts, list)) staples_.insert(phrase_key(one));
}

bool AtHand::is_served(const std::vector<std::string>& names, const std::string& part) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
    return serves(book_, one, part) || is_cut_of(book_, one, part);
  });
}

AtHand::Place AtHand::place_of(const std::string& part) const {
  if (const auto known = known_.find(part); known != known_.end()) return known->second;
  const bool is_staple = staples_.contains(phrase_key(part));
  Place place = is_staple ? Place::staple : Place::nowhere;
  if (is_served(stock_.near, part))
    place = Place::near;
  else if (is_served(stock_.elsewhere, part))
    place = is_staple ? Place::near : Place::elsewhere;
  known_.emplace(part, place);
  return place;
}

std::vector<std::string> AtHand::parts_at(Place place, const JsonObject& content) const {
  std::vector<std::string> out;
  const PackRules& rules = book_.lexicon.pack().rules;
  const Json* parts = member(content, text_of(rules.wishes, "parts"));
  if (parts == nullptr || !parts->is_array()) return out;
  for (const Json& part : parts->get_array())
    if (std::string name = part.is_object() ? text_of(part.get_object(), text_of(rules.parts, "by"))
                                            : std::string();
        !name.empty() && place_of(name) == place)
      out.push_back(std::move(name));
  return out;
}

std::string AtHand::note(const std::vector<Artifact>& made) const {
  std::string out;
  std::vector<std::string> elsewhere;
  std::vector<std::string> staples;
  for (const Artifact& one : made) {
    const JsonObject& content = one.content.get_object();
    const std::vector<std::string> lacking = parts_at(Place::nowhere, content);
    add_new(elsewhere, parts_at(Place::elsewhere, content));
    add_new(staples, parts_at(Place::staple, content));
    if (lacking.empty()) continue;
    out += (out.empty() ? "" : "\n") + (made.size() == 1 ? "You" : "For " + one.label + " you") +
           " have all but: " + joined(lacking) + ".";
  }
  if (out.empty())
    out = made.size() == 1 ? "You have everything for it." : "You have everything for them.";
  if (!elsewhere.empty()) out += "\nFrom elsewhere: " + joined(elsewhere) + ".";
  if (!staples.empty()) out += "\nTaken to be there: " + joined(staples) + ".";
  return out;
}

}  // namespace alfred::rules
