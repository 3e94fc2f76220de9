// Deletes with what depends on the rows, the words of answers, and batches.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {
namespace {

std::string text_of(const Json& json) { return std::string(json.as_string()); }

}  // namespace

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
      refs.create(*change.table, change.after->key);
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
    for (const Change& child : job.changes) {
      if (child.parent != at) continue;
      Json& member = nested[child.member];
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
  if (job.is_dry_run) answer["dry_run"] = true;
  return write_json(answer);
}

ModelAnswer Model::write(ModelSession& session, std::string_view tool, const JsonObject& params,
                         std::int64_t now_ms) {
  if (params.contains("batch")) return batch(session, tool, params, now_ms);
  const Table& table = *schema_.find(text_of(params.at("table")));
  const Json* const dry_run = params.if_contains("dry_run");
  Job job{session, now_ms, dry_run != nullptr && dry_run->as_bool(), tables_};
  job.next = next_;
  if (tool == "db_create") {
    std::vector<const JsonObject*> rows;
    const Json& data = params.at("data");
    if (data.is_object()) rows.push_back(&data.as_object());
    if (data.is_array())
      for (const Json& one : data.as_array()) rows.push_back(&one.as_object());
    create(job, table, rows);
  } else if (tool == "db_update") {
    update(job, table, params);
  } else {
    remove(job, table, params);
  }
  ModelAnswer answer;
  if (job.faults.empty() && !job.is_dry_run && !is_whole(job.tables))
    job.faults.insert(ErrorCode::conflict);
  answer.faults = job.faults;
  if (!job.faults.empty()) return answer;
  if (!job.is_dry_run) {
    note(job);
    tables_ = job.tables;
    next_ = job.next;
  }
  answer.text = tool == "db_create" ? created_text(job) : changed_text(job, tool, table);
  return answer;
}

// One item of a batch on the job's tables; what it did is told to the refs at once.
Faults Model::batch_item(Job& job, std::string_view tool, const Table& table, const JsonObject& row,
                         const std::string& item, std::string& result) {
  JsonObject data = row;
  data.erase("ref");
  Job one{job.session, job.now_ms, false, job.tables};
  one.next = job.next;
  if (tool == "db_create") {
    create(one, table, {&data});
  } else {
    data["_ref"] = item;
    JsonObject params{{"data", data}};
    if (tool == "db_delete")
      params["filters"] = JsonArray{JsonObject{{"field", "_ref"}, {"op", "="}, {"value", item}}};
    if (tool == "db_update")
      update(one, table, params);
    else
      remove(one, table, params);
    if (one.faults.empty() && !one.missing.empty()) one.faults.insert(ErrorCode::ref_unknown);
  }
  if (one.faults.empty() && !is_whole(one.tables)) one.faults.insert(ErrorCode::conflict);
  if (!one.faults.empty()) return one.faults;
  note(one);
  const Change& first = one.changes.front();
  result = tool == "db_create" ? job.session.refs.find(table, first.after->key)->ref : item;
  job.tables = one.tables;
  job.next = one.next;
  return {};
}

ModelAnswer Model::batch(ModelSession& session, std::string_view tool, const JsonObject& params,
                         std::int64_t now_ms) {
  ModelAnswer answer;
  const auto found = session.batches.find(text_of(params.at("batch")));
  if (found == session.batches.end()) {
    answer.faults = {ErrorCode::batch_item};
    return answer;
  }
  ModelBatch manifest = found->second;
  const Table& table = *schema_.find(manifest.table);
  std::set<std::string> seen;
  for (const Json& row : params.at("data").as_array()) {
    const std::string item = text_of(row.as_object().at("ref"));
    const bool is_open =
        std::find(manifest.items.begin(), manifest.items.end(), item) != manifest.items.end() &&
        !manifest.done.contains(item) && !manifest.failed.contains(item);
    if (!is_open) answer.faults.insert(ErrorCode::batch_item);
    if (!seen.insert(item).second) answer.faults.insert(ErrorCode::batch_dup);
  }
  if (!answer.faults.empty()) return answer;
  Job job{session, now_ms, false, tables_};
  job.next = next_;
  const ModelRefs refs = session.refs;
  bool is_undone = false;
  for (const Json& row : params.at("data").as_array()) {
    const std::string item = text_of(row.as_object().at("ref"));
    std::string result;
    if (!batch_item(job, tool, table, row.as_object(), item, result).empty()) {
      manifest.failed.insert(item);
      is_undone = table.batch_policy == BatchPolicy::atomic;
      if (is_undone) break;
    } else {
      manifest.done[item] = result;
    }
  }
  if (is_undone) {
    manifest = found->second;
    manifest.failed.insert(seen.begin(), seen.end());
    session.refs = refs;
  } else {
    tables_ = job.tables;
    next_ = job.next;
  }
  found->second = manifest;
  JsonArray done;
  JsonArray failed;
  JsonArray pending;
  for (const std::string& item : manifest.items) {
    if (manifest.done.contains(item))
      done.push_back(JsonObject{{"ref", item}, {"result", manifest.done.at(item)}});
    else if (manifest.failed.contains(item))
      failed.push_back(JsonObject{{"ref", item}});
    else
      pending.emplace_back(item);
  }
  answer.text = write_json(JsonObject{{"total", manifest.items.size()},
                                      {"completed", std::move(done)},
                                      {"failed", std::move(failed)},
                                      {"pending", std::move(pending)}});
  return answer;
}

}  // namespace alfred::campaign
