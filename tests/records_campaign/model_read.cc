// Reads: rows in order, a page of them, in refs.
#include <algorithm>

#include "model.h"

namespace alfred::campaign {
namespace {

constexpr std::string_view kGone = "(no longer there)";

std::vector<std::string> columns_of(const Table& table, const JsonObject& params) {
  std::vector<std::string> shown = table.key;
  const auto add = [&](const std::string& name) {
    if (std::find(shown.begin(), shown.end(), name) == shown.end()) shown.push_back(name);
  };
  const Json* const wanted = params.if_contains("columns");
  if (wanted == nullptr || wanted->as_array().empty()) {
    for (const Field& field : table.fields)
      if (!field.is_hidden) add(field.name);
    return shown;
  }
  for (const Json& name : wanted->as_array()) add(std::string(name.as_string()));
  return shown;
}

std::vector<std::string> nested_columns(const Table& child, const Relation& relation) {
  std::vector<std::string> shown = child.key;
  for (const Field& field : child.fields) {
    const bool is_own = field.name == child.created_at || field.name == child.updated_at;
    if (!field.is_hidden && !is_own && field.name != relation.column && !child.is_key(field.name))
      shown.push_back(field.name);
  }
  return shown;
}

// Nulls last, whatever the direction.
int compare_places(const std::vector<std::pair<std::string, bool>>& order,
                   const std::vector<Json>& a, const std::vector<Json>& b) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (a[i].is_null() && b[i].is_null()) continue;
    if (a[i].is_null() || b[i].is_null()) return a[i].is_null() ? 1 : -1;
    const int one = compare_json(a[i], b[i]);
    if (one != 0) return order[i].second ? -one : one;
  }
  return 0;
}

const Json* similar_test(const JsonObject& params) {
  const Json* const filters = params.if_contains("filters");
  if (filters == nullptr) return nullptr;
  for (const Json& filter : filters->as_array()) {
    const Json* const op = filter.as_object().if_contains("op");
    if (op != nullptr && *op == Json("similar")) return &filter;
  }
  return nullptr;
}

}  // namespace

Model::Order Model::order_of(const JsonObject& params) {
  Order order;
  if (const Json* const given = params.if_contains("order"))
    for (const Json& one : given->as_array())
      order.emplace_back(std::string(one.as_object().at("field").as_string()),
                         one.as_object().at("direction") == Json("desc"));
  return order;
}

// A key orders by itself; a link by the key it leads to.
std::vector<Json> Model::sort_values(const Table& table, const Order& order,
                                     const ModelRow& row) const {
  std::vector<Json> values;
  for (const auto& [name, is_descending] : order)
    values.push_back(name == key_column(table) ? Json(row.key) : row.value(name));
  return values;
}

JsonObject Model::shown_row(ModelSession& session, const Table& table, const ModelRow& row,
                            const std::vector<std::string>& columns) {
  JsonObject out;
  const std::string key = key_column(table);
  if (key.empty()) out["id"] = session.refs.meet(table, row.key).ref;
  for (const std::string& name : columns) {
    const Json value = row.value(name);
    const Field* const link = link_of(table, name);
    if (name == key)
      out[name] = session.refs.meet(table, row.key).ref;
    else if (link != nullptr && !value.is_null())
      out[name] =
          session.refs.meet_linked(*schema_.find(link->link->table), std::string(value.as_string()))
              .ref;
    else
      out[name] = value;
  }
  return out;
}

JsonArray Model::shown_rows(ModelSession& session, const Table& table,
                            const std::vector<RowPtr>& rows,
                            const std::vector<std::string>& columns,
                            const std::vector<const Relation*>& include) {
  JsonArray out;
  for (const RowPtr& row : rows) {
    JsonObject shown = shown_row(session, table, *row, columns);
    for (const Relation* relation : include) {
      const Table& child = *schema_.find(relation->table);
      JsonArray nested;
      for (const RowPtr& one : children(*row, *relation, session.user)) {
        nested.push_back(shown_row(session, child, *one, nested_columns(child, *relation)));
        if (const Json label = one->value(child.label);
            label.is_string() && !label.as_string().empty())
          session.refs.find(child, one->key)->label = label.as_string();
      }
      shown[relation->member] = std::move(nested);
    }
    out.push_back(std::move(shown));
  }
  return out;
}

