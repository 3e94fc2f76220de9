#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "storage/open_store.h"
#include "storage/postgres/pg_identity.h"

namespace alfred {
namespace {

bool is_sqlite_path(std::string_view text) {
  for (const std::string_view ending : {".db", ".sqlite", ".sqlite3"})
    if (text.size() > ending.size() && text.ends_with(ending)) return true;
  return false;
}

// Links resolved as far as the path exists.
std::string real_path(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : real.string();
}

}  // namespace

Result<DatabaseUrl> parse_database_url(std::string_view text) {
  if (text.starts_with("postgres://") || text.starts_with("postgresql://"))
    return DatabaseUrl{DatabaseUrl::Kind::postgres, std::string(text),
                       postgres_identity(std::string(text))};
  const bool is_named = text.starts_with("sqlite:");
  if (is_named) text.remove_prefix(7);
  if (!text.empty() && (is_named || is_sqlite_path(text)))
    return DatabaseUrl{DatabaseUrl::Kind::sqlite, std::string(text), real_path(std::string(text))};
  return fail(ErrorCode::usage,
              "This names no database. Give sqlite:PATH, a path that ends in .db, .sqlite or "
              ".sqlite3, or postgres://…",
              "--db", {"sqlite:PATH", "PATH.db", "postgres://HOST/NAME"});
}

}  // namespace alfred
