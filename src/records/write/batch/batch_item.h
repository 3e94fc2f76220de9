// ItemWriter: what one item of a batch does to rows. An update or delete is of the row that its
// item names, or of its `id`; one whose row is gone fails (batch_write.h, R4).
#pragma once

#include "records/write/batch/batch_rows.h"
#include "records/write/row_targets.h"
#include "records/write/row_writer.h"

namespace alfred {

class ItemWriter {
 public:
  ItemWriter(Tx& tx, RecordContext& context, const BatchRows& rows, WriteTool tool)
      : tx_(tx), context_(context), rows_(rows), tool_(tool) {}

  Result<void> write(const ItemRow& row, RowWriter& writer);

 private:
  Result<void> create(const ItemRow& row, RowWriter& writer);
  Result<void> update(const ItemRow& row, RowWriter& writer);
  Result<void> remove(const ItemRow& row, RowWriter& writer);
  Result<FoundRow> lock(const RecordKey& key);

  Tx& tx_;
  RecordContext& context_;
  const BatchRows& rows_;
  WriteTool tool_;
};

}  // namespace alfred
