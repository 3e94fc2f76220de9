#include "turn/act/act_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"
#include "base/json/json_text.h"
#include "context/call_effects.h"
#include "context/entity_view.h"
#include "context/shown_text.h"
#include "context/trace_view.h"
#include "turn/prompt/sections.h"

namespace alfred {
namespace {

constexpr std::string_view kSnapshotWarning =
    "Data from recent turns. **For read steps, always call db_read — this is reference, not a "
    "substitute.**\n";

std::string more_rows(std::size_t count) {
  return "… " + std::to_string(count) + (count == 1 ? " more row" : " more rows");
}

// Whether an entity is shown under another ref since it was saved.
bool is_former_name(const RefRegistry& registry, std::string_view ref, EntityNo entity) {
  return ref.starts_with("gen_") && registry.has_key(entity);
}

// What an answer says beside its rows, as JSON; empty: nothing.
std::string beside_rows(const JsonObject& answer) {
  std::string out;
  for (const auto& member : answer) {
    const bool says_no = member.key() == "has_more" && member.value() == Json(false);
    if (member.key() == "rows" || says_no) continue;
    if (out.empty()) out += '{';
    append_json_name(out, member.key());
    append_json(out, member.value());
  }
  return out.empty() ? out : out + "}";
}

const Step* find_step(const Scene& scene, std::string_view id) {
  for (const Step& one : scene.turn().plan->steps)
    if (one.id == id) return &one;
  for (const TurnSteps& turn : scene.facts().earlier_steps)
    for (const Step& one : turn.steps)
      if (one.id == id) return &one;
  return nullptr;
}

}  // namespace

ActData::ActData(const Scene& scene, std::uint32_t step)
    : scene_(scene),
      index_(step),
      plan_(*scene.turn().plan),
      step_(plan_.steps[step]),
      tiers_(scene.tiers()),
      nested_(nested_types(scene.world().pack, scene.world().schema)),
      data_(EntityData::collect_without(scene.state(), nested_)) {
  active_.reserve(tiers_.active.size());
  shown_rows_.reserve(tiers_.active.size());
  for (const EntitySnapshot& one : tiers_.active) {
    const EntityData::Read* const read = data_.find(one.entity);
    active_.push_back({&one, read});
    if (read != nullptr) shown_rows_.emplace(one.entity, read->row);
  }
  check_found();
  order_cuts();
  const auto count = [&](const Step& from) {
    for (const ToolResult& call : from.calls)
      if (const JsonArray* rows = call.answer ? rows_of(*call.answer) : nullptr)
        inline_rows_ += static_cast<std::size_t>(std::count_if(
            rows->begin(), rows->end(), [&](const Json& row) { return is_inline(row); }));
  };
  count(step_);
  for (const std::string& id : step_.retrieved)
    if (const Step* from = find_step(scene_, id); from != nullptr && from != &step_) count(*from);
}

// Of entities that stand alone the same rows are found as with nested ones.
void ActData::check_found() const {
#ifndef NDEBUG
  const EntityData all = EntityData::collect(scene_.state());
  for (const Active& one : active_) {
    const EntityData::Read* const same = all.find(one.entity->entity);
    ALFRED_CHECK((one.read == nullptr) == (same == nullptr) &&
                     (one.read == nullptr || one.read->row == same->row),
                 "rows of entities in play are found without nested ones");
  }
#endif
}

// R1: shown with its call, unless its entity shows the same.
bool ActData::is_inline(const Json& row) const {
  const std::string ref = ref_of_row(row);
  const EntityNo entity = ref.empty() ? kNoEntity : scene_.state().registry.find(ref);
  const auto shown = shown_rows_.find(entity);
  if (shown == shown_rows_.end() || is_former_name(scene_.state().registry, ref, entity))
    return true;
  return shown->second != &row.get_object() && *shown->second != row.get_object();
}

bool ActData::is_retrieved(std::string_view step) const {
  return std::find(step_.retrieved.begin(), step_.retrieved.end(), step) != step_.retrieved.end();
}

// R2.
void ActData::order_cuts() {
  struct Cut {
    bool is_retrieved;
    std::uint32_t turn;
    std::size_t place;  // of its step in the turn
    const Active* entity;
  };
  std::vector<Cut> units;
  units.reserve(active_.size());
  for (auto one = active_.rbegin(); one != active_.rend(); ++one) {
    if (one->read == nullptr || !one->read->source) continue;
    const EntityData::Source& source = *one->read->source;
    std::size_t place = 0;
    while (place < plan_.steps.size() && plan_.steps[place].id != source.step) ++place;
    units.push_back({is_retrieved(source.step), source.turn, place, &*one});
  }
  const auto goes_first = [](const Cut& a, const Cut& b) {
    return std::tie(a.is_retrieved, a.turn, a.place) < std::tie(b.is_retrieved, b.turn, b.place);
  };
  if (!std::is_sorted(units.begin(), units.end(), goes_first))
    std::stable_sort(units.begin(), units.end(), goes_first);
  entities_to_cut_.reserve(units.size());
  for (const Cut& unit : units) entities_to_cut_.push_back(unit.entity);
}

const RowFormat& ActData::format_of(const std::string& type) const {
  if (last_format_ != formats_.end() && last_format_->first == type) return last_format_->second;
  const auto [known, is_new] = formats_.try_emplace(type);
  last_format_ = known;
  if (!is_new) return known->second;
  const Table* table = scene_.world().schema.find_ref(type);
  if (table == nullptr) return known->second;
  const PackEntity* entity = scene_.world().pack.find(table->name);
  known->second = RowFormat(entity != nullptr && entity->layout
                                ? *entity->layout
                                : default_layout(*table, scene_.world().schema));
  return known->second;
}

void ActData::append_block(ByteBuffer& out, const Active& one) const {
  const EntitySnapshot& entity = *one.entity;
  for (const std::string_view text :
       {std::string_view("\n### `"), std::string_view(entity.ref), std::string_view("`: ")})
    out.append(text);
  if (is_shown_as_it_is(entity.label))
    out.append(entity.label);
  else
    out.append(shown_line(entity.label));
  for (const std::string_view text :
       {std::string_view(" ("), std::string_view(entity.type), std::string_view(")\n")})
    out.append(text);
  format_of(entity.type).append(out, *one.read->row);
}

// R3: one line for each step whose rows were cut.
std::string ActData::cut_lines(std::size_t cut) const {
  std::vector<std::pair<EntityData::Source, std::size_t>> by_step;
  for (std::size_t i = 0; i < std::min(cut, entities_to_cut_.size()); ++i) {
    const EntityData::Source& source = *entities_to_cut_[i]->read->source;
    const auto same = std::find_if(by_step.begin(), by_step.end(),
                                   [&](const auto& one) { return one.first.step == source.step; });
    if (same == by_step.end())
      by_step.emplace_back(source, 1);
    else
      ++same->second;
  }
  std::string out;
  for (const auto& [source, count] : by_step) {
    out += more_rows(count);
    if (step_.step_type == StepType::read)
      out.append("; `retrieve_")
          .append(source.turn == scene_.turn().turn ? "step` " : "archive` ")
          .append(source.step)
          .append(" shows them");
    out += "\n";
  }
  return out;
}

std::string ActData::entities(std::size_t cut) const {
  const std::set<const Active*> left_out(
      entities_to_cut_.begin(), entities_to_cut_.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                               cut, entities_to_cut_.size())));
  ByteBuffer blocks;
  constexpr std::size_t kBytesOfBlock = 512;  // about
  blocks.room(shown_rows_.size() * kBytesOfBlock);
  ListedEntities rest{.active = {}, .generated = {}, .retained = {}};
  for (const Active& one : active_)
    if (one.read != nullptr && !left_out.contains(&one))
      append_block(blocks, one);
    else
      rest.active.push_back(one.entity);
  std::string out;
  constexpr std::size_t kBytesOfLine = 64;  // about
  out.reserve(kSnapshotWarning.size() + blocks.size() +
              (rest.active.size() + tiers_.retained.size() + 1) * kBytesOfLine);
  if (blocks.size() > 0) out.append(kSnapshotWarning).append(blocks.view());
  for (const EntitySnapshot& one : tiers_.generated) {
    const StoredArtifact* artifact = scene_.state().artifact(one.ref);
    if (artifact == nullptr || step_.step_type == StepType::write) {
      rest.generated.push_back(&one);  // R4
      continue;
    }
    if (out.empty()) out = kSnapshotWarning;
    out += "\n### `" + one.ref + "`: " + shown_line(one.label) + " (" + one.type +
           ", generated, not saved)\n" + fenced(write_json(artifact->content), "json");
  }
  for (const EntitySnapshot& one : tiers_.retained) rest.retained.push_back(&one);
  if (!rest.is_empty() || out.empty())
    out += (out.empty() ? "" : "\n") +
           format_listed(scene_.state().registry, rest, sight_of(Node::act));
  out += cut_lines(cut);
  return out;
}

