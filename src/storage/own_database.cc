#include "storage/own_database.h"

#include <filesystem>

#include <fmt/format.h>

#include "storage/sqlite/own_file.h"

namespace alfred {

Result<void> check_own_database(const DatabaseUrl& url, IfAbsent if_absent) {
  if (url.kind != DatabaseUrl::Kind::sqlite) return {};
  std::error_code failure;
  if (if_absent == IfAbsent::refuse && !std::filesystem::exists(url.target, failure))
    return fail(ErrorCode::file,
                fmt::format("There is no file {}, and this only reads. Look at its name; the first "
                            "command that puts something there makes it.",
                            url.target));
  return check_own_name(url.target);
}

}  // namespace alfred
