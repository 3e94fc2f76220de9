// The filters of a call, and groups of them.
#include <algorithm>

#include <fmt/format.h>

#include "base/json/json.h"
#include "records/to_keys/params_walk.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

// A column's name as people mean it: without the case, the spaces, the quotes and the table.
std::string meant_column(std::string_view field) {
  std::string name;
  for (const char c : field) {
    constexpr std::string_view kAround = " \t\r\n\"'`[]";
    if (kAround.find(c) != std::string_view::npos) continue;
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0: all of it
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

using Use = ColumnPlan::Use;

const char* ParamsToKeys::filters(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) != '[')
    return stop(ErrorCode::schema, "filters must be an array of {\"field\", \"op\", \"value\"}",
                path);
  return each_element(at, path, [&](const char* from, const std::string& where) {
    return filter(from, plan, where);
  });
}

const char* ParamsToKeys::filter(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) != '{')
    return stop(ErrorCode::schema, "a filter must be an object with field, op and value", path);
  std::vector<Member> members;
  const char* const after = read_members(at, members);
  if (after == nullptr) return nullptr;
  const Member* field = nullptr;
  for (const Member& member : members) {
    if (member.name == "field") field = &member;
    if (member.name != "any" && member.name != "all") continue;
    // Beside a group nothing else may stand: it would go to the database as it is.
    if (members.size() > 1)
      return stop(ErrorCode::schema, "a group holds any or all, and nothing else", path);
    return filters(member.value_at, plan, place(path, member.name)) == nullptr ? nullptr : after;
  }
  std::optional<std::string> column = field == nullptr ? std::nullopt : text_of(*field);
  if (!column)
    return stop(ErrorCode::schema, "a filter needs the name of a column as its field", path);
  const Result<std::string> restored = LiteralMask::restore(registry_, *column);
  if (!restored) return stop(restored.error(), place(path, "field"));
  column = *restored;
  if (const std::string near = near_key_column(plan, *column); !near.empty())
    return stop(Error{ErrorCode::schema,
                      fmt::format("this field is not written as the key column {} is; use its "
                                  "exact name, without quotes or a table in front",
                                  near),
                      {},
                      {near},
                      {}},
                place(path, "field"));
  const Result<std::optional<Wanted>> wanted = wanted_by(plan, *column);
  if (!wanted) return stop(wanted.error(), path);
  if (*wanted)
    return key_filter(members, plan, {*field, *column}, **wanted, path) == nullptr ? nullptr
                                                                                   : after;
  for (const Member& member : members)
    if (restore_texts(member.value_at, place(path, member.name)) == nullptr) return nullptr;
  return after;
}

// A filter on a key column. A composite key's ref becomes its columns and their values.
const char* ParamsToKeys::key_filter(const std::vector<Member>& members, RowPlan& plan,
                                     const Field& named, const Wanted& wanted,
                                     const std::string& path) {
  const Member& field = named.member;
  const bool asks_for_null = std::any_of(members.begin(), members.end(), [](const Member& member) {
    const std::optional<std::string> op = member.name == "op" ? text_of(member) : std::nullopt;
    return op == "is_null" || op == "is_not_null";
  });
  const char* at = field.value_end;
  for (const Member& member : members) {
    const std::string where = place(path, member.name);
    const char first = scanner_.peek(member.value_at);
    // Anything else would go to the database as it is, keys and all.
    if (member.name != "field" && member.name != "op" && member.name != "value")
      return stop(Error{ErrorCode::schema,
                        "a filter on a key column holds field, op and value, and nothing else",
                        {},
                        {"field", "op", "value"},
                        {}},
                  path);
    if (&member == &field && plan.ref_place(named.column) >= 0) {
      std::string columns;
      for (const std::string& name : plan.key) {
        columns += columns.empty() ? "" : ",";
        append_json_string(columns, name);
      }
      writer_.replace(field.value_at, field.value_end,
                      plan.key.size() == 1 ? columns : "[" + columns + "]");
    } else if (&member == &field) {
      if (restore_texts(field.value_at, where) == nullptr) return nullptr;
    } else if (member.name != "value" || first == 'n') {
      continue;
    } else if (asks_for_null) {
      if (first != 't' && first != 'f')
        return stop(ErrorCode::schema, "is_null and is_not_null take no value", where);
    } else {
      at = first == '[' ? ref_list(member.value_at, wanted, where)
                        : ref_value(member.value_at, wanted, where);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

// The key column that a field nearly names; empty when it names a column, or none that is a key.
std::string ParamsToKeys::near_key_column(const RowPlan& plan, std::string_view field) {
  std::string meant = meant_column(field);
  if (meant == field || plan.columns.find(field) != plan.columns.end()) return "";
  for (const auto& [name, column] : plan.columns) {
    const bool is_key =
        column.use == Use::own_key || column.use == Use::link || column.key_part >= 0;
    if (is_key && lower(name) == meant) return name;
  }
  if (plan.ref_place(meant) >= 0) return meant;
  if (plan.is_declared || meant == lower(std::string(field)))
    return "";  // in capitals it is one itself (R2)
  const bool is_guessed = meant == "id" || meant.ends_with("_id");
  return is_guessed && !is_secret(meant) ? meant : "";
}

}  // namespace alfred
