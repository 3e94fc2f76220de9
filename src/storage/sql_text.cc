#include "storage/sql_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace alfred {
namespace {

// What a PostgreSQL column is, as far as casts go.
enum class PgKind : std::uint8_t {
  text,
  as_text,  // enums, citext, inet…: stored by their own type, compared as text
  integer,
  real,
  double_precision,
  numeric,
  boolean,
  date,
  timestamp,
  timestamptz,
  time,
  timetz,
  interval,
  json,
  array,
  uuid,
  bytea,
  unknown,
};

struct PgType {
  std::string_view name;
  PgKind kind;
};
constexpr std::array kPgTypes{
    PgType{"text", PgKind::text},
    PgType{"character varying", PgKind::text},
    PgType{"varchar", PgKind::text},
    PgType{"character", PgKind::text},
    PgType{"char", PgKind::text},
    PgType{"bpchar", PgKind::text},
    PgType{"smallint", PgKind::integer},
    PgType{"integer", PgKind::integer},
    PgType{"int", PgKind::integer},
    PgType{"bigint", PgKind::integer},
    PgType{"int2", PgKind::integer},
    PgType{"int4", PgKind::integer},
    PgType{"int8", PgKind::integer},
    PgType{"real", PgKind::real},
    PgType{"float4", PgKind::real},
    PgType{"double precision", PgKind::double_precision},
    PgType{"float8", PgKind::double_precision},
    PgType{"numeric", PgKind::numeric},
    PgType{"decimal", PgKind::numeric},
    PgType{"boolean", PgKind::boolean},
    PgType{"bool", PgKind::boolean},
    PgType{"date", PgKind::date},
    PgType{"timestamp", PgKind::timestamp},
    PgType{"timestamp without time zone", PgKind::timestamp},
    PgType{"timestamptz", PgKind::timestamptz},
    PgType{"timestamp with time zone", PgKind::timestamptz},
    PgType{"time", PgKind::time},
    PgType{"time without time zone", PgKind::time},
    PgType{"timetz", PgKind::timetz},
    PgType{"time with time zone", PgKind::timetz},
    PgType{"json", PgKind::json},
    PgType{"jsonb", PgKind::json},
    PgType{"uuid", PgKind::uuid},
    PgType{"bytea", PgKind::bytea},
};

char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// The type without lengths: "timestamp(3) with time zone" → "timestamp with time zone".
std::string base_type(std::string_view declared) {
  std::string out;
  bool is_quoted = false;
  int depth = 0;
  for (const char c : declared) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && c == '(') ++depth;
    if (depth == 0) out += is_quoted ? c : ascii_lower(c);
    if (!is_quoted && c == ')' && depth > 0) --depth;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

// A cast is written only of what a type's name is made of.
bool is_type_name(std::string_view type) {
  const auto fits = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           byte >= 0x80 || std::string_view("_ .\"[]").find(c) != std::string_view::npos;
  };
  return !type.empty() && std::all_of(type.begin(), type.end(), fits) &&
         std::count(type.begin(), type.end(), '"') % 2 == 0;
}

PgKind kind_by_field_type(FieldType type) {
  switch (type) {
    case FieldType::text: return PgKind::text;
    case FieldType::integer: return PgKind::integer;
    case FieldType::number: return PgKind::double_precision;
    default: return PgKind::unknown;
  }
}

PgKind pg_kind(const Field& field) {
  const std::string base = base_type(field.database_type);
  const auto row = std::find_if(kPgTypes.begin(), kPgTypes.end(),
                                [&](const PgType& type) { return type.name == base; });
  if (row != kPgTypes.end()) return row->kind;
  if (base == "interval" || base.starts_with("interval ")) return PgKind::interval;
  if (!is_type_name(base)) return kind_by_field_type(field.type);
  return base.ends_with("[]") ? PgKind::array : PgKind::as_text;
}

bool is_citext(const Field& field) {
  const std::string base = base_type(field.database_type);
  return is_type_name(base) && (base == "citext" || base.ends_with(".citext"));
}

bool is_text_on_sqlite(FieldType type) {
  switch (type) {
    case FieldType::integer:
    case FieldType::number:
    case FieldType::boolean:
    case FieldType::bytes: return false;
    default: return true;
  }
}

bool has_foreign_times(Dialect dialect, const Field& field) {
  return dialect == Dialect::sqlite && field.type == FieldType::instant &&
         field.time_form != TimeForm::ours;
}

// What is infinite, or before the year 1, has no spelling of ours: it is shown, and put back, in
// the server's.
std::string instant_sql(const std::string& column) {
  return fmt::format(
      "CASE WHEN isfinite({0}) AND {0} >= '0001-01-01' THEN "
      "regexp_replace(to_char({0}, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), '000Z$', 'Z') "
      "ELSE ({0})::text END",
      column);
}

// The array of a JSON text; null stays null.
std::string array_sql(const std::string& parameter, const std::string& type) {
  return fmt::format(
      "(CASE WHEN {0}::jsonb IS NULL THEN NULL ELSE "
      "ARRAY(SELECT jsonb_array_elements_text({0}::jsonb)) END)::{1}",
      parameter, type);
}