// "3 rows: `book_1`, `book_2`, `book_3`", rows that stand nowhere else below it.
std::string ActData::rows_line(const JsonObject& answer, std::size_t& cut) const {
  const JsonArray& rows = answer.at("rows").get_array();
  std::vector<bool> are_inline;
  are_inline.reserve(rows.size());
  for (const Json& row : rows) are_inline.push_back(is_inline(row));
  auto left = static_cast<std::size_t>(std::count(are_inline.begin(), are_inline.end(), true));
  const std::size_t hidden = std::min(cut, left);
  cut -= hidden;
  left -= hidden;
  std::string refs;
  std::string below;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!are_inline[i]) {
      refs.append(refs.empty() ? ": `" : ", `").append(ref_of_row(rows[i])).append("`");
    } else if (left > 0) {
      --left;
      append_json(below += "  ", rows[i]);
      below += '\n';
    }
  }
  std::string out = std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows") + refs;
  if (!refs.empty()) out += " (see Entities in Context)";
  if (const std::string rest = beside_rows(answer); !rest.empty()) out += " " + shown_line(rest);
  out += "\n" + below;
  if (hidden > 0) out += "  " + more_rows(hidden) + "\n";
  return out;
}

std::string ActData::call_line(const ToolResult& call, std::size_t& cut) const {
  std::string out = "- `" + call.tool + "` " + shown_line(write_json(call.params)) + " → ";
  // What was refused is told whole behind the calls.
  if (call.error && scene_.has_edition(6) &&
      std::find(step_.faults.begin(), step_.faults.end(), *call.error) != step_.faults.end())
    return out + "[" + call.error->code + "], see below\n";
  if (call.error)
    return out + "[" + call.error->code + "] " + shown_line(call.error->message) + "\n";
  if (!call.answer) return out + "nothing\n";
  if (rows_of(*call.answer) != nullptr) return out + rows_line(call.answer->get_object(), cut);
  return out + shown_line(write_json(*call.answer)) + "\n";
}

