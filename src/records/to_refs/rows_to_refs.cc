#include "records/to_refs/rows_to_refs.h"

#include <set>
#include <string>

#include "records/to_refs/rows_pass.h"

namespace alfred {
namespace {

struct Task {
  RefRegistry& registry;
  const EntityTypes& types;
  std::string_view table;
  std::string_view json;
  const RowsOptions& options;
};

// What a pass may find out too late for itself.
struct Found {
  bool met_tombstone = false;
  bool met_late_keys = false;
  std::set<std::string> key_names;  // names of members and columns that are keys
};

// One pass, with plans of its own: they remember refs, which a second pass may find changed.
Result<void> pass(const Task& task, ProseMask& mask, ByteBuffer& out, Found& found) {
  RowPlans plans(task.registry, task.types);
  plans.expect_keys(found.key_names);
  const Result<RowPlan*> plan = plans.of_table(task.table);
  if (!plan) return Unexpected(plan.error());
  RowsPass rows(task.registry, plans, mask, task.options, task.json, out);
  Result<void> passed = rows.run(**plan);
  found.met_tombstone = rows.met_tombstone();
  if (passed) found.met_late_keys = plans.add_late_keys(found.key_names);
  return passed;
}

Result<void> translate(const Task& task, ByteBuffer& out, Found& found) {
  RefRegistry& registry = task.registry;
  ProseMask mask(registry);
  const std::size_t out_size = out.size();
  const std::size_t long_texts = registry.keys().long_text_count();
  Result<void> passed = pass(task, mask, out, found);
  // A key met late may stand in prose that was copied before it was known, and a link to a row that
  // was deleted may lead to one that came back. Rare, and then all rows are known: a second pass
  // gives the same refs and sets the rest right.
  const bool is_late = task.options.masks_prose &&
                       (mask.knows_more_now() || registry.keys().long_text_count() != long_texts);
  if (passed && !found.met_late_keys && (is_late || found.met_tombstone)) {
    out.cut(out_size);
    registry.drop_new_literals();  // they are numbered as the output shows them
    passed = pass(task, mask, out, found);
  }
  if (!passed || found.met_late_keys) out.cut(out_size);
  return passed;
}

}  // namespace

Result<void> translate_read_output(RefRegistry& registry, const EntityTypes& types,
                                   std::string_view table, std::string_view json, ByteBuffer& out,
                                   const RowsOptions& options) {
  registry.begin();
  const Task task{registry, types, table, json, options};
  Found found;
  Result<void> done = translate(task, out, found);
  // A name that became a type before it was known to be a key: everything once more, knowing it.
  while (done && found.met_late_keys) {
    registry.rollback();
    done = translate(task, out, found);
  }
  if (!done) registry.rollback();
  return done;
}

}  // namespace alfred
