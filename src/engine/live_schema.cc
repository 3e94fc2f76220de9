#include "engine/live_schema.h"

#include <utility>

namespace alfred {

Result<std::shared_ptr<LiveSchema>> LiveSchema::open(std::shared_ptr<RecordStore> rows, Make make) {
  std::shared_ptr<LiveSchema> live(new LiveSchema(std::move(rows), std::move(make)));
  if (const Made first = live->now(); !first) return Unexpected(first.error());
  return live;
}

LiveSchema::Made LiveSchema::now() {
  Result<Catalogue> catalogue = rows_->catalogue();
  if (!catalogue) return Unexpected(std::move(catalogue).error());
  const std::lock_guard lock(mutex_);
  if (!all_.empty() && *catalogue == catalogue_) return all_.back();
  Made made = make_(*catalogue);
  if (!made) return made;
  catalogue_ = std::move(*catalogue);
  all_.push_back(*made);
  return made;
}

std::shared_ptr<const Schema> LiveSchema::last() const {
  const std::lock_guard lock(mutex_);
  return all_.back();
}

}  // namespace alfred
