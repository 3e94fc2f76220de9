// A write from its call to its answer, and the items of batches.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {

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
