// What Understand gives: signals, not plans. Mentions are raw text and type; code resolves them
// (D26), so there is no field for a resolved ref.
#pragma once

#include "contracts/constraint.h"
#include "contracts/node.h"

namespace alfred {

struct EntityMention {
  std::string raw_text{};
  std::string entity_type{};
  friend bool operator==(const EntityMention&, const EntityMention&) = default;
};
template <>
struct Described<EntityMention> {
  static Shape make() {
    return object(
        "EntityMention",
        {field<&EntityMention::raw_text>("raw_text", "The user's words for it.").longest(200),
         field<&EntityMention::entity_type>("entity_type", "An entity type of the pack.")
             .longest(64)});
  }
};

struct RetainedEntity {
  std::string ref{};
  std::string reason{};
  friend bool operator==(const RetainedEntity&, const RetainedEntity&) = default;
};
template <>
struct Described<RetainedEntity> {
  static Shape make() {
    return object(
        "RetainedEntity",
        {field<&RetainedEntity::ref>("ref", "The entity to keep.").as_ref().longest(80),
         field<&RetainedEntity::reason>("reason", "Why it will be needed.").longest(200)});
  }
};

struct EntityCuration {
  std::vector<RetainedEntity> retain{};
  std::vector<std::string> demote{};
  std::vector<std::string> drop{};
  bool clear_all = false;
  friend bool operator==(const EntityCuration&, const EntityCuration&) = default;
};
template <>
struct Described<EntityCuration> {
  static Shape make() {
    using C = EntityCuration;
    return object(
        "EntityCuration",
        {field<&C::retain>("retain", "Older entities that stay in play, each with its reason.")
             .most(50),
         field<&C::demote>("demote", "Entities that are no longer what this is about.")
             .as_ref()
             .most(200)
             .longest(80),
         field<&C::drop>("drop", "Entities the user turned down; unsaved ones are forgotten.")
             .as_ref()
             .most(200)
             .longest(80),
         field<&C::clear_all>("clear_all", "The user wants to forget all of it.")});
  }
};

enum class QuickConfidence : std::uint8_t { high, medium };
template <>
struct Named<QuickConfidence> {
  static constexpr std::string_view name = "QuickConfidence";
  static constexpr std::array<std::string_view, 2> names{"high", "medium"};
};

// How far the message says what it wants (001 §3.5).
enum class Ambiguity : std::uint8_t { clear, under_specified, conflicting };
template <>
struct Named<Ambiguity> {
  static constexpr std::string_view name = "Ambiguity";
  static constexpr std::array<std::string_view, 3> names{"clear", "under_specified", "conflicting"};
};

enum class ConversationPhase : std::uint8_t { exploring, narrowing, confirming };
template <>
struct Named<ConversationPhase> {
  static constexpr std::string_view name = "ConversationPhase";
  static constexpr std::array<std::string_view, 3> names{"exploring", "narrowing", "confirming"};
};

struct UnderstandAnswer {
  static constexpr std::size_t kProcessedChars = 50;

  std::string processed_message{};
  std::vector<EntityMention> entity_mentions{};
  TurnConstraintSnapshot constraint_snapshot{};
  EntityCuration entity_curation{};
  bool quick_mode = false;
  QuickConfidence quick_mode_confidence = QuickConfidence::medium;
  std::optional<std::string> quick_intent{};
  std::optional<std::string> quick_subdomain{};
  Ambiguity ambiguity = Ambiguity::clear;
  std::vector<std::string> default_assumptions{};
  ConversationPhase conversation_phase = ConversationPhase::exploring;
  std::optional<std::string> user_expressed{};
  friend bool operator==(const UnderstandAnswer&, const UnderstandAnswer&) = default;
};
template <>
struct Described<UnderstandAnswer> {
  static Shape make();
};

}  // namespace alfred
