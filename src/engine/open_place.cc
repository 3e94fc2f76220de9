#include "engine/open_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <system_error>

#include <sodium.h>

#include "engine/open_calls.h"
#include "engine/own_pack.h"
#include "engine/packs/pack_categories.h"
#include "engine/packs/pack_rows.h"
#include "engine/packs/pack_tools.h"
#include "engine/reminders/reminders.h"
#include "engine/session/session_store.h"
#include "inbox/store/tables.h"
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

StoreOptions store_options(const PlaceOptions& options) {
  StoreOptions store;
  store.busy_timeout_ms = options.busy_timeout_ms;
  store.vfs = options.vfs;
  store.warnings = options.warnings;
  return store;
}

using PackPointer = std::shared_ptr<const Pack>;

bool has_pack(const PlaceOptions& options) { return options.loaded_pack || !options.pack.empty(); }

Result<PackPointer> pack_of(const PlaceOptions& options) {
  if (options.loaded_pack) return options.loaded_pack;
  Result<Pack> pack =
      options.pack.empty() ? load_embedded_pack(ALFRED_EMBEDDED_PACK) : load_pack(options.pack);
  if (!pack) return Unexpected(std::move(pack).error());
  return std::make_shared<const Pack>(std::move(*pack));
}

bool has_owner(const Schema& schema) {
  for (const Table& table : schema.tables())
    if (!table.owner.empty()) return true;
  return false;
}

constexpr std::string_view kUsualUser = "me";

// Whose rows are whose; nobody's where rows have no owners.
Caller owner_of(const PlaceOptions& options, const Schema& schema) {
  Caller caller;
  if (has_owner(schema)) caller.user = options.user.empty() ? kUsualUser : options.user;
  return caller;
}

// R8. Who is not named keeps what was kept before there were users.
Caller caller_of(const PlaceOptions& options, const Schema& schema) {
  Caller caller = owner_of(options, schema);
  if (!options.user.empty() && options.user != kUsualUser) caller.user = options.user;
  return caller;
}

void name_caller(RecordPlace& place, const PlaceOptions& options, std::string database) {
  place.caller = caller_of(options, *place.schema);
  place.workspace = {options.workspace.empty() ? "default" : options.workspace, std::move(database),
                     place.caller.user.value_or("")};
}

// Rows, refs and journal in one database of ours. Its workspaces are its own wherever it is moved
// and whatever it is reached by.
Result<RecordPlace> open_shared(const PlaceOptions& options, const PackHome& home,
                                const PackPointer& pack, const FirstRows& first_rows = nullptr,
                                std::shared_ptr<FileAhead> ahead = nullptr) {
  StoreOptions store = store_options(options);
  store.ahead = std::move(ahead);
  Result<OwnPack> own = open_own_pack(home, *pack, std::move(store), first_rows);
  if (!own) return Unexpected(own.error());
  RecordPlace place;
  place.rows = std::move(own->rows);
  place.schema = std::move(own->schema);
  place.categories = std::make_shared<PackCategories>(pack);
  place.pack = pack;
  name_caller(place, options, "pack:" + pack->name);
  return place;
}

// Where rows of a pack are kept that brings its own tables. A folder's pack has a file of its own,
// whatever other packs are called, unless it is one that is part of the program.
std::string pack_file(const PlaceOptions& options, const Pack& pack) {
  if (options.pack.empty()) return pack.name + ".db";
  const Result<Pack> known = load_embedded_pack(pack.name);
  if (known && known->schema_sql == pack.schema_sql) return pack.name + ".db";
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::canonical(options.pack, failure);
  return pack.name + "-" + file_name_of(failure ? options.pack : folder.string()) + ".db";
}

