#include "storage/sql_builder.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "storage/sql_conditions.h"
#include "storage/sql_text.h"

namespace alfred {
namespace {

Result<Value> owner_value(const Field& field, const std::string& user) {
  if (field.type != FieldType::integer) return Value(user);
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(user.data(), user.data() + user.size(), number);
  if (failure == std::errc() && end == user.data() + user.size()) return Value(number);
  return fail(ErrorCode::value,
              "Users are numbers in this database, and the caller's name is none. Call with the "
              "user's number.");
}

// The owner's column and the caller's value of it; no field where rows belong to nobody.
Result<FieldValue> owner_of(const Table& table, const Caller& caller) {
  if (table.owner.empty()) return FieldValue{};
  if (!caller.user)
    return fail(ErrorCode::table,
                fmt::format("Rows of {} belong to users, and this call names none. Call it on "
                            "behalf of a user.",
                            table.name));
  for (const Field& field : table.fields) {
    if (field.name != table.owner) continue;
    Result<Value> value = owner_value(field, *caller.user);
    if (!value) return Unexpected(std::move(value).error());
    return FieldValue{&field, std::move(*value)};
  }
  return fail(ErrorCode::bug,
              fmt::format("The owner column of {} is not in its schema.", table.name));
}

Result<void> check_owner_not_given(const Table& table, const std::vector<FieldValue>& values) {
  for (const FieldValue& one : values)
    if (!table.owner.empty() && one.field->name == table.owner)
      return fail(ErrorCode::column_readonly,
                  "The owner of a row is the caller and is not given in the row.");
  return {};
}

void append_list(std::string& out, Dialect dialect, const std::vector<const Field*>& fields,
                 std::string_view prefix) {
  constexpr std::size_t kUsualName = 24;
  out.reserve(out.size() + (fields.size() + 4) * kUsualName);
  const std::size_t begin = out.size();
  for (const Field* field : fields) {
    if (out.size() > begin) out += ", ";
    if (dialect == Dialect::sqlite)
      append_sql_name(out += prefix, field->name);
    else
      out += read_sql({dialect, *field, std::string(prefix) + sql_name(field->name)});
  }
  if (out.size() == begin) out += '1';
}

std::string list_of(Dialect dialect, const std::vector<const Field*>& fields,
                    std::string_view prefix) {
  std::string out;
  append_list(out, dialect, fields, prefix);
  return out;
}

std::string order_sql(Dialect dialect, const std::vector<OrderBy>& order) {
  std::string out;
  for (const OrderBy& one : order) {
    out += out.empty() ? " ORDER BY " : ", ";
    out += ordered_sql({dialect, *one.field, row_column(*one.field)});
    out += one.is_descending ? " DESC" : " ASC";
    // A column without nulls is left as indexes have it.
    if (one.field->is_nullable) out += " NULLS LAST";
  }
  return out;
}

// " WHERE …" of the plan's condition and the owner's.
Result<std::string> where_sql(SqlConditions& conditions, const Condition& where,
                              const FieldValue& owner) {
  Result<std::string> text = conditions.tree(where);
  if (!text) return text;
  if (owner.field == nullptr) return " WHERE " + *text;
  const std::string owned = conditions.equal(*owner.field, owner.value);
  return " WHERE " + owned + " AND " + *text;
}

// Does it hold for every row, whatever the values?
bool is_always(const Condition& where) {
  return where.kind == Condition::Kind::all &&
         std::all_of(where.parts.begin(), where.parts.end(), is_always);
}

Result<BuiltSql> checked(BuiltSql built) {
  for (const SqlParameter& parameter : built.parameters)
    if (Result<void> fits = check_parameter(parameter.field, parameter.value); !fits)
      return Unexpected(std::move(fits).error());
  return built;
}

// Whether a column of the table has the name that SQLite has for a row's number.
bool hides_number(const Table& table) {
  return std::any_of(table.fields.begin(), table.fields.end(), [](const Field& field) {
    constexpr std::string_view kName = "rowid";
    return std::equal(field.name.begin(), field.name.end(), kName.begin(), kName.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
  });
}

Result<void> check_filtered(const Condition& where) {
  if (is_always(where))
    return fail(ErrorCode::filter_required,
                "A change names the rows it means; this one names none. Add a filter.");
  return {};
}

}  // namespace

// No text has a zero byte in PostgreSQL; so none has.
Result<void> check_parameter(const Field* field, const Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr || text->find('\0') == std::string::npos) return {};
  return fail(ErrorCode::value, "A text holds a zero byte, which no column takes. Leave it out.",
              field == nullptr ? "" : field->name);
}

std::string row_by_number_sql(const Table& table, const std::vector<const Field*>& fields) {
  if (hides_number(table)) return {};
  return fmt::format("SELECT {} FROM {} AS t WHERE t.rowid = ?1",
                     list_of(Dialect::sqlite, fields, "t."),
                     table_name_sql(Dialect::sqlite, table.name));
}

std::string insert_rows_sql(const Table& table, const std::vector<const Field*>& fields,
                            std::size_t rows) {
  std::string one;
  for (std::size_t i = 0; i < fields.size(); ++i) one += i == 0 ? "(?" : ", ?";
  one += ')';
  std::string text =
      fmt::format("INSERT INTO {} ({}) VALUES ", table_name_sql(Dialect::sqlite, table.name),
                  list_of(Dialect::sqlite, fields, ""));
  for (std::size_t row = 0; row < rows; ++row) text += row == 0 ? one : ", " + one;
  return text;
}

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const SelectRows& plan) {
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  if (!plan.after.empty() && plan.after.size() != plan.order.size())
    return fail(ErrorCode::bug, "A place to go on from needs one value per field of the order.");
  BuiltSql built;
  SqlConditions conditions(dialect, built);
  Result<std::string> where = where_sql(conditions, plan.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  append_list(built.text = "SELECT ", dialect, plan.fields, "t.");
  (built.text += " FROM ") += table_name_sql(dialect, plan.table->name);
  (built.text += " AS t") += *where;
  if (!plan.after.empty()) built.text += " AND " + conditions.after(plan);
  built.text += order_sql(dialect, plan.order);
  if (plan.limit) {
    built.parameters.emplace_back().value = static_cast<std::int64_t>(*plan.limit);
    built.text += " LIMIT " + count_parameter_sql(dialect, built.parameters.size());
  }
  if (plan.is_for_update && dialect == Dialect::postgres) built.text += " FOR UPDATE";
  return checked(std::move(built));
}

Result<BuiltSql> count_sql(Dialect dialect, const Caller& caller, const SelectRows& plan) {
  if (plan.limit || !plan.after.empty())
    return fail(ErrorCode::bug, "Rows are counted without a limit.");
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  BuiltSql built;
  SqlConditions conditions(dialect, built);
  Result<std::string> where = where_sql(conditions, plan.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  built.text = fmt::format("SELECT count(*) FROM {} AS t{}",
                           table_name_sql(dialect, plan.table->name), *where);
  return checked(std::move(built));
}

// The rows that go stand first: how texts compare in a foreign key is the affair of the column that
// it leads to.
Result<BuiltSql> acted_on_sql(Dialect dialect, const Caller& caller, const ActingLink& link,
                              const DeleteRows& going, const SelectRows* among) {
  if (among != nullptr && (among->limit || !among->after.empty()))
    return fail(ErrorCode::bug, "Rows are counted without a limit.");
  Result<FieldValue> owner = owner_of(*going.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  BuiltSql built;
  SqlConditions conditions(dialect, built);
  Result<std::string> where = where_sql(conditions, going.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  std::string names;
  std::string match;
  for (std::size_t i = 0; i < link.columns.size(); ++i) {
    names += fmt::format("{}t.{} AS k{}", i == 0 ? "" : ", ", sql_name(link.target_columns[i]), i);
    match += fmt::format("{}gone.k{} = t.{}", i == 0 ? "" : " AND ", i, sql_name(link.columns[i]));
  }
  built.text =
      fmt::format("SELECT count(*) FROM (SELECT {} FROM {} AS t{}) AS gone JOIN {} AS t ON {}",
                  names, table_name_sql(dialect, going.table->name), *where,
                  table_name_sql(dialect, link.table), match);
  if (among != nullptr) {
    owner = owner_of(*among->table, caller);
    if (!owner) return Unexpected(std::move(owner).error());
    where = where_sql(conditions, among->where, *owner);
    if (!where) return Unexpected(std::move(where).error());
    built.text += *where;
  }
  return checked(std::move(built));
}

Result<BuiltSql> numbered_rows_sql(const Caller& caller, const SelectRows& plan, bool is_one) {
  if (hides_number(*plan.table))
    return fail(ErrorCode::bug, "Rows of this table cannot be asked for by their number.");
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  BuiltSql built;
  SqlConditions conditions(Dialect::sqlite, built);
  Result<std::string> where = where_sql(conditions, plan.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  built.text =
      fmt::format("SELECT t.rowid, {} FROM {} AS t{}", list_of(Dialect::sqlite, plan.fields, "t."),
                  table_name_sql(Dialect::sqlite, plan.table->name), *where);
  if (is_one) {
    built.parameters.emplace_back().value = std::int64_t{0};
    built.text += fmt::format(" AND t.rowid = ?{}", built.parameters.size());
  } else {
    built.text += order_sql(Dialect::sqlite, plan.order);
  }
  return checked(std::move(built));
}

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const InsertRow& plan) {
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  if (Result<void> given = check_owner_not_given(*plan.table, plan.values); !given)
    return Unexpected(std::move(given).error());
  BuiltSql built;
  std::string names;
  std::string values;
  const auto add = [&](const FieldValue& one) {
    built.parameters.push_back({one.field, parameter_value(dialect, *one.field, one.value)});
    names += (names.empty() ? "" : ", ") + sql_name(one.field->name);
    values += (values.empty() ? "" : ", ") +
              stored_parameter_sql(dialect, *one.field, built.parameters.size());
  };
  if (owner->field != nullptr) {
    add(*owner);
    built.predicates = 1;
  }
  for (const FieldValue& one : plan.values) add(one);
  built.text = "INSERT INTO " + table_name_sql(dialect, plan.table->name);
  const bool overrides = plan.keeps_its_numbers && dialect == Dialect::postgres;
  built.text += names.empty() ? " DEFAULT VALUES"
                              : fmt::format(" ({}){} VALUES ({})", names,
                                            overrides ? " OVERRIDING SYSTEM VALUE" : "", values);
  if (!plan.returning.empty()) built.text += " RETURNING " + list_of(dialect, plan.returning, "");
  return checked(std::move(built));
}

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const InsertRows& plan) {
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  std::vector<FieldValue> given;
  given.reserve(plan.fields.size());
  for (const Field* field : plan.fields) given.push_back({field, {}});
  if (Result<void> fits = check_owner_not_given(*plan.table, given); !fits)
    return Unexpected(std::move(fits).error());
  BuiltSql built;
  std::string names;
  std::string owned;  // what each row begins with
  if (owner->field != nullptr) {
    built.parameters.push_back(
        {owner->field, parameter_value(dialect, *owner->field, owner->value)});
    built.predicates = 1;
    names = sql_name(owner->field->name);
    owned = stored_parameter_sql(dialect, *owner->field, 1);
  }
  for (const Field* field : plan.fields)
    names += (names.empty() ? "" : ", ") + sql_name(field->name);
  std::string rows;
  std::size_t number = built.parameters.size();
  for (std::size_t row = 0; row < plan.rows; ++row) {
    std::string values = owned;
    for (const Field* field : plan.fields)
      values += (values.empty() ? "" : ", ") + stored_parameter_sql(dialect, *field, ++number);
    rows += fmt::format("{}({})", rows.empty() ? "" : ", ", values);
  }
  const bool overrides = plan.keeps_its_numbers && dialect == Dialect::postgres;
  built.text =
      fmt::format("INSERT INTO {} ({}){} VALUES {}", table_name_sql(dialect, plan.table->name),
                  names, overrides ? " OVERRIDING SYSTEM VALUE" : "", rows);
  if (!plan.returning.empty()) built.text += " RETURNING " + list_of(dialect, plan.returning, "");
  return checked(std::move(built));
}

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const UpdateRows& plan) {
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  if (Result<void> given = check_owner_not_given(*plan.table, plan.values); !given)
    return Unexpected(std::move(given).error());
  if (plan.values.empty())
    return fail(ErrorCode::value, "An update names no column to change. Give at least one.");
  if (Result<void> filtered = check_filtered(plan.where); !filtered)
    return Unexpected(std::move(filtered).error());
  BuiltSql built;
  std::string changes;
  for (const FieldValue& one : plan.values) {
    built.parameters.push_back({one.field, parameter_value(dialect, *one.field, one.value)});
    changes += fmt::format("{}{} = {}", changes.empty() ? "" : ", ", sql_name(one.field->name),
                           stored_parameter_sql(dialect, *one.field, built.parameters.size()));
  }
  SqlConditions conditions(dialect, built);
  Result<std::string> where = where_sql(conditions, plan.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  built.text = fmt::format("UPDATE {} AS t SET {}{}", table_name_sql(dialect, plan.table->name),
                           changes, *where);
  return checked(std::move(built));
}

Result<BuiltSql> build_sql(Dialect dialect, const Caller& caller, const DeleteRows& plan) {
  Result<FieldValue> owner = owner_of(*plan.table, caller);
  if (!owner) return Unexpected(std::move(owner).error());
  if (Result<void> filtered = check_filtered(plan.where); !filtered)
    return Unexpected(std::move(filtered).error());
  BuiltSql built;
  SqlConditions conditions(dialect, built);
  Result<std::string> where = where_sql(conditions, plan.where, *owner);
  if (!where) return Unexpected(std::move(where).error());
  built.text =
      fmt::format("DELETE FROM {} AS t{}", table_name_sql(dialect, plan.table->name), *where);
  return checked(std::move(built));
}

}  // namespace alfred
