// Change: one thing that happened in a session, as a value. The list of changes is the journal;
// folding it gives the state again. apply_change() is the one writer.
//
// R1 apply_change() refuses what cannot be: a step that completes with open items (I-14), a change to a turn that is
//    not running, an artifact nobody registered. Then nothing changed.
// R2 folding the changes of a session into an empty one gives the same state, byte for byte.
// R3 what a change says of refs and batches is folded by their own folders.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "state/session_state.h"

namespace alfred {

struct RefsChanged {
  RefChanges changes{};
};
struct BatchDeclared {
  BatchManifest manifest;
};
struct ItemsMoved {
  std::string batch{};
  BatchChanges changes{};
};

struct SettingsChanged {
  SessionSettings settings{};
};
struct PermanentConstraintsSet {
  std::vector<Constraint> constraints{};
};
struct TurnStarted {
  std::string id{};
  std::uint32_t turn = 0;
  std::string message{};
  std::int64_t at_ms = 0;
  std::string seed{};                // what the ids of the turn are drawn from
  std::vector<std::string> known{};  // refs in play before anything is read, sorted
};
struct BackgroundFound {
  std::vector<BackgroundEntity> entities{};
};
// Entities of the background, or turned away from, that the turn speaks of or reads after all.
struct TakenUp {
  std::vector<std::string> refs{};
};
struct Understood {
  UnderstandAnswer answer{};
  std::vector<ResolvedMention> mentions{};
};
struct EntitiesCurated {
  CurationSummary curation{};
};
struct ConstraintsMerged {
  SessionConstraints constraints{};
  std::vector<std::string> notes{};
};
struct Planned {
  Plan plan{};
};
struct StepStarted {
  std::uint32_t step = 0;
  std::optional<std::string> batch{};
};
struct AskMade {
  std::uint32_t ask = 0;
  Node node = Node::understand;
  std::uint32_t attempt = 1;
  std::optional<std::uint32_t> step{};
  std::string prompt{};                 // prm_…
  std::optional<std::string> digest{};  // of all that went out; none in the first edition
};
struct AnswerTaken {
  Answer answer{};
};
// An answer that was sent back. is_completion: it wanted to complete a step too early.
struct FaultNoted {
  std::optional<std::uint32_t> step{};
  CallError error{};
  bool is_completion = false;
};
struct AnswersApplied {};  // the round is over
// What was passed over when an answer was read: paths of fields nobody knows (A13), of texts that
// were cut (A28) and of an empty {} for a list (A14).
struct AnswerNoted {
  std::uint32_t ask = 0;
  std::vector<std::string> unknown_fields{};
  std::vector<std::string> cut_fields{};
  std::vector<std::string> repaired{};
};
struct CallMade {
  RecordCall call{};
};
// An outcome; of a tool call it goes to its step's ledger.
struct CallDone {
  ToolResult result{};
};
struct ProfileRead {
  std::string profile{};
  std::vector<SubdomainGuidance> guidance{};
  std::vector<Constraint> permanent{};
};
struct DashboardRead {
  std::string line{};
};
struct ArtifactPut {
  std::optional<std::uint32_t> step{};
  StoredArtifact artifact{};
};
struct ArtifactSaved {
  std::string ref{};
  std::string saved_as{};
};
struct ArtifactDropped {
  std::string ref{};
};
struct SchemaRequested {
  std::uint32_t step = 0;
  std::string subdomain{};
};
// A step asks to see what another read that a budget cut.
struct DataRetrieved {
  std::uint32_t step = 0;
  std::string from{};  // stp_…
};
struct DiscrepanciesNoted {
  std::uint32_t step = 0;
  std::vector<std::string> discrepancies{};
};
struct StepEnded {
  std::uint32_t step = 0;
  StepStatus status = StepStatus::complete;
  std::optional<std::string> result_summary{};
  std::optional<Json> data{};
  std::optional<std::string> note_for_next_step{};
  std::optional<StepBlock> block{};
  std::optional<std::string> question{};  // waiting
};
struct PhaseEntered {
  TurnPhase phase = TurnPhase::understand;
};
struct PendingSet {
  Pending pending{};
};
struct PendingTaken {
  bool is_kept_plan = false;  // its plan becomes the turn's
};
// The waiting step of the plan that is taken up again gets the user's words.
struct StepResumed {
  std::uint32_t step = 0;
  std::string answer{};
};
struct ReplanBegun {};
// What a reply claimed and the ledger does not have.
struct ReplyMismatch {
  std::string claim{};
};
struct TurnFailed {
  LedgerError error{};
};
struct Replied {
  std::string text{};
};
struct Summarized {
  TurnExecutionSummary summary{};
  SummarizeOutput ledger{};
  std::string assistant_summary{};
  std::optional<std::string> history_summary{};
  std::optional<std::string> engagement_summary{};
};
struct TurnEnded {
  bool is_interrupted = false;
};

using Change =
    std::variant<RefsChanged, BatchDeclared, ItemsMoved, SettingsChanged, PermanentConstraintsSet,
                 TurnStarted, BackgroundFound, TakenUp, Understood, EntitiesCurated,
                 ConstraintsMerged, Planned, StepStarted, AskMade, AnswerTaken, AnswersApplied,
                 FaultNoted, CallMade, CallDone, ProfileRead, DashboardRead, ArtifactPut,
                 ArtifactSaved, ArtifactDropped, SchemaRequested, DataRetrieved, DiscrepanciesNoted,
                 StepEnded, StepResumed, ReplanBegun, PhaseEntered, PendingSet, PendingTaken,
                 TurnFailed, ReplyMismatch, Replied, Summarized, TurnEnded, AnswerNoted>;
using Changes = std::vector<Change>;

// The name a change has in the journal: turn_started.
std::string_view change_name(const Change& change);

// The one writer (R1). The error is a bug's, or a refusal: batch_pending, action.
Result<void> apply_change(SessionState& state, const Change& change);

// {"change":"turn_started",…}, both ways.
Json change_json(const Change& change);
Result<Change> read_change(const Json& json);

}  // namespace alfred
