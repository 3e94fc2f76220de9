// Deletes with what depends on the rows, and what the refs learn of a write.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {
void Model::remove(Job& job, const Table& table, const JsonObject& params) {
  check_refs(job.session, table, params, job.faults);
  if (!job.faults.empty()) return;
  const std::vector<RowPtr> rows = targets(job, table, params);
  const Json* const version = params.if_contains("version");
  for (const RowPtr& row : rows) {
    if (version == nullptr) break;
    if (table.updated_at.empty())
      job.faults.insert(ErrorCode::schema);
    else if (row->value(table.updated_at) != *version)
      job.faults.insert(ErrorCode::stale);
  }
  if (job.faults.empty()) remove_rows(job, table, rows);
}

// Rows that lead to one that goes: they go too, let go of it, or forbid it.
void Model::remove_rows(Job& job, const Table& table, const std::vector<RowPtr>& rows) {
  std::vector<std::pair<const Table*, RowPtr>> doomed;
  std::vector<std::pair<const Table*, RowPtr>> emptied;
  std::vector<std::pair<const Table*, RowPtr>> refusing;
  for (const RowPtr& row : rows) {
    doomed.emplace_back(&table, row);
    job.named.insert(row->key);
  }
  const auto is_in = [](const auto& list, const Table& of, const RowPtr& row) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) {
      return one.first == &of && one.second->key == row->key;
    });
  };
  for (std::size_t at = 0; at < doomed.size(); ++at) {
    const auto [gone_table, gone] = doomed[at];
    for (const Table& child : schema_.tables())
      for (const Field& link : child.fields) {
        if (!link.link || link.link->table != gone_table->name) continue;
        for (const auto& [key, row] : job.tables[child.name]) {
          const bool is_seen = row->owner.empty() || row->owner == job.session.user;
          if (!is_seen || row->value(link.name) != Json(gone->key)) continue;
          if (link.link->on_delete == OnDelete::refuse)
            refusing.emplace_back(&child, row);
          else if (link.link->on_delete == OnDelete::set_null)
            emptied.emplace_back(&child, row);
          else if (!is_in(doomed, child, row))
            doomed.emplace_back(&child, row);
        }
      }
  }
  for (const auto& [child, row] : refusing)
    if (!is_in(doomed, *child, row)) job.faults.insert(ErrorCode::conflict);
  if (!job.faults.empty()) return;
  for (const auto& [child, row] : emptied) {
    if (is_in(doomed, *child, row)) continue;
    ModelRow changed = *job.tables[child->name].at(row->key);
    for (const Field& link : child->fields)
      if (link.link && link.link->on_delete == OnDelete::set_null)
        for (const auto& [gone_table, gone] : doomed)
          if (gone_table->name == link.link->table && changed.value(link.name) == Json(gone->key))
            changed.values[link.name] = Json();
    touch(job, *child, changed);
    const RowPtr after = std::make_shared<const ModelRow>(std::move(changed));
    job.tables[child->name][after->key] = after;
    job.changes.push_back({child, row, after});
  }
  for (const auto& [of, row] : doomed) {
    job.tables[of->name].erase(row->key);
    job.changes.push_back({of, row, nullptr});
  }
}

bool Model::is_whole(const ModelTables& tables) const {
  for (const Table& table : schema_.tables())
    for (const Field& field : table.fields) {
      if (!field.link || !tables.contains(table.name)) continue;
      const auto target = tables.find(field.link->table);
      for (const auto& [key, row] : tables.at(table.name)) {
        const Json value = row->value(field.name);
        if (value.is_null()) continue;
        if (target == tables.end() || !target->second.contains(text_of(value))) return false;
      }
    }
  return true;
}

// What the refs learn of the rows that were written.
void Model::note(Job& job) {
  ModelRefs& refs = job.session.refs;
  for (const Change& change : job.changes) {
    if (change.before == nullptr) {
      refs.meet(*change.table, change.after->key);
    } else if (change.after == nullptr) {
      if (ModelRefs::Entity* const entity = refs.find(*change.table, change.before->key))
        entity->is_deleted = true;
    }
  }
  for (const Change& change : job.changes) {
    if (change.after == nullptr) continue;
    ModelRefs::Entity* const entity = refs.find(*change.table, change.after->key);
    if (entity == nullptr) continue;
    const Json text =
        change.table->label.empty() ? Json() : change.after->value(change.table->label);
    const std::string label = text.is_string() ? text_of(text) : "";
    if (!label.empty() || change.before != nullptr) entity->label = label;
  }
}

}  // namespace alfred::campaign
