// Writes: rows made and changed, one after the other, on a copy of the tables.
#include <algorithm>
#include <cstdlib>

#include "base/time/clock.h"
#include "base/time/iso_time.h"
#include "model.h"

namespace alfred::campaign {
namespace {

bool is_ref_shaped(std::string_view text) {
  const std::size_t line = text.rfind('_');
  if (line == std::string_view::npos || line == 0 || line + 1 == text.size()) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line), is_letter) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(line) + 1, text.end(), is_digit);
}

std::string number_key(std::int64_t number) {
  std::string digits = std::to_string(number);
  return "#" + std::string(9 - digits.size(), '0') + digits;
}

// The names by which rows of an update say which row they mean.
bool names_row(std::string_view member) { return member == "id" || member == "_ref"; }

// A column of numerics keeps whole numbers beyond 2^53 as such; all others are doubles.
Json stored_number(const Field& field, const Json& json) {
  if (field.database_type == "numeric" && json.is_int64() &&
      std::abs(json.get_int64()) > (std::int64_t{1} << 53))
    return json;
  return Json(json.to_number<double>());
}

}  // namespace

std::optional<std::string> Model::resolve(ModelSession& session, const Table& table,
                                          const Json& ref, Faults& faults) const {
  const auto refuse = [&](ErrorCode code) {
    faults.insert(code);
    return std::optional<std::string>();
  };
  if (!ref.is_string() || !is_ref_shaped(text_of(ref))) return refuse(ErrorCode::ref_syntax);
  const auto found = session.refs.by_ref.find(text_of(ref));
  if (found == session.refs.by_ref.end()) return refuse(ErrorCode::ref_unknown);
  const ModelRefs::Entity& entity = session.refs.entities[found->second];
  if (entity.table != &table) return refuse(ErrorCode::ref_type);
  if (entity.is_deleted) return refuse(ErrorCode::ref_deleted);
  return entity.key;
}

Json Model::stored(const Field& field, const Json& json, ModelSession& session) const {
  if (json.is_null()) return json;
  if (field.link) {
    Faults ignored;
    return Json(*resolve(session, *schema_.find(field.link->table), json, ignored));
  }
  if (field.type == FieldType::number) return stored_number(field, json);
  if (field.type == FieldType::integer) return Json(json.to_number<std::int64_t>());
  if (json.is_string())
    if (const auto alias = field.value_aliases.find(text_of(json));
        alias != field.value_aliases.end())
      return Json(alias->second);
  return json;
}

// The refs of a row to be written, and the links of it that lead nowhere.
void Model::check_row(Job& job, const Table& table, const JsonObject& row, const Field* parent,
                      Faults& bad_refs, Faults& bad_links) const {
  for (const auto& member : row) {
    const Field* const link = link_of(table, member.key());
    if (link == nullptr || link == parent || member.value().is_null()) continue;
    const Table& target = *schema_.find(link->link->table);
    const std::optional<std::string> key = resolve(job.session, target, member.value(), bad_refs);
    if (!key) continue;
    const ModelTable& there = job.tables[target.name];
    const auto found = there.find(*key);
    const bool is_there = found != there.end() && (found->second->owner.empty() ||
                                                   found->second->owner == job.session.user);
    if (!is_there) bad_links.insert(ErrorCode::value);
  }
  for (const Relation& relation : table.relations)
    if (const Json* const rows = row.if_contains(relation.member)) {
      const Table& child = *schema_.find(relation.table);
      for (const Json& one : rows->as_array())
        check_row(job, child, one.as_object(), child.find(relation.column), bad_refs, bad_links);
    }
}

// Whether the database's own rules let a row be.
bool Model::fits(const Job& job, const Table& table, const ModelRow& row) const {
  const auto below = [&](const char* column, std::int64_t end) {
    const Json value = row.value(column);
    return value.is_null() || value.as_int64() < end;
  };
  const auto above = [&](const char* column, std::int64_t end) {
    const Json value = row.value(column);
    return value.is_null() || value.as_int64() > end;
  };
  if (table.name == "albums" && !below("year", 3000)) return false;
  if (table.name == "tracks" && !above("seconds", 0)) return false;
  if (table.name == "plays" && !above("times", 0)) return false;
  if (table.name != "albums" && table.name != "artists") return true;
  const auto& others = job.tables.at(table.name);
  return std::none_of(others.begin(), others.end(), [&](const auto& other) {
    return other.first != row.key && other.second->owner == row.owner &&
           other.second->value("name") == row.value("name");
  });
}

void Model::create(Job& job, const Table& table, const std::vector<const JsonObject*>& rows) {
  Faults bad_refs;
  Faults bad_links;
  for (const JsonObject* row : rows) check_row(job, table, *row, nullptr, bad_refs, bad_links);
  job.faults = !bad_refs.empty() ? bad_refs : bad_links;
  for (const JsonObject* row : rows)
    if (job.faults.empty()) create_row(job, table, *row, kTop, "");
}

