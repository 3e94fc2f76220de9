#include <fmt/format.h>

#include <array>

#include "pack/load/pack_reader.h"

namespace alfred {
namespace {

struct CoercionName {
  std::string_view name;
  Coercion coercion;
};
constexpr std::array kCoercions{
    CoercionName{"text", Coercion::text},       CoercionName{"integer", Coercion::integer},
    CoercionName{"number", Coercion::number},   CoercionName{"boolean", Coercion::boolean},
    CoercionName{"list", Coercion::list},       CoercionName{"lines", Coercion::lines},
    CoercionName{"minutes", Coercion::minutes}, CoercionName{"lower", Coercion::lower},
    CoercionName{"unit", Coercion::unit},
};

Result<Coercion> coercion_of(const TomlMember& member) {
  std::vector<std::string> names;
  for (const CoercionName& row : kCoercions) {
    if (member.value.text() != nullptr && *member.value.text() == row.name) return row.coercion;
    names.emplace_back(row.name);
  }
  return fail_toml(
      member.value.place,
      fmt::format("\"{}\" can be coerced to one of: {}.", member.name, fmt::join(names, ", ")),
      names);
}

void take_columns(TomlTable& table, ColumnRules& rules) {
  table.take_texts("renames", [&](const std::string& field, const std::string& column) {
    rules.renames[field] = column;
  });
  table.take_members("coerce", [&](const TomlMember& member) -> Result<void> {
    const Result<Coercion> coercion = coercion_of(member);
    if (!coercion) return Unexpected(coercion.error());
    rules.coercions[member.name] = *coercion;
    return {};
  });
  table.take_members("defaults", [&](const TomlMember& member) -> Result<void> {
    rules.defaults[member.name] = toml_to_json(member.value);
    return {};
  });
}

Result<LinkedRules> read_linked(const TomlValue& value) {
  LinkedRules linked;
  TomlTable table(value, "[[entity.compile.linked]]");
  table.take("members", linked.members);
  table.take("table", linked.table);
  table.take("column", linked.column);
  take_columns(table, linked.columns);
  table.take_word("text", {"whole", "quantity_unit"}, [&](std::string_view word) {
    linked.text_shape = word == "whole" ? TextShape::whole : TextShape::quantity_unit;
  });
  table.take("text_column", linked.text_column);
  table.take("quantity_column", linked.quantity_column);
  table.take("unit_column", linked.unit_column);
  table.take("notes_column", linked.notes_column);
  for (const char* name : {"members", "table", "column"}) table.require(name);
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (linked.members.empty())
    return fail_toml(value.place, "\"members\" names what the artifact calls these rows.");
  return linked;
}

}  // namespace

Result<CompileRules> read_compile_rules(const TomlValue& value) {
  CompileRules rules;
  TomlTable table(value, "[entity.compile]");
  take_columns(table, rules.columns);
  table.take_tables("linked", [&](const TomlValue& element) -> Result<void> {
    Result<LinkedRules> linked = read_linked(element);
    if (!linked) return Unexpected(linked.error());
    rules.linked.push_back(std::move(*linked));
    return {};
  });
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return rules;
}

Result<Subdomain> read_subdomain(const TomlValue& value) {
  Subdomain subdomain;
  subdomain.place = value.place;
  TomlTable table(value, "[[subdomain]]");
  table.take("name", subdomain.name);
  table.take("tables", subdomain.tables);
  table.take("words", subdomain.words);
  table.take_members("scopes", [&](const TomlMember& member) -> Result<void> {
    if (member.value.table() == nullptr)
      return fail_toml(
          member.value.place,
          fmt::format("The scope \"{}\" is a table: {{ column = value }}.", member.name));
    for (const TomlMember& condition : *member.value.table())
      subdomain.scopes[member.name][condition.name] = toml_to_json(condition.value);
    return {};
  });
  table.require("name");
  table.require("tables");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return subdomain;
}

Result<Category> read_category(const TomlValue& value) {
  Category category;
  category.place = value.place;
  TomlTable table(value, "[[category]]");
  table.take("name", category.name);
  table.take("members", category.members);
  table.take("includes", category.includes);
  table.take("avoid", category.avoid);
  table.take("words", category.words);
  table.require("name");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return category;
}

Result<ConstraintType> read_constraint_type(const TomlValue& value) {
  ConstraintType type;
  type.place = value.place;
  TomlTable table(value, "[[constraint]]");
  table.take("name", type.name);
  table.take_word("takes", {"one", "many"},
                  [&](std::string_view word) { type.is_many = word == "many"; });
  table.take("fields", type.fields);
  table.take("one_fields", type.one_fields);
  table.require("name");
  table.require("takes");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return type;
}

Result<Unit> read_unit(const TomlValue& value) {
  Unit unit;
  unit.place = value.place;
  TomlTable table(value, "[[unit]]");
  table.take("name", unit.name);
  table.take("words", unit.words);
  table.take("kind", unit.kind);
  table.take("size", unit.size);
  table.require("name");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  return unit;
}

}  // namespace alfred
