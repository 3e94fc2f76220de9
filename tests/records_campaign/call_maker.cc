#include "call_maker.h"

#include <algorithm>

#include <fmt/format.h>

namespace alfred::campaign {
namespace {

const std::vector<std::string> kWords{"amber", "cobalt", "violet", "thunder", "meadow", "lantern"};
const std::vector<std::string> kTexts{"",
                                      "amber",
                                      "Amber meadow",
                                      "%",
                                      "a_b",
                                      "a\\b",
                                      "Émile",
                                      "émile",
                                      "Борщ",
                                      "борщ",
                                      "Z",
                                      "$1",
                                      "album_1",
                                      "'; DROP TABLE albums;--",
                                      "{{x}}",
                                      "line\nbreak",
                                      "\"quote\"",
                                      "thunder lantern",
                                      "100% of it",
                                      "1"};

bool is_equality_only(const Table& table, const Field& field) {
  return field.link || field.name == key_column(table) || field.type == FieldType::boolean ||
         field.type == FieldType::uuid;
}

}  // namespace

const Table& CallMaker::any_table(std::initializer_list<const char*> names) {
  return *schema_.find(of(std::vector<const char*>(names)));
}

std::string CallMaker::name() {
  const std::string word = of(kWords);
  if (chance(3)) return fmt::format("{} {}", word, of(kWords));
  return chance(4) ? word : fmt::format("{} {}", word, below(30));
}

Json CallMaker::data_value(const Field& field) {
  if (field.is_nullable && !field.link && chance(6)) return Json();
  if (field.name == "name" || field.name == "title") return Json(name());
  if (field.name == "code") return Json(of<std::string>({"a1", "b2", "c3", "north", "n", "zz"}));
  if (field.name == "year")
    return chance(12)  ? Json(3000)
           : chance(5) ? Json(1970.0 + static_cast<double>(below(6)))
                       : Json(1970 + below(6));
  if (!field.enum_values.empty()) return Json(of<std::string>({"calm", "loud", "quiet"}));
  switch (field.type) {
    case FieldType::integer: return Json(static_cast<std::int64_t>(chance(15) ? 0 : 1 + below(5)));
    case FieldType::number:
      if (field.database_type == "numeric" && chance(2))
        return Json(std::int64_t{9007199254740990} + static_cast<std::int64_t>(below(6)));
      return chance(4) ? Json(static_cast<std::int64_t>(below(4)))
                       : Json(of<double>({0.1, 2.5, -1.25, 1e300, 0.30000000000000004}));
    case FieldType::boolean: return Json(chance(2));
    case FieldType::date: return Json(fmt::format("2026-0{}-1{}", 1 + below(3), below(4)));
    case FieldType::instant: return Json(fmt::format("2026-01-05T10:0{}:00.000Z", below(5)));
    case FieldType::list: {
      JsonArray list;
      for (std::uint64_t i = below(3); i > 0; --i) list.emplace_back(of(kTexts));
      return list;
    }
    case FieldType::json: {
      if (chance(3)) return JsonArray{1, "two", nullptr, 2.5};
      return JsonObject{{"a", JsonObject{{"b", true}}}, {"z", of(kTexts)}};
    }
    default: return Json(of(kTexts));
  }
}

// As a read shows it, so that it sometimes meets a row.
Json CallMaker::filter_value(const Table& table, const Field& field) {
  if (chance(2))
    for (const RowPtr& row : model_.visible(table.name, session_->user)) {
      const Json value = row->value(field.name);
      if (!value.is_null() && !value.is_array() && !value.is_object() && chance(4)) return value;
    }
  for (;;)
    if (Json value = data_value(field); !value.is_null()) return value;
}

Json CallMaker::live_ref(const Table& table) {
  std::vector<std::string> known;
  const std::vector<ModelRefs::Entity>& all = session_->refs.entities;
  for (std::size_t i = all.size(); i > 0 && known.size() < 30; --i)
    if (all[i - 1].table == &table && !all[i - 1].is_deleted) known.push_back(all[i - 1].ref);
  return known.empty() ? Json(table.ref + "_1") : Json(of(known));
}

Json CallMaker::ref(const Table& table) {
  switch (below(40)) {
    case 0: return Json(fmt::format("{}_{}", table.ref, 1 + below(400)));  // a guess
    case 1: return live_ref(any_table({"albums", "tracks", "artists", "shelves"}));
    case 2: return stolen.empty() ? Json(7) : Json(of(stolen));
    case 3: {
      const std::size_t counter = session_->refs.counters[table.ref];
      return Json(fmt::format("{}_{}", table.ref, counter + 1 + below(3)));
    }
    case 4: {
      const std::size_t counter = session_->refs.counters[table.ref];
      return Json(fmt::format("{}_{}", table.ref, 1 + below(counter + 1)));
    }
    default: return live_ref(table);
  }
}

// No ref twice: that is a test of its own.
Json CallMaker::refs_list(const Table& table, std::size_t most) {
  JsonArray list;
  for (std::size_t i = 1 + below(most); i > 0; --i) {
    Json one = ref(table);
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
  }
  return list;
}

Json CallMaker::test(const Table& table) {
  std::vector<const Field*> fields;
  for (const Field& field : table.fields)
    if (!field.is_hidden) fields.push_back(&field);
  const bool is_ref_apart = key_column(table).empty() && chance(5);
  const Field& field = *of(fields);
  JsonObject test{{"field", is_ref_apart ? "id" : field.name}};
  std::vector<std::string> ops;
  if (!is_ref_apart) ops = {"is_null", "is_not_null"};
  const bool is_plain = field.type != FieldType::json && field.type != FieldType::list;
  if (is_ref_apart || is_plain) ops.insert(ops.end(), {"=", "!=", "in", "not_in", "=", "in"});
  if (!is_ref_apart && is_plain && !is_equality_only(table, field))
    ops.insert(ops.end(), {">", ">=", "<", "<=", "between"});
  if (!is_ref_apart && field.type == FieldType::text && !is_equality_only(table, field) &&
      field.enum_values.empty())
    ops.insert(ops.end(), {"like", "ilike", "contains", "contains_any", "like", "ilike"});
  if (field.type == FieldType::list && !is_ref_apart)
    ops.insert(ops.end(), {"contains", "contains_any"});
  const std::string op = of(ops);
  test["op"] = op;
  if (op.starts_with("is_")) return test;
  const bool is_key = is_ref_apart || field.name == key_column(table);
  const auto value = [&]() -> Json {
    if (is_key) return ref(table);
    if (field.link) return ref(*schema_.find(field.link->table));
    return field.type == FieldType::list ? Json(of(kTexts)) : filter_value(table, field);
  };
  if (op == "like" || op == "ilike")
    test["value"] = of<std::string>({"%", "amber%", "%R%", "_mber%", "%é%", "Б%", "a\\_b", "%\\%%",
                                     "%a%e%", "Amber", "%\n%", ""});
  else if (op == "between")
    test["value"] = JsonArray{value(), value()};
  else if (op == "in" || op == "not_in" || op == "contains_any") {
    JsonArray list;
    for (std::uint64_t i = below(4); i > 0; --i) {
      Json one = value();
      if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
    }
    test["value"] = std::move(list);
  } else
    test["value"] = value();
  return test;
}

Json CallMaker::filter(const Table& table, std::size_t depth) {
  if (depth >= 2 || !chance(5)) return test(table);
  JsonArray parts;
  for (std::uint64_t i = below(4); i > 0; --i) parts.push_back(filter(table, depth + 1));
  return JsonObject{{chance(2) ? "any" : "all", std::move(parts)}};
}

Call CallMaker::read(std::size_t session, ModelSession& refs) {
  session_ = &refs;
  const Table& table = any_table({"artists", "albums", "albums", "albums", "tracks", "tracks",
                                  "takes", "plays", "reviews", "shelves", "places", "charts"});
  JsonObject params{{"table", table.name}};
  JsonArray filters;
  for (std::uint64_t i = below(3); i > 0; --i) filters.push_back(filter(table));
  if (table.name == "albums" && chance(8))
    filters.push_back(
        JsonObject{{"field", chance(4) ? "notes" : "name"},
                   {"op", "similar"},
                   {"value", chance(2) ? of(kWords) : of(kWords) + " " + of(kWords)}});
  if (!filters.empty()) params["filters"] = std::move(filters);
  if (chance(6)) params["or_filters"] = JsonArray{filter(table), filter(table)};
  if (chance(3)) {
    JsonArray columns;
    for (std::uint64_t i = 1 + below(3); i > 0; --i) {
      const Field& field = table.fields[below(table.fields.size())];
      if (!field.is_hidden) columns.emplace_back(field.name);
    }
    params["columns"] = std::move(columns);
  }
  if (!table.relations.empty() && chance(3))
    params["include"] = JsonArray{table.relations[0].member};
  if (chance(2)) {
    JsonArray order;
    std::vector<std::string> seen;
    for (std::uint64_t i = 1 + below(2); i > 0; --i) {
      const Field& field = table.fields[below(table.fields.size())];
      const bool is_orderable = field.type != FieldType::json && field.type != FieldType::list;
      if (field.is_hidden || !is_orderable ||
          std::find(seen.begin(), seen.end(), field.name) != seen.end())
        continue;
      seen.push_back(field.name);
      order.push_back(JsonObject{{"field", field.name}, {"direction", chance(2) ? "asc" : "desc"}});
      if (field.name == key_column(table)) break;
    }
    if (!order.empty()) params["order"] = std::move(order);
  }
  if (chance(2)) params["limit"] = static_cast<std::int64_t>(1 + below(chance(4) ? 200 : 6));
  if (chance(5)) params["count"] = true;
  return {session, "db_read", std::move(params)};
}

}  // namespace alfred::campaign
