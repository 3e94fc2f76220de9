// How long things are kept in view and how far a turn may go (D17, robustness.md). Recorded with a
// session, so that a replay uses the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "contracts/shape.h"

namespace alfred {

// What a turn shows and takes in is changed now and then. A turn keeps to the edition that it was
// recorded with, so that a replay of it gives the same bytes; turns that begin now have the newest.
//   2 our own words are no keys in system texts and masks; what is invisible is shown anywhere in a
//     prompt; days are those of the user's clock; a profile that is gone holds no longer; the
//     journal vouches for prompts; facts tell the time to the second.
//   3 "the first" is the first of what was listed last, not of what was picked or saved since.
//   4 a row without a name is named by what it leads to; "the first" counts a list as it was told;
//     facts hold what the turn before kept.
//   5 what was generated stands in the order in which it was made, also behind the ninth; a place
//     counts the list that was told, where a turn read others on the way.
//   6 what was refused is told once; a list that is cut says how many more there are.
//   7 what things are called is no claim of a reply: "Deleted Scenes" tells of no deed.
inline constexpr std::uint32_t kEdition = 7;

struct SessionSettings {
  std::uint32_t entity_window = 2;  // turns before this one whose data is shown
  std::uint32_t full_turns = 3;     // of conversation, before they become narrative
  std::uint32_t goal_turns = 3;     // without a word of it; 0: never ends by itself
  std::uint32_t tool_calls_per_step = 10;
  std::uint32_t repairs_per_step = 3;
  std::uint32_t repeated_calls = 3;
  std::uint32_t replans = 1;
  std::uint32_t background_rows = 20;
  std::uint32_t prompt_tokens = 60'000;    // of the declared estimator
  std::string zone = "UTC";                // the user's clock: an IANA name
  bool whole_facts = false;                // for an interpreter that answers from facts alone
  std::optional<bool> caller_answers{};    // who began the turn lends its model; none: no
  std::optional<std::uint32_t> edition{};  // none: the first
  bool has_edition(std::uint32_t one) const { return edition.value_or(1) >= one; }
  friend bool operator==(const SessionSettings&, const SessionSettings&) = default;
};
template <>
struct Described<SessionSettings> {
  static Shape make() {
    using S = SessionSettings;
    return object(
        "SessionSettings",
        {field<&S::entity_window>("entity_window", "Turns of entity data."),
         field<&S::full_turns>("full_turns", "Turns of conversation kept whole."),
         field<&S::goal_turns>("goal_turns", "Turns until a goal is forgotten."),
         field<&S::tool_calls_per_step>("tool_calls_per_step", "Calls a step may make."),
         field<&S::repairs_per_step>("repairs_per_step", "Answers that may be sent back."),
         field<&S::repeated_calls>("repeated_calls", "Same calls until a step is blocked."),
         field<&S::replans>("replans", "How often a turn is planned again."),
         field<&S::background_rows>("background_rows", "Rows read before Understand."),
         field<&S::prompt_tokens>("prompt_tokens", "The largest prompt."),
         field<&S::zone>("zone", "The user's clock."),
         field<&S::whole_facts>("whole_facts", "Whether facts hold rows."),
         field<&S::caller_answers>("caller_answers", "Whether the caller's model answers."),
         field<&S::edition>("edition", "Which way turns are run; the first when absent.")});
  }
};

}  // namespace alfred
