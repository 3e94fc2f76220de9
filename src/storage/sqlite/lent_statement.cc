#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "storage/exact_number.h"
#include "storage/sqlite/connection.h"

namespace alfred {
namespace {

bool is_json_text(const Field* field) {
  return field != nullptr && (field->type == FieldType::json || field->type == FieldType::list);
}

std::string bytes_of(sqlite3_stmt* statement, int column) {
  const void* const bytes = sqlite3_column_blob(statement, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return size == 0 ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

// Columns declared json hold a bare 5 as a number: its JSON text is meant.
Value integer_cell(std::int64_t value, const Field* field) {
  if (field == nullptr) return value;
  if (field->type == FieldType::number) return exact_number(value);
  if (field->type == FieldType::boolean && (value == 0 || value == 1)) return value == 1;
  if (is_json_text(field)) return std::to_string(value);
  return value;
}

int bind_value(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value))
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  if (const auto* const number = std::get_if<std::int64_t>(&value))
    return sqlite3_bind_int64(statement, index, *number);
  if (const auto* const number = std::get_if<double>(&value))
    return sqlite3_bind_double(statement, index, *number);
  if (const auto* const flag = std::get_if<bool>(&value))
    return sqlite3_bind_int(statement, index, *flag ? 1 : 0);
  const auto* const blob = std::get_if<Bytes>(&value);
  if (blob == nullptr) return sqlite3_bind_null(statement, index);
  if (blob->bytes.empty()) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, blob->bytes.data(), blob->bytes.size(),
                             SQLITE_STATIC);
}

// A text column may lead to an integer key: SQLite compares 7 and '7' as the same there.
Value linked_integer(std::string text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = fault == std::errc() && end == text.data() + text.size();
  if (is_whole && std::to_string(number) == text) return number;
  return text;
}

}  // namespace

LentStatement::~LentStatement() {
  if (statement_ != nullptr) SqliteConnection::take_back(statement_, kept_);
}

Result<bool> LentStatement::step(const Table* table) {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Unexpected(connection_->error(code, table));
}

void LentStatement::reset() { sqlite3_reset(statement_); }

Result<void> LentStatement::bind(int index, const Value& value) {
  const int code = bind_value(statement_, index, value);
  if (code != SQLITE_OK) return Unexpected(connection_->error(code));
  return {};
}

Result<void> LentStatement::bind_rows(std::span<const Row> rows) {
  int index = 0;
  for (const Row& row : rows)
    for (const Value& value : row)
      if (const int code = bind_value(statement_, ++index, value); code != SQLITE_OK)
        return Unexpected(connection_->error(code));
  return {};
}

Result<void> LentStatement::bind_all(const std::vector<SqlParameter>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (Result<void> bound = bind(static_cast<int>(i + 1), parameters[i].value); !bound)
      return bound;
  return {};
}

Result<void> LentStatement::bind_named(Params params) {
  if (static_cast<std::size_t>(sqlite3_bind_parameter_count(statement_)) != params.size())
    return fail(ErrorCode::bug, "A statement of ours was not given one value per parameter.");
  for (std::size_t i = 0; i < params.size(); ++i) {
    const int index = place_of(params[i], i);
    if (index == 0)
      return fail(ErrorCode::bug,
                  fmt::format("A statement of ours has no parameter {}.", params[i].name));
    if (Result<void> bound = bind(index, params[i].value); !bound) return bound;
  }
  return {};
}

// 0: it has none of this name.
int LentStatement::place_of(const Param& param, std::size_t nth) {
  if (kept_ == nullptr)
    return sqlite3_bind_parameter_index(statement_, fmt::format(":{}", param.name).c_str());
  std::vector<std::string>& names = kept_->names;
  if (names.empty()) {
    const int count = sqlite3_bind_parameter_count(statement_);
    for (int i = 1; i <= count; ++i) {
      const char* const name = sqlite3_bind_parameter_name(statement_, i);
      names.emplace_back(name == nullptr ? "" : name + 1);  // without the colon
    }
    kept_->given.assign(names.size(), 0);
  }
  std::size_t& at = kept_->given[nth];
  if (names[at] != param.name)
    at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), param.name) - names.begin());
  if (at < names.size()) return static_cast<int>(at) + 1;
  at = 0;
  return 0;
}

Value LentStatement::cell(int column, const Field* field) const {
  return sqlite_cell(statement_, column, field);
}

Value sqlite_cell(sqlite3_stmt* statement, int column, const Field* field) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return integer_cell(sqlite3_column_int64(statement, column), field);
    case SQLITE_FLOAT: {
      const double number = sqlite3_column_double(statement, column);
      if (is_json_text(field)) return fmt::format("{}", number);
      return number;
    }
    case SQLITE_TEXT: {
      // Text first: a database may hold its texts in another encoding, and turns them into UTF-8.
      const auto* const bytes = sqlite3_column_text(statement, column);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      std::string text(reinterpret_cast<const char*>(bytes), size);
      // SQLite keeps whatever bytes it was given as text.
      if (!is_utf8(text)) return Bytes{std::move(text)};
      if (field != nullptr && field->link && field->type == FieldType::integer)
        return linked_integer(std::move(text));
      if (field != nullptr && field->time_form != TimeForm::ours)
        if (std::optional<std::string> moment = read_time(field->time_form, text))
          return std::move(*moment);
      return text;
    }
    case SQLITE_BLOB: return Bytes{bytes_of(statement, column)};
    default: return std::monostate();
  }
}

}  // namespace alfred
