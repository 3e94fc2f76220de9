#include "storage/postgres/pg_catalogue.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pack/uuid_text.h"
#include "storage/postgres/pg_text.h"
#include "storage/postgres/sql_tokens.h"

namespace alfred {
namespace {

// The relations that count, for all queries below.
#define ALFRED_RELATIONS                                                                       \
  "WITH r AS (SELECT c.oid, c.relkind, CASE WHEN n.nspname = current_schema() THEN c.relname " \
  "ELSE n.nspname || '.' || c.relname END AS name FROM pg_class c "                            \
  "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r','p','v','m','f') "    \
  "AND NOT c.relispartition AND n.nspname NOT IN ('information_schema', 'alfred') "            \
  "AND n.nspname !~ '^pg_' AND c.relname <> 'alfred_ops' "                                     \
  "AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') "    \
  "AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e' "       \
  "AND d.classid = 'pg_class'::regclass)) "

constexpr const char* kColumns = ALFRED_RELATIONS R"(
SELECT r.oid, r.name, r.relkind IN ('v','m'), a.attname,
       CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod)
            ELSE format_type(a.atttypid, a.atttypmod) END,
       a.attnotnull OR t.typnotnull, a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL,
       a.attgenerated <> '',
       ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid =
             CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END ORDER BY e.enumsortorder),
       (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.conrelid = r.oid
        AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
        AND pg_get_constraintdef(k.oid) LIKE '%ARRAY[%' LIMIT 1),
       has_column_privilege(r.oid, a.attnum, 'SELECT'), has_column_privilege(r.oid, a.attnum, 'INSERT'),
       has_column_privilege(r.oid, a.attnum, 'UPDATE'), has_table_privilege(r.oid, 'DELETE')
FROM r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid
ORDER BY r.name COLLATE "C", a.attnum)";

constexpr const char* kKeys = ALFRED_RELATIONS R"(
SELECT r.oid, x.indisprimary,
       ARRAY(SELECT a.attname::text FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = u.num
             WHERE u.place <= x.indnkeyatts ORDER BY u.place)
FROM r JOIN pg_index x ON x.indrelid = r.oid
WHERE x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL)";

// Keys of one column that are texts and that nobody else fills in; of no more than are looked into.
constexpr const char* kTextKeys = ALFRED_RELATIONS R"(
SELECT r.oid, a.attname,
       format('(SELECT %s, %I::text FROM %s LIMIT 100)', r.oid, a.attname, r.oid::regclass)
FROM r JOIN pg_index x ON x.indrelid = r.oid AND x.indisprimary AND x.indnkeyatts = 1
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = x.indkey[0]
WHERE r.relkind IN ('r','p') AND NOT a.atthasdef AND a.attidentity = ''
AND a.atttypid IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
AND has_column_privilege(r.oid, a.attnum, 'SELECT') ORDER BY r.oid LIMIT 200)";

constexpr const char* kLinks = ALFRED_RELATIONS R"(
SELECT r.oid, target.name, k.confdeltype,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = u.num ORDER BY u.place),
       ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(num, place)
             JOIN pg_attribute a ON a.attrelid = target.oid AND a.attnum = u.num ORDER BY u.place),
       target.oid
FROM r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f'
JOIN r AS target ON target.oid = k.confrelid)";

constexpr const char* kViews = ALFRED_RELATIONS R"(
SELECT r.oid, pg_get_viewdef(r.oid) FROM r WHERE r.relkind IN ('v','m'))";

// A view's rule says of each column which column of which relation it is, as long as it is one.
#define ALFRED_VIEW_COLUMNS                                                                    \
  "FROM r JOIN pg_rewrite w ON w.ev_class = r.oid AND w.rulename = '_RETURN' "                 \
  "CROSS JOIN LATERAL regexp_matches(w.ev_action::text, ':resno (\\d+) :resname "              \
  "((?:\\\\.|[^ \\\\])+) :ressortgroupref \\d+ :resorigtbl (\\d+) :resorigcol (\\d+) ', 'g') " \
  "AS m JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = m[1]::int "                   \
  "AND a.attname = regexp_replace(m[2], '\\\\(.)', '\\1', 'g') "

constexpr const char* kOrigins =
    ALFRED_RELATIONS "SELECT r.oid, a.attname, target.name, ta.attname " ALFRED_VIEW_COLUMNS R"(
JOIN r AS target ON target.oid = m[3]::oid
JOIN pg_attribute ta ON ta.attrelid = target.oid AND ta.attnum = m[4]::int
  AND has_column_privilege(target.oid, ta.attnum, 'SELECT')
WHERE r.relkind IN ('v','m'))";

// Columns of foreign keys, and of views, that hold keys of what the login may not read.
constexpr const char* kOutOfSight = ALFRED_RELATIONS R"(
SELECT r.oid, a.attname FROM r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype = 'f'
JOIN pg_class c ON c.oid = k.confrelid
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (k.conkey)
WHERE NOT has_schema_privilege(c.relnamespace, 'USAGE') OR EXISTS (
  SELECT 1 FROM unnest(k.confkey) AS u(num) WHERE NOT has_column_privilege(c.oid, u.num, 'SELECT'))
