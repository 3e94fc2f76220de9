// A store that counts the transactions that are written through it.
#pragma once

#include <memory>
#include <utility>

#include "storage/store.h"

namespace alfred::bench {

class CountingStore final : public RecordStore, public StateStore {
 public:
  explicit CountingStore(std::shared_ptr<RecordStore> inner) : inner_(std::move(inner)) {}
  int commits() const { return commits_; }

  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    ++commits_;
    return inner_->write(call, closure);
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<std::optional<std::string>> answer_of(OpId op) override {
    return inner_->state()->answer_of(op);
  }
  Result<Catalogue> catalogue() override { return inner_->catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override {
    return inner_->query(caller, sql, tables, max_rows);
  }
  StoreHealth health() const override { return inner_->health(); }
  StateStore* state() override { return this; }

 private:
  std::shared_ptr<RecordStore> inner_;
  int commits_ = 0;
};

}  // namespace alfred::bench
