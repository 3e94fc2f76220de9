// The readers of pack.toml's tables, one function for each kind, and what they have in common.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "alfred/error.h"
#include "pack/load/toml.h"
#include "pack/pack.h"

namespace alfred {

// Puts what `read` makes of each element, or of each member, at the end of a list.
template <class T, class From = TomlValue>
std::function<Result<void>(const From&)> into(std::vector<T>& out, Result<T> (*read)(const From&)) {
  return [&out, read](const From& from) -> Result<void> {
    Result<T> one = read(from);
    if (!one) return Unexpected(std::move(one).error());
    out.push_back(std::move(*one));
    return {};
  };
}

// Takes name = value pairs of any kind.
template <class Map>
void take_values(TomlTable& table, std::string_view name, Map& out) {
  table.take_members(name, [&out](const TomlMember& member) -> Result<void> {
    out[member.name] = toml_to_json(member.value);
    return {};
  });
}

Result<PackEntity> read_pack_entity(const TomlValue& value);
Result<CompileRules> read_compile_rules(const TomlValue& value);
Result<Subdomain> read_subdomain(const TomlValue& value);
Result<Category> read_category(const TomlValue& value);
Result<ConstraintType> read_constraint_type(const TomlValue& value);
Result<Unit> read_unit(const TomlValue& value);
Result<Profile> read_profile(const TomlValue& value);
Result<DashboardLine> read_dashboard_line(const TomlValue& value);
Result<RuleWord> read_rule_word(const TomlValue& value);
Result<RuleIntent> read_rule_intent(const TomlValue& value);
Result<RuleTemplate> read_rule_template(const TomlValue& value);
Result<TemplateList> read_template_list(const TomlValue& value);
Result<void> read_rules(const TomlValue& value, PackRules& rules);
Result<ChatGreeting> read_chat_greeting(const TomlValue& value);
// `lines` and `list` of an entity or of the profile.
void take_layout(TomlTable& table, EntityLayout& layout);

// What the parts of a pack say about each other (tables that are declared, names that are used
// once), as far as it can be known without a database.
Result<void> check_pack(const Pack& pack);
// Layouts and checks name columns; what `renames` and `members` let generated content call them
// counts as well from here on.
void add_other_names(Pack& pack);

}  // namespace alfred