UNION SELECT r.oid, a.attname )" ALFRED_VIEW_COLUMNS R"(
JOIN pg_class c ON c.oid = m[3]::oid
JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype IN ('p','f') AND m[4]::int2 = ANY (k.conkey)
WHERE r.relkind IN ('v','m') AND (NOT has_schema_privilege(c.relnamespace, 'USAGE')
  OR NOT has_column_privilege(c.oid, m[4]::int2, 'SELECT')))";

#undef ALFRED_VIEW_COLUMNS
#undef ALFRED_RELATIONS

std::vector<std::string> names_of(const std::string& array) {
  std::vector<std::string> out;
  for (std::optional<std::string>& one : array_elements(array))
    if (one) out.push_back(std::move(*one));
  return out;
}

// set default is what the gateway cannot do either: the database refuses or does it by itself.
OnDelete on_delete_of(const std::string& letter) {
  if (letter == "c") return OnDelete::cascade;
  return letter == "n" ? OnDelete::set_null : OnDelete::refuse;
}

// In whichever schema the extension was put.
bool is_citext(std::string_view type) { return type == "citext" || type.ends_with(".citext"); }

ClockType clock_of(std::string_view type) {
  if (type.ends_with("[]")) return ClockType::none;
  if (type.starts_with("interval")) return ClockType::span;
  if (!type.starts_with("time ") && !type.starts_with("time(")) return ClockType::none;
  return type.ends_with("with time zone") ? ClockType::zoned_time : ClockType::time;
}

using Places = std::map<std::string, std::size_t>;  // OID → place in the catalogue

// Places in a row of kColumns.
constexpr std::size_t kMaySelect = 10;
constexpr std::size_t kMayInsert = 11;
constexpr std::size_t kMayUpdate = 12;
constexpr std::size_t kMayDelete = 13;

bool is_readable(const CatalogueTable& table, const std::vector<std::string>& columns) {
  return std::none_of(columns.begin(), columns.end(), [&](const std::string& column) {
    return std::find(table.unreadable.begin(), table.unreadable.end(), column) !=
           table.unreadable.end();
  });
}

void add_columns(const PgRows& rows, Catalogue& catalogue, Places& places) {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const auto [place, is_new] = places.try_emplace(rows.text(at, 0), catalogue.tables.size());
    if (is_new) {
      CatalogueTable& table = catalogue.tables.emplace_back();
      table.name = rows.text(at, 1);
      table.is_view = rows.is_true(at, 2);
      table.may_write = rows.is_true(at, kMayDelete);
    }
    CatalogueTable& table = catalogue.tables[place->second];
    if (!rows.is_true(at, kMaySelect)) {
      table.unreadable.push_back(rows.text(at, 3));
      continue;
    }
    CatalogueColumn column;
    column.name = rows.text(at, 3);
    column.declared_type = rows.text(at, 4);
    if (is_citext(column.declared_type)) column.match = TextMatch::letters;
    column.clock = clock_of(column.declared_type);
    column.is_nullable = !rows.is_true(at, 5);
    column.is_computed = rows.is_true(at, 7);
    column.has_default = rows.is_true(at, 6) && !column.is_computed;
    column.enum_values = names_of(rows.text(at, 8));
    if (column.enum_values.empty()) column.enum_values = values_of_check(rows.text(at, 9));
    column.may_insert = rows.is_true(at, kMayInsert);
    column.may_update = rows.is_true(at, kMayUpdate);
    table.may_write = table.may_write || column.may_insert || column.may_update;
    table.columns.push_back(std::move(column));
  }
}

void add_keys(const PgRows& rows, Catalogue& catalogue, const Places& places) {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    CatalogueTable& table = catalogue.tables[places.at(rows.text(at, 0))];
    std::vector<std::string> columns = names_of(rows.text(at, 2));
    if (!is_readable(table, columns)) continue;
    if (rows.is_true(at, 1)) {
      table.primary_key = std::move(columns);
    } else {
      table.uniques.push_back(std::move(columns));
    }
  }
}

void add_links(const PgRows& rows, Catalogue& catalogue, const Places& places) {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    CatalogueTable& table = catalogue.tables[places.at(rows.text(at, 0))];
    CatalogueLink link{names_of(rows.text(at, 3)), rows.text(at, 1), names_of(rows.text(at, 4)),
                       on_delete_of(rows.text(at, 2))};
    const CatalogueTable& target = catalogue.tables[places.at(rows.text(at, 5))];
    if (is_readable(table, link.columns) && is_readable(target, link.target_columns))
      table.links.push_back(std::move(link));
  }
}

void mark_out_of_sight(const PgRows& rows, Catalogue& catalogue, const Places& places) {
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (CatalogueColumn& column : catalogue.tables[places.at(rows.text(at, 0))].columns)
      if (column.name == rows.text(at, 1)) column.is_out_of_sight = true;
}

