// The words of what a write did.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {

std::string Model::created_text(Job& job) const {
  JsonArray created;
  for (std::size_t at = 0; at < job.changes.size(); ++at) {
    const Change& change = job.changes[at];
    if (change.parent != kTop) continue;
    JsonObject one;
    const Table& table = *change.table;
    const Json text = table.label.empty() ? Json() : change.after->value(table.label);
    std::string label = text.is_string() ? text_of(text) : "";
    const ModelRefs::Entity* const entity = job.session.refs.find(table, change.after->key);
    if (!job.is_dry_run) one["ref"] = entity->ref;
    if (label.empty() && entity != nullptr && !entity->is_deleted) label = entity->label;
    if (!label.empty()) one["label"] = label;
    JsonObject nested;
    for (std::size_t i = at + 1; i < job.changes.size(); ++i) {
      const Change& child = job.changes[i];
      std::string place = child.member;
      std::size_t above = child.parent;
      for (; above != kTop && above != at; above = job.changes[above].parent)
        place = job.changes[above].member + "." + place;
      if (above == kTop) continue;
      Json& member = nested[place];
      if (job.is_dry_run) {
        member = member.is_null() ? 1 : member.as_int64() + 1;
        continue;
      }
      if (member.is_null()) member = JsonArray();
      member.as_array().emplace_back(job.session.refs.find(*child.table, child.after->key)->ref);
    }
    if (!nested.empty()) one["nested"] = std::move(nested);
    created.push_back(std::move(one));
  }
  const std::size_t count = created.size();
  JsonObject answer{{"created", std::move(created)}, {"count", count}};
  if (job.is_dry_run) answer["dry_run"] = true;
  return write_json(answer);
}

// Of an update or a delete.
std::string Model::changed_text(Job& job, std::string_view tool, const Table& table) const {
  JsonArray direct;
  std::map<std::string, std::pair<std::size_t, std::set<std::size_t>>> gone;
  std::map<std::string, std::pair<std::size_t, std::set<std::size_t>>> emptied;
  for (const Change& change : job.changes) {
    ModelRefs::Entity* const entity = job.session.refs.find(*change.table, change.before->key);
    if (tool == "db_update") {
      direct.emplace_back(entity->ref);
      continue;
    }
    if (change.after == nullptr && change.table == &table &&
        job.named.contains(change.before->key)) {
      JsonObject one{{"ref", entity->ref}};
      if (!entity->label.empty()) one["label"] = entity->label;
      direct.push_back(std::move(one));
      continue;
    }
    auto& side = (change.after == nullptr ? gone : emptied)[change.table->name];
    ++side.first;
    if (entity != nullptr)
      side.second.insert(static_cast<std::size_t>(entity - job.session.refs.entities.data()));
  }
  const auto sides = [&](const auto& of) {
    JsonObject out;
    for (const auto& [name, side] : of) {
      JsonObject one{{"count", side.first}};
      JsonArray refs;
      for (const std::size_t entity : side.second)
        refs.emplace_back(job.session.refs.entities[entity].ref);
      if (!refs.empty()) one["refs"] = std::move(refs);
      out[name] = std::move(one);
    }
    return out;
  };
  const std::size_t count = direct.size();
  JsonObject answer{{tool == "db_update" ? "updated" : "deleted", std::move(direct)},
                    {"count", count}};
  if (count == 0) answer["no_match"] = true;
  if (!gone.empty()) answer["also_deleted"] = sides(gone);
  if (!emptied.empty()) answer["also_updated"] = sides(emptied);
  if (!job.missing.empty())
    answer["not_matched"] = JsonArray(job.missing.begin(), job.missing.end());
  if (!job.gone.empty()) answer["gone"] = JsonArray(job.gone.begin(), job.gone.end());
  if (job.is_dry_run) answer["dry_run"] = true;
  return write_json(answer);
}

}  // namespace alfred::campaign
