// Sql: statements on the inbox's tables inside one transaction, and the ids of new records.
//
// R1 the first error of the database is kept; later statements do nothing and give no rows. Whoever
//    runs the transaction asks result() once, at the end, so that the code between reads as what it
//    does.
// R2 a new record is stored under exactly the id that add() gives; a taken id is answered with another
//    (base/ids/mint.h). The statement has :id, ends in `ON CONFLICT (id) DO NOTHING`, and nothing
//    else of it may conflict.
// R3 what only has to be counted is counted: RETURNING makes SQLite keep the rows in a table of their own first.
// R4 the sequences of many entries take one change of their counter, and one more at the end: the first is counted up, which
//    holds the counter, and the others are counted from it.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/random.h"
#include "base/ids/mint.h"
#include "base/json/json.h"
#include "storage/store.h"

namespace alfred::inbox {

inline Value text_value(std::string_view text) { return Value(std::string(text)); }
inline Value maybe_value(const std::optional<std::string>& text) {
  return text ? Value(*text) : Value();
}
inline Value maybe_value(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value();
}

// Cells of a row; what is not of the type is empty or 0.
std::string text_at(const Row& row, std::size_t at);
std::int64_t number_at(const Row& row, std::size_t at);
inline bool is_null_at(const Row& row, std::size_t at) { return is_null(row.at(at)); }
Json json_at(const Row& row, std::size_t at);   // the JSON text in a cell; null when there is none
Json time_at(const Row& row, std::size_t at);   // an instant as people read it, or null
Json maybe_at(const Row& row, std::size_t at);  // text or null

class Sql {
 public:
  using Binds = std::initializer_list<Param>;

  // ids: where the ids of new records are drawn from (near_random.h); random: everything else.
  Sql(Tx& tx, Random& random, Random& ids, std::int64_t now_ms)
      : tx_(tx), random_(random), ids_(ids), now_ms_(now_ms) {}
  Sql(Tx& tx, Random& random, std::int64_t now_ms) : Sql(tx, random, random, now_ms) {}
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  std::int64_t now_ms() const { return now_ms_; }
  Random& random() { return random_; }

  std::vector<Row> all(const Statement& statement, Binds binds = {});
  std::optional<Row> first(const Statement& statement, Binds binds = {});
  // Of a statement without RETURNING: how many rows it inserted, changed or removed.
  std::int64_t change(const Statement& statement, Binds binds = {});
  std::int64_t number(const Statement& statement, Binds binds = {});  // of the first cell

  // All parameters but :id, which are taken from the list, not copied.
  template <IdKind K, std::size_t N>
  std::string add(const Statement& insert, Param (&&binds)[N]) {
    std::array<Param, N + 1> params = with_id(std::move(binds));
    const Result<ShortId<K>> id = mint<K>(ids_, [&](const ShortId<K>& made) {
      params[N].value = text_value(made.view());
      return try_insert(insert, params);
    });
    return stored_id(id);
  }
  template <std::size_t N>
  std::string add_agent(const Statement& insert, Param (&&binds)[N]) {
    std::array<Param, N + 1> params = with_id(std::move(binds));
    const Result<AgentId> id = mint_agent_id(random_, [&](const AgentId& made) {
      params[N].value = text_value(made.view());
      return try_insert(insert, params);
    });
    return stored_id(id);
  }

  // Gives a counter of alfred_inbox_counters a number that it never had, so that what was kept
  // under another one is old, also where the transaction that gave that one was undone.
  void renew(std::string_view counter);
  std::int64_t next_sequence();  // how far behind the counter's number the next entry's is (R4)
  void keep(const Error& error);
  bool has_failed() const { return error_.has_value(); }
  Result<void> result();
  // Runs a part; what fails in it is undone and forgotten here, and comes back.
  Result<void> part(const std::function<Result<void>()>& part);

 private:
  template <std::size_t N>
  static std::array<Param, N + 1> with_id(Param (&&binds)[N]) {
    std::array<Param, N + 1> out;
    std::move(std::begin(binds), std::end(binds), out.begin());
    out[N].name = "id";
    return out;
  }
  template <class Id>
  std::string stored_id(const Result<Id>& id) {
    if (id) return std::string(id->view());
    keep(id.error());
    return {};
  }
  Result<bool> try_insert(const Statement& insert, Params params);
  void settle_sequence();
  void count_sequence();

  Tx& tx_;
  Random& random_;
  Random& ids_;
  std::int64_t now_ms_;
  std::optional<std::int64_t> sequence_;  // what next_sequence() gave last
  std::optional<Error> error_;
};

}  // namespace alfred::inbox