bool is_there(const std::string& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

Result<RecordPlace> open_embedded(const PlaceOptions& options, const std::string& folder,
                                  const Clock& clock, Random& random) {
  // The first time, what does not need the pack is made while it is read.
  std::shared_ptr<FileAhead> ahead;
  if (!has_pack(options) && !is_there(folder + "/" ALFRED_EMBEDDED_PACK ".db"))
    ahead = begin_own_file(own_tables());
  const Result<PackPointer> found = pack_of(options);
  if (!found) return Unexpected(found.error());
  const PackPointer& pack = *found;
  if (pack->schema_sql.empty())
    return fail(ErrorCode::usage, "This pack brings no tables; name its database with --db.",
                "--pack");
  const std::string path = folder + "/" + pack_file(options, *pack);
  const Result<DatabaseUrl> url = parse_database_url("sqlite:" + path);
  if (!url) return Unexpected(url.error());
  // Read while the tables are made.
  std::future<RowFiles> files;
  if (!is_there(path))
    files = std::async(std::launch::async, [&pack] { return parse_row_files(*pack); });
  const auto first_rows = [&](NewDatabase& database, const Schema& schema) -> Result<void> {
    std::optional<Caller> demo_for;
    if (options.has_demo) demo_for = owner_of(options, schema);
    const RowFiles read = files.valid() ? files.get() : parse_row_files(*pack);
    const Result<PackRows> rows = load_pack_rows(*pack, read, schema);
    if (!rows) return Unexpected(rows.error());
    return put_first_rows(database, *pack, schema, *rows, demo_for, {clock, random});
  };
  Result<RecordPlace> opened = open_shared(options, {*url}, pack, first_rows, std::move(ahead));
  if (!opened) return opened;
  RecordPlace& place = *opened;
  if (Result<void> done = install_pack_rows(*place.rows, *pack, *place.schema, clock, random);
      !done)
    return Unexpected(done.error());
  if (!options.has_demo) return opened;
  if (Result<void> done = install_demo_rows(*place.rows, *pack, *place.schema,
                                            owner_of(options, *place.schema), clock, random);
      !done)
    return Unexpected(done.error());
  return opened;
}

// R2: what the tables of somebody's own database are, now and later.
Result<void> know_tables(RecordPlace& place, const PlaceOptions& options) {
  PackPointer pack;
  if (has_pack(options)) {
    Result<PackPointer> named = pack_of(options);
    if (!named) return Unexpected(named.error());
    pack = std::move(*named);
    place.categories = std::make_shared<PackCategories>(pack);
  }
  const auto make = [pack](const Catalogue& catalogue) -> LiveSchema::Made {
    Result<Schema> schema = pack ? overlay(*pack, catalogue) : derive_schema(catalogue);
    if (!schema) return Unexpected(schema.error());
    return std::make_shared<const Schema>(std::move(*schema));
  };
  Result<std::shared_ptr<LiveSchema>> live = LiveSchema::open(place.rows, make);
  if (!live) return Unexpected(live.error());
  place.live = std::move(*live);
  place.source = place.schema = place.live->last();
  place.is_pack_derived = pack == nullptr;
  place.pack = pack ? pack : std::make_shared<const Pack>(derive_pack(*place.schema));
  return {};
}

Result<RecordPlace> open_own_database(const PlaceOptions& options, const DatabaseUrl& url,
                                      const std::string& folder) {
  StoreOptions of_theirs = store_options(options);
  of_theirs.allows_op_table = options.allows_op_table;
  RecordPlace place;
  Result<std::unique_ptr<RecordStore>> rows = open_records(url, of_theirs);
  if (!rows) return Unexpected(rows.error());
  place.rows = std::move(*rows);
  if (Result<void> known = know_tables(place, options); !known) return Unexpected(known.error());
  const StateTables tables[] = {workspace_tables(), open_call_tables(), session_tables(),
                                inbox::inbox_tables(), reminder_tables()};
  StoreOptions of_ours = store_options(options);
  of_ours.is_ours = true;
  of_ours.tables = tables;
  const std::string path = folder + "/" + file_name_of(url.identity) + ".state.db";
  Result<std::unique_ptr<StateStore>> state = open_state(path, of_ours);
  if (!state) return Unexpected(state.error());
  place.own_state = std::move(*state);
  place.has_op_table = options.allows_op_table;
  place.lock_path = path + ".calls";
  name_caller(place, options, url.identity);
  return place;
}

Result<RecordPlace> open_named(const PlaceOptions& options, const std::string& folder) {
  const Result<DatabaseUrl> url = parse_database_url(options.db);
  if (!url) return Unexpected(url.error());
  if (url->kind == DatabaseUrl::Kind::postgres && has_pack(options)) {
    const Result<PackPointer> pack = pack_of(options);
    if (!pack) return Unexpected(pack.error());
    const Result<int> version = installed_version(*url, (*pack)->name);
    if (!version) return Unexpected(version.error());
    if (*version > 0) return open_shared(options, {*url, *version}, *pack);
  }
  return open_own_database(options, *url, folder);
}

}  // namespace

Result<std::string> data_dir(const std::string& wanted) {
  std::string folder = wanted.empty() ? environment("ALFRED_HOME") : wanted;
  if (folder.empty() && !environment("XDG_DATA_HOME").empty())
    folder = environment("XDG_DATA_HOME") + "/alfred";
  if (folder.empty() && !environment("HOME").empty())
    folder = environment("HOME") + "/.local/share/alfred";
  if (folder.empty())
    return fail(ErrorCode::usage, "There is no place for data: set ALFRED_HOME to a folder.");
  std::error_code failure;
  const bool is_new = std::filesystem::create_directories(folder, failure);
  if (!failure && !std::filesystem::is_directory(folder, failure))
    failure = std::make_error_code(std::errc::not_a_directory);
  if (!failure && ::access(folder.c_str(), W_OK | X_OK) != 0)
    failure = std::error_code(errno, std::system_category());
  if (failure)
    return fail(ErrorCode::usage, "The data folder " + folder + " cannot be used: " +
                                      failure.message() + ". Set ALFRED_HOME to another.");
  if (is_new && ::chmod(folder.c_str(), 0700) != 0)
    return fail(ErrorCode::file, "The data folder " + folder + " cannot be closed to others.");
  return folder;
}

Result<RecordPlace> open_place(const PlaceOptions& options, const Clock& clock, Random& random) {
  const Result<std::string> folder = data_dir(options.data_dir);
  if (!folder) return Unexpected(folder.error());
  Result<RecordPlace> place = options.db.empty() ? open_embedded(options, *folder, clock, random)
                                                 : open_named(options, *folder);
  if (place) place->data_dir = *folder;
  return place;
}

}  // namespace alfred
