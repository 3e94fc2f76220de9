// LiveSchema: the schema of a user's own database, whose tables others change while we look.
//
// R1 the same catalogue gives the same schema, the very object.
// R2 a schema that was given stays for as long as this: rows, plans and notes point into it.
// R3 any thread may call.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "pack/schema.h"
#include "storage/store.h"

namespace alfred {

class LiveSchema {
 public:
  using Made = Result<std::shared_ptr<const Schema>>;
  using Make = std::function<Made(const Catalogue&)>;

  static Result<std::shared_ptr<LiveSchema>> open(std::shared_ptr<RecordStore> rows, Make make);

  // As the database is now. Error: it cannot be read, or its tables are no schema any more; then
  // the last one still counts.
  Made now();
  // As it was when somebody last looked.
  std::shared_ptr<const Schema> last() const;

 private:
  LiveSchema(std::shared_ptr<RecordStore> rows, Make make)
      : rows_(std::move(rows)), make_(std::move(make)) {}

  std::shared_ptr<RecordStore> rows_;
  Make make_;
  mutable std::mutex mutex_;
  Catalogue catalogue_;
  std::vector<std::shared_ptr<const Schema>> all_;  // R2; the last one counts
};

}  // namespace alfred
