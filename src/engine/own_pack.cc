#include "engine/own_pack.h"

#include "engine/journal/workspace.h"
#include "engine/open_calls.h"
#include "engine/packs/pack_rows.h"
#include "engine/packs/pack_tools.h"
#include "engine/reminders/reminders.h"
#include "engine/session/session_store.h"
#include "inbox/store/tables.h"
#include "pack/overlay.h"

namespace alfred {

std::vector<StateTables> own_tables() {
  return {workspace_tables(), open_call_tables(),    session_tables(),
          pack_rows_tables(), inbox::inbox_tables(), reminder_tables()};
}

namespace {

Result<std::shared_ptr<const Schema>> schema_on(const Pack& pack,
                                                const Result<Catalogue>& catalogue) {
  if (!catalogue) return Unexpected(catalogue.error());
  Result<Schema> schema = overlay(pack, *catalogue);
  if (!schema) return Unexpected(std::move(schema).error());
  return std::make_shared<const Schema>(std::move(*schema));
}

}  // namespace

Result<OwnPack> open_own_pack(const PackHome& home, const Pack& pack, StoreOptions options,
                              const FirstRows& first_rows) {
  const std::vector<StateTables> tables = own_tables();
  options.is_ours = true;
  options.tables = tables;
  PackTables made{pack.name, pack.schema_version, pack.schema_sql, {}};
  // Files have no walls of their own; those of a database that has this version stand already.
  const bool is_postgres = home.url.kind == DatabaseUrl::Kind::postgres;
  if (is_postgres && home.version != pack.schema_version) {
    Result<std::map<std::string, std::string>> owners = owners_of(pack);
    if (!owners) return Unexpected(owners.error());
    made.owners = std::move(*owners);
  }
  options.packs.push_back(std::move(made));
  OwnPack own;
  if (first_rows)
    options.first_rows = [&](NewDatabase& database) -> Result<void> {
      Result<std::shared_ptr<const Schema>> schema = schema_on(pack, database.catalogue());
      if (!schema) return Unexpected(std::move(schema).error());
      own.schema = std::move(*schema);
      return first_rows(database, *own.schema);
    };
  Result<std::unique_ptr<RecordStore>> rows = open_records(home.url, options);
  if (!rows) return Unexpected(rows.error());
  own.rows = std::move(*rows);
  if (own.schema) return own;  // that of the file we just made
  Result<std::shared_ptr<const Schema>> schema = schema_on(pack, own.rows->catalogue());
  if (!schema) return Unexpected(std::move(schema).error());
  own.schema = std::move(*schema);
  return own;
}

}  // namespace alfred
