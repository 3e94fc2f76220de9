// Changes as the journal holds them: their name and their fields.
#include <array>
#include <utility>

#include "base/json/json_text.h"
#include "contracts/shape_text.h"
#include "refs/registry/registry_json.h"
#include "state/change.h"
#include "state/change_text.h"

namespace alfred {

template <>
struct Described<SettingsChanged> {
  static Shape make() { return object("", {field<&SettingsChanged::settings>("settings", "")}); }
};
template <>
struct Described<PermanentConstraintsSet> {
  static Shape make() {
    return object("", {field<&PermanentConstraintsSet::constraints>("constraints", "")});
  }
};
template <>
struct Described<TurnStarted> {
  static Shape make() {
    using T = TurnStarted;
    return object("", {field<&T::id>("id", ""), field<&T::turn>("turn", ""),
                       field<&T::message>("message", ""), field<&T::at_ms>("at_ms", ""),
                       field<&T::seed>("seed", ""), field<&T::known>("known", "")});
  }
};
template <>
struct Described<BackgroundFound> {
  static Shape make() { return object("", {field<&BackgroundFound::entities>("entities", "")}); }
};
template <>
struct Described<TakenUp> {
  static Shape make() { return object("", {field<&TakenUp::refs>("refs", "")}); }
};
template <>
struct Described<Understood> {
  static Shape make() {
    return object("", {field<&Understood::answer>("answer", ""),
                       field<&Understood::mentions>("mentions", "")});
  }
};
template <>
struct Described<EntitiesCurated> {
  static Shape make() { return object("", {field<&EntitiesCurated::curation>("curation", "")}); }
};
template <>
struct Described<ConstraintsMerged> {
  static Shape make() {
    return object("", {field<&ConstraintsMerged::constraints>("constraints", ""),
                       field<&ConstraintsMerged::notes>("notes", "")});
  }
};
template <>
struct Described<Planned> {
  static Shape make() { return object("", {field<&Planned::plan>("plan", "")}); }
};
template <>
struct Described<StepStarted> {
  static Shape make() {
    return object("",
                  {field<&StepStarted::step>("step", ""), field<&StepStarted::batch>("batch", "")});
  }
};
template <>
struct Described<AskMade> {
  static Shape make() {
    using A = AskMade;
    return object("", {field<&A::ask>("ask", ""), field<&A::node>("node", ""),
                       field<&A::attempt>("attempt", ""), field<&A::step>("step", ""),
                       field<&A::prompt>("prompt", ""), field<&A::digest>("digest", "")});
  }
};
template <>
struct Described<AnswerTaken> {
  static Shape make() { return object("", {field<&AnswerTaken::answer>("answer", "")}); }
};
template <>
struct Described<FaultNoted> {
  static Shape make() {
    using F = FaultNoted;
    return object("", {field<&F::step>("step", ""), field<&F::error>("error", ""),
                       field<&F::is_completion>("is_completion", "")});
  }
};
template <>
struct Described<AnswersApplied> {
  static Shape make() { return object("", {}); }
};
template <>
struct Described<CallMade> {
  static Shape make() { return object("", {field<&CallMade::call>("call", "")}); }
};
template <>
struct Described<CallDone> {
  static Shape make() { return object("", {field<&CallDone::result>("result", "")}); }
};
template <>
struct Described<ProfileRead> {
  static Shape make() {
    return object("", {field<&ProfileRead::profile>("profile", ""),
                       field<&ProfileRead::guidance>("guidance", ""),
                       field<&ProfileRead::permanent>("permanent", "")});
  }
};
template <>
struct Described<DashboardRead> {
  static Shape make() { return object("", {field<&DashboardRead::line>("line", "")}); }
};
template <>
struct Described<ArtifactPut> {
  static Shape make() {
    return object(
        "", {field<&ArtifactPut::step>("step", ""), field<&ArtifactPut::artifact>("artifact", "")});
  }
};
template <>
struct Described<ArtifactSaved> {
  static Shape make() {
    return object("", {field<&ArtifactSaved::ref>("ref", ""),
                       field<&ArtifactSaved::saved_as>("saved_as", "")});
  }
};
template <>
struct Described<ArtifactDropped> {
  static Shape make() { return object("", {field<&ArtifactDropped::ref>("ref", "")}); }
};
template <>
struct Described<SchemaRequested> {
  static Shape make() {
    return object("", {field<&SchemaRequested::step>("step", ""),
                       field<&SchemaRequested::subdomain>("subdomain", "")});
  }
};
template <>
struct Described<DataRetrieved> {
  static Shape make() {
    return object(
        "", {field<&DataRetrieved::step>("step", ""), field<&DataRetrieved::from>("from", "")});
  }
};
template <>
struct Described<DiscrepanciesNoted> {
  static Shape make() {
    return object("", {field<&DiscrepanciesNoted::step>("step", ""),
                       field<&DiscrepanciesNoted::discrepancies>("discrepancies", "")});
  }
};
template <>
struct Described<StepEnded> {
  static Shape make() {
    using S = StepEnded;
    return object("", {field<&S::step>("step", ""), field<&S::status>("status", ""),
                       field<&S::result_summary>("result_summary", ""), field<&S::data>("data", ""),
                       field<&S::note_for_next_step>("note_for_next_step", ""),
                       field<&S::block>("block", ""), field<&S::question>("question", "")});
  }
};
template <>
struct Described<StepResumed> {
  static Shape make() {
    return object(
        "", {field<&StepResumed::step>("step", ""), field<&StepResumed::answer>("answer", "")});
  }
};
template <>
struct Described<ReplanBegun> {
  static Shape make() { return object("", {}); }
};
template <>
struct Described<ReplyMismatch> {
  static Shape make() { return object("", {field<&ReplyMismatch::claim>("claim", "")}); }
};
template <>
struct Described<PhaseEntered> {
  static Shape make() { return object("", {field<&PhaseEntered::phase>("phase", "")}); }
};
template <>
struct Described<PendingSet> {
  static Shape make() { return object("", {field<&PendingSet::pending>("pending", "")}); }
};
template <>
struct Described<PendingTaken> {
  static Shape make() {
    return object("", {field<&PendingTaken::is_kept_plan>("is_kept_plan", "")});
  }
};
template <>
struct Described<TurnFailed> {
  static Shape make() { return object("", {field<&TurnFailed::error>("error", "")}); }
};
template <>
struct Described<Replied> {
  static Shape make() { return object("", {field<&Replied::text>("text", "")}); }
};
template <>
struct Described<Summarized> {
  static Shape make() {
    using S = Summarized;
    return object("", {field<&S::summary>("summary", ""), field<&S::ledger>("ledger", ""),
                       field<&S::assistant_summary>("assistant_summary", ""),
                       field<&S::history_summary>("history_summary", ""),
                       field<&S::engagement_summary>("engagement_summary", "")});
  }
};
template <>
struct Described<AnswerNoted> {
  static Shape make() {
    using N = AnswerNoted;
    return object("",
                  {field<&N::ask>("ask", ""), field<&N::unknown_fields>("unknown_fields", ""),
                   field<&N::cut_fields>("cut_fields", ""), field<&N::repaired>("repaired", "")});
  }
};
template <>
struct Described<TurnEnded> {
  static Shape make() {
    return object("", {field<&TurnEnded::is_interrupted>("is_interrupted", "")});
  }
};

namespace {

// In the order of the variant.
constexpr std::array<std::string_view, std::variant_size_v<Change>> kNames{
    "refs_changed",     "batch_declared",   "items_moved",         "settings_changed",
    "permanent_set",    "turn_started",     "background_found",    "taken_up",
    "understood",       "entities_curated", "constraints_merged",  "planned",
    "step_started",     "ask_made",         "answer_taken",        "answers_applied",
    "fault_noted",      "call_made",        "call_done",           "profile_read",
    "dashboard_read",   "artifact_put",     "artifact_saved",      "artifact_dropped",
    "schema_requested", "data_retrieved",   "discrepancies_noted", "step_ended",
    "step_resumed",     "replan_begun",     "phase_entered",       "pending_set",
    "pending_taken",    "turn_failed",      "reply_mismatch",      "replied",
    "summarized",       "turn_ended",       "answer_noted"};

Unexpected damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, "A change in a session's journal cannot be read: " +
                                      std::string(what) + ". The file was left as it is.");
}

