// resolve_entity_reference (001 §5.6): who is meant by the user's words, found by code from the
// model's raw text and type. The model never supplies the answer (D26).
//
// The text is made plain (lower case, no punctuation, no articles, last word singular). Then, over
// the active and generated entities of the type, the first of these that matches anybody decides:
//   1 the label is the text                          "honey glazed cod"
//   2 a pronoun: the one spoken of last              "it", "that one"; "them", "those": all of the
//   last turn 3 an ordinal: the n-th of those listed last      "the second one", "the last" 4 every
//   word of the text is a word of the label  "the cod" 5 every word is a word of the label or the
//   name of a category the label belongs to   "the fish one" 6 as 4, with one letter wrong in words
//   of five or more                               "salmn teriaki"
// R1 one match among the active: resolved, high, exact (level 1–3) or fuzzy.
// R2 none there: the same over the background; one match: resolved, medium, fuzzy.
// R3 several: candidates, low, unresolved; plural pronouns resolve to all of them.
// R4 words that name the type itself say nothing about which one: "the fish dish" is "fish", where dish names
//    the type.
#pragma once

#include <cstdint>
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
  std::string raw_text;
  std::string entity_type;
  std::vector<std::string> resolved;    // refs; several only for a plural
  std::vector<std::string> candidates;  // refs, when it is not clear
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

struct MentionWorld {
  const EntityTiers& tiers;
  const Categories& categories;
  // What the labels' entities consist of: ref → words of its parts, when they are known; a category
  // may be one of a part ("fish" for a dish with cod).
  const std::map<std::string, std::string, std::less<>>* parts = nullptr;
  std::vector<std::string> type_words{};  // R4
};

ResolvedMention resolve_entity_reference(const EntityMention& mention, const MentionWorld& world);

}  // namespace alfred
