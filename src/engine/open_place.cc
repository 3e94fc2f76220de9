#include "engine/open_place.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <sodium.h>

#include "engine/open_calls.h"
#include "engine/pack_categories.h"
#include "engine/pack_rows.h"
#include "pack/derive.h"
#include "pack/overlay.h"
#include "storage/open_store.h"

namespace alfred {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A file name for a database of somebody else's: told apart by its identity.
std::string file_name_of(std::string_view identity) {
  std::array<unsigned char, 8> digest{};
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(identity.data()), identity.size(),
                     nullptr, 0);
  std::array<char, 2 * digest.size() + 1> text{};
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

bool has_owner(const Schema& schema) {
  for (const Table& table : schema.tables())
    if (!table.owner.empty()) return true;
  return false;
}

void name_caller(RecordPlace& place, const PlaceOptions& options, std::string database) {
  if (has_owner(place.schema)) place.caller.user = options.user.empty() ? "me" : options.user;
  place.workspace = {options.workspace.empty() ? "default" : options.workspace, std::move(database),
                     place.caller.user.value_or("")};
}

Result<RecordPlace> open_embedded(const PlaceOptions& options, const std::string& folder,
                                  const Clock& clock, Random& random) {
  const Result<Pack> pack =
      options.pack.empty() ? load_embedded_pack(ALFRED_EMBEDDED_PACK) : load_pack(options.pack);
  if (!pack) return Unexpected(pack.error());
  if (pack->schema_sql.empty())
    return fail(ErrorCode::usage, "This pack brings no tables; name its database with --db.",
                "--pack");
  const StateTables tables[] = {workspace_tables(), open_call_tables(), pack_rows_tables()};
  StoreOptions store;
  store.is_ours = true;
  store.tables = tables;
  store.packs.push_back({.name = pack->name,
                         .version = pack->schema_version,
                         .sql = pack->schema_sql,
                         .owners = {}});  // files have no walls of their own
  const std::string path = folder + "/" + pack->name + ".db";
  const Result<DatabaseUrl> url = parse_database_url("sqlite:" + path);
  if (!url) return Unexpected(url.error());
  RecordPlace place;
  Result<std::unique_ptr<RecordStore>> rows = open_records(*url, store);
  if (!rows) return Unexpected(rows.error());
  place.rows = std::move(*rows);
  const Result<Catalogue> catalogue = place.rows->catalogue();
  if (!catalogue) return Unexpected(catalogue.error());
  Result<Schema> schema = overlay(*pack, *catalogue);
  if (!schema) return Unexpected(schema.error());
  place.schema = std::move(*schema);
  place.categories = std::make_unique<PackCategories>(pack->categories);
  name_caller(place, options, url->identity);
  if (Result<void> done = install_pack_rows(*place.rows, *pack, place.schema, clock, random); !done)
    return Unexpected(done.error());
  if (Result<void> done =
          install_demo_rows(*place.rows, *pack, place.schema, place.caller, clock, random);
      !done)
    return Unexpected(done.error());
  return place;
}

Result<RecordPlace> open_own_database(const PlaceOptions& options, const std::string& folder) {
  const Result<DatabaseUrl> url = parse_database_url(options.db);
  if (!url) return Unexpected(url.error());
  StoreOptions of_theirs;
  of_theirs.allows_op_table = options.allows_op_table;
  RecordPlace place;
  Result<std::unique_ptr<RecordStore>> rows = open_records(*url, of_theirs);
  if (!rows) return Unexpected(rows.error());
  place.rows = std::move(*rows);
  const Result<Catalogue> catalogue = place.rows->catalogue();
  if (!catalogue) return Unexpected(catalogue.error());
  Result<Schema> schema = Schema();
  if (options.pack.empty()) {
    schema = derive_schema(*catalogue);
  } else {
    const Result<Pack> pack = load_pack(options.pack);
    if (!pack) return Unexpected(pack.error());
    schema = overlay(*pack, *catalogue);
    place.categories = std::make_unique<PackCategories>(pack->categories);
  }
  if (!schema) return Unexpected(schema.error());
  place.schema = std::move(*schema);
  const StateTables tables[] = {workspace_tables(), open_call_tables()};
  StoreOptions of_ours;
  of_ours.is_ours = true;
  of_ours.tables = tables;
  const std::string path = folder + "/" + file_name_of(url->identity) + ".state.db";
  Result<std::unique_ptr<StateStore>> state = open_state(path, of_ours);
  if (!state) return Unexpected(state.error());
  place.own_state = std::move(*state);
  place.lock_path = path + ".calls";
  name_caller(place, options, url->identity);
  return place;
}

}  // namespace

Result<std::string> data_dir(const std::string& wanted) {
  std::string folder = wanted.empty() ? environment("ALFRED_HOME") : wanted;
  if (folder.empty() && !environment("XDG_DATA_HOME").empty())
    folder = environment("XDG_DATA_HOME") + "/alfred";
  if (folder.empty() && !environment("HOME").empty())
    folder = environment("HOME") + "/.local/share/alfred";
  if (folder.empty())
    return fail(ErrorCode::file, "There is no place for data: set ALFRED_HOME to a folder.");
  std::error_code failure;
  const bool is_new = std::filesystem::create_directories(folder, failure);
  if (failure || !std::filesystem::is_directory(folder, failure))
    return fail(ErrorCode::file, "The data folder " + folder + " cannot be used: " +
                                     (failure ? failure.message() : "it is no folder") +
                                     ". Set ALFRED_HOME to another.");
  if (is_new && ::chmod(folder.c_str(), 0700) != 0)
    return fail(ErrorCode::file, "The data folder " + folder + " cannot be closed to others.");
  return folder;
}

Result<RecordPlace> open_place(const PlaceOptions& options, const Clock& clock, Random& random) {
  const Result<std::string> folder = data_dir(options.data_dir);
  if (!folder) return Unexpected(folder.error());
  return options.db.empty() ? open_embedded(options, *folder, clock, random)
                            : open_own_database(options, *folder);
}

}  // namespace alfred
