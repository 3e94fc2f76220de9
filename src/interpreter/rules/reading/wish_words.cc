#include "interpreter/rules/reading/wish_words.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/wishes.h"

namespace alfred::rules {

std::vector<std::string_view> words_of_wishes() {
  std::vector<std::string_view> out;
  out.insert(out.end(), kMakingWords.begin(), kMakingWords.end());
  out.insert(out.end(), kWantingWords.begin(), kWantingWords.end());
  out.insert(out.end(), kNotWords.begin(), kNotWords.end());
  out.insert(out.end(), kIdleInWishes.begin(), kIdleInWishes.end());
  return out;
}

std::pair<const std::string*, std::size_t> shape_at(const ReadingWorld& world,
                                                    std::string_view type,
                                                    std::span<const Token> tokens, std::size_t at) {
  const std::span<const Token> rest = tokens.subspan(at);
  for (const RuleTemplate& one : world.pack().rules.templates)
    for (const std::string& word : one.called) {
      const std::string key = phrase_key(word);
      const auto size = static_cast<std::size_t>(std::count(key.begin(), key.end(), ' ') + 1);
      if (one.type == type && size <= rest.size() && phrase_key(rest.first(size)) == key)
        return {&word, at + size};
    }
  return {nullptr, at};
}

bool is_filled_with(const ReadingWorld& world, std::string_view table, std::string_view things) {
  const Table* rows = world.schema().find(table);
  const auto& intents = world.pack().rules.intents;
  return rows != nullptr && std::any_of(intents.begin(), intents.end(), [&](const RuleIntent& one) {
           const Field* link = one.table == table ? rows->find(text_of(one.with, "fill")) : nullptr;
           return link != nullptr && link->link && link->link->table == things;
         });
}

Constraint noun_wish(const ReadingWorld& world, const std::string& noun, bool is_not,
                     bool is_side) {
  const JsonObject& rules = world.pack().rules.wishes;
  if (is_not) return {text_of(rules, "excluded"), "", Json(noun), 1.0};
  std::string field = is_side ? text_of(rules, "side") : text_of(rules, "other");
  if (const Json* main = rules.if_contains("main");
      !is_side && main != nullptr && main->is_array() && !world.pack().categories.is_category(noun))
    for (const Json& category : main->get_array())
      if (category.is_string() && world.pack().categories.is_meant(noun, category.get_string()))
        field = text_of(rules, "main_field");
  return {text_of(rules, "required"), field, Json(noun), 1.0};
}

}  // namespace alfred::rules
