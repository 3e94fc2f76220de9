// The one writer: every field of a SessionState is changed here and nowhere else.
#include <algorithm>

#include "state/change.h"

namespace alfred {
namespace {

Unexpected impossible(std::string_view what) {
  return fail(ErrorCode::bug, "A change does not fit the session: " + std::string(what) + ".");
}

class Writer {
 public:
  explicit Writer(SessionState& state) : state_(state), facts_(state.facts) {}

  Result<void> operator()(const RefsChanged& change) {
    for (const RefChange& one : change.changes)
      if (Result<void> folded = state_.registry.fold(one); !folded) return folded;
    return {};
  }
  Result<void> operator()(const BatchDeclared& change) {
    const std::string id(change.manifest.id().view());
    if (!state_.batches.emplace(id, change.manifest).second)
      return impossible("a batch is declared twice");
    return {};
  }
  Result<void> operator()(const ItemsMoved& change) {
    const auto found = state_.batches.find(change.batch);
    if (found == state_.batches.end()) return impossible("items move in a batch nobody declared");
    for (const ItemMoved& one : change.changes)
      if (Result<void> folded = found->second.fold(one); !folded) return folded;
    return {};
  }
  Result<void> operator()(const SettingsChanged& change) {
    facts_.settings = change.settings;
    return {};
  }
  Result<void> operator()(const PermanentConstraintsSet& change) {
    facts_.constraints.permanent = change.constraints;
    return {};
  }

  Result<void> operator()(const TurnStarted& change) {
    if (facts_.running) return impossible("a turn starts in the middle of one");
    if (change.turn != facts_.turn + 1) return impossible("turns are numbered one by one");
    facts_.turn = change.turn;
    facts_.working_set.background.clear();
    facts_.running = RunningTurn{.id = change.id,
                                 .turn = change.turn,
                                 .message = change.message,
                                 .at_ms = change.at_ms,
                                 .seed = change.seed,
                                 .known = change.known};
    return {};
  }
  Result<void> operator()(const BackgroundFound& change) {
    if (!facts_.running) return no_turn();
    std::vector<BackgroundEntity>& known = facts_.working_set.background;
    known.insert(known.end(), change.entities.begin(), change.entities.end());
    // A read registers what it finds; not being spoken of, it is in nobody's way.
    for (const BackgroundEntity& one : change.entities)
      facts_.working_set.turn_away({one.ref, facts_.turn, false});
    return {};
  }
  Result<void> operator()(const TakenUp& change) {
    WorkingSet& set = facts_.working_set;
    for (const std::string& ref : change.refs) {
      std::erase_if(set.background, [&](const BackgroundEntity& one) { return one.ref == ref; });
      std::erase_if(set.turned_away, [&](const TurnedAway& one) { return one.ref == ref; });
    }
    return {};
  }
  Result<void> operator()(const Understood& change) {
    if (!facts_.running) return no_turn();
    facts_.running->understood = change.answer;
    facts_.running->mentions = change.mentions;
    clear_faults();
    return {};
  }
  Result<void> operator()(const EntitiesCurated& change) {
    if (!facts_.running) return no_turn();
    facts_.running->curation = change.curation;
    for (const std::string& ref : change.curation.demoted)
      facts_.working_set.turn_away({ref, facts_.turn, false});
    for (const std::string& ref : change.curation.dropped)
      facts_.working_set.turn_away({ref, facts_.turn, true});
    return {};
  }
  Result<void> operator()(const ConstraintsMerged& change) {
    facts_.constraints = change.constraints;
    if (facts_.running) facts_.running->constraint_notes = change.notes;
    return {};
  }

