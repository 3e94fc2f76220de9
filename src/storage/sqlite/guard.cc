#include "storage/sqlite/guard.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/stop_scope.h"

namespace alfred {
namespace {

constexpr int kStepsPerCall = 1000;

// In order. Whatever is not here is refused: load_extension, and what programs add to SQLite.
constexpr std::array kFunctions = std::to_array<std::string_view>({
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "bm25",
    "ceil",
    "ceiling",
    "changes",
    "char",
    "coalesce",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_insert_rowid",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "match",
    "max",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "raise",
    "random",
    "randomblob",
    "rank",
    "regexp",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "snippet",
    "soundex",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "subtype",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "total_changes",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unistr",
    "unistr_quote",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
});
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end()), "it is searched by halves");

bool is_function(std::string_view name) {
  const std::string folded = folded_name(name);
  return std::binary_search(kFunctions.begin(), kFunctions.end(), std::string_view(folded));
}

bool is_sqlites_own(std::string_view table) { return folded_name(table.substr(0, 7)) == "sqlite_"; }

std::string_view view_of(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

std::string folded_name(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

void SqliteGuard::install(sqlite3* database) {
  sqlite3_set_authorizer(database, &SqliteGuard::authorize, this);
  if (work_budget_ != 0)
    sqlite3_progress_handler(database, kStepsPerCall, &SqliteGuard::on_progress, this);
}

int SqliteGuard::on_progress(void* self) {
  auto* const guard = static_cast<SqliteGuard*>(self);
  if (guard->mode_ == Mode::setup) return 0;
  guard->work_ += kStepsPerCall;
  return guard->work_ > guard->work_budget_ || is_stop_wanted() ? 1 : 0;
}

int SqliteGuard::authorize(void* self, int action, const char* first, const char* second,
                           const char* /*schema*/, const char* /*via*/) {
  // `via` names a view or a trigger, and a caller's WITH can pretend to be one: it is not asked.
  auto* const guard = static_cast<SqliteGuard*>(self);
  return guard->allows(action, view_of(first), view_of(second)) ? SQLITE_OK : SQLITE_DENY;
}

bool SqliteGuard::allows(int action, std::string_view first, std::string_view second) {
  switch (mode_) {
    case Mode::setup: return true;
    case Mode::schema: return allows_schema(action, second);
    case Mode::rows: return allows_rows(action, first, second);
    case Mode::query: return allows_query(action, first, second);
  }
  return false;
}

bool SqliteGuard::allows_query(int action, std::string_view first, std::string_view second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return true;
    case SQLITE_FUNCTION: return is_function(second);
    case SQLITE_READ: {
      const std::string table = folded_name(first);
      if (tables_.contains(table) || table == "json_each" || table == "json_tree") return true;
      if (second.empty()) is_uncertain_ = true;
      return second.empty();
    }
    default: return false;
  }
}

bool SqliteGuard::allows_schema(int action, std::string_view second) {
  switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_PRAGMA:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return false;
    case SQLITE_FUNCTION: return is_function(second);
    default: return true;
  }
}

bool SqliteGuard::allows_rows(int action, std::string_view first, std::string_view second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return true;
    case SQLITE_FUNCTION: return is_function(second);
    case SQLITE_READ:
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return !is_sqlites_own(first);
    // FTS5 asks for it when a trigger of the database keeps such an index.
    case SQLITE_PRAGMA: return first == "data_version";
    default: return false;
  }
}

}  // namespace alfred