std::string_view compared_type(PgKind kind) {
  switch (kind) {
    case PgKind::text:
    case PgKind::as_text: return "text";
    case PgKind::integer: return "bigint";
    case PgKind::real: return "real";
    case PgKind::double_precision: return "double precision";
    case PgKind::numeric: return "numeric";
    case PgKind::boolean: return "boolean";
    case PgKind::date: return "date";
    case PgKind::timestamp: return "timestamp";
    case PgKind::timestamptz: return "timestamptz";
    case PgKind::time: return "time";
    case PgKind::timetz: return "timetz";
    case PgKind::interval: return "interval";
    case PgKind::json: return "jsonb";
    case PgKind::uuid: return "uuid";
    case PgKind::bytea: return "bytea";
    case PgKind::array:
    case PgKind::unknown: return "";
  }
  return "";
}

std::string_view stored_type(PgKind kind, std::string_view base) {
  switch (kind) {
    case PgKind::as_text:
      return base == "bit" ? "bit varying" : base;  // bit alone is one bit, and cuts
    case PgKind::json: return base;
    default: return compared_type(kind);
  }
}

}  // namespace

std::string sql_name(std::string_view name) {
  std::string out;
  out.reserve(name.size() + 2);
  append_sql_name(out, name);
  return out;
}

void append_sql_name(std::string& out, std::string_view name) {
  out += '"';
  for (std::size_t quote = name.find('"'); quote != std::string_view::npos;
       quote = name.find('"')) {
    (out += name.substr(0, quote + 1)) += '"';
    name.remove_prefix(quote + 1);
  }
  (out += name) += '"';
}

std::string table_name_sql(Dialect dialect, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dialect == Dialect::sqlite || dot == std::string_view::npos) return sql_name(name);
  return sql_name(name.substr(0, dot)) + "." + sql_name(name.substr(dot + 1));
}

std::string read_sql(const ColumnSql& column) {
  if (column.dialect == Dialect::sqlite) return column.column;
  switch (pg_kind(column.field)) {
    case PgKind::array: return fmt::format("array_to_json({})::text", column.column);
    case PgKind::timestamp: return instant_sql(column.column);
    case PgKind::timestamptz: return instant_sql(column.column + " AT TIME ZONE 'UTC'");
    default: return column.column;
  }
}

std::string equality_sql(const ColumnSql& column) {
  // What was written in our form too, before the column's was known, is compared in the column's.
  if (has_foreign_times(column.dialect, column.field))
    return fmt::format("replace(rtrim({}, 'Z'), {}) COLLATE BINARY", column.column,
                       column.field.time_form == TimeForm::spaced ? "'T', ' '" : "' ', 'T'");
  if (column.dialect == Dialect::sqlite)
    return column.column + (is_text_on_sqlite(column.field.type) ? " COLLATE BINARY" : "");
  switch (pg_kind(column.field)) {
    case PgKind::as_text:
      // Cast to text an inet says more (10.0.0.1/32) than it is shown as.
      return base_type(column.field.database_type) == "inet"
                 ? fmt::format("nullif(concat({}), '')", column.column)
                 : column.column + "::text";
    case PgKind::json: return column.column + "::jsonb";
    default: return column.column;
  }
}

std::string matching_sql(const ColumnSql& column) {
  if (column.field.match == TextMatch::bytes) return equality_sql(column);
  if (column.dialect == Dialect::sqlite) return column.column + " COLLATE NOCASE";
  return is_citext(column.field) ? column.column : fmt::format("lower({}::text)", column.column);
}

std::string matching_parameter_sql(Dialect dialect, const Field& field, std::size_t number) {
  if (field.match == TextMatch::bytes || dialect == Dialect::sqlite)
    return compared_parameter_sql(dialect, field, number);
  return is_citext(field) ? fmt::format("${}::{}", number, base_type(field.database_type))
                          : fmt::format("lower(${}::text)", number);
}

std::string ordered_sql(const ColumnSql& column) {
  std::string out = equality_sql(column);
  if (column.dialect == Dialect::sqlite) return out;
  const PgKind kind = pg_kind(column.field);
  if (kind == PgKind::text || kind == PgKind::as_text) out += " COLLATE \"C\"";
  return out;
}

std::string compared_parameter_sql(Dialect dialect, const Field& field, std::size_t number) {
  if (dialect == Dialect::sqlite) return "?" + std::to_string(number);
  const PgKind kind = pg_kind(field);
  if (kind == PgKind::array) return stored_parameter_sql(dialect, field, number);
  const std::string_view type = compared_type(kind);
  return type.empty() ? fmt::format("${}", number) : fmt::format("${}::{}", number, type);
}

std::string stored_parameter_sql(Dialect dialect, const Field& field, std::size_t number) {
  if (dialect == Dialect::sqlite) return fmt::format("?{}", number);
  const PgKind kind = pg_kind(field);
  const std::string base = base_type(field.database_type);
  if (kind == PgKind::array) return array_sql(fmt::format("${}", number), base);
  const std::string_view type = stored_type(kind, base);
  return type.empty() ? fmt::format("${}", number) : fmt::format("${}::{}", number, type);
}

std::string count_parameter_sql(Dialect dialect, std::size_t number) {
  return dialect == Dialect::sqlite ? "?" + std::to_string(number)
                                    : fmt::format("${}::bigint", number);
}

Value parameter_value(Dialect dialect, const Field& field, const Value& value) {
  if (const std::string* const text = std::get_if<std::string>(&value);
      text != nullptr && has_foreign_times(dialect, field))
    return written_time(field.time_form, *text);
  const bool* const flag = std::get_if<bool>(&value);
  if (flag == nullptr) return value;
  if (dialect == Dialect::postgres) {
    const PgKind kind = pg_kind(field);
    if (kind == PgKind::boolean || kind == PgKind::unknown) return value;
  }
  return Value(static_cast<std::int64_t>(*flag ? 1 : 0));
}

}  // namespace alfred
