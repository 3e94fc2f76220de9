// What a call that wrote answers, in refs and labels. See write_rows.h for the forms.
#pragma once

#include "records/record_context.h"
#include "records/write/row_writer.h"

namespace alfred {

// {"created":[…],"count":n}. A dry run shows no refs: they would be given again to other rows.
JsonObject created_answer(const RecordContext& context, std::span<const WrittenRow> rows,
                          bool is_dry_run);
// Rows of other tables (or beyond the named ones) that were changed with them:
// {"table":{"count":n,"refs":[…]}}, refs of those that were shown before.
JsonObject side_answer(const RecordContext& context, std::span<const WrittenRow* const> rows);
// {"ref":…,"label":…}
JsonObject named_row(const RecordContext& context, EntityNo entity);
std::string ref_text(const RecordContext& context, EntityNo entity);

}  // namespace alfred
