#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "storage/open_store.h"

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

// host:port/name of a postgres URL, without user, password and options.
std::string postgres_identity(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  url = url.substr(0, url.find('?'));
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos)
    url.remove_prefix(at + 1);
  return "postgres://" + std::string(url);
}

}  // namespace

Result<DatabaseUrl> parse_database_url(std::string_view text) {
  if (text.starts_with("postgres://") || text.starts_with("postgresql://"))
    return DatabaseUrl{DatabaseUrl::Kind::postgres, std::string(text), postgres_identity(text)};
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
