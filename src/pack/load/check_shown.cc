#include "pack/load/check_shown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/not_listed.h"

namespace alfred {
namespace {

Unexpected wrong(const std::string& place, std::string message,
                 std::vector<std::string> allowed = {}) {
  return fail_listing(ErrorCode::pack, std::move(message), place, std::move(allowed));
}

// The column's own name: those that content may use for it follow after a slash.
std::string_view first_name(std::string_view names) { return names.substr(0, names.find('/')); }

std::vector<std::string> shown_columns(const Table& table) {
  std::vector<std::string> names;
  for (const Field& field : table.fields)
    if (!field.is_hidden) names.push_back(field.name);
  return names;
}

Result<const Table*> table_of(const Schema& schema, const std::string& name,
                              const std::string& place) {
  if (const Table* table = schema.find(name)) return table;
  return wrong(place, fmt::format("The database has no table \"{}\".", name));
}

Result<const Field*> column(const Table& table, std::string_view names, const std::string& place) {
  const Field* field = table.find(first_name(names));
  if (field != nullptr && !field->is_hidden) return field;
  return wrong(place, fmt::format("\"{}\" has no column \"{}\".", table.name, first_name(names)),
               shown_columns(table));
}

Result<void> check_pattern(const Table& table, std::string_view pattern, const std::string& place) {
  const auto names = names_in(pattern);
  if (!names) return wrong(place, names.error().message);
  for (const std::vector<std::string>& sum : *names)
    for (const std::string& name : sum) {
      const Result<const Field*> field = column(table, name, place);
      if (!field) return Unexpected(field.error());
      const bool is_number =
          (*field)->type == FieldType::integer || (*field)->type == FieldType::number;
      if (!is_number && sum.size() > 1)
        return wrong(place,
                     fmt::format("\"{}\" is no number, and a sum is of numbers.", (*field)->name));
    }
  return {};
}

const Relation* relation_of(const Table& table, std::string_view member) {
  for (const Relation& relation : table.relations)
    if (relation.member == member) return &relation;
  return nullptr;
}

Result<void> check_list(const Table& table, const Schema& schema, const LayoutList& list) {
  const std::string_view member = first_name(list.member);
  if (const Relation* relation = relation_of(table, member))
    return check_pattern(*schema.find(relation->table), list.item, list.place);
  const Field* field = table.find(member);
  if (field != nullptr && !field->is_hidden && field->type == FieldType::list) {
    if (list.item.empty()) return {};
    return wrong(list.place, fmt::format("\"{}\" is a list of texts, which are shown as they are; "
                                         "\"item\" is for nested rows.",
                                         member));
  }
  std::vector<std::string> known;
  known.reserve(table.relations.size());
  for (const Relation& relation : table.relations) known.push_back(relation.member);
  for (const Field& one : table.fields)
    if (one.type == FieldType::list && !one.is_hidden) known.push_back(one.name);
  return wrong(list.place,
               fmt::format("\"{}\" has neither nested rows nor a list \"{}\".", table.name, member),
               known);
}

Result<void> check_layout(const Table& table, const Schema& schema, const EntityLayout& layout) {
  for (std::size_t i = 0; i < layout.lines.size(); ++i)
    if (Result<void> ok = check_pattern(table, layout.lines[i], layout.places[i]); !ok) return ok;
  for (const LayoutList& list : layout.lists)
    if (Result<void> ok = check_list(table, schema, list); !ok) return ok;
  return {};
}

// A check is about no table in particular: one of them has the column.
bool is_anywhere(const Schema& schema, std::string_view place) {
  const std::size_t dot = place.find('.');
  const std::string_view head = first_name(place.substr(0, dot));
  return std::any_of(schema.tables().begin(), schema.tables().end(), [&](const Table& table) {
    if (dot == std::string_view::npos) {
      const Field* field = table.find(head);
      return field != nullptr && !field->is_hidden;
    }
    const Relation* relation = relation_of(table, head);
    return relation != nullptr &&
           schema.find(relation->table)->find(first_name(place.substr(dot + 1))) != nullptr;
  });
}

Result<void> check_places(const Pack& pack, const Schema& schema) {
  for (const ConstraintType& type : pack.constraint_types)
    for (const std::string& place : type.check.in)
      if (!is_anywhere(schema, place))
        return wrong(type.place,
                     fmt::format("Constraint \"{}\" looks at \"{}\", which no table has.",
                                 type.name, place));
  return {};
}

Result<void> check_profile(const Profile& profile, const Schema& schema) {
  if (profile.table.empty()) return {};
  const Result<const Table*> found = table_of(schema, profile.table, profile.place);
  if (!found) return Unexpected(found.error());
  const Table& table = **found;
  if (Result<void> ok = check_layout(table, schema, profile.layout); !ok) return ok;
  if (!profile.guidance.empty()) {
    const Result<const Field*> field = column(table, profile.guidance, profile.place);
    if (!field) return Unexpected(field.error());
    if ((*field)->type != FieldType::json)
      return wrong(profile.place,
                   fmt::format("\"{}\" is no json; guidance is an object, subdomain → text.",
                               profile.guidance));
  }
  for (const PermanentConstraint& one : profile.constraints)
    if (Result<const Field*> field = column(table, one.field, one.place); !field)
      return Unexpected(field.error());
  return {};
}

Result<void> check_dashboard(const DashboardLine& line, const Schema& schema) {
  const Result<const Table*> found = table_of(schema, line.table, line.place);
  if (!found) return Unexpected(found.error());
  const Table& table = **found;
  std::vector<std::string> names = line.empty;
  for (const auto& [name, value] : line.where) names.push_back(name);
  for (const std::string& name : names)
    if (Result<const Field*> field = column(table, name, line.place); !field)
      return Unexpected(field.error());
  if (line.before.empty()) return {};
  const Result<const Field*> field = column(table, line.before, line.place);
  if (!field) return Unexpected(field.error());
  if ((*field)->type == FieldType::date || (*field)->type == FieldType::instant) return {};
  return wrong(line.place, fmt::format("\"{}\" is no date and no instant.", line.before));
}

}  // namespace

Result<void> check_shown(const Pack& pack, const Schema& schema) {
  for (const PackEntity& entity : pack.entities)
    if (entity.layout)
      if (Result<void> ok = check_layout(*schema.find(entity.table), schema, *entity.layout); !ok)
        return ok;
  if (Result<void> ok = check_places(pack, schema); !ok) return ok;
  if (Result<void> ok = check_profile(pack.profile, schema); !ok) return ok;
  for (const DashboardLine& line : pack.dashboard)
    if (Result<void> ok = check_dashboard(line, schema); !ok) return ok;
  return {};
}

}  // namespace alfred