// Every linked row once, table by table in the order in which they are met.
JsonObject Model::labels_of(ModelSession& session, const Table& table,
                            const std::vector<RowPtr>& rows,
                            const std::vector<std::string>& columns,
                            const std::vector<const Relation*>& include) {
  std::vector<std::pair<const Table*, std::vector<std::string>>> met;
  const auto add = [&](const Table& of, const std::vector<std::string>& names,
                       const ModelRow& row) {
    for (const std::string& name : names) {
      const Field* const link = link_of(of, name);
      const Json value = row.value(name);
      if (link == nullptr || value.is_null()) continue;
      const Table* const target = schema_.find(link->link->table);
      if (target->label.empty()) continue;
      auto group = std::find_if(met.begin(), met.end(),
                                [&](const auto& one) { return one.first == target; });
      if (group == met.end()) group = met.insert(met.end(), {target, {}});
      const std::string key(value.as_string());
      if (std::find(group->second.begin(), group->second.end(), key) == group->second.end())
        group->second.push_back(key);
    }
  };
  for (const RowPtr& row : rows) {
    add(table, columns, *row);
    for (const Relation* relation : include) {
      const Table& child = *schema_.find(relation->table);
      for (const RowPtr& one : children(*row, *relation, session.user))
        add(child, nested_columns(child, *relation), *one);
    }
  }
  JsonObject labels;
  for (const auto& [target, keys] : met)
    for (const std::string& key : keys) {
      ModelRefs::Entity* const entity = session.refs.find(*target, key);
      const auto& there = tables_.at(target->name);
      const auto row = there.find(key);
      const bool is_there =
          row != there.end() && (row->second->owner.empty() || row->second->owner == session.user);
      const Json text = is_there ? row->second->value(target->label) : Json(kGone);
      if (is_there && text.is_string() && !text.as_string().empty())
        entity->label = text.as_string();
      if (!is_there && entity->label.empty()) entity->label = kGone;
      const std::string shown = is_there ? entity->label : std::string(kGone);
      if (!shown.empty()) labels[entity->ref] = shown;
    }
  return labels;
}

ModelAnswer Model::read(ModelSession& session, const JsonObject& params,
                        const std::optional<ModelPlace>& after) {
  const Table& table = *schema_.find(std::string(params.at("table").as_string()));
  ModelAnswer answer;
  check_refs(session, table, params, answer.faults);
  if (!answer.faults.empty()) return answer;
  const Order order = order_of(params);
  const Json* const similar = order.empty() ? similar_test(params) : nullptr;
  const auto score_of = [&](const ModelRow& row) {
    return similar == nullptr ? 0 : score(table, similar->as_object(), row);
  };
  // Whether the first stands before the second.
  const auto precedes = [&](const ModelPlace& a, const ModelPlace& b) {
    if (a.score != b.score) return a.score > b.score;
    const int one = compare_places(order, a.order, b.order);
    if (one != 0) return one < 0;
    const bool is_reversed =
        !order.empty() && order.back().first == key_column(table) && order.back().second;
    return is_reversed ? b.key < a.key : a.key < b.key;
  };
  const auto place_of = [&](const ModelRow& row) {
    return ModelPlace{sort_values(table, order, row), row.key, score_of(row)};
  };
  std::vector<RowPtr> rows = visible(table.name, session.user);
  std::erase_if(rows, [&](const RowPtr& row) { return !all_hold(session, table, params, *row); });
  const std::size_t count = rows.size();
  std::stable_sort(rows.begin(), rows.end(), [&](const RowPtr& a, const RowPtr& b) {
    return precedes(place_of(*a), place_of(*b));
  });
  if (after)
    std::erase_if(rows, [&](const RowPtr& row) { return !precedes(*after, place_of(*row)); });
  const Json* const limit = params.if_contains("limit");
  const std::size_t most = limit == nullptr ? 50 : static_cast<std::size_t>(limit->as_int64());
  const bool has_more = rows.size() > most;
  if (has_more) rows.resize(most);
  const std::vector<std::string> columns = columns_of(table, params);
  std::vector<const Relation*> include;
  if (const Json* const wanted = params.if_contains("include"))
    for (const Json& member : wanted->as_array())
      for (const Relation& relation : table.relations)
        if (Json(relation.member) == member) include.push_back(&relation);

  answer.text = "{\"rows\":" + write_json(shown_rows(session, table, rows, columns, include));
  answer.text += has_more ? ",\"has_more\":true" : ",\"has_more\":false";
  if (has_more && !rows.empty()) {
    answer.text += ",\"cursor\":\"CURSOR\"";
    answer.place = place_of(*rows.back());
    // What the rows are ordered by is named in the cursor, so it has a ref.
    for (const auto& [name, is_descending] : order)
      if (const Field* const link = link_of(table, name))
        if (const Json value = rows.back()->value(name); !value.is_null() && !table.is_key(name))
          session.refs.meet_linked(*schema_.find(link->link->table),
                                   std::string(value.as_string()));
  }
  const JsonObject labels = labels_of(session, table, rows, columns, include);
  if (!labels.empty()) answer.text += ",\"labels\":" + write_json(labels);
  if (!table.label.empty())
    for (const RowPtr& row : rows)
      if (const Json label = row->value(table.label);
          label.is_string() && !label.as_string().empty())
        session.refs.find(table, row->key)->label = label.as_string();
  const Json* const wants_count = params.if_contains("count");
  if (wants_count != nullptr && wants_count->as_bool())
    answer.text += ",\"count\":" + std::to_string(count);
  answer.text += "}";
  return answer;
}

}  // namespace alfred::campaign
