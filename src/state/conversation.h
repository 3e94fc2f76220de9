// What was said: recent turns whole, older ones as narrative, and what waits for the user's word
// (003, layer 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/node.h"
#include "state/plan.h"

namespace alfred {

struct ConversationTurn {
  std::uint32_t turn = 0;
  std::string user{};
  std::string reply{};
  std::string assistant_summary{};
  std::int64_t at_ms = 0;
  friend bool operator==(const ConversationTurn&, const ConversationTurn&) = default;
};
template <>
struct Described<ConversationTurn> {
  static Shape make() {
    using T = ConversationTurn;
    return object("ConversationTurn",
                  {field<&T::turn>("turn", "Its number."), field<&T::user>("user", "The message."),
                   field<&T::reply>("reply", "The answer."),
                   field<&T::assistant_summary>("assistant_summary", "The answer in short."),
                   field<&T::at_ms>("at_ms", "When.")});
  }
};

enum class PendingType : std::uint8_t { propose, clarify, ask_user, disambiguate };
template <>
struct Named<PendingType> {
  static constexpr std::string_view name = "PendingType";
  static constexpr std::array<std::string_view, 4> names{"propose", "clarify", "ask_user",
                                                         "disambiguate"};
};

// What the user was asked and has not answered.
struct Pending {
  PendingType type = PendingType::clarify;
  std::string context{};
  std::vector<std::string> questions{};
  std::vector<std::string> candidates{};  // refs to choose from
  std::optional<Plan> plan{};             // proposed, or stopped in the middle
  std::string message{};                  // the user's, that led here
  std::vector<std::string> before{};      // those that it answered, oldest first
  friend bool operator==(const Pending&, const Pending&) = default;
};
template <>
struct Described<Pending> {
  static Shape make() {
    using P = Pending;
    return object("Pending", {field<&P::type>("type", "What it waits for."),
                              field<&P::context>("context", "What was proposed or asked."),
                              field<&P::questions>("questions", "The questions."),
                              field<&P::candidates>("candidates", "Whom it may mean."),
                              field<&P::plan>("plan", "What goes on after the answer."),
                              field<&P::message>("message", "What led here."),
                              field<&P::before>("before", "What it answered.")});
  }
};

struct Conversation {
  std::vector<ConversationTurn> recent{};  // oldest first
  std::string history_summary{};
  std::string engagement_summary{};
  std::optional<Pending> pending{};
  friend bool operator==(const Conversation&, const Conversation&) = default;
};
template <>
struct Described<Conversation> {
  static Shape make() {
    using C = Conversation;
    return object("Conversation",
                  {field<&C::recent>("recent", "The last turns."),
                   field<&C::history_summary>("history_summary", "Older ones."),
                   field<&C::engagement_summary>("engagement_summary", "What it is all about."),
                   field<&C::pending>("pending", "What waits for the user.")});
  }
};

}  // namespace alfred
