#include "storage/sqlite/connection.h"

#include <malloc.h>
#include <sqlite3.h>

#include <cstdlib>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/memory/kept_pieces.h"
#include "storage/sqlite/errors.h"

namespace alfred {
namespace {

// While it lives, the guard is in another mode.
class ModeScope {
 public:
  explicit ModeScope(SqliteGuard& guard, SqliteGuard::Mode mode = SqliteGuard::Mode::setup)
      : guard_(guard), before_(guard.mode()) {
    guard_.set_mode(mode);
  }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;
  ~ModeScope() { guard_.set_mode(before_); }

 private:
  SqliteGuard& guard_;
  SqliteGuard::Mode before_;
};

int open_flags(ConnectionOptions::Mode mode) {
  constexpr int kBoth = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case ConnectionOptions::Mode::read: return kBoth | SQLITE_OPEN_READONLY;
    case ConnectionOptions::Mode::write: return kBoth | SQLITE_OPEN_READWRITE;
    case ConnectionOptions::Mode::create: return kBoth | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return kBoth;
}

#ifdef NDEBUG
constexpr bool kKeepsPieces = true;
#else
constexpr bool kKeepsPieces = false;  // a sanitizer is to see each of them
#endif

// Counting what is in use takes a lock of the whole process for each piece of memory, and Debian's
// SQLite takes many. Nobody here asks for the count. Where SQLite is in use already, it stays as it
// is.
void spare_memory() {
  static std::once_flag once;
  static const sqlite3_mem_methods kept{
      [](int bytes) { return KeptPieces::take(static_cast<std::size_t>(bytes)); },
      [](void* piece) { KeptPieces::give(piece); },
      [](void* piece, int bytes) { return std::realloc(piece, static_cast<std::size_t>(bytes)); },
      [](void* piece) { return static_cast<int>(::malloc_usable_size(piece)); },
      [](int bytes) { return (bytes + 7) / 8 * 8; },
      [](void*) { return SQLITE_OK; },
      [](void*) {},
      nullptr};
  std::call_once(once, [] {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (kKeepsPieces) sqlite3_config(SQLITE_CONFIG_MALLOC, &kept);
  });
}

}  // namespace

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const ConnectionOptions& options) {
  spare_memory();
  std::unique_ptr<SqliteConnection> out(new SqliteConnection(options.work_budget));
  const int code = sqlite3_open_v2(options.path.c_str(), &out->database_, open_flags(options.mode),
                                   options.vfs.empty() ? nullptr : options.vfs.c_str());
  if (code != SQLITE_OK) return Unexpected(sqlite_error(out->database_, code));
  sqlite3* const database = out->database_;
  sqlite3_busy_timeout(database, options.busy_timeout_ms);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  out->guard_.install(database);
  out->guard_.set_mode(SqliteGuard::Mode::rows);
  return out;
}

SqliteConnection::~SqliteConnection() {
  for (const auto& [text, kept] : kept_) sqlite3_finalize(kept.statement);
  sqlite3_finalize(view_);
  sqlite3_close_v2(database_);
}

bool SqliteConnection::is_in_transaction() const {
  return sqlite3_get_autocommit(database_) == 0 || sqlite3_stmt_busy(view_) != 0;
}

Result<void> SqliteConnection::begin_view() {
  // It has a row whatever the database holds, and opens no table.
  constexpr std::string_view kText = "PRAGMA schema_version";
  const ModeScope scope(guard_);
  guard_.start_statement();
  int code = view_ != nullptr
                 ? SQLITE_OK
                 : sqlite3_prepare_v3(database_, kText.data(), static_cast<int>(kText.size()),
                                      SQLITE_PREPARE_PERSISTENT, &view_, nullptr);
  if (code == SQLITE_OK) code = sqlite3_step(view_);
  if (code == SQLITE_ROW) return {};
  Error failure = error(code);
  end_view();
  return Unexpected(std::move(failure));
}

void SqliteConnection::end_view() { sqlite3_reset(view_); }

bool SqliteConnection::has_unresolved_links() const {
  int count = 0;
  int highest = 0;
  sqlite3_db_status(database_, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0);
  return count != 0;
}