struct WriteFields {
  JsonObject& out;
  void operator()(const RefsChanged& change) const {
    out["refs"] =
        parse_json(RegistryJson::write_changes(change.changes), JsonLimits::none()).value();
  }
  void operator()(const BatchDeclared& change) const {
    out["manifest"] = change.manifest.to_json();
  }
  void operator()(const ItemsMoved& change) const {
    out["batch"] = change.batch;
    JsonArray moved;
    for (const ItemMoved& one : change.changes) moved.push_back(batch_item_json(one.item));
    out["moved"] = std::move(moved);
  }
  template <class T>
  void operator()(const T& change) const {
    const Json fields = to_json(change);
    for (const auto& field : fields.get_object()) out.insert(field);
  }
};

// What is described is written as it stands; its own braces give way to the change's.
struct AppendFields {
  std::string& out;
  void operator()(const RefsChanged& change) const {
    append_json_name(out, "refs");
    out += RegistryJson::write_changes(change.changes);
  }
  void operator()(const BatchDeclared& change) const { append_members(change); }
  void operator()(const ItemsMoved& change) const { append_members(change); }
  template <class T>
  void operator()(const T& change) const {
    const std::size_t from = out.size();
    append_json_of(out, change);
    const bool is_empty = out.size() == from + 2;
    out[from] = ',';
    out.resize(is_empty ? from : out.size() - 1);
  }

