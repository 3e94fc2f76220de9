#include "records/rows_to_refs.h"

#include "records/rows_pass.h"

namespace alfred {
namespace {

// One pass, with plans of its own: they remember refs, which a second pass may find changed.
Result<void> pass(RefRegistry& registry, const EntityTypes& types, std::string_view table,
                  ProseMask& mask, const RowsOptions& options, std::string_view json,
                  ByteBuffer& out, bool& met_tombstone) {
  RowPlans plans(registry, types);
  const Result<RowPlan*> plan = plans.of_table(table);
  if (!plan) return Unexpected(plan.error());
  RowsPass rows(registry, plans, mask, options, json, out);
  Result<void> passed = rows.run(**plan);
  met_tombstone = rows.met_tombstone();
  return passed;
}

Result<void> translate(RefRegistry& registry, const EntityTypes& types, std::string_view table,
                       std::string_view json, ByteBuffer& out, const RowsOptions& options) {
  ProseMask mask(registry);
  const std::size_t out_size = out.size();
  const std::size_t long_texts = registry.keys().long_text_count();
  bool met_tombstone = false;
  Result<void> passed = pass(registry, types, table, mask, options, json, out, met_tombstone);
  // A key met late may stand in prose that was copied before it was known, and a link to a row that
  // was deleted may lead to one that came back. Rare, and then all rows are known: a second pass
  // gives the same refs and sets the rest right.
  const bool is_late = options.masks_prose &&
                       (mask.knows_more_now() || registry.keys().long_text_count() != long_texts);
  if (passed && (is_late || met_tombstone)) {
    out.cut(out_size);
    registry.drop_new_literals();  // they are numbered as the output shows them
    passed = pass(registry, types, table, mask, options, json, out, met_tombstone);
  }
  if (!passed) out.cut(out_size);
  return passed;
}

}  // namespace

Result<void> translate_read_output(RefRegistry& registry, const EntityTypes& types,
                                   std::string_view table, std::string_view json, ByteBuffer& out,
                                   const RowsOptions& options) {
  registry.begin();
  Result<void> done = translate(registry, types, table, json, out, options);
  if (!done) registry.rollback();
  return done;
}

}  // namespace alfred
