#include "engine/feed/turn_feed.h"

#include <algorithm>
#include <iterator>

#include "base/error_table.h"
#include "engine/journal/journal.h"

namespace alfred {
namespace {

// The batch that a change is about; empty: none.
std::string batch_of(const Change& change) {
  if (const auto* declared = std::get_if<BatchDeclared>(&change))
    return std::string(declared->manifest.id().view());
  const auto* moved = std::get_if<ItemsMoved>(&change);
  return moved == nullptr ? "" : moved->batch;
}

std::string table_of(const Json& params) {
  const JsonObject* object = params.if_object();
  const Json* table = object == nullptr ? nullptr : object->if_contains("table");
  return table != nullptr && table->is_string() ? std::string(table->get_string()) : "";
}

}  // namespace

Result<std::vector<FeedEntry>> TurnFeed::entries() {
  std::vector<FeedEntry> out;
  const auto read = [&](Tx& tx) -> Result<void> {
    const Result<std::vector<JournalEntry>> entries =
        read_journal(tx, session_.records().workspace().id(), place_);
    if (!entries) return Unexpected(entries.error());
    for (const JournalEntry& entry : *entries) {
      Result<Changes> changes = read_changes(entry.changes);
      if (!changes) return Unexpected(std::move(changes).error());
      out.push_back({entry.place, std::move(*changes)});
      place_ = entry.place;
    }
    return {};
  };
  if (Result<void> done = session_.records().read_state(read); !done)
    return Unexpected(std::move(done).error());
  return out;
}

Result<Changes> TurnFeed::news() {
  const Result<std::vector<FeedEntry>> entries = this->entries();
  if (!entries) return Unexpected(entries.error());
  Changes out;
  for (const FeedEntry& entry : *entries)
    out.insert(out.end(), entry.changes.begin(), entry.changes.end());
  return out;
}

Json EventWriter::step_event(std::uint32_t step, std::string_view status) const {
  JsonObject out{{"event", "step"}, {"step", step + 1}, {"of", steps_.size()}, {"status", status}};
  if (step < steps_.size()) {
    out["type"] = name_of(steps_[step].step_type);
    out["subdomain"] = steps_[step].subdomain;
    out["description"] = steps_[step].description;
  }
  return out;
}

Json EventWriter::batch_event(const std::string& id) const {
  JsonObject out{{"event", "batch"}, {"batch", id}};
  if (const BatchManifest* batch = session_.state().batch(id)) {
    const BatchCounts counts = batch->counts();
    out["table"] = batch->table();
    out["total"] = counts.total;
    out["complete"] = counts.completed;
    out["failed"] = counts.failed;
    out["pending"] = counts.pending + counts.in_progress;
  }
  return out;
}

EventWriter::Event EventWriter::event(const TurnStarted& one) {
  turn_ = one.id;
  steps_.clear();
  tool_calls_.clear();
  has_failed_ = false;
  return JsonObject{{"event", "turn_started"},
                    {"session", session_.id()},
                    {"turn", one.id},
                    {"number", one.turn},
                    {"message", one.message}};
}

EventWriter::Event EventWriter::event(const Planned& one) {
  steps_ = one.plan.steps;
  return std::nullopt;
}

EventWriter::Event EventWriter::event(const AskMade& one) {
  JsonObject out{{"event", "node"}, {"node", name_of(one.node)}, {"attempt", one.attempt}};
  if (one.step) out["step"] = *one.step + 1;
  return out;
}

EventWriter::Event EventWriter::event(const StepStarted& one) {
  return step_event(one.step, "running");
}

EventWriter::Event EventWriter::event(const StepEnded& one) {
  Json out = step_event(one.step, name_of(one.status));
  if (one.result_summary) out.get_object()["summary"] = *one.result_summary;
  if (one.block) out.get_object()["blocked"] = one.block->details;
  return out;
}

EventWriter::Event EventWriter::event(const CallMade& one) {
  if (one.call.purpose == CallPurpose::tool) tool_calls_[one.call.id] = one.call.step.value_or(0);
  return std::nullopt;
}

EventWriter::Event EventWriter::event(const CallDone& one) {
  const auto made = tool_calls_.find(one.result.call);
  if (made == tool_calls_.end()) return std::nullopt;
  const std::optional<CallError>& error = one.result.error;
  JsonObject out{{"event", "call"},
                 {"step", made->second + 1},
                 {"tool", one.result.tool},
                 {"table", table_of(one.result.params)},
                 {"ok", !error.has_value()}};
  if (error) out["error"] = JsonObject{{"code", error->code}, {"message", error->message}};
  return out;
}

EventWriter::Event EventWriter::event(const Replied& one) {
  return JsonObject{{"event", "reply"}, {"text", one.text}};
}

EventWriter::Event EventWriter::event(const TurnFailed& one) {
  has_failed_ = true;
  return JsonObject{{"event", "error"}, {"code", one.error.code}, {"message", one.error.message}};
}

EventWriter::Event EventWriter::event(const TurnEnded& one) {
  const std::string_view status = one.is_interrupted ? "interrupted"
                                  : has_failed_      ? "failed"
                                                     : "finished";
  return JsonObject{{"event", "turn_finished"}, {"turn", turn_}, {"status", status}};
}

std::vector<Json> EventWriter::events_of(const Changes& changes) {
  // A turn that goes on after a stop was planned before anybody watched.
  const std::optional<RunningTurn>& running = session_.state().facts.running;
  if (running && turn_.empty()) turn_ = running->id;
  if (running && running->plan && steps_.empty()) steps_ = running->plan->steps;
  std::vector<Json> out;
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    Event event = std::visit([&](const auto& one) { return this->event(one); }, *change);
    if (event) out.push_back(std::move(*event));
    // The state is the one after all changes, so a batch is told once.
    const std::string batch = batch_of(*change);
    const bool is_last = std::none_of(std::next(change), changes.end(), [&](const Change& later) {
      return batch_of(later) == batch;
    });
    if (!batch.empty() && is_last) out.push_back(batch_event(batch));
  }
  return out;
}

Json error_event(const Error& error) {
  JsonObject out{{"event", "error"}, {"code", error_name(error.code)}, {"message", error.message}};
  if (!error.path.empty()) out["path"] = error.path;
  return out;
}

}  // namespace alfred
