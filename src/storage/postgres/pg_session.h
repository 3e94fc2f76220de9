// One connection to a PostgreSQL server: the only file that speaks libpq is pg_session.cc
// (pq_calls.h loads it).
//
// R1 several commands travel in one round trip (libpq's pipeline); the first that fails ends it.
// R2 a statement is prepared once per connection and text, in the same round trip as its first use.
// R3 text and times come the same way whatever the server's settings: UTF-8, UTC, ISO, exact doubles.
// R4 a fault never holds the password.
// R5 a commit that is answered is on the disk, also where the login's settings would not wait for it.
// R6 a statement that is wanted no more (base/stop_scope.h) is cancelled at the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

struct pg_conn;
struct pg_result;

namespace alfred {

// Why a command did not work. `message` may hold values of rows.
struct PgFault {
  std::string state;  // SQLSTATE; empty where the server said none
  std::string message;
  std::string schema;
  std::string table;
  std::string column;
  std::string constraint;
  bool is_lost = false;  // no answer came: what was sent may have happened
  std::size_t at = 0;    // which of the commands that were sent together
};
template <class T>
using PgResult = tl::expected<T, PgFault>;

struct PgParam {
  std::optional<std::string> text;
  std::uint32_t type = 0;  // an OID; 0: the server finds out
};

struct PgCommand {
  std::string sql;
  std::vector<PgParam> params;
  bool is_prepared = true;
};
// One without parameters, not worth preparing.
PgCommand plain_command(std::string sql);

class PgRows {
 public:
  explicit PgRows(std::shared_ptr<pg_result> result) : result_(std::move(result)) {}
  std::size_t size() const;
  std::size_t width() const;
  std::optional<std::string_view> cell(std::size_t row, std::size_t column) const;
  std::string text(std::size_t row, std::size_t column) const;  // empty for null
  bool is_true(std::size_t row, std::size_t column) const;
  std::string name(std::size_t column) const;
  std::uint32_t type(std::size_t column) const;
  std::uint32_t origin_table(std::size_t column) const;  // 0: computed
  int origin_column(std::size_t column) const;
  std::uint64_t changed() const;
  std::string tag() const;  // "COMMIT", "INSERT 0 1"

 private:
  std::shared_ptr<pg_result> result_;
};

class PgSession {
 public:
  static PgResult<std::unique_ptr<PgSession>> open(const std::string& url);

  // The answers of all commands, in their order (R1).
  PgResult<std::vector<PgRows>> run(std::span<const PgCommand> commands);
  PgResult<PgRows> run(const PgCommand& command);
  // Several statements at once, without parameters, in one transaction: a schema's text.
  PgResult<void> run_script(const std::string& sql);

  bool is_usable() const;
  // The schemas of users' tables: the login's search path without our own.
  const std::string& search_path() const { return search_path_; }
  // What tells this connection from all others of the server.
  const std::string& backend_pid() const { return backend_pid_; }
  const std::string& backend_start() const { return backend_start_; }

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  struct Sent {
    std::string prepares;  // the key of the statement that this prepares; empty: runs one
    std::size_t command;   // whose it is
  };

  explicit PgSession(pg_conn* connection) : connection_(connection) {}
  PgResult<void> prepare_session();
  bool send(const PgCommand& command, std::size_t at, std::vector<Sent>& sent);
  PgResult<std::vector<PgRows>> receive(const std::vector<Sent>& sent);
  std::optional<PgFault> receive_end();  // after the last answer
  void wait_for_answer();                // R6
  std::shared_ptr<pg_result> next();     // the one result of what was sent
  void make_room();
  PgFault lost();

  std::unique_ptr<pg_conn, Closer> connection_;
  std::unordered_map<std::string, std::string> prepared_;  // text and types → name
  std::size_t names_given_ = 0;
  std::string search_path_;
  std::string backend_pid_;
  std::string backend_start_;
  bool is_broken_ = false;
};

}  // namespace alfred