  Result<void> operator()(const Planned& change) {
    if (!facts_.running) return no_turn();
    facts_.running->plan = change.plan;
    clear_faults();
    return {};
  }
  Result<void> operator()(const StepStarted& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    if (is_ended(step->status)) return impossible("a step starts after its end");
    step->status = StepStatus::running;
    if (change.batch) step->batch = change.batch;
    return {};
  }
  Result<void> operator()(const AskMade& change) {
    if (!facts_.running) return no_turn();
    if (change.ask != facts_.running->asks + 1) return impossible("asks are numbered one by one");
    facts_.running->asks = change.ask;
    facts_.running->open_asks.push_back({change.ask, change.node, change.step, change.attempt, {}});
    return {};
  }
  Result<void> operator()(const AnswerTaken& change) {
    if (!facts_.running) return no_turn();
    for (OpenAsk& open : facts_.running->open_asks) {
      if (open.ask != change.answer.ask) continue;
      if (open.answer) return impossible("an ask is answered twice");
      open.answer = change.answer;
      return {};
    }
    return impossible("an answer to no ask that is out");
  }
  Result<void> operator()(const AnswersApplied&) {
    if (!facts_.running) return no_turn();
    for (const OpenAsk& open : facts_.running->open_asks)
      if (!open.answer) return impossible("a round ends before all have answered");
    facts_.running->open_asks.clear();
    return {};
  }
  Result<void> operator()(const AnswerNoted&) { return facts_.running ? Result<void>() : no_turn(); }
  Result<void> operator()(const FaultNoted& change) {
    if (!facts_.running) return no_turn();
    RunningTurn& turn = *facts_.running;
    if (!change.step) {
      ++turn.repairs;
      turn.faults.push_back(change.error);
      return {};
    }
    Step* step = find_step(*change.step);
    if (step == nullptr) return no_step();
    ++(change.is_completion ? step->refusals : step->repairs);
    step->faults.push_back(change.error);
    return {};
  }
  Result<void> operator()(const CallMade& change) {
    if (!facts_.running) return no_turn();
    if (change.call.id != facts_.running->calls + 1)
      return impossible("calls are numbered one by one");
    facts_.running->calls = change.call.id;
    facts_.running->open_calls.push_back(change.call);
    return {};
  }
  Result<void> operator()(const CallDone& change) {
    if (!facts_.running) return no_turn();
    std::vector<RecordCall>& open = facts_.running->open_calls;
    const auto call = std::find_if(open.begin(), open.end(), [&](const RecordCall& one) {
      return one.id == change.result.call;
    });
    if (call == open.end()) return impossible("an outcome of no call that is out");
    if (call->purpose == CallPurpose::tool) {
      Step* step = call->step ? find_step(*call->step) : nullptr;
      if (step == nullptr) return no_step();
      if (is_ended(step->status)) return impossible("a call of a step that is over");
      step->calls.push_back(change.result);
      if (!change.result.error) step->faults.clear();
    }
    open.erase(call);
    return {};
  }
  Result<void> operator()(const ProfileRead& change) {
    if (!facts_.running) return no_turn();
    facts_.running->profile = change.profile;
    facts_.running->guidance = change.guidance;
    facts_.constraints.permanent = change.permanent;
    return {};
  }
  Result<void> operator()(const DashboardRead& change) {
    if (!facts_.running) return no_turn();
    facts_.running->dashboard += change.line;
    return {};
  }

  Result<void> operator()(const ArtifactPut& change) {
    const StoredArtifact& artifact = change.artifact;
    if (state_.registry.find(artifact.ref) == kNoEntity)
      return impossible("an artifact nobody registered");
    const auto at = place_of(artifact.ref);
    if (at != facts_.artifacts.end() && at->ref == artifact.ref)
      *at = artifact;
    else
      facts_.artifacts.insert(at, artifact);
    if (!change.step) return {};
    Step* step = find_step(*change.step);
    if (step == nullptr) return no_step();
    std::vector<std::string>& made = step->artifacts;
    if (std::find(made.begin(), made.end(), artifact.ref) == made.end())
      made.push_back(artifact.ref);
    return {};
  }
  Result<void> operator()(const ArtifactSaved& change) {
    const auto at = place_of(change.ref);
    if (at == facts_.artifacts.end() || at->ref != change.ref)
      return impossible("an artifact is saved that there is not");
    at->saved_as = change.saved_as;
    return {};
  }
  Result<void> operator()(const ArtifactDropped& change) {
    const auto at = place_of(change.ref);
    if (at == facts_.artifacts.end() || at->ref != change.ref) return {};
    facts_.artifacts.erase(at);
    return {};
  }
  Result<void> operator()(const SchemaRequested& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    step->schemas.push_back(change.subdomain);
    step->faults.clear();
    return {};
  }
  Result<void> operator()(const DataRetrieved& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    step->retrieved.push_back(change.from);
    step->faults.clear();
    return {};
  }
  Result<void> operator()(const DiscrepanciesNoted& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    step->discrepancies.insert(step->discrepancies.end(), change.discrepancies.begin(),
                               change.discrepancies.end());
    return {};
  }