std::string ActData::retrieved_lines(std::size_t& cut) const {
  std::string out;
  for (const std::string& id : step_.retrieved) {
    const Step* from = find_step(scene_, id);
    if (from == nullptr || from == &step_) continue;
    out += "### Retrieved: " + shown_line(from->description) + "\n";
    for (const ToolResult& call : from->calls) out += call_line(call, cut);
  }
  return out;
}

std::string ActData::history(std::size_t cut) const {
  std::size_t rows = cut - std::min(cut, entities_to_cut_.size());
  std::string out = format_last_turn(scene_.facts().trace, sight_of(Node::act));
  const auto part = [&](std::string_view title, const std::string& body) {
    if (!body.empty()) out.append(out.empty() ? "" : "\n").append(title).append(body);
  };
  std::string before = format_steps_done(plan_, index_);
  for (std::uint32_t i = 0; i < index_; ++i)
    if (const auto& found = plan_.steps[i].data)
      before += "Step " + std::to_string(i + 1) + " found:\n" + fenced(write_json(*found), "json");
  part("### Steps before this one\n", before);
  std::string now;
  for (const ToolResult& call : step_.calls) now += call_line(call, rows);
  part("### This step\n", now);
  part("", retrieved_lines(rows));
  part("### What was refused\n", fault_lines(scene_, step_.faults));
  return out.empty() ? "*Nothing yet.*\n" : out;
}

}  // namespace alfred
