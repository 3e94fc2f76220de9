// SessionState: everything a session knows, as a value. It changes only by folding Changes
// (change.h); contexts and prompts are computed from it and never stored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batch/manifest.h"
#include "refs/registry/ref_registry.h"
#include "state/constraints.h"
#include "state/conversation.h"
#include "state/running_turn.h"
#include "state/session_settings.h"
#include "state/trace.h"
#include "state/working_set.h"

namespace alfred {

// Something generated, whole, until it is saved or dropped (D23).
struct StoredArtifact {
  std::string ref{};  // gen_type_n
  std::string type{};
  std::string label{};
  Json content{};
  std::uint32_t turn = 0;                 // of its last change
  std::optional<std::string> saved_as{};  // the row's ref
  friend bool operator==(const StoredArtifact&, const StoredArtifact&) = default;
};
template <>
struct Described<StoredArtifact> {
  static Shape make() {
    using A = StoredArtifact;
    return object(
        "StoredArtifact",
        {field<&A::ref>("ref", "Its ref."), field<&A::type>("type", "Its type."),
         field<&A::label>("label", "Its label."), field<&A::content>("content", "All of it."),
         field<&A::turn>("turn", "When it last changed."),
         field<&A::saved_as>("saved_as", "The row it became.")});
  }
};

// The steps of an earlier turn, while its data is in the window.
struct TurnSteps {
  std::uint32_t turn = 0;
  std::vector<Step> steps{};
  friend bool operator==(const TurnSteps&, const TurnSteps&) = default;
};
template <>
struct Described<TurnSteps> {
  static Shape make() {
    return object("TurnSteps", {field<&TurnSteps::turn>("turn", "Its number."),
                                field<&TurnSteps::steps>("steps", "What was done.")});
  }
};

// What Understand decided in a turn: its own history, shown to it again.
struct DecisionLogEntry {
  std::uint32_t turn = 0;
  std::string processed_message{};
  CurationSummary curation{};
  friend bool operator==(const DecisionLogEntry&, const DecisionLogEntry&) = default;
};
template <>
struct Described<DecisionLogEntry> {
  static Shape make() {
    using D = DecisionLogEntry;
    return object("DecisionLogEntry",
                  {field<&D::turn>("turn", "Its number."),
                   field<&D::processed_message>("processed_message", "What the user wanted."),
                   field<&D::curation>("curation", "What stayed in play.")});
  }
};

// All of it but the registry and the batches, which have forms of their own.
struct SessionFacts {
  SessionSettings settings{};
  std::uint32_t turn = 0;  // the last that began
  WorkingSet working_set{};
  std::vector<StoredArtifact> artifacts{};  // by ref
  SessionConstraints constraints{};
  Conversation conversation{};
  ReasoningTrace trace{};
  std::vector<TurnSteps> earlier_steps{};  // oldest first
  std::vector<DecisionLogEntry> decisions{};
  std::optional<RunningTurn> running{};
  std::optional<SummarizeOutput> last_ledger{};
  friend bool operator==(const SessionFacts&, const SessionFacts&) = default;
};
template <>
struct Described<SessionFacts> {
  static Shape make() {
    using F = SessionFacts;
    return object("SessionFacts",
                  {field<&F::settings>("settings", "Windows and caps."),
                   field<&F::turn>("turn", "The last turn."),
                   field<&F::working_set>("working_set", "What is in play."),
                   field<&F::artifacts>("artifacts", "What is not saved."),
                   field<&F::constraints>("constraints", "What is kept to."),
                   field<&F::conversation>("conversation", "What was said."),
                   field<&F::trace>("trace", "What was done."),
                   field<&F::earlier_steps>("earlier_steps", "Data in the window."),
                   field<&F::decisions>("decisions", "Understand's own history."),
                   field<&F::running>("running", "The turn under way."),
                   field<&F::last_ledger>("last_ledger", "What the last turn did.")});
  }
};

struct SessionState {
  RefRegistry registry{};
  std::map<std::string, BatchManifest, std::less<>> batches{};
  SessionFacts facts{};

  const StoredArtifact* artifact(std::string_view ref) const;
  // All of them, the one that was made first at the front. Refs do not tell: as text the tenth
  // stands before the ninth.
  std::vector<const StoredArtifact*> artifacts_as_made() const;
  const BatchManifest* batch(std::string_view id) const;
};

// Canonical JSON, both ways: {"registry":…,"batches":[…],"facts":{…}}.
std::string write_session(const SessionState& state);
Result<SessionState> read_session(std::string_view text);

}  // namespace alfred
