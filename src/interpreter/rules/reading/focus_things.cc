#include "interpreter/rules/reading/focus_things.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"

namespace alfred::rules {
namespace {

// "red apples" are apples: the end of a name says what it is.
std::string noun_of(const ReadingWorld& world, const std::string& label) {
  const Tokens tokens = read_tokens(label);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    std::string key = phrase_key(std::span(tokens).subspan(at));
    const std::vector<Meaning>* found = world.lexicon.find_key(key);
    if (found != nullptr && Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr) return key;
  }
  return "";
}

}  // namespace

std::vector<std::string> things_in_focus(const ReadingWorld& world) {
  constexpr std::size_t kMostThings = 4;
  const JsonObject& parts = world.pack().rules.parts;
  std::uint32_t turn = 0;
  for (const Known& one : world.known) {
    const PackEntity* entity = world.pack().find(world.table_of(one.type));
    const bool is_user = entity != nullptr && entity->is_single;  // nobody speaks of that row
    if (!one.is_background && !one.is_looked_at && !one.is_generated && !is_user)
      turn = std::max(turn, one.turn);
  }
  std::vector<std::string> out;
  for (const Known& one : world.known) {
    if (one.is_background || one.is_looked_at || one.is_generated || one.turn != turn) continue;
    const std::string table = world.table_of(one.type);
    if (table != text_of(parts, "have") && table != text_of(parts, "list")) continue;
    const std::string noun = noun_of(world, one.label);
    if (noun.empty()) return {};
    if (std::find(out.begin(), out.end(), noun) == out.end()) out.push_back(noun);
  }
  return out.size() > kMostThings ? std::vector<std::string>() : out;
}

}  // namespace alfred::rules
