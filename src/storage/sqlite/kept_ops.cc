// The table alfred_ops: what each op answered, written in the op's own transaction.
#include "base/time/clock.h"
#include "storage/sqlite/writer.h"

namespace alfred {
namespace {

// Most often there is none, and that is told by one look into the index.
constexpr const char* kHasOld = "SELECT 1 FROM alfred_ops WHERE at_ms < :before LIMIT 1";
// With each answer at most this many are forgotten.
constexpr const char* kForgetOld =
    "DELETE FROM alfred_ops WHERE op IN "
    "(SELECT op FROM alfred_ops WHERE at_ms < :before ORDER BY at_ms LIMIT 16)";
constexpr const char* kForgetMany =
    "DELETE FROM alfred_ops WHERE op IN (SELECT op FROM alfred_ops ORDER BY at_ms "
    "LIMIT min(256, max(0, (SELECT count(*) FROM alfred_ops) - :most)))";

// Whether it gave a row.
Result<bool> look(SqliteConnection& connection, const char* text, Params params) {
  Result<LentStatement> statement = connection.prepare(text);
  if (!statement) return Unexpected(std::move(statement).error());
  if (Result<void> bound = statement->bind_named(params); !bound) return Unexpected(bound.error());
  return statement->step();
}

Result<void> run(SqliteConnection& connection, const char* text, Params params) {
  if (const Result<bool> done = look(connection, text, params); !done)
    return Unexpected(done.error());
  return {};
}

}  // namespace

Result<void> SqliteWriter::keep_answer(const WriteCall& call, const std::string& answer) {
  const std::int64_t now_ms = SystemClock().wall_ms();
  const Param params[] = {{"op", std::string(call.op->view())},
                          {"request", kept_request(call)},
                          {"answer", answer},
                          {"at", now_ms}};
  Result<void> kept = run(*connection_,
                          "INSERT INTO alfred_ops (op, request, answer, at_ms) "
                          "VALUES (:op, :request, :answer, :at)",
                          params);
  return kept ? forget_ops(*call.op, now_ms) : kept;
}

// Counting looks at all of them, so it is done for one op in 32.
Result<void> SqliteWriter::forget_ops(const OpId& op, std::int64_t now_ms) {
  const Param old[] = {{"before", now_ms - keeps_.kept.most_ms}};
  const Result<bool> has_old = look(*connection_, kHasOld, old);
  if (!has_old) return Unexpected(has_old.error());
  if (*has_old)
    if (Result<void> done = run(*connection_, kForgetOld, old); !done) return done;
  if (op.view().back() != '0') return {};
  const Param many[] = {{"most", keeps_.kept.most}};
  return run(*connection_, kForgetMany, many);
}

Result<std::optional<KeptAnswer>> kept_answer(SqliteConnection& connection, const OpId& op) {
  Result<LentStatement> statement =
      connection.prepare("SELECT request, answer FROM alfred_ops WHERE op = :op");
  if (!statement) return Unexpected(std::move(statement).error());
  const Param params[] = {{"op", std::string(op.view())}};
  if (Result<void> bound = statement->bind_named(params); !bound)
    return Unexpected(std::move(bound).error());
  Result<bool> has_row = statement->step();
  if (!has_row) return Unexpected(std::move(has_row).error());
  if (!*has_row) return std::optional<KeptAnswer>();
  const Value request = statement->cell(0);
  const Value answer = statement->cell(1);
  if (!std::holds_alternative<std::string>(request) || !std::holds_alternative<std::string>(answer))
    return fail(ErrorCode::corrupt, "A kept answer is no text. The database file is damaged.");
  return std::optional(KeptAnswer{std::get<std::string>(request), std::get<std::string>(answer)});
}

}  // namespace alfred
