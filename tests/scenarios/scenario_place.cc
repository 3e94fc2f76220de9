#include "scenario_place.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/open_calls.h"
#include "engine/open_place.h"
#include "engine/packs/pack_categories.h"
#include "engine/packs/pack_rows.h"
#include "engine/reminders/reminders.h"
#include "engine/session/session_store.h"
#include "inbox/store/tables.h"
#include "killing_store.h"
#include "pack/overlay.h"
#include "storage/open_store.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message + " " + result.error().path + " " +
                             result.error().detail);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

bool is_own(PlaceKind kind) {
  return kind == PlaceKind::own_sqlite || kind == PlaceKind::own_postgres;
}

}  // namespace

std::string place_name(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::sqlite: return "sqlite";
    case PlaceKind::postgres: return "postgres";
    case PlaceKind::own_sqlite: return "own_sqlite";
    case PlaceKind::own_postgres: return "own_postgres";
  }
  return "";
}

ScenarioPack::ScenarioPack(std::string from)
    : folder(std::move(from)),
      loaded(std::make_shared<const Pack>(must(load_pack(folder)))),
      pack(*loaded) {
  for (const PackFile& file : pack.scenarios) scenarios.push_back(must(read_scenario(file)));
}

ScenarioPlace::ScenarioPlace(PlaceKind kind, const ScenarioPack& pack, bool is_declared)
    : kind_(kind), pack_(pack), is_declared_(is_declared) {
  std::string pattern = (std::filesystem::temp_directory_path() / "alfred-scene-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  dir_ = pattern;
  if (kind == PlaceKind::own_postgres || kind == PlaceKind::postgres)
    url_ = copied_database();
  else
    copy_file();
  RecordPlace place = open_ours("nobody");
  database_ = must(parse_database_url(url_));
  look_ = std::make_unique<RowsLook>(std::move(place.rows), place.schema, place.caller);
}

// The pack's rows are put in once for each pack; scenarios get copies.
void ScenarioPlace::copy_file() {
  static std::map<std::string, std::string> bytes;
  url_ = "sqlite:" + dir_ + "/rows.db";
  std::string& known = bytes[pack_.pack.name];
  if (known.empty()) {
    install();
    std::ifstream file(dir_ + "/rows.db", std::ios::binary);
    known.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return;
  }
  std::ofstream(dir_ + "/rows.db", std::ios::binary) << known;
}

std::string ScenarioPlace::copied_database() {
  static std::map<std::string, std::string> names;
  static int copies = 0;
  PostgresForTests& server = PostgresForTests::server();
  std::string& original = names[pack_.pack.name];
  if (original.empty()) {
    original = "original_" + pack_.pack.name;
    server.admin("CREATE DATABASE " + original + " TEMPLATE template0");
    url_ = server.url(original);
    install();
  }
  const std::string name = fmt::format("scene_{}", ++copies);
  server.admin("CREATE DATABASE " + name + " TEMPLATE " + original);
  return server.url(name);
}

void ScenarioPlace::install() {
  const RecordPlace place = open_ours("nobody");
  must(install_pack_rows(*place.rows, pack_.pack, *place.schema, clock_, random_));
}

ScenarioPlace::~ScenarioPlace() {
  look_.reset();
  std::error_code failure;
  std::filesystem::remove_all(dir_, failure);
}

RecordPlace ScenarioPlace::open_ours(const std::string& workspace) {
  const StateTables tables[] = {workspace_tables(), open_call_tables(),    session_tables(),
                                pack_rows_tables(), inbox::inbox_tables(), reminder_tables()};
  const Pack& pack = pack_.pack;
  StoreOptions options;
  options.is_ours = true;
  options.tables = tables;
  options.packs.push_back(
      {.name = pack.name, .version = pack.schema_version, .sql = pack.schema_sql, .owners = {}});
  RecordPlace place;
  const DatabaseUrl url = must(parse_database_url(url_));
  place.rows = must(open_records(url, options));
  place.schema = std::make_shared<const Schema>(must(overlay(pack, must(place.rows->catalogue()))));
  place.categories = std::make_shared<PackCategories>(pack_.loaded);
  place.pack = pack_.loaded;
  place.caller.user = kScenarioUser;
  place.workspace = {workspace, url.identity, kScenarioUser};
  return place;
}

Result<RecordPlace> ScenarioPlace::open(const std::string& workspace) {
  if (!is_own(kind_)) return open_ours(workspace);
  PlaceOptions options;
  options.db = url_;
  if (is_declared_) options.loaded_pack = pack_.loaded;
  options.workspace = workspace;
  options.user = kScenarioUser;
  options.data_dir = dir_ + "/data";
  return open_place(options, clock_, random_);
}

std::string ScenarioPlace::killed(const std::string& workspace, int insert, const Work& work) {
  const pid_t child = ::fork();
  if (child < 0) return "cannot fork";
  if (child == 0) {
    RecordPlace place = must(open(workspace));
    place.rows = std::make_unique<KillingStore>(std::move(place.rows), insert);
    ::_exit(work(std::move(place)) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "";
  return fmt::format("the process was not killed; it ended with status {}", status);
}

}  // namespace alfred
