// For tests only: places of every kind for moves of a turn, stores that fail or run closures twice,
// and steps that make a list of calls.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/place_for_tests.h"
#include "engine/session/session_store.h"
#include "pack/derive.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

enum class MovePlace : std::uint8_t { sqlite, postgres, apart };

// A store that fails after the closure of the write of a number, or runs each closure twice and
// undoes the first run, as PostgreSQL does on a conflict.
class TroubledRows final : public RecordStore {
 public:
  struct Trouble {
    int fails_at = 0;  // 0: never
    bool runs_twice = false;
  };
  TroubledRows(std::unique_ptr<RecordStore> inner, Trouble trouble)
      : inner_(std::move(inner)), trouble_(trouble) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    const bool fails = ++writes_ == trouble_.fails_at;
    return inner_->write(call, [&](Tx& tx) -> Result<std::string> {
      if (trouble_.runs_twice) {
        const Result<void> undone = tx.savepoint([&]() -> Result<void> {
          (void)closure(tx);
          return fail(ErrorCode::conflict, "once more");
        });
        EXPECT_FALSE(undone);
      }
      Result<std::string> answer = closure(tx);
      if (answer && fails) return fail(ErrorCode::storage, "the disk is gone");
      return answer;
    });
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<Catalogue> catalogue() override { return inner_->catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t most) override {
    return inner_->query(caller, sql, tables, most);
  }
  StateStore* state() override { return inner_->state(); }
  int writes() const { return writes_; }

 private:
  std::unique_ptr<RecordStore> inner_;
  Trouble trouble_;
  int writes_ = 0;
};

// The books of OwnDatabase, where rows and state share a database or where they do not.
class PlaceOfMoves {
 public:
  explicit PlaceOfMoves(MovePlace kind) : kind_(kind) {
    if (kind == MovePlace::postgres) url_ = PostgresForTests::server().fresh_database();
  }
  bool is_shared() const { return kind_ != MovePlace::apart; }

  std::unique_ptr<RecordService> open(TroubledRows::Trouble trouble = {}) {
    if (kind_ == MovePlace::apart) return own_.open(trouble.fails_at);
    const StateTables tables[] = {workspace_tables(), open_call_tables(), session_tables()};
    StoreOptions options;
    options.is_ours = true;
    options.tables = tables;
    options.packs.push_back(OwnDatabase::pack());
    const std::string url = kind_ == MovePlace::postgres ? url_ : "sqlite:" + own_.shared_file();
    Result<std::unique_ptr<RecordStore>> rows =
        open_records(parse_database_url(url).value(), options);
    EXPECT_TRUE(rows) << rows.error().message << rows.error().detail;
    RecordPlace place;
    place.schema = std::make_shared<Schema>(derive_schema((*rows)->catalogue().value()).value());
    auto troubled = std::make_unique<TroubledRows>(std::move(*rows), trouble);
    rows_ = troubled.get();
    place.rows = std::move(troubled);
    place.workspace = {"moves", "books", ""};
    Result<std::unique_ptr<RecordService>> service =
        RecordService::open(std::move(place), clock_, random_);
    EXPECT_TRUE(service) << service.error().message << service.error().detail;
    return std::move(*service);
  }
  const TroubledRows& rows() const { return *rows_; }  // of the last that was opened

 private:
  MovePlace kind_;
  OwnDatabase own_;
  std::string url_;
  SystemClock clock_;
  OsRandom random_;
  TroubledRows* rows_ = nullptr;
};

// Starts a turn (or goes on with the one that is there) that makes these calls one after the other,
// then ends it.
class ScriptedSteps final : public MoveSteps {
 public:
  explicit ScriptedSteps(std::vector<RecordCall> calls, Changes first = {})
      : script_(std::move(calls)), first_(std::move(first)) {}

  Result<TurnMove> begin(SessionState& state, std::int64_t place) override {
    ++begins;
    begun_at = place;
    outcomes.clear();
    TurnMove move;
    if (!state.facts.running) {
      tell(state, move,
           TurnStarted{.id = fmt::format("trn_{:012}", state.facts.turn + 1),
                       .turn = state.facts.turn + 1,
                       .message = "message"});
      for (const Change& change : first_) tell(state, move, change);
      make_call(state, move);
    } else {
      move.calls = state.facts.running->open_calls;
    }
    return end(state, std::move(move));
  }
  Result<TurnMove> outcome(SessionState& state, CallOutcome outcome) override {
    TurnMove move;
    outcomes.push_back(outcome.answer ? write_json(*outcome.answer) : outcome.error->code);
    tell(state, move, CallDone{ToolResult{.call = outcome.call}});
    tell(state, move, DashboardRead{outcomes.back() + "\n"});
    make_call(state, move);
    return end(state, std::move(move));
  }
  Result<void> keep(Tx& tx, const TurnMove& move) override {
    EXPECT_TRUE(tx.holds_state());
    kept += move.changes.size();
    return {};
  }

  std::vector<std::string> outcomes;
  std::int64_t begun_at = -1;
  int begins = 0;
  std::size_t kept = 0;

 private:
  static void tell(SessionState& state, TurnMove& move, Change change) {
    const Result<void> applied = apply_change(state, change);
    EXPECT_TRUE(applied) << applied.error().message;
    move.changes.push_back(std::move(change));
  }
  void make_call(SessionState& state, TurnMove& move) {
    const std::uint32_t next = state.facts.running->calls;
    if (next >= script_.size()) return;
    RecordCall call = script_[next];
    call.id = next + 1;
    call.purpose = CallPurpose::dashboard;
    tell(state, move, CallMade{call});
    move.calls.push_back(std::move(call));
  }
  static TurnMove end(SessionState& state, TurnMove move) {
    if (!state.facts.running->open_calls.empty()) return move;
    tell(state, move, Replied{"Done."});
    tell(state, move, TurnEnded{});
    move.is_finished = true;
    return move;
  }

  std::vector<RecordCall> script_;
  Changes first_;
};

inline RecordCall call_for_tests(std::string tool, std::string_view params,
                                 std::optional<std::string> batch = {}) {
  return {.tool = std::move(tool), .params = json_for_tests(params), .batch = std::move(batch)};
}

}  // namespace alfred