  Result<void> operator()(const StepEnded& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    if (is_ended(step->status)) return impossible("a step ends twice");
    if (change.status == StepStatus::complete)
      if (Result<void> complete = check_complete(*step); !complete) return complete;
    step->status = change.status;
    step->result_summary = change.result_summary;
    step->data = change.data;
    step->note_for_next_step = change.note_for_next_step;
    step->block = change.block;
    step->question = change.question;
    step->faults.clear();
    return {};
  }
  Result<void> operator()(const PhaseEntered& change) {
    if (!facts_.running) return no_turn();
    facts_.running->phase = change.phase;
    clear_faults();
    return {};
  }
  Result<void> operator()(const PendingSet& change) {
    if (!facts_.running) return no_turn();
    facts_.running->pending = change.pending;
    return {};
  }
  Result<void> operator()(const PendingTaken& change) {
    if (!facts_.running || !facts_.conversation.pending)
      return impossible("nothing waits for an answer");
    facts_.running->resumed = std::move(facts_.conversation.pending);
    facts_.conversation.pending.reset();
    if (change.is_kept_plan) facts_.running->plan = facts_.running->resumed->plan;
    return {};
  }
  Result<void> operator()(const StepResumed& change) {
    Step* step = find_step(change.step);
    if (step == nullptr) return no_step();
    if (step->status != StepStatus::waiting && step->status != StepStatus::blocked)
      return impossible("a step goes on that did not wait");
    step->status = StepStatus::running;
    step->answer = change.answer;
    step->block.reset();
    step->repairs = step->refusals = 0;
    return {};
  }
  Result<void> operator()(const ReplanBegun&) {
    if (!facts_.running || !facts_.running->plan) return no_turn();
    ++facts_.running->plan->replans;
    return {};
  }
  Result<void> operator()(const ReplyMismatch& change) {
    if (!facts_.running) return no_turn();
    facts_.running->errors.push_back(
        {"reply_mismatch", "The reply claimed: " + change.claim, std::nullopt});
    return {};
  }
  Result<void> operator()(const TurnFailed& change) {
    if (!facts_.running) return no_turn();
    facts_.running->errors.push_back(change.error);
    facts_.running->failure = change.error.message;
    return {};
  }
  Result<void> operator()(const Replied& change) {
    if (!facts_.running) return no_turn();
    facts_.running->reply = change.text;
    return {};
  }

  Result<void> operator()(const Summarized& change) {
    if (!facts_.running || !facts_.running->reply) return impossible("a summary before the reply");
    const RunningTurn& turn = *facts_.running;
    facts_.conversation.recent.push_back(
        {turn.turn, turn.message, *turn.reply, change.assistant_summary, turn.at_ms});
    trim(facts_.conversation.recent, facts_.settings.full_turns);
    if (change.history_summary) facts_.conversation.history_summary = *change.history_summary;
    if (change.engagement_summary)
      facts_.conversation.engagement_summary = *change.engagement_summary;
    facts_.trace.recent_summaries.push_back(change.summary);
    trim(facts_.trace.recent_summaries, 2);
    facts_.last_ledger = change.ledger;
    if (turn.plan) facts_.earlier_steps.push_back({turn.turn, turn.plan->steps});
    std::erase_if(facts_.earlier_steps, [&](const TurnSteps& one) {
      return one.turn + facts_.settings.entity_window <= turn.turn;
    });
    if (turn.understood)
      facts_.decisions.push_back({turn.turn, turn.understood->processed_message, turn.curation});
    trim(facts_.decisions, 5);
    return {};
  }
  Result<void> operator()(const TurnEnded& change) {
    if (!facts_.running) return no_turn();
    if (!change.is_interrupted && !facts_.running->reply)
      return impossible("a turn ends without a reply");
    facts_.conversation.pending = facts_.running->pending;
    facts_.running.reset();
    return {};
  }

 private:
  static Unexpected no_turn() { return impossible("no turn is running"); }
  static Unexpected no_step() { return impossible("there is no such step"); }

  Step* find_step(std::uint32_t index) {
    if (!facts_.running || !facts_.running->plan) return nullptr;
    std::vector<Step>& steps = facts_.running->plan->steps;
    return index < steps.size() ? &steps[index] : nullptr;
  }
  std::vector<StoredArtifact>::iterator place_of(std::string_view ref) {
    return std::lower_bound(
        facts_.artifacts.begin(), facts_.artifacts.end(), ref,
        [](const StoredArtifact& one, std::string_view wanted) { return one.ref < wanted; });
  }
  // I-14: nobody completes a step whose batch has open items, or that made fewer than it was to
  // make.
  Result<void> check_complete(const Step& step) const {
    if (step.batch) {
      const BatchManifest* manifest = state_.batch(*step.batch);
      if (manifest == nullptr) return impossible("a step's batch is not there");
      if (Result<void> finished = manifest->check_finished(); !finished) return finished;
    }
    if (step.expected && step.artifacts.size() < *step.expected)
      return fail(ErrorCode::batch_pending,
                  "The step is to make " + std::to_string(*step.expected) + " and made " +
                      std::to_string(step.artifacts.size()) + ". Give all of them.");
    return {};
  }
  void clear_faults() {
    facts_.running->faults.clear();
    facts_.running->repairs = 0;
  }
  template <class T>
  static void trim(std::vector<T>& list, std::size_t most) {
    if (list.size() > most)
      list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most));
  }

  SessionState& state_;
  SessionFacts& facts_;
};

}  // namespace

Result<void> apply_change(SessionState& state, const Change& change) {
  return std::visit(Writer(state), change);
}

}  // namespace alfred
