// SqliteConnection: one connection with its guard and its prepared statements.
//
// R1 one thread at a time uses it.
// R2 a statement is prepared once and kept, up to kKeptStatements; one that is in use is prepared again. A fixed
//    text of ours is the same wherever it stands, so the kept one is found by that.
// R3 statements run under the guard's mode `rows`, or `query`; only execute(), execute_kept(), number(), text() and
//    visit_rows(), which take fixed texts of ours, run without it.
// R4 after an I/O error it says so until it is closed.
// R5 a view is held by a statement that has given a row and has not come to its end: SQLite's read transaction lasts as
//    long. That is one statement where BEGIN, a first read and ROLLBACK are three.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alfred/error.h"
#include "storage/sql_builder.h"
#include "storage/sqlite/guard.h"
#include "storage/sqlite/kept_rows.h"
#include "storage/sqlite/stored_form.h"
#include "storage/statement.h"

struct sqlite3;
struct sqlite3_stmt;

namespace alfred {

inline constexpr std::size_t kKeptStatements = 128;

struct ConnectionOptions {
  enum class Mode : std::uint8_t { read, write, create };
  std::string path;  // or a file: URI
  Mode mode = Mode::read;
  std::string vfs;
  int busy_timeout_ms = 5000;
  std::uint64_t work_budget = 0;
};

class SqliteConnection;

struct KeptStatement {
  sqlite3_stmt* statement = nullptr;
  bool is_lent = false;
  // Of its named parameters: their names in the order of their places, and which of them each of
  // those was that were given last. Where a statement is run from, they come in the same order.
  std::vector<std::string> names{};
  std::vector<std::size_t> given{};
};

// A prepared statement, given back when it is destroyed.
class LentStatement {
 public:
  // kept: where it is kept; null: it was prepared for this use only.
  LentStatement(SqliteConnection& connection, sqlite3_stmt* statement, KeptStatement* kept)
      : connection_(&connection), statement_(statement), kept_(kept) {}
  LentStatement(LentStatement&& other) noexcept
      : connection_(other.connection_),
        statement_(std::exchange(other.statement_, nullptr)),
        kept_(other.kept_) {}
  LentStatement& operator=(LentStatement&&) = delete;
  ~LentStatement();

  sqlite3_stmt* get() const { return statement_; }
  Result<bool> step(const Table* table = nullptr);  // is there a row?
  void reset();                                     // before it runs again
  // The value has to live until the statement is given back.
  Result<void> bind(int index, const Value& value);
  Result<void> bind(int index, Value&& value) = delete;
  Result<void> bind_all(const std::vector<SqlParameter>& parameters);
  Result<void> bind_rows(std::span<const Row> rows);  // all of their values, in order
  // Every parameter of the statement, by its name; one that is missing or unknown is a bug.
  Result<void> bind_named(Params params);
  Value cell(int column, const Field* field = nullptr) const;  // see sqlite_cell

 private:
  friend class SqliteConnection;
  int place_of(const Param& param, std::size_t nth);
  SqliteConnection* connection_;
  sqlite3_stmt* statement_;
  KeptStatement* kept_;
};

// A cell as the type of `field` has it; null field: as the database holds it. Text that is no UTF-8
// comes as Bytes.
Value sqlite_cell(sqlite3_stmt* statement, int column, const Field* field);

class SqliteConnection {
 public:
  static Result<std::unique_ptr<SqliteConnection>> open(const ConnectionOptions& options);
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection();

  sqlite3* handle() const { return database_; }
  SqliteGuard& guard() { return guard_; }
  bool is_in_transaction() const;     // or a view is held
  bool has_unresolved_links() const;  // deferred foreign keys
  bool is_untrusted() const { return is_untrusted_; }
  Result<const TableForm*> form_of(const std::string& table) { return forms_.of(*this, table); }
  Result<const std::vector<ActingLink>*> links_that_act_on(const std::string& table) {
    return forms_.acting_on(*this, table);
  }

  KeptRows& kept() { return kept_rows_; }
  // A row whose texts have room already, for who reads rows one after the other (tx.cc).
  Row take_spare_row() { return std::exchange(spare_row_, {}); }
  void give_spare_row(Row row);

  // From here to end_view() all reads see the database as it is now (R5).
  Result<void> begin_view();
  void end_view();
  Result<void> execute(const char* text);                // one or more statements
  Result<void> execute_kept(const char* text);           // one statement, prepared once
  Result<void> execute_schema(const std::string& text);  // a pack's schema.sql
  Result<std::int64_t> number(const char* text);
  Result<std::string> text(const char* text);
  // The rows of a fixed text with one parameter.
  Result<void> visit_rows(const char* text, const Value& parameter,
                          const std::function<void(const LentStatement&)>& visit);
  Result<LentStatement> prepare(std::string_view text);
  Result<LentStatement> prepare_fixed(const Statement& fixed);
  void leave_wal_on_close();    // no checkpoint when it closes
  Result<std::string> image();  // the bytes of a file that holds what a database in memory holds

  Error error(int code, const Table* table = nullptr);

 private:
  friend class LentStatement;
  explicit SqliteConnection(std::uint64_t work_budget) : guard_(work_budget) {}
  LentStatement lend(KeptStatement& kept);
  static void take_back(sqlite3_stmt* statement, KeptStatement* kept);
  bool has_room();  // for one more statement to be kept

  // A statement is looked for by its text as it is, without a copy of it.
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  sqlite3* database_ = nullptr;
  SqliteGuard guard_;
  std::unordered_map<std::string, KeptStatement, TextHash, std::equal_to<>> kept_;
  // Of some of these, where the fixed text stands that was asked for last with this place.
  struct Fixed {
    const char* text = nullptr;
    KeptStatement* kept = nullptr;
  };
  std::array<Fixed, 256> fixed_{};
  TableForms forms_;
  KeptRows kept_rows_;
  sqlite3_stmt* view_ = nullptr;
  Row spare_row_;
  bool is_untrusted_ = false;
};

}  // namespace alfred
