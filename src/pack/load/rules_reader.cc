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
  take_values(table, "defaults", rules.defaults);
}

struct CheckName {
  std::string_view name;
  ConstraintCheck::Kind kind;
};
constexpr std::array kChecks{
    CheckName{"excluded", ConstraintCheck::Kind::excluded},
    CheckName{"required", ConstraintCheck::Kind::required},
    CheckName{"at_most", ConstraintCheck::Kind::at_most},
    CheckName{"equals", ConstraintCheck::Kind::equals},
    CheckName{"tag", ConstraintCheck::Kind::tag},
};

bool is_place(std::string_view text) {
  const auto is_seam = [](char c) { return c == '.' || c == '/'; };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (is_seam(text[i]) && (i == 0 || i + 1 == text.size() || is_seam(text[i + 1]))) return false;
  return !text.empty();
}

Result<void> read_stands_for(const TomlMember& member, ConstraintCheck& check) {
  const auto wrong = [&](const TomlPlace& place) {
    return fail_toml(
        place, fmt::format("\"{0}\" stands for a list of texts: {0} = [\"…\"].", member.name));
  };
  if (member.value.array() == nullptr) return wrong(member.value.place);
  for (const TomlValue& element : *member.value.array()) {
    if (element.text() == nullptr || element.text()->empty()) return wrong(element.place);
    check.stands_for[member.name].push_back(*element.text());
  }
  return {};
}

// check, in and stands_for belong together.
Result<void> check_whole(const TomlTable& table, const ConstraintType& type) {
  const ConstraintCheck& check = type.check;
  if (check.kind == ConstraintCheck::Kind::none) {
    for (const char* name : {"in", "stands_for"})
      if (table.has(name))
        return fail_toml(table.place_of(name), fmt::format("\"{}\" goes with \"check\".", name));
    return {};
  }
  if (check.in.empty())
    return fail_toml(table.place_of("check"),
                     "\"check\" goes with \"in\", the places it looks at: in = [\"name\"].");
  for (const std::string& place : check.in)
    if (!is_place(place))
      return fail_toml(table.place_of("in"),
                       fmt::format("\"{}\" is no place: it is a field, or member.field of nested "
                                   "rows.",
                                   place));
  const bool takes_words = check.kind == ConstraintCheck::Kind::excluded ||
                           check.kind == ConstraintCheck::Kind::required;
  if (!takes_words && table.has("stands_for"))
    return fail_toml(table.place_of("stands_for"),
                     "\"stands_for\" goes with check = \"excluded\" or \"required\".");
  return {};
}

void take_check(TomlTable& table, ConstraintCheck& check) {
  std::vector<std::string> names;
  names.reserve(kChecks.size());
  for (const CheckName& row : kChecks) names.emplace_back(row.name);
  table.take_word("check", names, [&](std::string_view word) {
    for (const CheckName& row : kChecks)
      if (row.name == word) check.kind = row.kind;
  });
  table.take("in", check.in);
  table.take_members("stands_for",
                     [&](const TomlMember& member) { return read_stands_for(member, check); });
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
  table.take_tables("linked", into(rules.linked, read_linked));
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
  take_check(table, type.check);
  table.require("name");
  table.require("takes");
  if (Result<void> ok = table.done(); !ok) return Unexpected(ok.error());
  if (Result<void> ok = check_whole(table, type); !ok) return Unexpected(ok.error());
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
