#include "records/rows_output.h"

#include <cstring>

namespace alfred {

bool RowsOutput::replace(const char* from, const char* upto, std::string_view with) {
  if (!settle()) return false;
  writer_.replace(from, upto, with);
  return true;
}

bool RowsOutput::settle() {
  std::array<KeyStore::Hint, kMostWaiting> hints;
  std::size_t keys = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (waiting_[i].kind != Kind::same_link) hints[keys++] = waiting_[i].hint;
  registry_.keys().bring_near(std::span(hints).first(keys));
  for (std::size_t i = 0; i < count_; ++i)
    if (!settle_one(waiting_[i])) return false;
  settle_labels();
  count_ = 0;
  return true;
}

void RowsOutput::settle_labels() {
  for (std::size_t i = 0; i < ended_count_; ++i) {
    const Ended& row = ended_[i];
    const bool has_waited = row.waiting >= 0;
    registry_.set_label(
        has_waited ? waiting_[static_cast<std::size_t>(row.waiting)].entity : row.entity,
        row.label);
  }
  ended_count_ = 0;
}

bool RowsOutput::settle_one(Waiting& waiting) {
  if (waiting.kind == Kind::same_link) {
    writer_.replace(waiting.from, waiting.upto,
                    {waiting.column->last_ref, waiting.column->last_ref_size});
    return true;
  }
  const bool is_own = waiting.kind == Kind::own_key;
  const Result<EntityNo> entity =
      is_own ? registry_.register_read(waiting.type, waiting.key, waiting.hint)
             : registry_.register_linked(waiting.type, waiting.key, waiting.hint);
  if (!entity) {
    error_ = entity.error();
    return false;
  }
  const std::string_view shown =
      writer_.replace_with_ref(waiting.from, waiting.upto, registry_.type_name(waiting.type),
                               registry_.keys().number(*entity));
  if (!is_own) {
    std::memcpy(waiting.column->last_ref, shown.data(), shown.size());
    waiting.column->last_ref_size = static_cast<std::uint8_t>(shown.size());
    if (registry_.status(*entity) == RefStatus::deleted) {
      met_tombstone_ = true;
      waiting.column->last_key = nullptr;
    }
    return true;
  }
  waiting.entity = *entity;
  if (waiting.row != nullptr) *waiting.row = {*entity, -1};
  return true;
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
