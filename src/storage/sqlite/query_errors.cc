#include "storage/sqlite/query_errors.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "base/stop_scope.h"
#include "base/utf8.h"
#include "pack/sql/sql_words.h"
#include "storage/query_limits.h"

namespace alfred {
namespace {

std::vector<std::string> table_names(const SqliteQuery& query) {
  std::vector<std::string> names;
  for (const Table* table : query.tables)
    if (names.size() < 10) names.push_back(table->name);
  return names;
}

Error refused_function(std::string_view name, std::string detail) {
  return Error{ErrorCode::query,
               fmt::format("There is no function {} for queries. Use SQLite's own that "
                           "compute a value of their arguments, such as lower, substr, "
                           "round, date, count or sum.",
                           quoted_text(name)),
               "sql",
               {},
               std::move(detail)};
}

Error long_value(std::string detail) {
  return Error{ErrorCode::limit,
               "The query makes or reads a value that is too long. Select shorter ones, or name "
               "other columns.",
               "sql",
               {},
               std::move(detail)};
}

// Where in the query the mistake stands, in characters from 1; nothing where SQLite does not say.
std::string place_of(sqlite3* database, std::string_view sql) {
  const int offset = sqlite3_error_offset(database);
  if (offset < 0 || static_cast<std::size_t>(offset) > sql.size()) return "";
  const std::string_view before = sql.substr(0, static_cast<std::size_t>(offset));
  return fmt::format(" at character {}", count_code_points(before) + 1);
}

// What may be told in SQLite's own words: they name nothing but what stands in the query.
bool is_plain(std::string_view words) {
  constexpr std::array<std::string_view, 11> kPlain{
      "ambiguous column name: ",      "misuse of ",
      "wrong number of arguments to", "SELECTs to the left and right of",
      "sub-select returns ",          "no such collation sequence: ",
      "unrecognized token: ",         "all VALUES must have the same",
      "ORDER BY clause should come",  "LIMIT clause should come",
      "cannot join using column"};
  const auto begins = [&](std::string_view one) { return words.starts_with(one); };
  return std::any_of(kPlain.begin(), kPlain.end(), begins) ||
         words.find(" BY term ") != std::string_view::npos;
}

// R3.
std::string mistake(sqlite3* database, std::string_view words, std::string_view sql) {
  const std::string place = place_of(database, sql);
  constexpr std::string_view kNear = "near \"";
  constexpr std::string_view kSyntax = "\": syntax error";
  if (words.starts_with(kNear) && words.ends_with(kSyntax)) {
    words.remove_prefix(kNear.size());
    words.remove_suffix(kSyntax.size());
    return fmt::format("The query has a syntax error near {}{}. Correct it.", quoted_text(words),
                       place);
  }
  if (words == "incomplete input")
    return "The query ends before it is whole: a bracket, a text in quotes or a part is missing.";
  if (is_plain(words))
    return fmt::format("The query does not compile: {}{}. Correct it.", quoted_text(words), place);
  return fmt::format("The query is not one SELECT that SQLite understands{}. Check its syntax.",
                     place);
}

// WITH … DELETE and its like: the first word says nothing of them.
bool changes_rows(std::string_view sql) {
  int depth = 0;
  std::string before;
  for (const SqlWord& word : sql_words(sql, Brackets::quote_names)) {
    if (word.kind == SqlWord::Kind::sign) depth += word.text == "(" ? 1 : word.text == ")" ? -1 : 0;
    if (word.kind == SqlWord::Kind::name && depth == 0) {
      if (word.text == "delete" || word.text == "update" || word.text == "insert") return true;
      if (before == "replace" && word.text == "into") return true;
    }
    before = word.kind == SqlWord::Kind::name ? word.text : "";
  }
  return false;
}

// What may be told of a query that ran: words in which no value of a row can stand.
std::string failure(std::string_view words) {
  constexpr std::array<std::string_view, 6> kPlain{
      "malformed JSON",
      "integer overflow",
      "JSON cannot hold BLOB values",
      "LIKE or GLOB pattern too complex",
      "ESCAPE expression must be a single character",
      "argument of ntile must be a positive integer",
  };
  const bool is_plain = std::find(kPlain.begin(), kPlain.end(), words) != kPlain.end();
  return fmt::format(
      "The query was understood, but something in it failed as it ran{}. Look at what its "
      "functions are given.",
      is_plain ? fmt::format(": {}", words) : std::string());
}

}  // namespace

bool has_words(std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql, Brackets::quote_names);
  return std::any_of(words.begin(), words.end(), [](const SqlWord& word) {
    return word.kind != SqlWord::Kind::end && word.text != ";";
  });
}

Unexpected several_statements() {
  return fail(ErrorCode::query, "The query has more than one statement. Send one SELECT.", "sql");
}

bool begins_with_select(std::string_view sql) {
  const std::vector<SqlWord> words = sql_words(sql, Brackets::quote_names);
  return !words.empty() &&
         (words[0].text == "select" || words[0].text == "with" || words[0].text == "values");
}

Unexpected refused_table(const SqliteQuery& query, std::string detail) {
  std::vector<std::string> names = table_names(query);
  return Unexpected(
      Error{ErrorCode::query,
            with_not_listed("The query names a table that is not there for you. Use those listed.",
                            names.size(), query.tables.size()),
            "sql", std::move(names), std::move(detail)});
}

Error query_error(SqliteConnection& connection, int code, const SqliteQuery& query,
                  QueryStage stage) {
  Error error = connection.error(code);
  if ((code & 0xFF) == SQLITE_TOOBIG) return long_value(std::move(error.detail));
  // Stopped because nobody waits for it any more it is at no fault.
  if ((code & 0xFF) == SQLITE_INTERRUPT && !is_stop_wanted())
    return too_much_work(std::move(error.detail));
  if (error.code != ErrorCode::storage || (code & 0xFF) == SQLITE_IOERR) return error;
  const std::string_view words = sqlite3_errmsg(connection.handle());
  error.code = ErrorCode::query;
  error.path = "sql";
  const std::string_view no_column = "no such column: ";
  for (const std::string_view no_function :
       {"no such function: ", "not authorized to use function: "})
    if (words.starts_with(no_function))
      return refused_function(words.substr(no_function.size()), std::move(error.detail));
  // Behind the wall a table is a view.
  const bool is_refused = (code & 0xFF) == SQLITE_AUTH || words.ends_with(" because it is a view");
  if (is_refused && (!begins_with_select(query.sql) || changes_rows(query.sql))) {
    error.message = "A query only reads. Send one SELECT; rows are changed by the other calls.";
  } else if ((code & 0xFF) == SQLITE_AUTH || words.starts_with("no such table") ||
             words.starts_with("not authorized") || words.starts_with("unknown database")) {
    return refused_table(query, std::move(error.detail)).value();
  } else if (words.starts_with(no_column)) {
    error.message = fmt::format(
        "The query names a column that does not exist: {}. Name one of the table's; a text stands "
        "in single quotes.",
        quoted_text(words.substr(no_column.size())));
  } else if (stage == QueryStage::run) {
    error.message = failure(words);
  } else {
    error.message = mistake(connection.handle(), words, query.sql);
  }
  return error;
}

}  // namespace alfred
