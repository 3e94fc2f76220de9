// A store that fails when it is told to: before a write begins, or after all of it ran and before
// it is committed.
#pragma once

#include <memory>
#include <utility>

#include "storage/store.h"

namespace alfred {

class FailingStore final : public RecordStore, public StateStore {
 public:
  explicit FailingStore(std::shared_ptr<RecordStore> inner) : inner_(std::move(inner)) {}

  void fail_next(bool is_late) {
    is_failing_ = true;
    is_late_ = is_late;
  }

  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    if (!std::exchange(is_failing_, false)) return inner_->write(call, closure);
    if (!is_late_) return fail(ErrorCode::storage, "the disk is gone");
    return inner_->write(call, [&](Tx& tx) -> Result<std::string> {
      Result<std::string> done = closure(tx);
      if (!done) return done;
      return fail(ErrorCode::storage, "the disk is full");
    });
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
  bool is_failing_ = false;
  bool is_late_ = false;
};

}  // namespace alfred
