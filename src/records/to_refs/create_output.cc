#include "records/to_refs/create_output.h"

#include "records/to_refs/row_plan.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

Result<std::vector<Ref>> register_rows(RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::span<const CreatedRow> rows) {
  RowPlans plans(registry, types);
  const Result<RowPlan*> plan = plans.of_table(table);
  if (!plan) return Unexpected(plan.error());
  const Result<TypeNo> type = plans.type(**plan);
  if (!type) return Unexpected(type.error());
  std::vector<EntityNo> entities;
  for (const CreatedRow& row : rows) {
    const Result<EntityNo> entity =
        registry.register_created(*type, row.key.view(), row.saved_from);
    if (!entity) return Unexpected(entity.error());
    entities.push_back(*entity);
  }
  // Labels are masked once all keys are known: one row's label may hold another row's key.
  LiteralMask mask(registry);
  std::vector<Ref> refs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    refs.push_back(registry.ref(entities[i]));
    if (rows[i].label.empty()) continue;
    const Result<MaskedText> label = mask.mask(rows[i].label);
    if (!label) return Unexpected(label.error());
    registry.set_label(entities[i], label->view());
  }
  return refs;
}

}  // namespace

Result<std::vector<Ref>> translate_create_output(RefRegistry& registry, const EntityTypes& types,
                                                 std::string_view table,
                                                 std::span<const CreatedRow> rows) {
  registry.begin();
  Result<std::vector<Ref>> refs = register_rows(registry, types, table, rows);
  if (!refs) registry.rollback();
  return refs;
}

}  // namespace alfred
