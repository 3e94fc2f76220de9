// The turn that is under way: everything that is known of it until it becomes history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/understand_answer.h"
#include "state/conversation.h"
#include "state/resolve_mention.h"
#include "state/trace.h"

namespace alfred {

// Where a turn stands: what it waits for next.
enum class TurnPhase : std::uint8_t {
  background,
  understand,
  think,
  act,
  act_quick,
  reply,
  summarize,
  done
};
template <>
struct Named<TurnPhase> {
  static constexpr std::string_view name = "TurnPhase";
  static constexpr std::array<std::string_view, 8> names{
      "background", "understand", "think", "act", "act_quick", "reply", "summarize", "done"};
};

// An ask that is out, with its answer once it has one. Answers wait until all of a round are there.
struct OpenAsk {
  std::uint32_t ask = 0;
  Node node = Node::understand;
  std::optional<std::uint32_t> step{};
  std::uint32_t attempt = 1;
  std::optional<Answer> answer{};
  friend bool operator==(const OpenAsk&, const OpenAsk&) = default;
};
template <>
struct Described<OpenAsk> {
  static Shape make() {
    using O = OpenAsk;
    return object("OpenAsk",
                  {field<&O::ask>("ask", "Its number."), field<&O::node>("node", "Whose."),
                   field<&O::step>("step", "For which step."),
                   field<&O::attempt>("attempt", "How often it was asked."),
                   field<&O::answer>("answer", "What came.")});
  }
};

// What the user prefers in a subdomain.
struct SubdomainGuidance {
  std::string subdomain{};
  std::string text{};
  friend bool operator==(const SubdomainGuidance&, const SubdomainGuidance&) = default;
};
template <>
struct Described<SubdomainGuidance> {
  static Shape make() {
    using G = SubdomainGuidance;
    return object("SubdomainGuidance", {field<&G::subdomain>("subdomain", "Where."),
                                        field<&G::text>("text", "What they prefer.")});
  }
};

struct RunningTurn {
  std::string id{};  // trn_…
  std::uint32_t turn = 0;
  std::string message{};
  std::int64_t at_ms = 0;
  std::string seed{};                // what its ids are drawn from
  std::vector<std::string> known{};  // refs in play when it began, sorted
  TurnPhase phase = TurnPhase::background;
  std::optional<Pending> resumed{};  // what the message answers
  std::optional<UnderstandAnswer> understood{};
  std::vector<ResolvedMention> mentions{};
  CurationSummary curation{};
  std::vector<std::string> constraint_notes{};
  std::optional<Plan> plan{};
  std::optional<Pending> pending{};  // what the turn ends with, when it asks something
  std::uint32_t asks = 0;            // made so far
  std::uint32_t calls = 0;           // made so far
  std::vector<OpenAsk> open_asks{};
  std::vector<RecordCall> open_calls{};
  std::string profile{};  // what is known of the user, for prompts
  std::vector<SubdomainGuidance> guidance{};
  std::string dashboard{};               // fresh counts
  std::uint32_t repairs = 0;             // of the node that is asked now, outside of steps
  std::vector<CallError> faults{};       // what it was told
  std::vector<LedgerError> errors{};     // for the ledger
  std::optional<std::string> failure{};  // why the turn ends early
  std::optional<std::string> reply{};
  friend bool operator==(const RunningTurn&, const RunningTurn&) = default;
};
template <>
struct Described<RunningTurn> {
  static Shape make() {
    using T = RunningTurn;
    return object("RunningTurn",
                  {field<&T::id>("id", "Its durable id."),
                   field<&T::turn>("turn", "Its number."),
                   field<&T::message>("message", "The user's, masked."),
                   field<&T::at_ms>("at_ms", "When it began."),
                   field<&T::seed>("seed", "What its ids are drawn from."),
                   field<&T::known>("known", "What was in play."),
                   field<&T::phase>("phase", "Where it stands."),
                   field<&T::resumed>("resumed", "What the message answers."),
                   field<&T::understood>("understood", "What Understand gave."),
                   field<&T::mentions>("mentions", "Who is meant."),
                   field<&T::curation>("curation", "What stays in play."),
                   field<&T::constraint_notes>("constraint_notes", "What the merge did."),
                   field<&T::plan>("plan", "What is done."),
                   field<&T::pending>("pending", "What it asks the user."),
                   field<&T::asks>("asks", "Asks made."),
                   field<&T::calls>("calls", "Calls made."),
                   field<&T::open_asks>("open_asks", "Asks that are out."),
                   field<&T::open_calls>("open_calls", "Calls that are out."),
                   field<&T::profile>("profile", "What is known of the user."),
                   field<&T::guidance>("guidance", "What they prefer where."),
                   field<&T::dashboard>("dashboard", "Fresh counts."),
                   field<&T::repairs>("repairs", "Answers sent back."),
                   field<&T::faults>("faults", "What the model was told."),
                   field<&T::errors>("errors", "What went wrong."),
                   field<&T::failure>("failure", "Why it ends early."),
                   field<&T::reply>("reply", "What the user is told.")});
  }
};

}  // namespace alfred
