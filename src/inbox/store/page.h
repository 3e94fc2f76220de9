// Lists in pages: records in their order, from the first or from behind one of them, at most so
// many, and whether there are more.
//
// R1 who goes on behind the last of a page until there is no more sees each record once that was there all the
//    while, whatever is added meanwhile.
// R2 a record to go on behind that is not there is refused: a list that begins anew by itself might never end.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "alfred/ids.h"
#include "base/json/json.h"
#include "inbox/store/sql.h"

namespace alfred::inbox {

struct ListPage {
  std::string after{};  // an id; empty: from the first
  std::int64_t most = 100;
};

// Where a page begins: behind this moment and, of what was made in it, behind this id.
struct PageStart {
  std::int64_t after_ms = std::numeric_limits<std::int64_t>::min();
  std::string after{};
};

// `made` gives the created_ms of :id.
Result<PageStart> page_start_at(Sql& sql, std::string_view what, const std::string& id,
                                const Statement& made);
template <IdKind K>
Result<PageStart> page_start(Sql& sql, std::string_view what, const ListPage& page,
                             const Statement& made) {
  if (page.after.empty()) return PageStart{};
  const auto id = [&] {
    if constexpr (K == IdKind::agent)
      return AgentId::parse(page.after);
    else
      return ShortId<K>::parse(page.after);
  }();
  if (!id) return Unexpected(id.error());
  return page_start_at(sql, what, std::string(id->view()), made);
}

// {name: [...], "hasMore"}: of rows that were asked for as row_limit() says.
inline std::int64_t row_limit(std::int64_t most) { return most + 1; }
template <class ToJson>
Json page_json(std::string_view name, std::int64_t most, std::span<const Row> rows,
               const ToJson& to_json) {
  const bool has_more = std::ssize(rows) > most;
  JsonArray out;
  for (const Row& row : has_more ? rows.first(static_cast<std::size_t>(most)) : rows)
    out.push_back(to_json(row));
  return JsonObject{{name, std::move(out)}, {"hasMore", has_more}};
}

}  // namespace alfred::inbox