void SqliteConnection::leave_wal_on_close() {
  sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Result<std::string> SqliteConnection::image() {
  const ModeScope scope(guard_);  // it asks for the number of pages
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(database_, "main", &size, 0), &sqlite3_free);
  if (bytes == nullptr) return Unexpected(error(SQLITE_NOMEM));
  return std::string(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
}

void SqliteConnection::give_spare_row(Row row) {
  constexpr std::size_t kMostText = 4096;  // what is long is not kept
  constexpr std::size_t kMostCells = 64;
  if (row.size() > kMostCells) return;
  for (Value& cell : row)
    if (const auto* const text = std::get_if<std::string>(&cell);
        text == nullptr || text->capacity() > kMostText)
      cell = Value();
  spare_row_ = std::move(row);
}

Error SqliteConnection::error(int code, const Table* table) {
  if (is_io_failure(code)) is_untrusted_ = true;
  return sqlite_error(database_, code, table);
}

Result<void> SqliteConnection::execute(const char* text) {
  const ModeScope scope(guard_);
  const int code = sqlite3_exec(database_, text, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Unexpected(error(code));
  return {};
}

Result<void> SqliteConnection::execute_kept(const char* text) {
  const ModeScope scope(guard_);
  Result<LentStatement> statement = prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  if (const Result<bool> done = statement->step(); !done) return Unexpected(done.error());
  return {};
}

Result<void> SqliteConnection::execute_schema(const std::string& text) {
  const ModeScope scope(guard_, SqliteGuard::Mode::schema);
  guard_.start_statement();
  const int code = sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  Error failure = error(code);
  failure.code = ErrorCode::pack;
  failure.message = "The pack's schema.sql does not run on this database. Nothing of it was kept.";
  return Unexpected(std::move(failure));
}

Result<std::int64_t> SqliteConnection::number(const char* text) {
  const ModeScope scope(guard_);
  Result<LentStatement> statement = prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  const Result<bool> has_row = statement->step();
  if (!has_row) return Unexpected(has_row.error());
  return *has_row ? sqlite3_column_int64(statement->get(), 0) : 0;
}

Result<std::string> SqliteConnection::text(const char* text) {
  const ModeScope scope(guard_);
  Result<LentStatement> statement = prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  const Result<bool> has_row = statement->step();
  if (!has_row) return Unexpected(has_row.error());
  const Value value = *has_row ? statement->cell(0) : Value();
  return std::holds_alternative<std::string>(value) ? std::get<std::string>(value) : std::string();
}

Result<void> SqliteConnection::visit_rows(const char* text, const Value& parameter,
                                          const std::function<void(const LentStatement&)>& visit) {
  const ModeScope scope(guard_);
  Result<LentStatement> statement = prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  if (Result<void> bound = statement->bind(1, parameter); !bound) return bound;
  for (;;) {
    const Result<bool> has_row = statement->step();
    if (!has_row) return Unexpected(has_row.error());
    if (!*has_row) return {};
    visit(*statement);
  }
}

LentStatement SqliteConnection::lend(KeptStatement& kept) {
  kept.is_lent = true;
  return LentStatement(*this, kept.statement, &kept);
}

Result<LentStatement> SqliteConnection::prepare_fixed(const Statement& fixed) {
  const char* const text = fixed.text().data();
  Fixed& known = fixed_[(reinterpret_cast<std::uintptr_t>(text) >> 4) % fixed_.size()];
  if (known.text == text && !known.kept->is_lent) {
    guard_.start_statement();
    return lend(*known.kept);
  }
  Result<LentStatement> statement = prepare(fixed.text());
  if (statement && statement->kept_ != nullptr) known = {text, statement->kept_};
  return statement;
}

Result<LentStatement> SqliteConnection::prepare(std::string_view text) {
  guard_.start_statement();
  const auto found = kept_.find(text);
  if (found != kept_.end() && !found->second.is_lent) return lend(found->second);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_, text.data(), static_cast<int>(text.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return Unexpected(error(code));
  if (found != kept_.end() || !has_room()) return LentStatement(*this, statement, nullptr);
  KeptStatement& kept = kept_[std::string(text)];
  kept = {statement, true};
  return LentStatement(*this, statement, &kept);
}

bool SqliteConnection::has_room() {
  if (kept_.size() < kKeptStatements) return true;
  for (auto one = kept_.begin(); one != kept_.end(); ++one) {
    if (one->second.is_lent) continue;
    for (Fixed& fixed : fixed_)
      if (fixed.kept == &one->second) fixed = {};
    sqlite3_finalize(one->second.statement);
    kept_.erase(one);
    return true;
  }
  return false;
}

void SqliteConnection::take_back(sqlite3_stmt* statement, KeptStatement* kept) {
  if (kept == nullptr) {
    sqlite3_finalize(statement);
    return;
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  kept->is_lent = false;
}

}  // namespace alfred
