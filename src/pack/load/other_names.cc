#include <algorithm>
#include <set>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

// "servings" → "servings/serves": the column first, then what is renamed to it.
std::string with_others(std::string_view name, const std::set<std::string>& others) {
  std::string out(name);
  for (const std::string& other : others)
    if (other != name) out += "/" + other;
  return out;
}

void add_fields(const ColumnRules& rules, std::string_view column, std::set<std::string>& out) {
  for (const auto& [field, to] : rules.renames)
    if (to == column) out.insert(field);
}

std::string named(const ColumnRules& rules, std::string_view column) {
  std::set<std::string> others;
  add_fields(rules, column, others);
  return with_others(column, others);
}

const LinkedRules* linked_as(const CompileRules& rules, std::string_view member) {
  for (const LinkedRules& linked : rules.linked)
    if (std::find(linked.members.begin(), linked.members.end(), member) != linked.members.end())
      return &linked;
  return nullptr;
}

void spread(const CompileRules& rules, EntityLayout& layout) {
  for (std::string& line : layout.lines)
    line = with_names(line, [&](std::string_view name) { return named(rules.columns, name); });
  for (LayoutList& list : layout.lists) {
    const LinkedRules* linked = linked_as(rules, list.member);
    if (linked == nullptr) {
      list.member = named(rules.columns, list.member);
      continue;
    }
    list.member = with_others(list.member, {linked->members.begin(), linked->members.end()});
    list.item =
        with_names(list.item, [&](std::string_view name) { return named(linked->columns, name); });
  }
}

// A constraint is about no table in particular, so the rules of all of them count.
std::string spread(const Pack& pack, std::string_view place) {
  std::set<std::string> heads;
  std::set<std::string> fields;
  const std::size_t dot = place.find('.');
  const std::string_view head = place.substr(0, dot);
  for (const PackEntity& entity : pack.entities) {
    if (dot == std::string_view::npos) {
      add_fields(entity.compile.columns, head, heads);
    } else if (const LinkedRules* linked = linked_as(entity.compile, head)) {
      heads.insert(linked->members.begin(), linked->members.end());
      add_fields(linked->columns, place.substr(dot + 1), fields);
    }
  }
  std::string out = with_others(head, heads);
  if (dot != std::string_view::npos) out += "." + with_others(place.substr(dot + 1), fields);
  return out;
}

}  // namespace

void add_other_names(Pack& pack) {
  for (PackEntity& entity : pack.entities)
    if (entity.layout) spread(entity.compile, *entity.layout);
  for (ConstraintType& type : pack.constraint_types)
    for (std::string& place : type.check.in) place = spread(pack, place);
}

}  // namespace alfred
