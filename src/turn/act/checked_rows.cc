#include "turn/act/checked_rows.h"

#include <algorithm>

#include "state/constraint_check.h"
#include "turn/act/artifacts.h"

namespace alfred {
namespace {

std::string_view head_of(std::string_view place) { return place.substr(0, place.find('.')); }

// Whether one of the names "a/b" is this one.
bool names_it(std::string_view names, std::string_view name) {
  for (;;) {
    const std::size_t slash = names.find('/');
    if (names.substr(0, slash) == name) return true;
    if (slash == std::string_view::npos) return false;
    names.remove_prefix(slash + 1);
  }
}

bool has_place(const Table& table, std::string_view place) {
  const std::string_view head = head_of(place);
  return std::ranges::any_of(table.fields,
                             [&](const Field& field) { return names_it(head, field.name); }) ||
         std::ranges::any_of(table.relations,
                             [&](const Relation& one) { return names_it(head, one.member); });
}

// How the rows of this table are called inside a parent; empty: they are nobody's.
std::string member_name(const Scene& scene, const Table& table) {
  for (const Table& parent : scene.world().schema.tables())
    for (const Relation& one : parent.relations)
      if (one.table == table.name) return one.member;
  return "";
}

const ConstraintCheck* check_of(const Scene& scene, const Constraint& constraint) {
  for (const ConstraintType& type : scene.world().pack.constraint_types)
    if (type.name == constraint.type) return &type.check;
  return nullptr;
}

struct Held {
  SessionConstraints whole{};  // against the row
  SessionConstraints part{};   // against the row as a part of its parent
  std::string member{};
};

// R1.
Held held_against(const Scene& scene, const Table& table) {
  Held out{.member = member_name(scene, table)};
  const SessionConstraints all = constraints_on(scene, table.ref);
  const Subdomain* subdomain =
      all.active_goal ? scene.find_subdomain(all.active_goal->subdomain) : nullptr;
  const bool is_of_goal =
      subdomain != nullptr && !subdomain->tables.empty() && subdomain->tables.front() == table.name;
  const auto sort = [&](const Constraint& one, bool is_sure) {
    const ConstraintCheck* check = check_of(scene, one);
    if (check == nullptr || check->in.empty()) return;
    if (is_sure || std::ranges::all_of(check->in, [&](const std::string& place) {
          return has_place(table, place);
        }))
      out.whole.permanent.push_back(one);
    else if (!out.member.empty() && std::ranges::any_of(check->in, [&](const std::string& place) {
               return names_it(head_of(place), out.member);
             }))
      out.part.permanent.push_back(one);
  };
  for (const Constraint& one : all.permanent) sort(one, is_of_goal);
  if (all.active_goal)
    for (const Constraint& one : all.active_goal->constraints) sort(one, is_of_goal);
  return out;
}

Result<void> check_row(const Scene& scene, const Held& held, CheckedAs as, const Json& row,
                       const std::string& path) {
  const Pack& pack = scene.world().pack;
  if (Result<void> kept = check_constraints(held.whole, pack, row, path, as); !kept) return kept;
  if (held.part.permanent.empty()) return {};
  JsonObject parent;
  parent[held.member] = JsonArray{row};
  return check_constraints(held.part, pack, Json(std::move(parent)), path, CheckedAs::part);
}

}  // namespace

Result<void> check_typed_rows(const Scene& scene, std::string_view tool, const JsonObject& params) {
  const Json* name = params.if_contains("table");
  const Json* data = params.if_contains("data");
  if (name == nullptr || !name->is_string() || data == nullptr) return {};
  const Table* table = scene.world().schema.find(std::string_view(name->get_string()));
  if (table == nullptr) return {};
  const Held held = held_against(scene, *table);
  const CheckedAs as = tool == "db_create" ? CheckedAs::whole : CheckedAs::part;
  const JsonArray* rows = data->if_array();
  if (rows == nullptr) return check_row(scene, held, as, *data, "data");
  for (std::size_t i = 0; i < rows->size(); ++i)
    if (Result<void> kept =
            check_row(scene, held, as, (*rows)[i], "data[" + std::to_string(i) + "]");
        !kept)
      return kept;
  return {};
}

}  // namespace alfred
