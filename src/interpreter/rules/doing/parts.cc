#include "interpreter/rules/doing/parts.h"

#include <algorithm>
#include <set>

namespace alfred::rules {
namespace {

bool is_subset(const std::vector<std::string>& small, const std::vector<std::string>& large) {
  return std::all_of(small.begin(), small.end(), [&](const std::string& word) {
    return std::find(large.begin(), large.end(), word) != large.end();
  });
}

}  // namespace

bool is_used_up(const Book& book, const JsonObject& row) {
  const Json* value = member(row, text_of(book.lexicon.pack().rules.parts, "amount"));
  return value != nullptr && value->is_number() && value->to_number<double>() <= 0;
}

bool serves(const Book& book, std::string_view there, std::string_view needed) {
  const std::vector<std::string> a = words_in(there);
  const std::vector<std::string> b = words_in(needed);
  if (a.empty() || b.empty()) return false;
  if (a == b) return true;
  // A longer name of the same thing: "frozen cod fillet" is cod.
  const Categories& categories = book.lexicon.pack().categories;
  if (a.size() > b.size() && is_subset(b, a) && !categories.is_category(needed) &&
      categories.is_meant(there, needed))
    return true;
  if (a.back() != b.back()) return false;
  // What is more special serves for what is wanted; the other way round only for what the pack does
  // not know as a thing of its own: sugar is no brown sugar.
  if (is_subset(b, a)) return true;
  return is_subset(a, b) && book.lexicon.find(needed) == nullptr;
}

std::vector<const JsonObject*> missing_parts(const Book& book, const JsonObject& row,
                                             const std::vector<const JsonObject*>& stock) {
  const JsonObject& rules = book.lexicon.pack().rules.parts;
  const std::string by = text_of(rules, "by");
  std::set<std::string> skipped;
  for (const std::string& one : texts_of(rules, "skip")) skipped.insert(phrase_key(one));
  std::vector<const JsonObject*> out;
  const Json* parts = member(row, text_of(rules, "parts"));
  if (parts == nullptr || !parts->is_array()) return out;
  for (const Json& json : parts->get_array()) {
    const JsonObject* part = json.if_object();
    if (part == nullptr || flag_of(*part, text_of(rules, "optional"))) continue;
    const std::string name = text_of(*part, by);
    if (skipped.contains(phrase_key(name))) continue;
    const bool is_there = std::any_of(stock.begin(), stock.end(), [&](const JsonObject* one) {
      return !is_used_up(book, *one) && serves(book, text_of(*one, by), name);
    });
    if (!is_there) out.push_back(part);
  }
  return out;
}

}  // namespace alfred::rules
