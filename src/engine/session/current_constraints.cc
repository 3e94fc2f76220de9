#include "engine/session/current_constraints.h"

#include "engine/rows_look.h"
#include "turn/background.h"

namespace alfred {

Result<SessionConstraints> current_constraints(Session& session) {
  SessionConstraints out = session.state().facts.constraints;
  const RecordPlace& place = session.records().place();
  const Pack& pack = session.records().pack();
  if (pack.profile.table.empty() || place.schema->find(pack.profile.table) == nullptr) return out;
  RowsLook look(place.rows, place.schema, place.caller);
  const Result<JsonArray> rows = look.rows(pack.profile.table);
  if (!rows) return Unexpected(rows.error());
  out.permanent.clear();
  if (!rows->empty() && rows->front().is_object())
    out.permanent = permanent_of(pack, rows->front().get_object());
  return out;
}

}  // namespace alfred
