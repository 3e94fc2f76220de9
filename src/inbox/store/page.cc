#include "inbox/store/page.h"

#include "inbox/fields.h"

namespace alfred::inbox {

Result<PageStart> page_start_at(Sql& sql, std::string_view what, const std::string& id,
                                const Statement& made) {
  const std::optional<Row> row = sql.first(made, {{"id", id}});
  if (!row)
    return no_record(what, id, "It may be gone: begin the list anew, without saying after which.");
  return PageStart{number_at(*row, 0), id};
}

}  // namespace alfred::inbox
