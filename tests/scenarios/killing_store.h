// A store whose process is killed before the insert of a number: nothing is closed, nothing is
// flushed.
#pragma once

#include <csignal>
#include <memory>
#include <utility>

#include "storage/store.h"

namespace alfred {

class KillingTx final : public Tx {
 public:
  KillingTx(Tx& inner, int& left) : inner_(inner), left_(left) {}
  Result<std::vector<Row>> select(const SelectRows& plan) override { return inner_.select(plan); }
  Result<void> scan(const SelectRows& plan,
                    const std::function<Result<bool>(const Row&)>& visit) override {
    return inner_.scan(plan, visit);
  }
  Result<Row> insert(const InsertRow& plan) override {
    if (--left_ == 0) std::raise(SIGKILL);
    return inner_.insert(plan);
  }
  Result<std::uint64_t> update(const UpdateRows& plan) override { return inner_.update(plan); }
  Result<std::uint64_t> remove(const DeleteRows& plan) override { return inner_.remove(plan); }
  Result<std::vector<ActingLink>> acting_links(const Table& table) override {
    return inner_.acting_links(table);
  }
  Result<std::uint64_t> count_acted_on(const ActingLink& link, const DeleteRows& going,
                                       const SelectRows* among) override {
    return inner_.count_acted_on(link, going, among);
  }
  Result<std::optional<std::uint64_t>> touched_so_far(const ActingLink& link) override {
    return inner_.touched_so_far(link);
  }
  Result<std::vector<Row>> run(const Statement& statement, Params params) override {
    return inner_.run(statement, params);
  }
  Result<std::uint64_t> execute(const Statement& statement, Params params) override {
    return inner_.execute(statement, params);
  }
  Result<void> savepoint(const std::function<Result<void>()>& part) override {
    return inner_.savepoint(part);
  }
  bool holds_state() const override { return inner_.holds_state(); }

 private:
  Tx& inner_;
  int& left_;
};

class KillingStore final : public RecordStore {
 public:
  // At the end of the first write that inserts less, too: its rows are committed then.
  KillingStore(std::shared_ptr<RecordStore> inner, int at) : inner_(std::move(inner)), left_(at) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    Result<std::string> done = inner_->write(call, [&](Tx& tx) {
      KillingTx killing(tx, left_);
      return closure(killing);
    });
    std::raise(SIGKILL);
    return done;
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<Catalogue> catalogue() override { return inner_->catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override {
    return inner_->query(caller, sql, tables, max_rows);
  }
  StateStore* state() override { return inner_->state(); }

 private:
  std::shared_ptr<RecordStore> inner_;
  int left_;
};

}  // namespace alfred
