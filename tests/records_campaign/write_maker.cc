// Calls that write, and calls that are wrong in themselves.
#include <algorithm>

#include <fmt/format.h>

#include "base/time/iso_time.h"
#include "call_maker.h"

namespace alfred::campaign {

JsonObject CallMaker::row(const Table& table, bool is_nested) {
  JsonObject row;
  for (const Field& field : table.fields) {
    const bool is_system = field.is_hidden || field.name == table.created_at ||
                           field.name == table.updated_at ||
                           (table.is_key(field.name) && table.key_source != KeySource::caller);
    if (is_system) continue;
    const bool is_parent =
        is_nested && field.link && (field.link->table == "albums" || field.link->table == "tracks");
    if (is_parent) continue;
    const bool is_needed = table.is_key(field.name) || (!field.is_nullable && !field.default_value);
    if (!is_needed && chance(2)) continue;
    row[field.name] =
        field.link ? (is_needed || !chance(3) ? ref(*schema_.find(field.link->table)) : Json())
                   : data_value(field);
  }
  if (!table.relations.empty() && chance(2)) {
    JsonArray nested;
    for (std::uint64_t i = below(4); i > 0; --i)
      nested.push_back(this->row(*schema_.find(table.relations[0].table), true));
    row[table.relations[0].member] = std::move(nested);
  }
  return row;
}

JsonObject CallMaker::changes(const Table& table) {
  JsonObject data;
  while (data.empty())
    for (const Field& field : table.fields) {
      const bool is_system = field.is_hidden || table.is_key(field.name) ||
                             field.name == table.created_at || field.name == table.updated_at;
      if (is_system || !chance(4)) continue;
      const bool may_be_null = field.is_nullable && chance(4);
      data[field.name] = may_be_null  ? Json()
                         : field.link ? ref(*schema_.find(field.link->table))
                                      : data_value(field);
    }
  return data;
}

Call CallMaker::create(std::size_t session) {
  const Table& table =
      any_table({"artists", "albums", "albums", "albums", "tracks", "tracks", "takes", "plays",
                 "plays", "reviews", "shelves", "places", "places"});
  JsonObject params{{"table", table.name}};
  if (chance(3)) {
    JsonArray rows;
    for (std::uint64_t i = 1 + below(4); i > 0; --i) rows.push_back(row(table));
    params["data"] = std::move(rows);
  } else {
    params["data"] = row(table);
  }
  if (chance(12)) params["dry_run"] = true;
  return {session, "db_create", std::move(params)};
}

// Filters that name rows by their refs, sometimes narrowed.
JsonObject CallMaker::naming(const Table& table) {
  const std::string key = key_column(table).empty() ? "id" : key_column(table);
  JsonArray filters;
  if (chance(2))
    filters.push_back(JsonObject{{"field", key}, {"op", "="}, {"value", ref(table)}});
  else
    filters.push_back(JsonObject{{"field", key}, {"op", "in"}, {"value", refs_list(table, 4)}});
  if (chance(4)) {
    // An empty list is refused in a write; that is a bad call of its own.
    const auto has_empty_list = [](const Json& one) {
      return write_json(one).find("[]") != std::string::npos;
    };
    Json more = filter(table);
    while (has_empty_list(more)) more = filter(table);
    filters.push_back(std::move(more));
  }
  return JsonObject{{"filters", std::move(filters)}};
}

// The row's own version, or one that is stale.
void CallMaker::add_version(JsonObject& params, const Table& table, const Json& named) {
  if (table.updated_at.empty() || !named.is_string()) return;
  const auto found = session_->refs.by_ref.find(std::string(named.as_string()));
  if (found == session_->refs.by_ref.end()) return;
  const auto& rows = model_.tables().at(table.name);
  const auto row = rows.find(session_->refs.entities[found->second].key);
  if (row == rows.end()) return;
  params["version"] =
      chance(2) ? row->second->value(table.updated_at) : Json("2026-01-05T10:00:00.000Z");
}

Call CallMaker::update(std::size_t session) {
  const Table& table = any_table({"artists", "albums", "albums", "albums", "tracks", "tracks",
                                  "takes", "plays", "reviews", "shelves", "places"});
  JsonObject params{{"table", table.name}};
  if (chance(2)) {
    const JsonObject named = naming(table);
    params["filters"] = named.at("filters");
    params["data"] = changes(table);
    const Json& value = named.at("filters").as_array()[0].as_object().at("value");
    if (chance(5)) add_version(params, table, value);
  } else if (chance(2)) {
    JsonObject data = changes(table);
    data["_ref"] = ref(table);
    if (chance(5)) add_version(data, table, data.at("_ref"));
    params["data"] = std::move(data);
  } else {
    JsonArray rows;
    for (std::uint64_t i = 1 + below(3); i > 0; --i) {
      JsonObject data = changes(table);
      data["_ref"] = ref(table);
      if (chance(8)) add_version(data, table, data.at("_ref"));
      rows.push_back(std::move(data));
    }
    params["data"] = std::move(rows);
  }
  if (chance(12)) params["dry_run"] = true;
  return {session, "db_update", std::move(params)};
}

Call CallMaker::remove(std::size_t session) {
  const Table& table =
      any_table({"artists", "albums", "albums", "albums", "albums", "tracks", "tracks", "takes",
                 "plays", "reviews", "reviews", "shelves", "places"});
  JsonObject params = naming(table);
  params["table"] = table.name;
  const Json& value = params.at("filters").as_array()[0].as_object().at("value");
  if (chance(8)) add_version(params, table, Json(value));
  if (chance(12)) params["dry_run"] = true;
  return {session, "db_delete", std::move(params)};
}

Call CallMaker::bad(std::size_t session) {
  struct Bad {
    const char* tool;
    const char* params;
    ErrorCode code;
  };
  static const std::vector<Bad> kBad{
      {"db_read", R"({"table":"sqlite_master"})", ErrorCode::table},
      {"db_read", R"({"table":"pg_catalog.pg_class"})", ErrorCode::table},
      {"db_read", R"({"table":"albums; drop"})", ErrorCode::table},
      {"db_read", R"({"table":"albums","user_id":"bob"})", ErrorCode::schema},
      {"db_read", R"({"table":"albums","columns":["secret"]})", ErrorCode::column},
      {"db_read", R"({"table":"albums","columns":["user_id"]})", ErrorCode::column},
      {"db_read", R"({"table":"albums","filters":[{"field":"user_id","op":"=","value":"bob"}]})",
       ErrorCode::column},
      {"db_read", R"({"table":"albums","order":["secret"]})", ErrorCode::column},
      {"db_read", R"({"table":"albums","filters":[{"field":"year","op":"~","value":1}]})",
       ErrorCode::op},
      {"db_read", R"({"table":"albums","filters":[{"field":"year","op":"contains","value":1}]})",
       ErrorCode::op},
      {"db_read", R"({"table":"albums","filters":[{"field":"year","op":"=","value":null}]})",
       ErrorCode::value},
      {"db_read", R"({"table":"albums","filters":[{"field":"year","op":"=","value":"1970"}]})",
       ErrorCode::value},
      {"db_read", R"({"table":"albums","filters":[{"field":"mood","op":"=","value":"Calm"}]})",
       ErrorCode::enum_value},
      {"db_read", R"({"table":"albums","limit":201})", ErrorCode::limit},
      {"db_read", R"({"table":"albums","limit":0})", ErrorCode::schema},
      {"db_read", R"({"table":"albums","cursor":"e30"})", ErrorCode::value},
      {"db_read", R"({"table":"albums","include":["takes"]})", ErrorCode::column},
      {"db_read", R"({"table":"albums","filters":[{"field":"name","op":"like","value":"%%%%%%"}]})",
       ErrorCode::limit},
      {"db_create", R"({"table":"charts","data":{"name":"x"}})", ErrorCode::table},
      {"db_create", R"({"table":"albums","data":{"name":"x","user_id":"bob"}})",
       ErrorCode::column_readonly},
      {"db_create", R"({"table":"albums","data":{"name":"x","id":"album_1"}})",
       ErrorCode::column_readonly},
      {"db_create", R"({"table":"albums","data":{"name":"x","secret":"y"}})", ErrorCode::column},
      {"db_create", R"({"table":"albums","data":{"year":1}})", ErrorCode::value},
      {"db_create", R"({"table":"albums","data":{"name":"x","year":1.5}})", ErrorCode::value},
      {"db_create", R"({"table":"albums","data":{"name":"x","made":"tomorrow"}})",
       ErrorCode::value},
      {"db_create", R"({"table":"albums","data":{"name":"a\u0000b"}})", ErrorCode::value},
      {"db_create", R"({"table":"albums","data":[]})", ErrorCode::value},
      {"db_create", R"({"table":"albums","data":{"name":"lit_9"}})", ErrorCode::literal_unknown},
      {"db_create", R"({"table":"albums","data":{"name":"x","parent_id":7}})",
       ErrorCode::ref_syntax},
      {"db_create", R"({"table":"tracks","data":{"title":"x"}})", ErrorCode::value},
      {"db_update", R"({"table":"albums","data":{"year":1}})", ErrorCode::filter_required},
      {"db_update", R"({"table":"albums","filters":[],"data":{"year":1}})",
       ErrorCode::filter_required},
      {"db_update",
       R"({"table":"albums","filters":[{"field":"year","op":">","value":0}],"data":{"year":1}})",
       ErrorCode::filter_required},
      {"db_update",
       R"({"table":"albums","filters":[{"field":"id","op":"in","value":[]}],"data":{"year":1}})",
       ErrorCode::value},
      {"db_delete", R"({"table":"albums"})", ErrorCode::filter_required},
      {"db_delete", R"({"table":"albums","or_filters":[{"field":"id","op":"is_not_null"}]})",
       ErrorCode::filter_required},
      {"db_delete", R"({"table":"albums","filters":[{"field":"id","op":"in","value":[]}]})",
       ErrorCode::value},
      {"db_delete", R"({"table":"albums","limit":3})", ErrorCode::schema},
      {"db_create", R"({"batch":"bat_000000000000","data":[{"ref":"x","name":"y"}]})",
       ErrorCode::batch_item},
  };
  const Bad& one = kBad[below(kBad.size())];
  return {session, one.tool, parse_json(one.params, JsonLimits::none()).value().as_object(),
          Faults{one.code}};
}

Call CallMaker::any(std::size_t session, ModelSession& refs) {
  session_ = &refs;
  const std::size_t rows = model_.count("albums", refs.user);
  switch (below(20)) {
    case 0: return bad(session);
    case 1:
    case 2:
    case 3:
    case 4: return rows > 25 ? remove(session) : create(session);
    case 5: return create(session);
    case 6:
    case 7:
    case 8: return update(session);
    case 9: return remove(session);
    case 10: return rows > 12 ? remove(session) : create(session);
    default: return read(session, refs);
  }
}

JsonObject CallMaker::batch(ModelSession& refs, std::string& tool) {
  session_ = &refs;
  tool = of<std::string>({"db_create", "db_create", "db_update", "db_delete"});
  const Table& table = any_table({"albums", "plays", "plays", "tracks", "artists"});
  JsonArray items;
  for (std::uint64_t i = 1 + below(5); i > 0; --i) {
    Json item = tool == "db_create" ? Json(fmt::format("item {}", i)) : ref(table);
    const bool is_text = item.is_string() && !item.as_string().empty();
    if (is_text && std::find(items.begin(), items.end(), item) == items.end())
      items.push_back(std::move(item));
  }
  return JsonObject{{"table", table.name}, {"items", std::move(items)}};
}

JsonObject CallMaker::batch_rows(ModelSession& refs, const std::string& id,
                                 const std::string& tool) {
  session_ = &refs;
  const ModelBatch& manifest = refs.batches.at(id);
  const Table& table = *schema_.find(manifest.table);
  JsonArray rows;
  for (const std::string& item : manifest.items) {
    if (chance(4)) continue;
    JsonObject one = tool == "db_create"   ? row(table)
                     : tool == "db_update" ? changes(table)
                                           : JsonObject();
    one["ref"] = chance(40) ? "item 1" : item;
    rows.push_back(std::move(one));
  }
  if (rows.empty()) rows.push_back(JsonObject{{"ref", "nobody"}});
  return JsonObject{{"batch", id}, {"data", std::move(rows)}};
}

}  // namespace alfred::campaign
