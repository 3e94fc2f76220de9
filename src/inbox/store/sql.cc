#include "inbox/store/sql.h"

#include "base/time/clock.h"

namespace alfred::inbox {
namespace {

constexpr Statement kRenew("UPDATE alfred_inbox_counters SET value = :value WHERE name = :name");

constexpr Statement kMoreSequences(
    "UPDATE alfred_inbox_counters SET value = value + :more WHERE name = 'sequence'");

}  // namespace

std::string text_at(const Row& row, std::size_t at) {
  const auto* const text = std::get_if<std::string>(&row.at(at));
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_at(const Row& row, std::size_t at) {
  if (const auto* const number = std::get_if<std::int64_t>(&row.at(at))) return *number;
  // PostgreSQL gives sums and counts of counts as exact numbers in text.
  if (const auto* const text = std::get_if<std::string>(&row.at(at)))
    return std::strtoll(text->c_str(), nullptr, 10);
  return 0;
}

Json json_at(const Row& row, std::size_t at) {
  Result<Json> json = parse_json(text_at(row, at), JsonLimits::none());
  return json ? std::move(*json) : Json();
}

Json time_at(const Row& row, std::size_t at) {
  if (is_null_at(row, at)) return {};
  return Json(rfc3339_utc(number_at(row, at)));
}

Json maybe_at(const Row& row, std::size_t at) {
  if (is_null_at(row, at)) return {};
  return Json(text_at(row, at));
}

std::vector<Row> Sql::all(const Statement& statement, Binds binds) {
  if (error_) return {};
  Result<std::vector<Row>> rows = tx_.run(statement, Params(binds.begin(), binds.size()));
  if (rows) return std::move(*rows);
  keep(rows.error());
  return {};
}

std::optional<Row> Sql::first(const Statement& statement, Binds binds) {
  std::vector<Row> rows = all(statement, binds);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

std::int64_t Sql::change(const Statement& statement, Binds binds) {
  if (error_) return 0;
  const Result<std::uint64_t> changed = tx_.execute(statement, Params(binds.begin(), binds.size()));
  if (changed) return static_cast<std::int64_t>(*changed);
  keep(changed.error());
  return 0;
}

std::int64_t Sql::number(const Statement& statement, Binds binds) {
  const std::optional<Row> row = first(statement, binds);
  return row ? number_at(*row, 0) : 0;
}

void Sql::renew(std::string_view counter) {
  const auto value = static_cast<std::int64_t>(random_.next_u64() >> 1U);
  change(kRenew, {{"value", value}, {"name", text_value(counter)}});
}

void Sql::count_sequence() { change(kMoreSequences, {{"more", std::int64_t{1}}}); }

std::int64_t Sql::next_sequence() {
  if (!sequence_) count_sequence();
  sequence_ = sequence_ ? *sequence_ + 1 : 0;
  return *sequence_;
}

void Sql::settle_sequence() {
  if (sequence_ && *sequence_ > 0) change(kMoreSequences, {{"more", *sequence_}});
  sequence_.reset();
}

void Sql::keep(const Error& error) {
  if (!error_) error_ = error;
}

Result<void> Sql::result() {
  settle_sequence();
  if (error_) return Unexpected(*error_);
  return {};
}

Result<void> Sql::part(const std::function<Result<void>()>& part) {
  settle_sequence();
  if (error_) return Unexpected(*error_);
  Result<void> done = tx_.savepoint([&]() -> Result<void> {
    Result<void> ran = part();
    return ran ? result() : ran;
  });
  if (!done) error_.reset();
  sequence_.reset();  // it was settled, or undone
  return done;
}

Result<bool> Sql::try_insert(const Statement& insert, Params params) {
  if (error_) return Unexpected(*error_);
  const Result<std::uint64_t> inserted = tx_.execute(insert, params);
  if (!inserted) return Unexpected(inserted.error());
  return *inserted > 0;
}

}  // namespace alfred::inbox
