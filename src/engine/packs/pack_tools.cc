#include "engine/packs/pack_tools.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/own_pack.h"
#include "engine/packs/pack_rows.h"
#include "interpreter/rules/rules_interpreter.h"
#include "pack/derive.h"
#include "pack/overlay.h"
#include "pack/pack_text.h"
#include "pack/scenario/scenario.h"
#include "storage/open_store.h"

namespace alfred {
namespace {

Result<Catalogue> catalogue_of(const std::string& db, const StoreOptions& options) {
  const Result<DatabaseUrl> url = parse_database_url(db);
  if (!url) return Unexpected(url.error());
  const Result<std::unique_ptr<RecordStore>> store = open_records(*url, options);
  if (!store) return Unexpected(store.error());
  return (*store)->catalogue();
}

// The pack's own tables, in a database that is gone afterwards.
Result<Catalogue> catalogue_of(const Pack& pack) {
  std::error_code failure;
  std::string folder =
      (std::filesystem::temp_directory_path(failure) / "alfred-pack-XXXXXX").string();
  if (failure || ::mkdtemp(folder.data()) == nullptr)
    return fail(ErrorCode::file, "There is no room for a temporary folder: set TMPDIR to one.");
  StoreOptions options;
  options.is_ours = true;
  options.packs.push_back(
      {.name = pack.name, .version = pack.schema_version, .sql = pack.schema_sql, .owners = {}});
  Result<Catalogue> catalogue = catalogue_of("sqlite:" + folder + "/pack.db", options);
  std::filesystem::remove_all(folder, failure);
  return catalogue;
}

Result<Schema> schema_of(const Pack& pack) {
  const Result<Catalogue> catalogue = catalogue_of(pack);
  if (!catalogue) return Unexpected(catalogue.error());
  return overlay(pack, *catalogue);
}

}  // namespace

Result<std::map<std::string, std::string>> owners_of(const Pack& pack) {
  const Result<Schema> schema = schema_of(pack);
  if (!schema) return Unexpected(schema.error());
  std::map<std::string, std::string> owners;
  for (const Table& table : schema->tables())
    if (!table.owner.empty()) owners[table.name] = table.owner;
  return owners;
}

Result<PackInstalled> install_pack(const std::string& folder, const std::string& db,
                                   const Clock& clock, Random& random) {
  const Result<DatabaseUrl> url = parse_database_url(db);
  if (!url) return Unexpected(url.error());
  if (url->kind != DatabaseUrl::Kind::postgres)
    return fail(ErrorCode::usage,
                "A pack is installed in a PostgreSQL database. With a file, leave --db out: "
                "`alfred db … --pack DIR` keeps it in one of its own.",
                "--db", {"postgres://HOST/NAME"});
  const Result<Pack> pack = load_pack(folder);
  if (!pack) return Unexpected(pack.error());
  if (pack->schema_sql.empty())
    return fail(ErrorCode::pack,
                "This pack brings no tables (schema): it lies over a database "
                "that has them, with --db and --pack.");
  Result<OwnPack> own = open_own_pack({*url}, *pack, {});
  if (!own) return Unexpected(own.error());
  if (Result<void> done = install_pack_rows(*own->rows, *pack, *own->schema, clock, random); !done)
    return Unexpected(done.error());
  PackInstalled installed{pack->name, own->schema->tables().size(), 0};
  for (const Table& table : own->schema->tables()) installed.walled += table.owner.empty() ? 0 : 1;
  return installed;
}

Result<PackReport> check_pack(const std::string& folder, const std::string& db) {
  Result<Pack> pack = load_pack(folder);
  if (!pack) return Unexpected(pack.error());
  if (const Result<void> ok = check_scenarios(*pack); !ok) return Unexpected(ok.error());
  if (db.empty() && pack->schema_sql.empty()) return PackReport{std::move(*pack), {}};
  const Result<Catalogue> catalogue = db.empty() ? catalogue_of(*pack) : catalogue_of(db, {});
  if (!catalogue) return Unexpected(catalogue.error());
  const Result<PackSummary> summary = check_against(*pack, *catalogue);
  if (!summary) return Unexpected(summary.error());
  const Result<Schema> schema = overlay(*pack, *catalogue);
  if (!schema) return Unexpected(schema.error());
  if (const auto rules = RulesInterpreter::make(*pack, *schema); !rules)
    return Unexpected(rules.error());
  return PackReport{std::move(*pack), *summary};
}

Result<std::string> init_pack(const std::string& db) {
  const Result<Catalogue> catalogue = catalogue_of(db, {});
  if (!catalogue) return Unexpected(catalogue.error());
  const Result<Schema> schema = derive_schema(*catalogue);
  if (!schema) return Unexpected(schema.error());
  return pack_text(*schema, "mine");
}

}  // namespace alfred
