#include "storage/postgres/pg_session.h"

#include <poll.h>

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/stop_scope.h"
#include "base/utf8.h"
#include "storage/postgres/pq_calls.h"

namespace alfred {
namespace {

constexpr std::size_t kMaxPrepared = 256;

// A message may quote a value, however long it is.
std::string field_of(const PGresult* result, int code) {
  constexpr std::size_t kMostFaultBytes = 1000;
  const char* text = pq().PQresultErrorField(result, code);
  return text == nullptr ? std::string() : std::string(cut_utf8(text, kMostFaultBytes));
}

PgFault fault_of(const PGresult* result) {
  PgFault fault;
  fault.state = field_of(result, PG_DIAG_SQLSTATE);
  fault.message = field_of(result, PG_DIAG_MESSAGE_PRIMARY);
  fault.schema = field_of(result, PG_DIAG_SCHEMA_NAME);
  fault.table = field_of(result, PG_DIAG_TABLE_NAME);
  fault.column = field_of(result, PG_DIAG_COLUMN_NAME);
  fault.constraint = field_of(result, PG_DIAG_CONSTRAINT_NAME);
  return fault;
}

// An administrator, a crash or a shutdown ended the session: it will give no more answers.
bool ends_session(const std::string& state) {
  return state == "57P01" || state == "57P02" || state == "57P03" || state == "57P05" ||
         state.starts_with("08");
}

bool is_answer(ExecStatusType status) {
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

std::string without(std::string text, std::string_view secret) {
  for (std::size_t at = 0; !secret.empty() && (at = text.find(secret, at)) != std::string::npos;)
    text.replace(at, secret.size(), "***");
  return text;
}

// What libpq says of a failed connection; of a URL that does not parse nothing, since it quotes it.
PgFault connect_fault(PGconn* connection, const std::string& url) {
  PgFault fault;
  fault.state = "08001";
  PQconninfoOption* options = pq().PQconninfoParse(url.c_str(), nullptr);
  if (options == nullptr) {
    fault.message = "the URL does not parse";
    return fault;
  }
  fault.message = pq().PQerrorMessage(connection);
  for (const PQconninfoOption* one = options; one->keyword != nullptr; ++one)
    if (std::string_view(one->keyword).find("password") != std::string_view::npos &&
        one->val != nullptr)
      fault.message = without(fault.message, one->val);
  pq().PQconninfoFree(options);
  return fault;
}

void ignore_notice(void*, const PGresult*) {}

}  // namespace

std::size_t PgRows::size() const { return static_cast<std::size_t>(pq().PQntuples(result_.get())); }
std::size_t PgRows::width() const {
  return static_cast<std::size_t>(pq().PQnfields(result_.get()));
}

std::optional<std::string_view> PgRows::cell(std::size_t row, std::size_t column) const {
  const int at = static_cast<int>(row);
  const int field = static_cast<int>(column);
  if (pq().PQgetisnull(result_.get(), at, field) != 0) return std::nullopt;
  return std::string_view(pq().PQgetvalue(result_.get(), at, field),
                          static_cast<std::size_t>(pq().PQgetlength(result_.get(), at, field)));
}

std::string PgRows::text(std::size_t row, std::size_t column) const {
  return std::string(cell(row, column).value_or(std::string_view()));
}
bool PgRows::is_true(std::size_t row, std::size_t column) const { return cell(row, column) == "t"; }
std::string PgRows::name(std::size_t column) const {
  return pq().PQfname(result_.get(), static_cast<int>(column));
}
std::uint32_t PgRows::type(std::size_t column) const {
  return pq().PQftype(result_.get(), static_cast<int>(column));
}
std::uint32_t PgRows::origin_table(std::size_t column) const {
  return pq().PQftable(result_.get(), static_cast<int>(column));
}
int PgRows::origin_column(std::size_t column) const {
  return pq().PQftablecol(result_.get(), static_cast<int>(column));
}
std::uint64_t PgRows::changed() const {
  return std::strtoull(pq().PQcmdTuples(result_.get()), nullptr, 10);
}
std::string PgRows::tag() const { return pq().PQcmdStatus(result_.get()); }

void PgSession::Closer::operator()(pg_conn* connection) const { pq().PQfinish(connection); }

PgResult<std::unique_ptr<PgSession>> PgSession::open(const std::string& url) {
  if (const Result<PqCalls>& calls = pq_calls(); !calls) {
    PgFault fault;
    fault.state = "08001";
    fault.message = calls.error().message;
    return tl::unexpected(std::move(fault));
  }
  // What the URL says comes last and so wins.
  const std::array<const char*, 9> names{
      "application_name",    "connect_timeout",  "keepalives_idle",
      "keepalives_interval", "keepalives_count", "tcp_user_timeout",
      "client_encoding",     "dbname",           nullptr};
  const std::array<const char*, 9> values{"alfred", "10",   "30",        "10",   "3",
                                          "30000",  "UTF8", url.c_str(), nullptr};
  PGconn* connection = pq().PQconnectdbParams(names.data(), values.data(), 1);
  std::unique_ptr<PgSession> session(new PgSession(connection));
  if (pq().PQstatus(connection) != CONNECTION_OK)
    return tl::unexpected(connect_fault(connection, url));
  pq().PQsetNoticeReceiver(connection, ignore_notice, nullptr);
  if (PgResult<void> ready = session->prepare_session(); !ready)
    return tl::unexpected(std::move(ready).error());
  return session;
}

// A login called alfred would have our schema first in its search path, as "$user". To compile a
// plan takes longer than what is asked here, and that of a query is made twice.
PgResult<void> PgSession::prepare_session() {
  // A database without an encoding may hold any bytes: they come as they are.
  PgResult<void> set = run_script(
      "SELECT set_config('client_encoding', CASE current_setting('server_encoding') "
      "WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END, false); SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC';"
      "SET IntervalStyle = 'postgres';"
      "SET extra_float_digits = 3; SET bytea_output = 'hex'; SET standard_conforming_strings = on;"
      "SET default_transaction_deferrable = off;"
      "SELECT set_config('jit', 'off', false) WHERE current_setting('jit', true) IS NOT NULL;"
      "SELECT set_config('synchronous_commit', 'on', false) "
      "WHERE current_setting('synchronous_commit') = 'off'");
  if (!set) return set;
  if (pq().PQenterPipelineMode(connection_.get()) != 1) return tl::unexpected(lost());
  PgResult<PgRows> path = run(
      PgCommand{"SELECT set_config('search_path', coalesce((SELECT string_agg(quote_ident(s), "
                "', ') FROM unnest(current_schemas(false)) AS s WHERE s <> 'alfred'), ''), false), "
                "a.pid::text, a.backend_start::text "
                "FROM pg_stat_activity a WHERE a.pid = pg_backend_pid()",
                {},
                false});
  if (!path) return tl::unexpected(std::move(path).error());
  if (path->size() != 1) return tl::unexpected(lost());
  search_path_ = path->text(0, 0);
  backend_pid_ = path->text(0, 1);
  backend_start_ = path->text(0, 2);
  return {};
}

bool PgSession::is_usable() const {
  return !is_broken_ && pq().PQstatus(connection_.get()) == CONNECTION_OK;
}

PgFault PgSession::lost() {
  is_broken_ = true;
  PgFault fault;
  fault.message = "the connection is lost";
  fault.is_lost = true;
  return fault;
}

void PgSession::make_room() {
  if (prepared_.size() < kMaxPrepared) return;
  prepared_.clear();
  std::vector<Sent> sent;
  if (send(PgCommand{"DEALLOCATE ALL", {}, false}, 0, sent) &&
      pq().PQpipelineSync(connection_.get()) == 1)
    (void)receive(sent);
}

bool PgSession::send(const PgCommand& command, std::size_t at, std::vector<Sent>& sent) {
  std::vector<const char*> values;
  std::vector<Oid> types;
  std::string key = command.sql;
  for (const PgParam& param : command.params) {
    values.push_back(param.text ? param.text->c_str() : nullptr);
    types.push_back(param.type);
    key += '\n';
    if (param.type != 0) key += std::to_string(param.type);
  }
  PGconn* connection = connection_.get();
  const int count = static_cast<int>(values.size());
  if (!command.is_prepared) {
    sent.push_back({{}, at});
    return pq().PQsendQueryParams(connection, command.sql.c_str(), count, types.data(),
                                  values.data(), nullptr, nullptr, 0) == 1;
  }
  const auto [place, is_new] = prepared_.try_emplace(key);
  if (is_new) {
    place->second = fmt::format("a{}", names_given_++);
    sent.push_back({key, at});
    if (pq().PQsendPrepare(connection, place->second.c_str(), command.sql.c_str(), count,
                           types.data()) != 1)
      return false;
  }
  sent.push_back({{}, at});
  return pq().PQsendQueryPrepared(connection, place->second.c_str(), count, values.data(), nullptr,
                                  nullptr, 0) == 1;
}

// What is short, such as a ROLLBACK, is waited for; so a cancellation meets what it is meant for.
void PgSession::wait_for_answer() {
  constexpr int kLookMs = 50;
  PGconn* const connection = connection_.get();
  while (stop_flag() != nullptr && is_usable() && pq().PQisBusy(connection) == 1) {
    pollfd socket{pq().PQsocket(connection), POLLIN, 0};
    const int ready = ::poll(&socket, 1, kLookMs);
    if (ready > 0 && pq().PQconsumeInput(connection) != 1) return;
    if (ready > 0 || !is_stop_wanted()) continue;
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> cancel(pq().PQgetCancel(connection),
                                                                    pq().PQfreeCancel);
    std::array<char, 256> fault{};
    if (cancel) pq().PQcancel(cancel.get(), fault.data(), static_cast<int>(fault.size()));
  }
}

std::shared_ptr<pg_result> PgSession::next() {
  wait_for_answer();
  std::shared_ptr<pg_result> result(pq().PQgetResult(connection_.get()), pq().PQclear);
  while (result != nullptr) {
    PGresult* more = pq().PQgetResult(connection_.get());
    if (more == nullptr) break;
    pq().PQclear(more);
    if (!is_usable()) break;
  }
  return result;
}

// An error may come when all answers have: time ran out while the last statement was put away.
std::optional<PgFault> PgSession::receive_end() {
  constexpr int kMostGaps = 3;
  std::optional<PgFault> fault;
  for (int gaps = 0; is_usable() && gaps < kMostGaps;) {
    const std::shared_ptr<pg_result> end(pq().PQgetResult(connection_.get()), pq().PQclear);
    const ExecStatusType status = pq().PQresultStatus(end.get());
    if (status == PGRES_PIPELINE_SYNC) break;
    if (end == nullptr)
      ++gaps;
    else if (!fault && status == PGRES_FATAL_ERROR)
      fault = fault_of(end.get());
  }
  return fault;
}

PgResult<std::vector<PgRows>> PgSession::receive(const std::vector<Sent>& sent) {
  std::vector<PgRows> answers;
  std::optional<PgFault> fault;
  for (const Sent& one : sent) {
    std::shared_ptr<pg_result> result = next();
    if (result == nullptr && !is_usable()) break;
    const bool is_good = result != nullptr && is_answer(pq().PQresultStatus(result.get()));
    if (!is_good && !one.prepares.empty()) prepared_.erase(one.prepares);
    if (!is_good && !fault && result != nullptr &&
        pq().PQresultStatus(result.get()) != PGRES_PIPELINE_ABORTED) {
      fault = fault_of(result.get());
      fault->at = one.command;
    }
    if (is_good && one.prepares.empty()) answers.emplace_back(std::move(result));
  }
  const bool is_committed = !answers.empty() && answers.back().tag() == "COMMIT";
  if (std::optional<PgFault> late = receive_end(); late && !fault && !is_committed) {
    fault = std::move(late);
    fault->at = sent.empty() ? 0 : sent.back().command;
  }
  if (!is_usable() || (fault && ends_session(fault->state))) {
    PgFault gone = lost();
    if (fault) gone = std::move(*fault);
    gone.is_lost = true;
    return tl::unexpected(std::move(gone));
  }
  if (fault) return tl::unexpected(std::move(*fault));
  return answers;
}

PgResult<std::vector<PgRows>> PgSession::run(std::span<const PgCommand> commands) {
  if (!is_usable()) return tl::unexpected(lost());
  make_room();
  std::vector<Sent> sent;
  for (std::size_t at = 0; at < commands.size(); ++at)
    if (!send(commands[at], at, sent)) return tl::unexpected(lost());
  if (pq().PQpipelineSync(connection_.get()) != 1) return tl::unexpected(lost());
  return receive(sent);
}

PgResult<PgRows> PgSession::run(const PgCommand& command) {
  PgResult<std::vector<PgRows>> answers = run(std::span(&command, 1));
  if (!answers) return tl::unexpected(std::move(answers).error());
  return std::move(answers->front());
}

PgResult<void> PgSession::run_script(const std::string& sql) {
  PGconn* connection = connection_.get();
  const bool was_pipelined = pq().PQpipelineStatus(connection) != PQ_PIPELINE_OFF;
  if (was_pipelined) pq().PQexitPipelineMode(connection);
  const std::shared_ptr<pg_result> result(pq().PQexec(connection, sql.c_str()), pq().PQclear);
  const bool is_good = result != nullptr && is_answer(pq().PQresultStatus(result.get()));
  if (was_pipelined && is_usable()) pq().PQenterPipelineMode(connection);
  if (is_good) return {};
  PgFault fault = result == nullptr ? lost() : fault_of(result.get());
  fault.is_lost = !is_usable();
  return tl::unexpected(std::move(fault));
}

PgCommand plain_command(std::string sql) { return PgCommand{std::move(sql), {}, false}; }

}  // namespace alfred
