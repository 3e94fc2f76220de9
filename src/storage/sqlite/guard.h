// SqliteGuard: what statements may do on a connection, and how much work one of them may be.
// It is SQLite's authorizer and progress handler.
//
// R1 statements on rows select, insert, update and delete, and use functions of a list. No schema
//    change, no PRAGMA, no ATTACH, nothing on SQLite's own tables.
// R2 a caller's query only reads, and only tables that are named to the guard.
// R3 a statement that is more work than the budget, or that is wanted no more (base/stop_scope.h), is interrupted.
// R4 our own set-up statements pass; they are fixed texts. A pack's schema makes tables, indexes, views, triggers and
//    rows, and nothing else.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace alfred {

// ASCII lower case: how SQLite compares names.
std::string folded_name(std::string_view name);

class SqliteGuard {
 public:
  enum class Mode : std::uint8_t { setup, schema, rows, query };

  explicit SqliteGuard(std::uint64_t work_budget) : work_budget_(work_budget) {}
  void install(sqlite3* database);
  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { mode_ = mode; }
  void allow_table(std::string_view name) { tables_.insert(folded_name(name)); }
  void start_statement() { work_ = 0; }
  // A query names a table that is not allowed without reading a column of it: it may be a WITH's
  // own.
  bool is_uncertain() const { return is_uncertain_; }

 private:
  static int authorize(void* self, int action, const char* first, const char* second,
                       const char* schema, const char* via);
  static int on_progress(void* self);
  bool allows(int action, std::string_view first, std::string_view second);
  bool allows_query(int action, std::string_view first, std::string_view second);
  static bool allows_schema(int action, std::string_view second);
  static bool allows_rows(int action, std::string_view first, std::string_view second);

  Mode mode_ = Mode::setup;
  std::set<std::string, std::less<>> tables_;  // of queries
  std::uint64_t work_budget_;                  // 0: none
  std::uint64_t work_ = 0;
  bool is_uncertain_ = false;
};

}  // namespace alfred
