// The rows of one call on a batch: each with the item it is for, in the order they are written in.
//
// R1 what batch_write.h says of rows that name no open item, or one item twice, is refused here.
// R2 of a call that changes or deletes, no two items name one row by different refs (C24).
// R3 a new row that links to another item of the call comes after it; else the order stays (B5).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "batch/manifest.h"
#include "records/record_context.h"
#include "records/write/write_call.h"

namespace alfred {

struct ItemRow {
  std::string item;
  const JsonObject* row;  // with the name of its item
  std::string path;
};

class BatchRows {
 public:
  // The rows point into the parameters.
  static Result<BatchRows> read(const RecordContext& context, const BatchManifest& manifest,
                                WriteTool tool, const Json& params);

  const Table& table() const { return *table_; }
  const std::vector<ItemRow>& rows() const { return rows_; }
  bool is_dry_run() const { return is_dry_run_; }
  bool has_parents() const { return has_parents_; }  // some of them link to others
  // The items of this call that a row links to.
  std::vector<std::string> parents_of(const ItemRow& row) const;
  // The row with the ref that names it: its own, or its item's.
  JsonObject named(const ItemRow& row) const;

 private:
  BatchRows(const RecordContext& context, const BatchManifest& manifest)
      : context_(&context), manifest_(&manifest) {}
  Result<void> read_table(const JsonObject& params);
  Result<void> read_rows(const JsonObject& params);
  Result<ItemRow> read_row(const Json& json, const std::string& path);
  std::vector<std::string> open_items() const;
  Result<void> check_distinct() const;
  void parents_first();

  const RecordContext* context_;
  const BatchManifest* manifest_;
  const Table* table_ = nullptr;
  std::vector<ItemRow> rows_;
  bool has_parents_ = false;
  bool is_dry_run_ = false;
  std::set<std::string, std::less<>> named_;  // the items of rows_
};

}  // namespace alfred
