// The ports to a database. RecordStore holds users' rows, StateStore our own records; a database of
// ours is both at once, and then one transaction reaches both.
//
// R1 a write is a closure on a Tx. It may run more than once (PostgreSQL asks for that on a conflict)
//    and on another thread, so it changes nothing but through Tx and what it returns.
// R2 a closure that returns an error leaves nothing behind. A write that returns a value is durable.
// R3 an op happens once: where the store holds our state, the answer is kept under its op in the same
//    transaction; the same op again gives that answer and runs nothing; with another request
//    or from another caller it is refused (`op_reused`).
// R4 when a commit's outcome is unknown (a lost connection), it is looked up before anything is said: by its op,
//    or by what the call says tells it (WriteCall::has_happened).
// R5 no two writes run at the same time in one SQLite database, whichever processes they come from.
// R6 an op is remembered for a time and among so many (StoreOptions::ops), then forgotten.
// R7 an error of the database inside a closure undoes the part it was in, up to the innermost savepoint:
//    later calls of that part get it again, and a value returned in spite of it is not believed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "alfred/ids.h"
#include "pack/catalogue.h"
#include "storage/acting_link.h"
#include "storage/row_plans.h"
#include "storage/statement.h"
#include "storage/value.h"

namespace alfred {

using OpId = ShortId<IdKind::operation>;

// On whose behalf: the value of owner columns. It comes from whoever authenticated the caller.
struct Caller {
  std::optional<std::string> user;
};

// What somebody made of a row, or of the rows of a plan, and left with it.
struct RowNote {
  RowNote() = default;
  RowNote(const RowNote&) = delete;
  RowNote& operator=(const RowNote&) = delete;
  virtual ~RowNote() = default;
};
// They hold what was left there by whoever visited last in a plan of the same fields, and may be
// left something else. What was left with the plan is there as long as anything left with its rows.
struct NotePlaces {
  std::unique_ptr<RowNote>& of_row;
  std::unique_ptr<RowNote>& of_plan;
};
// `notes` is null where the row is not kept. One that is kept stays where it is until the Tx is
// asked for something else.
using NotedFn = std::function<Result<bool>(const Row&, NotePlaces* notes)>;

// What a closure may do. Valid only inside it.
class Tx {
 public:
  virtual ~Tx() = default;

  // Users' rows. An error `storage` in a store that holds none.
  virtual Result<std::vector<Row>> select(const SelectRows& plan) = 0;
  // The same, a row at a time, until visit returns false or an error.
  virtual Result<void> scan(const SelectRows& plan,
                            const std::function<Result<bool>(const Row&)>& visit) = 0;
  // How many rows scan() would visit, of a plan without limit and place to go on from.
  virtual Result<std::uint64_t> count(const SelectRows& plan);
  // As scan(), for who looks through all rows of a table again and again: a store may keep them,
  // and notes with them, from one transaction to the next, as long as it knows that they are the
  // same. The visit asks nothing of this Tx.
  virtual Result<void> scan_noted(const SelectRows& plan, const NotedFn& visit);
  virtual Result<Row> insert(const InsertRow& plan) = 0;
  // All of them in their order, as insert() would one after the other, but for the time it takes
  // where the database is far. On an error failed_at is the place of the one that failed. What the
  // plans' values are afterwards is open: they may have moved into the rows.
  virtual Result<std::vector<Row>> insert_all(std::span<InsertRow> plans, std::size_t& failed_at);
  // Whether the database itself refuses rows of this table whose link leads nowhere, at the latest
  // when the savepoint ends that they are written in. False where that is not known.
  virtual bool refuses_bad_links(const Table&, const Field& /*link*/, const Table& /*target*/) {
    return false;
  }
  virtual Result<std::uint64_t> update(const UpdateRows& plan) = 0;  // how many rows
  virtual Result<std::uint64_t> remove(const DeleteRows& plan) = 0;

  // What the database does by itself when rows of this table go or change.
  virtual Result<std::vector<ActingLink>> acting_links(const Table&) {
    return std::vector<ActingLink>();
  }
  // How many rows a readable link of them would act on when the rows of `going` go, or change where
  // it leads to, whoever owns them; with `among`, a plan on the link's table: how many of those
  // that it selects.
  virtual Result<std::uint64_t> count_acted_on(const ActingLink&, const DeleteRows& /*going*/,
                                               const SelectRows* /*among*/) {
    return std::uint64_t{0};
  }
  // How many rows of the link's table this transaction deleted or changed so far, or the database
  // by itself, seen or not. Nothing where that is not known.
  virtual Result<std::optional<std::uint64_t>> touched_so_far(const ActingLink&) {
    return std::optional<std::uint64_t>();
  }

