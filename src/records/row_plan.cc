#include "records/row_plan.h"

#include <fmt/format.h>

#include "pack/ref_names.h"

namespace alfred {
namespace {

constexpr std::string_view kIdSuffix = "_id";

std::int16_t label_rank(std::string_view column) {
  for (std::size_t i = 0; i < kGuessedLabelColumns.size(); ++i)
    if (kGuessedLabelColumns[i] == column) return static_cast<std::int16_t>(i);
  return ColumnPlan::kNoRank;
}

// Names for a table's refs, best first; the last ones always find a free one.
std::string candidate_name(std::string_view table, unsigned attempt) {
  std::string name = ref_name_of_table(table);
  if (attempt == 0) return name;
  return fmt::format("{}{}", name.substr(0, Ref::kMaxTypeBytes - 5), attempt + 1);
}

}  // namespace

// The type of a table's refs. A registry remembers which table a type was first used for: another
// table that would get the same name gets the next free one (D3).
Result<TypeNo> RowPlans::type_of_table(std::string_view table, std::string_view wanted_ref) {
  if (const std::optional<TypeNo> type = book_.bound_to(table)) {
    const std::string_view name = book_.name(*type);
    if (wanted_ref.empty() || name == wanted_ref) return *type;
    return fail(ErrorCode::schema,
                fmt::format("this registry calls the rows of {} {}_1, {}_2…, the declared types "
                            "say {}. Keep the name, or begin with an empty registry.",
                            table, name, name, wanted_ref));
  }
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    const std::string name =
        wanted_ref.empty() ? candidate_name(table, attempt) : std::string(wanted_ref);
    const std::optional<TypeNo> known = book_.find(name);
    const bool is_free = !known || book_.table(*known).empty();
    if (is_free) return book_.type_named(name, table);
    if (!wanted_ref.empty())
      return fail(ErrorCode::schema,
                  fmt::format("this registry uses {} for the rows of {}; {} cannot have it too. "
                              "Declare another ref for it.",
                              name, book_.table(*known), table));
  }
  return fail(ErrorCode::limit, fmt::format("no name is left for the refs of {}", table));
}

// R2, as for a column `<name>_id`.
Result<TypeNo> RowPlans::type_of_member(std::string_view name) {
  if (const std::optional<TypeNo> type = book_.bound_to(name)) return *type;
  return book_.type_named(ref_name_of_table(name), "");
}

Result<TypeNo> RowPlans::type(RowPlan& plan) {
  if (plan.type) return *plan.type;
  Result<TypeNo> settled =
      plan.is_member ? type_of_member(plan.table) : type_of_table(plan.table, plan.wanted_ref);
  if (settled) plan.type = *settled;
  return settled;
}

Result<void> RowPlans::settle_own_key(RowPlan& plan, ColumnPlan& column) {
  const Result<TypeNo> settled = type(plan);
  if (!settled) return Unexpected(settled.error());
  set_type(column, *settled);
  return {};
}

void RowPlans::set_type(ColumnPlan& column, TypeNo type) {
  column.type = type;
  column.ref_start = RefStart(book_.name(type));
}

Result<RowPlan*> RowPlans::of_table(std::string_view table) {
  if (const auto known = plans_.find(table); known != plans_.end()) return known->second.get();
  const EntityType* declared = types_.find_table(table);
  const EntityType type = declared != nullptr ? *declared : derive_entity_type(table);
  auto plan = std::make_unique<RowPlan>();
  plan->table = std::string(table);
  plan->is_declared = declared != nullptr;
  if (plan->is_declared) plan->wanted_ref = type.ref;
  plan->key = type.key;
  RowPlan* made = plans_.emplace(std::string(table), std::move(plan)).first->second.get();
  if (Result<void> filled = fill(*made, type); !filled) return Unexpected(filled.error());
  return made;
}

Result<RowPlan*> RowPlans::of_member(std::string_view name) {
  const bool is_known = plans_.find(name) != plans_.end() || types_.find_table(name) != nullptr;
  Result<RowPlan*> plan = of_table(name);
  if (plan && !is_known) (*plan)->is_member = true;
  return plan;
}

Result<void> RowPlans::fill(RowPlan& plan, const EntityType& type) {
  if (!type.label.empty()) plan.columns[type.label].label_rank = 0;
  for (const Link& link : type.links) {
    const EntityType* target = types_.find_table(link.table);
    const Result<TypeNo> linked = type_of_table(link.table, target != nullptr ? target->ref : "");
    if (!linked) return Unexpected(linked.error());
    plan.columns[link.column].use = ColumnPlan::Use::link;
    set_type(plan.columns[link.column], *linked);
  }
  for (const Nested& nested : type.nested) {
    const Result<RowPlan*> rows = of_table(nested.table);
    if (!rows) return Unexpected(rows.error());
    plan.columns[nested.member].use = ColumnPlan::Use::nested;
    plan.columns[nested.member].rows = *rows;
  }
  const bool is_simple =
      plan.key.size() == 1 && plan.columns[plan.key.front()].use == ColumnPlan::Use::copy;
  plan.inserts_ref = !plan.key.empty() && !is_simple;
  for (std::size_t i = 0; i < plan.key.size(); ++i) {
    ColumnPlan& column = plan.columns[plan.key[i]];
    if (is_simple)
      column.use = ColumnPlan::Use::own_key;
    else
      column.key_part = static_cast<std::int16_t>(i);
  }
  return {};
}

Result<ColumnPlan*> RowPlans::column(RowPlan& plan, std::string_view name) {
  const auto known = plan.columns.find(name);
  if (known != plan.columns.end()) return &known->second;
  ColumnPlan column;
  if (!plan.is_declared) {
    const Result<ColumnPlan> guessed = guess(name);
    if (!guessed) return Unexpected(guessed.error());
    column = *guessed;
  }
  return &plan.columns.emplace(std::string(name), column).first->second;
}

// R2, by the column's name alone.
Result<ColumnPlan> RowPlans::guess(std::string_view name) {
  ColumnPlan column;
  column.label_rank = label_rank(name);
  column.use = ColumnPlan::Use::open;
  if (!name.ends_with(kIdSuffix)) return column;
  const std::string of = ref_name_of_table(name.substr(0, name.size() - kIdSuffix.size()));
  const Result<TypeNo> type = book_.type_named(of, "");
  if (!type) return Unexpected(type.error());
  column.use = ColumnPlan::Use::link;
  set_type(column, *type);
  return column;
}

}  // namespace alfred
