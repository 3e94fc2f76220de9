#include "records/create_output.h"

#include "records/row_plan.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

Result<Ref> register_row(RefRegistry& registry, TypeNo type, const CreatedRow& row) {
  const Result<EntityNo> entity = registry.register_created(type, row.key.view(), row.saved_from);
  if (!entity) return Unexpected(entity.error());
  if (!row.label.empty()) {
    const Result<MaskedText> label = LiteralMask(registry).mask(row.label);
    if (!label) return Unexpected(label.error());
    registry.set_label(*entity, label->view());
  }
  return registry.ref(*entity);
}

Result<std::vector<Ref>> register_rows(RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::span<const CreatedRow> rows) {
  RowPlans plans(registry, types);
  const Result<RowPlan*> plan = plans.of_table(table);
  if (!plan) return Unexpected(plan.error());
  const Result<TypeNo> type = plans.type(**plan);
  if (!type) return Unexpected(type.error());
  std::vector<Ref> refs;
  for (const CreatedRow& row : rows) {
    const Result<Ref> ref = register_row(registry, *type, row);
    if (!ref) return Unexpected(ref.error());
    refs.push_back(*ref);
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
