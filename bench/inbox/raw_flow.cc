#include "raw_flow.h"

#include <sqlite3.h>

#include <stdexcept>

namespace alfred::bench {
namespace {

void must(sqlite3* database, int code) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    throw std::runtime_error(sqlite3_errmsg(database));
}

}  // namespace

RawFlow::RawFlow(const std::string& file) {
  must(nullptr, sqlite3_open(file.c_str(), &database_));
  run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "CREATE TABLE events (id integer PRIMARY KEY, body text);"
      "CREATE TABLE entries (id integer PRIMARY KEY, event integer, acked integer);"
      "CREATE INDEX entries_unacked ON entries (id) WHERE acked IS NULL");
  const auto prepare = [&](const char* sql, sqlite3_stmt*& out) {
    must(database_,
         sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &out, nullptr));
  };
  prepare("INSERT INTO events (body) VALUES (?1)", event_);
  prepare("INSERT INTO entries (event) VALUES (last_insert_rowid())", entry_);
  prepare(
      "SELECT e.id, v.body FROM entries e JOIN events v ON v.id = e.event WHERE e.acked IS NULL "
      "ORDER BY e.id LIMIT 1",
      read_);
  prepare("UPDATE entries SET acked = 1 WHERE id = ?1", ack_);
  const std::string body(200, 'x');
  must(database_, sqlite3_bind_text(event_, 1, body.data(), 200, SQLITE_TRANSIENT));
}

RawFlow::~RawFlow() {
  for (sqlite3_stmt* one : {event_, entry_, read_, ack_}) sqlite3_finalize(one);
  sqlite3_close(database_);
}

void RawFlow::run(const char* sql) {
  must(database_, sqlite3_exec(database_, sql, nullptr, nullptr, nullptr));
}
void RawFlow::step(sqlite3_stmt* statement) {
  must(database_, sqlite3_step(statement));
  sqlite3_reset(statement);
}

void RawFlow::append(int events) {
  run("BEGIN IMMEDIATE");
  for (int i = 0; i < events; ++i) step(event_);
  run("COMMIT");
}

void RawFlow::whole(int events) {
  run("BEGIN IMMEDIATE");
  for (int i = 0; i < events; ++i) {
    step(event_);
    step(entry_);
  }
  run("COMMIT");
  run("BEGIN IMMEDIATE");
  for (int i = 0; i < events; ++i) {
    must(database_, sqlite3_step(read_));
    must(database_, sqlite3_bind_int64(ack_, 1, sqlite3_column_int64(read_, 0)));
    sqlite3_reset(read_);
    step(ack_);
  }
  run("COMMIT");
}

}  // namespace alfred::bench