  // Our own tables. An error `storage` on a database that is not ours.
  virtual Result<std::vector<Row>> run(const Statement& statement, Params params = {}) = 0;
  // One that gives no rows: how many it inserted, changed or removed.
  virtual Result<std::uint64_t> execute(const Statement& statement, Params params = {}) = 0;

  // Runs `part`; when it returns an error everything it did is undone, and the error comes back;
  // the transaction goes on. May be nested.
  virtual Result<void> savepoint(const std::function<Result<void>()>& part) = 0;

  virtual bool holds_state() const = 0;
};

inline Result<std::uint64_t> Tx::count(const SelectRows& plan) {
  std::uint64_t count = 0;
  const Result<void> done = scan(plan, [&](const Row&) -> Result<bool> {
    ++count;
    return true;
  });
  if (!done) return Unexpected(done.error());
  return count;
}

inline Result<void> Tx::scan_noted(const SelectRows& plan, const NotedFn& visit) {
  return scan(plan, [&](const Row& row) { return visit(row, nullptr); });
}

inline Result<std::vector<Row>> Tx::insert_all(std::span<InsertRow> plans, std::size_t& failed_at) {
  std::vector<Row> rows;
  rows.reserve(plans.size());
  for (failed_at = 0; failed_at < plans.size(); ++failed_at) {
    Result<Row> row = insert(plans[failed_at]);
    if (!row) return Unexpected(std::move(row).error());
    rows.push_back(std::move(*row));
  }
  return rows;
}

struct WriteCall {
  // None: not repeated by anybody, so not remembered.
  std::optional<OpId> op;
  std::string request;  // what is asked, canonical: tells a repeated op from a reused one
  Caller caller;
  // For a call without an op whose rows tell by themselves that it was committed: reads whether
  // they are there. Without either an unknown outcome is an error.
  std::function<Result<bool>(Tx&)> has_happened = {};
};

// What is kept of a call beside its answer: who asked and what, so that nobody gets another's
// answer. A long one is kept by its digest: it is only ever compared.
std::string kept_request(const WriteCall& call);

using WriteFn = std::function<Result<std::string>(Tx&)>;  // the answer, kept under the op
using ReadFn = std::function<Result<void>(Tx&)>;

// Whether writes work, as far as the last one tells. Reads go on when they do not.
struct StoreHealth {
  bool is_writable = true;
  std::string reason;  // why not
};

class StateStore {
 public:
  virtual ~StateStore() = default;
  virtual Result<std::string> write(const WriteCall& call, const WriteFn& closure) = 0;
  // A consistent view: nothing that is committed meanwhile shows. Writing in it is an error.
  virtual Result<void> read(const Caller& caller, const ReadFn& closure) = 0;
  // The same for a few rows that were written lately: it may go between two writes, whose pages are
  // at hand, and writes may wait for it.
  virtual Result<void> read_briefly(const Caller& caller, const ReadFn& closure) {
    return read(caller, closure);
  }
  // What an op answered, if it happened.
  virtual Result<std::optional<std::string>> answer_of(OpId op) = 0;
  virtual StoreHealth health() const { return {}; }
};

// A database of ours that is being made: nobody else sees it, and there is none when anything
// fails.
class NewDatabase {
 public:
  virtual ~NewDatabase() = default;
  virtual Result<Catalogue> catalogue() = 0;
  virtual Result<void> put(const Caller& caller, const std::function<Result<void>(Tx&)>& rows) = 0;
};

struct QueryColumn {
  std::string name;
  std::string table;  // where its values come from; empty: computed
  std::string column;
};
struct QueryRows {
  std::vector<QueryColumn> columns;
  std::vector<Row> rows;
  bool is_truncated = false;
};

class RecordStore {
 public:
  virtual ~RecordStore() = default;
  virtual Result<std::string> write(const WriteCall& call, const WriteFn& closure) = 0;
  virtual Result<void> read(const Caller& caller, const ReadFn& closure) = 0;
  virtual Result<Catalogue> catalogue() = 0;
  // One SELECT as the caller wrote it, on a connection that can only read, within the store's
  // budget of work; at most max_rows. `tables` are those it may name. Anything else is refused.
  virtual Result<QueryRows> query(const Caller& caller, std::string_view sql,
                                  std::span<const Table* const> tables, std::size_t max_rows) = 0;
  virtual StoreHealth health() const { return {}; }
  // Our own records in the same database; null on a user's own.
  virtual StateStore* state() = 0;
};

}  // namespace alfred
