#include "records/to_refs/row_plan.h"

#include <fmt/format.h>

#include "pack/ref_names.h"

namespace alfred {
namespace {

std::int16_t label_rank(std::string_view column) {
  for (std::size_t i = 0; i < kGuessedLabelColumns.size(); ++i)
    if (kGuessedLabelColumns[i] == column) return static_cast<std::int16_t>(i);
  return ColumnPlan::kNoRank;
}

constexpr std::string_view kNeutral = "row";  // the type of what has no name to show

}  // namespace

bool is_id_in_capitals(std::string_view column) {
  return column == "ID" || column == "Id" || column == "iD";
}

int RowPlan::ref_place(std::string_view column) const {
  constexpr int kMostDigits = 4;
  if (!inserts_ref || declared.contains(column)) return -1;
  if (column == "id") return 0;
  if (!column.starts_with("_ref")) return -1;
  const std::string_view digits = column.substr(4);
  if (digits.empty()) return 1;
  if (digits.size() > kMostDigits || digits[0] == '0' || digits == "1") return -1;
  int place = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    place = place * 10 + (c - '0');
  }
  return place;
}

std::string RowPlan::ref_column(int place) {
  return place == 0 ? "id" : place == 1 ? "_ref" : fmt::format("_ref{}", place);
}

int RowPlan::next_ref_place(int place) const {
  do ++place;
  while (declared.contains(ref_column(place)));
  return place;
}

bool RowPlans::is_key(std::string_view name) {
  if (is_key_name(name, pieces_)) return true;
  if (expected_ != nullptr && expected_->contains(std::string(name))) return true;
  shown_.emplace(name);
  return false;
}

bool RowPlans::add_late_keys(std::set<std::string>& names) {
  const std::size_t before = names.size();
  for (const std::string& name : shown_)
    if (is_key_name(name, pieces_)) names.insert(name);
  return names.size() != before;
}

// The type of a table's refs. A registry remembers which table a type was first used for: another
// table that would get the same name gets the next free one (D3).
Result<TypeNo> RowPlans::type_of_table(std::string_view table, std::string_view wanted_ref) {
  if (!wanted_ref.empty()) return declared_type(table, wanted_ref);
  if (const std::optional<TypeNo> type = book_.bound_to(table)) return *type;
  const std::string name = ref_name_of_table(table);
  const std::string called = name_stem(table.substr(table.rfind('.') + 1));
  const bool is_secret = is_key(name);
  const std::optional<TypeNo> known = is_secret ? std::nullopt : book_.find_called(called);
  if (known && book_.table(*known).empty())
    return book_.type_named(book_.name(*known), table, called);
  return book_.add(is_secret ? kNeutral : name, table, known || is_secret ? "" : called);
}

Result<TypeNo> RowPlans::declared_type(std::string_view table, std::string_view wanted_ref) {
  if (const std::optional<TypeNo> type = book_.bound_to(table)) {
    const std::string_view name = book_.name(*type);
    if (name == wanted_ref) return *type;
    return fail(ErrorCode::schema,
                fmt::format("this registry calls the rows of {} {}_1, {}_2…, the declared types "
                            "say {}. Keep the name, or begin with an empty registry.",
                            table, name, name, wanted_ref));
  }
  const std::optional<TypeNo> known = book_.find(wanted_ref);
  if (!known || (book_.table(*known).empty() && book_.called(*known) == wanted_ref))
    return book_.type_named(wanted_ref, table, wanted_ref);
  const std::string_view other = book_.table(*known);
  return fail(ErrorCode::schema,
              fmt::format("this registry uses {} for the rows of {}; {} cannot have it too. "
                          "Declare another ref for it.",
                          wanted_ref, other.empty() ? "something else" : other, table));
}

// R3.
Result<TypeNo> RowPlans::type_called(std::string_view called, std::string_view ref_base) {
  if (const std::optional<TypeNo> type = book_.find_called(called)) return *type;
  return book_.add(ref_base, "", called);
}

// R2, as for a column `<name>_id`.
Result<TypeNo> RowPlans::type_of_member(const RowPlan& plan) {
  if (const std::optional<TypeNo> type = plan.is_map ? std::nullopt : book_.bound_to(plan.table))
    return *type;
  return type_called(plan.called, plan.ref_base);
}