 private:
  template <class T>
  void append_members(const T& change) const {
    JsonObject members;
    WriteFields{members}(change);
    for (const auto& member : members) {
      append_json_name(out, member.key());
      append_json(out, member.value());
    }
  }
};

// A described change finds its own members; the name beside them is none of them.
template <class T>
Result<Change> read_fields(const Json& whole) {
  [[maybe_unused]] const JsonObject& object = whole.get_object();
  if constexpr (std::is_same_v<T, RefsChanged>) {
    const Json* refs = object.if_contains("refs");
    if (refs == nullptr) return damaged("it has no refs");
    Result<RefChanges> changes = RegistryJson::read_changes(*refs);
    if (!changes) return Unexpected(changes.error());
    return Change(RefsChanged{std::move(*changes)});
  } else if constexpr (std::is_same_v<T, BatchDeclared>) {
    const Json* json = object.if_contains("manifest");
    if (json == nullptr) return damaged("it has no manifest");
    Result<BatchManifest> manifest = BatchManifest::from_json(*json);
    if (!manifest) return Unexpected(manifest.error());
    return Change(BatchDeclared{std::move(*manifest)});
  } else if constexpr (std::is_same_v<T, ItemsMoved>) {
    const Json* batch = object.if_contains("batch");
    const Json* moved = object.if_contains("moved");
    if (batch == nullptr || moved == nullptr || !batch->is_string() || !moved->is_array())
      return damaged("items move in a batch");
    ItemsMoved change{std::string(batch->get_string()), {}};
    for (const Json& json : moved->get_array()) {
      Result<BatchItem> item = read_batch_item(json);
      if (!item) return Unexpected(item.error());
      change.changes.push_back({std::move(*item)});
    }
    return Change(std::move(change));
  } else {
    DecodeNotes notes;
    Result<T> change = from_json<T>(whole, notes);
    if (!change) return damaged(change.error().message);
    return Change(std::move(*change));
  }
}

template <std::size_t... I>
Result<Change> read_named(std::string_view name, const Json& json, std::index_sequence<I...>) {
  using Reader = Result<Change> (*)(const Json&);
  constexpr std::array<Reader, sizeof...(I)> kReaders{
      &read_fields<std::variant_alternative_t<I, Change>>...};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return kReaders[i](json);
  return damaged("its name is not known");
}

}  // namespace

std::string_view change_name(const Change& change) { return kNames[change.index()]; }

Json change_json(const Change& change) {
  JsonObject out{{"change", change_name(change)}};
  std::visit(WriteFields{out}, change);
  return out;
}

void append_change(std::string& out, const Change& change) {
  out += '{';
  append_json_name(out, "change");
  append_json_string(out, change_name(change));
  std::visit(AppendFields{out}, change);
  out += '}';
}

Result<Change> read_change(const Json& json) {
  const JsonObject* object = json.if_object();
  const Json* name = object == nullptr ? nullptr : object->if_contains("change");
  if (name == nullptr || !name->is_string()) return damaged("it has no name");
  return read_named(name->get_string(), json,
                    std::make_index_sequence<std::variant_size_v<Change>>());
}

}  // namespace alfred
