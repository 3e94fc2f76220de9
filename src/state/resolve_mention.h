// resolve_entity_reference (001 §5.6): who is meant by the user's words, found by code from the
// model's raw text and type. The model never supplies the answer (D26).
//
// The text is made plain (lower case, no punctuation, no articles, words in the singular). Over the
// active, generated and retained entities of the type, the first level that matches anybody
// decides.
//
// R0 before all, a ref that was typed is who it stands for: "dish_2"; nobody where it is not there.
// R1 level 1, the label is the text: "honey glazed cod".
// R2 level 2, a pronoun means what was spoken of last: "it"; "them" means all of that turn; "both" and "all
//    three" mean that many: all of that turn, or those made in it, or those not made; else it is
//    not clear. What was only looked at was not spoken of.
// R3 level 3, an ordinal counts those listed last: "the second one", "the last".
// R4 level 4, every word is one of the label's: "the cod".
// R5 level 5, or a category that the label or the entity's parts belong to: "the fish one".
// R6 level 6, as level 4 with one letter wrong in words of five or more: "samlon".
// R7 one match: resolved, high, exact on levels 1 to 3 and fuzzy below. Several: candidates, low.
// R8 none there: the same over the background without R2 and R3; one match: resolved, medium, fuzzy.
// R9 words that name the type do not tell which one: "the fish dish" is "fish", and
//    "that dish" is "that".
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contracts/understand_answer.h"
#include "pack/categories.h"
#include "state/working_set.h"

namespace alfred {

enum class MentionConfidence : std::uint8_t { high, medium, low };
template <>
struct Named<MentionConfidence> {
  static constexpr std::string_view name = "MentionConfidence";
  static constexpr std::array<std::string_view, 3> names{"high", "medium", "low"};
};
enum class Resolution : std::uint8_t { exact, fuzzy, unresolved };
template <>
struct Named<Resolution> {
  static constexpr std::string_view name = "Resolution";
  static constexpr std::array<std::string_view, 3> names{"exact", "fuzzy", "unresolved"};
};

struct ResolvedMention {
  std::string raw_text{};
  std::string entity_type{};
  std::vector<std::string> resolved{};    // refs; several only for a plural
  std::vector<std::string> candidates{};  // refs, when it is not clear
  MentionConfidence confidence = MentionConfidence::low;
  Resolution resolution = Resolution::unresolved;
  friend bool operator==(const ResolvedMention&, const ResolvedMention&) = default;
};
template <>
struct Described<ResolvedMention> {
  static Shape make() {
    using M = ResolvedMention;
    return object("ResolvedMention", {field<&M::raw_text>("raw_text", "The user's words."),
                                      field<&M::entity_type>("entity_type", "Of which type."),
                                      field<&M::resolved>("resolved", "Who is meant."),
                                      field<&M::candidates>("candidates", "Who may be meant."),
                                      field<&M::confidence>("confidence", "How sure."),
                                      field<&M::resolution>("resolution", "How it was found.")});
  }
};

// Refs of rows that a turn read and nobody spoke of (R2).
struct LookedAt {
  std::set<std::string, std::less<>> candidates{};  // for a write: no pronoun means them
  std::set<std::string, std::less<>> unnamed{};     // beside others that were named: no "it"
};

struct MentionWorld {
  const EntityTiers& tiers;
  const Categories& categories;
  // What the labels' entities consist of: ref → words of its parts, when they are known; a category
  // may be one of a part ("fish" for a dish with cod).
  const std::map<std::string, std::string, std::less<>>* parts = nullptr;
  std::vector<std::string> type_words{};  // R9
  LookedAt looked_at{};
};

ResolvedMention resolve_entity_reference(const EntityMention& mention, const MentionWorld& world);

}  // namespace alfred