// Of a UNION every part has its say; the last that was found is as good as any (derived_keys.h
// looks at the text as well).
void add_origins(const PgRows& rows, Catalogue& catalogue, const Places& places) {
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (CatalogueColumn& column : catalogue.tables[places.at(rows.text(at, 0))].columns) {
      if (column.name != rows.text(at, 1)) continue;
      column.origin_table = rows.text(at, 2);
      column.origin_column = rows.text(at, 3);
    }
}

// Whether they hold uuids, by the first rows.
Result<void> read_uuid_keys(PgTx& tx, Catalogue& catalogue, const Places& places) {
  const Result<PgRows> keys = tx.send({kTextKeys, {}, false});
  if (!keys) return Unexpected(keys.error());
  std::string sql;
  for (std::size_t at = 0; at < keys->size(); ++at)
    sql += (sql.empty() ? "" : " UNION ALL ") + keys->text(at, 2);
  if (sql.empty()) return {};
  const Result<PgRows> rows = tx.send({sql, {}, false});
  if (!rows) return Unexpected(rows.error());
  std::map<std::string, bool> are_uuids;  // by OID
  for (std::size_t row = 0; row < rows->size(); ++row) {
    bool& are = are_uuids.try_emplace(rows->text(row, 0), true).first->second;
    are = are && is_uuid_text(rows->text(row, 1));
  }
  for (std::size_t at = 0; at < keys->size(); ++at) {
    const auto place = places.find(keys->text(at, 0));
    const auto found = are_uuids.find(keys->text(at, 0));
    if (place == places.end() || found == are_uuids.end()) continue;
    for (CatalogueColumn& column : catalogue.tables[place->second].columns)
      if (column.name == keys->text(at, 1)) column.holds_uuids = found->second;
  }
  return {};
}

Result<void> read_views(PgTx& tx, Catalogue& catalogue, const Places& places) {
  Result<PgRows> views = tx.send({kViews, {}, false});
  if (!views) return Unexpected(std::move(views).error());
  for (std::size_t at = 0; at < views->size(); ++at)
    if (const auto place = places.find(views->text(at, 0)); place != places.end())
      catalogue.tables[place->second].view_sql = views->text(at, 1);
  if (views->size() == 0) return {};
  Result<PgRows> origins = tx.send({kOrigins, {}, false});
  if (!origins) return Unexpected(std::move(origins).error());
  add_origins(*origins, catalogue, places);
  return {};
}

}  // namespace

Result<Catalogue> read_catalogue(PgTx& tx) {
  Catalogue catalogue;
  Places places;
  Result<PgRows> columns = tx.send({kColumns, {}, false});
  if (!columns) return Unexpected(std::move(columns).error());
  add_columns(*columns, catalogue, places);
  Result<PgRows> keys = tx.send({kKeys, {}, false});
  if (!keys) return Unexpected(std::move(keys).error());
  add_keys(*keys, catalogue, places);
  Result<PgRows> links = tx.send({kLinks, {}, false});
  if (!links) return Unexpected(std::move(links).error());
  add_links(*links, catalogue, places);
  Result<PgRows> out_of_sight = tx.send({kOutOfSight, {}, false});
  if (!out_of_sight) return Unexpected(std::move(out_of_sight).error());
  mark_out_of_sight(*out_of_sight, catalogue, places);
  // A table that cannot be looked into now, since somebody holds it, is one whose keys are not
  // known.
  const Result<void> looked = tx.savepoint([&] { return read_uuid_keys(tx, catalogue, places); });
  if (!looked && tx.is_lost()) return Unexpected(looked.error());
  if (Result<void> read = read_views(tx, catalogue, places); !read)
    return Unexpected(std::move(read).error());
  for (CatalogueTable& table : catalogue.tables) {
    std::sort(table.uniques.begin(), table.uniques.end());
    std::sort(table.links.begin(), table.links.end(),
              [](const CatalogueLink& a, const CatalogueLink& b) {
                return std::tie(a.columns, a.table) < std::tie(b.columns, b.table);
              });
  }
  return catalogue;
}

std::vector<std::string> values_of_check(std::string_view definition) {
  std::vector<std::string> values;
  std::string shape;  // all that is neither value, cast nor bracket
  bool is_cast = false;
  for (const SqlToken& token : sql_tokens(definition)) {
    if (token.kind == SqlToken::Kind::string) {
      std::string value;
      for (std::size_t at = 1; at + 1 < token.text.size(); ++at) {
        value += token.text[at];
        if (token.text[at] == '\'') ++at;
      }
      values.push_back(std::move(value));
    } else if (token.text == "::") {
      is_cast = true;
    } else if (token.kind == SqlToken::Kind::word || token.kind == SqlToken::Kind::quoted) {
      const std::string name = name_of(token);
      const bool is_type = is_cast && (name == "text" || name == "character" || name == "varying" ||
                                       name == "bpchar");
      if (!is_type) shape += name == "check" || name == "any" || name == "array" ? name : "x";
      if (!is_type) is_cast = false;
    } else if (token.text == "=") {
      shape += "=";
      is_cast = false;
    } else if (token.kind != SqlToken::Kind::space && token.text.find_first_of("()[],") != 0) {
      shape += token.text;
    }
  }
  return shape == "checkx=anyarray" ? values : std::vector<std::string>();
}

}  // namespace alfred