Result<TypeNo> RowPlans::type(RowPlan& plan) {
  if (plan.type) return *plan.type;
  Result<TypeNo> settled =
      plan.is_member ? type_of_member(plan) : type_of_table(plan.table, plan.wanted_ref);
  if (!settled) return settled;
  if (const Result<void> same = book_.set_key_columns(*settled, plan.key); !same)
    return Unexpected(same.error());
  plan.type = *settled;
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

Result<RowPlan*> RowPlans::of_member(RowPlan& parent, std::string_view name) {
  const bool is_known = plans_.find(name) != plans_.end() || types_.find_table(name) != nullptr;
  if (!is_known) {
    const bool is_number = !name.empty() && name.front() >= '0' && name.front() <= '9';
    if (is_number || is_key(name) || is_key(ref_name_of_table(name))) return entries_of(parent);
  }
  Result<RowPlan*> plan = of_table(name);
  if (!plan || is_known) return plan;
  (*plan)->is_member = true;
  (*plan)->called = name_stem(name);
  (*plan)->ref_base = ref_name_of_table(name);
  return plan;
}

// The plan of a map's entries, whatever they are named.
RowPlan* RowPlans::entries_of(RowPlan& parent) {
  if (parent.entries != nullptr) return parent.entries.get();
  parent.entries = std::make_unique<RowPlan>();
  RowPlan& plan = *parent.entries;
  plan.table = parent.table;
  plan.key = {"id"};
  plan.columns["id"].use = ColumnPlan::Use::own_key;
  plan.is_member = plan.is_map = true;
  plan.called = "*" + (parent.is_member ? parent.called : "?" + parent.table);
  const std::string name = ref_name_of_table(parent.table);
  constexpr std::string_view kRows = "_row";
  plan.ref_base = is_key(name)
                      ? std::string(kNeutral)
                      : name.substr(0, Ref::kMaxTypeBytes - kRows.size()) + std::string(kRows);
  if (parent.is_map) plan.ref_base = parent.ref_base;
  return &plan;
}

Result<void> RowPlans::fill(RowPlan& plan, const EntityType& type) {
  if (!type.label.empty()) plan.columns[type.label].label_rank = 0;
  for (const Link& link : type.links) {
    const EntityType* target = types_.find_table(link.table);
    const Result<TypeNo> linked = type_of_table(link.table, target != nullptr ? target->ref : "");
    if (!linked) return Unexpected(linked.error());
    if (target != nullptr)
      if (const Result<void> same = book_.set_key_columns(*linked, target->key); !same)
        return Unexpected(same.error());
    plan.columns[link.column].use = ColumnPlan::Use::link;
    set_type(plan.columns[link.column], *linked);
  }
  for (const std::string& column : type.key_parts) plan.columns[column].is_part = true;
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
  if (plan.inserts_ref)
    for (const auto& [name, column] : plan.columns) plan.declared.insert(name);
  return {};
}

Result<ColumnPlan*> RowPlans::column(RowPlan& plan, std::string_view name) {
  const auto known = plan.columns.find(name);
  if (known != plan.columns.end()) return &known->second;
  ColumnPlan column;
  if (!plan.is_declared) {
    const Result<ColumnPlan> guessed = guess(plan, name);
    if (!guessed) return Unexpected(guessed.error());
    column = *guessed;
  }
  return &plan.columns.emplace(std::string(name), column).first->second;
}

Result<TypeNo> RowPlans::type_named_by(std::string_view of) {
  const std::string ref_name = ref_name_of_table(of);
  const bool is_secret = is_key(of) || is_key(ref_name);
  return is_secret ? type_called("?" + std::string(of), kNeutral)
                   : type_called(name_stem(of), ref_name);
}

// R2, by the column's name alone. A row may have an `id` beside its `ID`: the second is a link to a
// row of its own table, most likely itself.
Result<ColumnPlan> RowPlans::guess(RowPlan& plan, std::string_view name) {
  ColumnPlan column;
  column.label_rank = label_rank(name);
  column.use = ColumnPlan::Use::open;
  const std::optional<std::string_view> of = named_by_key_column(name);
  if (!of && !is_id_in_capitals(name)) return column;
  const Result<TypeNo> type = of ? type_named_by(*of) : this->type(plan);
  if (!type) return Unexpected(type.error());
  column.use = ColumnPlan::Use::link;
  set_type(column, *type);
  return column;
}

}  // namespace alfred
