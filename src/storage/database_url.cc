#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

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

// A file is the same one under each of its names and wherever it is moved to, and another one that
// takes its name is not: its number alone is used again, its birth is not. Where that is not known
// a file is what its path says.
std::string file_identity(const std::string& path) {
  struct statx about = {};
  const bool is_known = ::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &about) == 0 &&
                        (about.stx_mask & STATX_BTIME) != 0 && (about.stx_mask & STATX_INO) != 0;
  if (!is_known) return real_path(path);
  return fmt::format("sqlite file {} of {}.{:09}", about.stx_ino, about.stx_btime.tv_sec,
                     about.stx_btime.tv_nsec);
}

}  // namespace

Result<DatabaseUrl> parse_database_url(std::string_view text) {
  if (text.starts_with("postgres://") || text.starts_with("postgresql://")) {
    Result<std::string> identity = postgres_identity(std::string(text));
    if (!identity) return Unexpected(std::move(identity).error());
    return DatabaseUrl{DatabaseUrl::Kind::postgres, std::string(text), std::move(*identity)};
  }
  const bool is_named = text.starts_with("sqlite:");
  if (is_named) text.remove_prefix(7);
  if (!text.empty() && (is_named || is_sqlite_path(text)))
    return DatabaseUrl{DatabaseUrl::Kind::sqlite, std::string(text),
                       file_identity(std::string(text))};
  return fail(ErrorCode::usage,
              "This names no database. Give sqlite:PATH, a path that ends in .db, .sqlite or "
              ".sqlite3, or postgres://…",
              "--db", {"sqlite:PATH", "PATH.db", "postgres://HOST/NAME"});
}

}  // namespace alfred
