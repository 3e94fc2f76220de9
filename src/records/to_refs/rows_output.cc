#include "records/to_refs/rows_output.h"

#include <algorithm>
#include <span>

namespace alfred {
namespace {

// A text is long when growing a registry step by step costs more than a look at its first part.
constexpr std::size_t kLongText = std::size_t{4} << 20;
constexpr std::size_t kFirstPart = std::size_t{1} << 20;
constexpr std::size_t kUuidSize = 38;  // with its quotes; no other key that waits has as many bytes

}  // namespace

bool RowsOutput::replace(const char* from, const char* upto, std::string_view with) {
  if (!settle()) return false;
  writer_.replace(from, upto, with);
  return true;
}

bool RowsOutput::settle() {
  if (free_ == waiting_.data()) {
    settle_labels();
    return true;
  }
  if (!enter_all()) return false;
  write_all();
  settle_labels();
  const char* const last = free_[-1].from;
  free_ = waiting_.data();
  if (!has_looked_ahead_) expect_more(last);
  return true;
}

void RowsOutput::bring_near() const {
  std::array<KeyStore::Hint, kMostWaiting> hints;
  std::size_t count = 0;
  for (const Waiting* waiting = waiting_.data(); waiting != free_; ++waiting)
    if (waiting->kind <= Kind::link) hints[count++] = waiting->hint;
  for (std::size_t i = 0; i < count; i += KeyStore::kMostHints)
    registry_.keys().bring_near(
        std::span(hints).subspan(i, std::min(KeyStore::kMostHints, count - i)));
}

// Finds out how the refs of all that wait end.
bool RowsOutput::enter_all() {
  // What is new is found to be so in the index, whose memory was asked for when its key was met;
  // only what is known leads further.
  if (knows_most_) bring_near();
  const EntityNo known = registry_.size();
  Waiting* const end = free_;
  std::size_t keys = 0;
  for (Waiting* waiting = waiting_.data(); waiting != end; ++waiting) {
    ColumnPlan& column = *waiting->column;
    if (waiting->kind <= Kind::link) {
      ++keys;
      if (!enter(*waiting)) return false;
    } else if (waiting->kind == Kind::known_link) {
      column.last_end = waiting->text.end;
    } else {
      waiting->text.end = column.last_end;
    }
  }
  knows_most_ = (registry_.size() - known) * 2 < keys;
  return true;
}

[[gnu::noinline]] void RowsOutput::write_all() {
  const Waiting* const end = free_;
  RefWriter::Run run =
      writer_.start_run(end[-1].from, static_cast<std::size_t>(end - waiting_.data()));
  for (const Waiting* waiting = waiting_.data(); waiting != end; ++waiting) {
    run.copy_upto(waiting->from);
    run.put(waiting->column->ref_start, waiting->text.end);
    run.go_on_at(waiting->from + waiting->size);
  }
  writer_.end_run(run);
}

// Registers a key, and says how its ref ends.
[[gnu::always_inline]] inline bool RowsOutput::enter(Waiting& waiting) {
  ColumnPlan& column = *waiting.column;
  const bool is_own = waiting.kind == Kind::own_key;
  const EntityNo entity = registry_.enter(column.type, waiting.text.key, waiting.hint, is_own);
  if (entity == kNoEntity) [[unlikely]] {
    error_ = registry_.no_room();
    return false;
  }
  const std::uint32_t number = registry_.keys().number(entity);
  // Rows that are new get numbers in a row.
  const bool is_next = is_own && number == column.next_number;
  const RefEnd end = is_next ? column.last_end.next(number) : RefEnd::of(number);
  waiting.text.end = column.last_end = end;
  if (!is_own) {
    met_tombstone_ |= registry_.status(entity) == RefStatus::deleted;
    if (waiting.size == kUuidSize) column.links.put(waiting.from + 1, end);
    return true;
  }
  column.next_number = number + 1;
  if (waiting.row.open != nullptr) *waiting.row.open = {entity, -1};
  waiting.row.entity = entity;
  return true;
}

void RowsOutput::settle_labels() {
  for (std::size_t i = 0; i < ended_count_; ++i) {
    const auto& [label, row] = ended_[i];
    const EntityNo entity =
        row.waiting < 0 ? row.entity : waiting_[static_cast<std::size_t>(row.waiting)].row.entity;
    registry_.set_label(entity, label, static_cast<std::size_t>(writer_.end() - label.data()));
  }
  ended_count_ = 0;
}

bool RowsOutput::text_key(RowEntity* row, ColumnPlan& column, const KeyView& key, const char* from,
                          const char* upto) {
  if (!settle()) return false;
  const Result<EntityNo> entity = row != nullptr ? registry_.register_read(column.type, key)
                                                 : registry_.register_linked(column.type, key);
  if (!entity) {
    error_ = entity.error();
    return false;
  }
  if (row != nullptr)
    *row = {*entity, -1};
  else
    met_tombstone_ |= registry_.status(*entity) == RefStatus::deleted;
  RefWriter::Run run = writer_.start_run(from, 1);
  run.copy_upto(from);
  run.put(column.ref_start, RefEnd::of(registry_.number(column.type, *entity)));
  run.go_on_at(upto);
  writer_.end_run(run);
  return true;
}

// What the first part of a long text holds, the rest of it will hold as well: the registry grows
// once instead of over and over.
void RowsOutput::expect_more(const char* at) {
  const auto text = static_cast<std::size_t>(writer_.end() - begin_);
  const auto read = static_cast<std::size_t>(at - begin_);
  if (text >= kLongText && read < kFirstPart) return;
  has_looked_ahead_ = true;
  if (text >= kLongText)
    registry_.reserve(known_ + (registry_.size() - known_) * (text / kFirstPart + 1));
}

bool RowsOutput::settle_before_fault() {
  for (Waiting* waiting = waiting_.data(); waiting != free_; ++waiting) waiting->row.open = nullptr;
  return settle();
}

bool RowsOutput::copy_upto(const char* at, std::size_t& out_at) {
  if (!settle()) return false;
  writer_.copy_upto(at);
  out_at = writer_.out_size();
  return true;
}

bool RowsOutput::finish() {
  if (!settle()) return false;
  writer_.finish();
  return true;
}

}  // namespace alfred