void Model::create_row(Job& job, const Table& table, const JsonObject& row, std::size_t parent,
                       std::string member) {
  ModelRow made;
  if (!table.owner.empty()) made.owner = job.session.user;
  for (const Field& field : table.fields) {
    const Json* json = row.if_contains(field.name);
    if (json == nullptr && field.default_value) json = &*field.default_value;
    if (json != nullptr) made.values[field.name] = stored(field, *json, job.session);
  }
  if (parent != kTop)
    for (const Relation& relation : job.changes[parent].table->relations)
      if (relation.member == member)
        made.values[relation.column] = Json(job.changes[parent].after->key);
  if (table.name == "shelves")
    made.key = text_of(made.value("code"));
  else if (table.name == "places")
    made.key = text_of(made.value("shelf_code")) + "\x01" + text_of(made.value("album_id"));
  else
    made.key = number_key(++job.next);
  for (const std::string& time : {table.created_at, table.updated_at})
    if (!time.empty()) made.values[time] = Json(rfc3339_utc(job.now_ms));
  if (job.tables[table.name].contains(made.key) || !fits(job, table, made)) {
    job.faults.insert(ErrorCode::conflict);
    return;
  }
  const RowPtr after = std::make_shared<const ModelRow>(std::move(made));
  job.tables[table.name][after->key] = after;
  const std::size_t at = job.changes.size();
  job.changes.push_back({&table, nullptr, after, parent, std::move(member)});
  for (const Relation& relation : table.relations)
    if (const Json* const rows = row.if_contains(relation.member))
      for (const Json& one : rows->as_array())
        if (job.faults.empty())
          create_row(job, *schema_.find(relation.table), one.as_object(), at, relation.member);
}

// A change is later than the one before.
void Model::touch(const Job& job, const Table& table, ModelRow& row) const {
  if (table.updated_at.empty()) return;
  const Json before = row.value(table.updated_at);
  std::int64_t at = job.now_ms;
  if (before.is_string()) at = std::max(at, *iso_instant_ms(text_of(before)) + 1);
  row.values[table.updated_at] = Json(rfc3339_utc(at));
}

// The rows that filters name, in the order they are named in; those that are not there are missing.
std::vector<RowPtr> Model::targets(Job& job, const Table& table, const JsonObject& params) const {
  std::vector<RowPtr> found;
  const JsonObject& naming = params.at("filters").as_array()[0].as_object();
  const Json& value = naming.at("value");
  const JsonArray list = value.is_array() ? value.as_array() : JsonArray{value};
  for (const Json& ref : list) {
    Faults ignored;
    const std::string key = *resolve(job.session, table, ref, ignored);
    const ModelTable& there = job.tables[table.name];
    const auto row = there.find(key);
    const bool is_there = row != there.end() &&
                          (row->second->owner.empty() || row->second->owner == job.session.user);
    if (is_there && all_hold(job.session, table, params, *row->second)) {
      found.push_back(row->second);
      continue;
    }
    job.missing.push_back(text_of(ref));
    if (!is_there) job.gone.push_back(text_of(ref));
  }
  return found;
}

void Model::change_row(Job& job, const Table& table, const RowPtr& row, const JsonObject& data,
                       const Json& version) {
  if (!version.is_null()) {
    if (table.updated_at.empty())
      job.faults.insert(ErrorCode::schema);
    else if (row->value(table.updated_at) != version)
      job.faults.insert(ErrorCode::stale);
    if (!job.faults.empty()) return;
  }
  ModelRow changed = *row;
  for (const auto& member : data)
    if (const Field* const field = table.find(member.key());
        field != nullptr && !names_row(member.key()))
      changed.values[field->name] = stored(*field, member.value(), job.session);
  touch(job, table, changed);
  if (!fits(job, table, changed)) {
    job.faults.insert(ErrorCode::conflict);
    return;
  }
  const RowPtr after = std::make_shared<const ModelRow>(std::move(changed));
  job.tables[table.name][after->key] = after;
  job.changes.push_back({&table, row, after});
}

void Model::update(Job& job, const Table& table, const JsonObject& params) {
  const Json* const call_version = params.if_contains("version");
  std::vector<const JsonObject*> rows;
  const Json& data = params.at("data");
  if (data.is_object()) rows.push_back(&data.as_object());
  if (data.is_array())
    for (const Json& one : data.as_array()) rows.push_back(&one.as_object());
  const bool is_filtered = params.contains("filters");
  Faults bad_refs;
  Faults bad_links;
  std::vector<std::string> keys;
  if (is_filtered) check_refs(job.session, table, params, bad_refs);
  for (const JsonObject* row : rows) {
    check_row(job, table, *row, nullptr, bad_refs, bad_links);
    if (is_filtered) continue;
    const Json& name = row->contains("id") ? row->at("id") : row->at("_ref");
    const std::optional<std::string> key = resolve(job.session, table, name, bad_refs);
    if (key && std::find(keys.begin(), keys.end(), *key) != keys.end())
      bad_refs.insert(ErrorCode::batch_dup);
    keys.push_back(key.value_or(""));
  }
  job.faults = !bad_refs.empty() ? bad_refs : bad_links;
  if (!job.faults.empty()) return;
  if (is_filtered) {
    for (const RowPtr& row : targets(job, table, params))
      if (job.faults.empty())
        change_row(job, table, row, *rows[0], call_version == nullptr ? Json() : *call_version);
    return;
  }
  for (std::size_t i = 0; i < rows.size() && job.faults.empty(); ++i) {
    const ModelTable& there = job.tables[table.name];
    const auto found = there.find(keys[i]);
    const bool is_there = found != there.end() && (found->second->owner.empty() ||
                                                   found->second->owner == job.session.user);
    const Json* version = rows[i]->if_contains("version");
    if (version == nullptr && data.is_object()) version = call_version;
    if (is_there) {
      change_row(job, table, found->second, *rows[i], version == nullptr ? Json() : *version);
      continue;
    }
    job.missing.push_back(
        text_of(rows[i]->contains("id") ? rows[i]->at("id") : rows[i]->at("_ref")));
    job.gone.push_back(job.missing.back());
  }
}

}  // namespace alfred::campaign
