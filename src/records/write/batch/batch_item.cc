#include "records/write/batch/batch_item.h"

#include <utility>

#include "records/write/write_steps.h"

namespace alfred {

Result<FoundRow> ItemWriter::lock(const RecordKey& key) {
  Result<std::vector<FoundRow>> found = lock_targets(tx_, targets_of_keys(rows_.table(), {key}));
  if (!found) return Unexpected(std::move(found).error());
  if (found->empty())
    return fail(ErrorCode::ref_unknown, "Its row is not there any more. Read again.");
  return std::move(found->front());
}

Result<void> ItemWriter::create(const ItemRow& row, RowWriter& writer) {
  Result<NewRow> created = PayloadReader(context_).item_row(rows_.table(), *row.row, row.path);
  if (!created) return Unexpected(created.error());
  if (Result<void> there = writer.check_links({&*created, 1}); !there) return there;
  return writer.create({&*created, 1});
}

Result<void> ItemWriter::update(const ItemRow& row, RowWriter& writer) {
  const Result<NamedChange> change =
      read_named_change(context_, rows_.table(), rows_.named(row), row.path);
  if (!change) return Unexpected(change.error());
  if (Result<void> there = writer.check_links(rows_.table(), change->values, row.path); !there)
    return there;
  const Result<FoundRow> found = lock(change->key);
  if (!found) return Unexpected(found.error());
  if (change->version)
    if (Result<void> fresh = check_version(context_, rows_.table(), found->row, *change->version);
        !fresh)
      return fresh;
  return writer.change(rows_.table(), change->key, found->row, change->values);
}

Result<void> ItemWriter::remove(const ItemRow& row, RowWriter& writer) {
  const JsonObject object = rows_.named(row);
  const std::string_view member = row_name_member(rows_.table(), object);
  if (object.size() > 1)
    return fail(ErrorCode::schema, "A row to delete has its ref and nothing else.", row.path);
  const Result<RecordKey> key = target_of_ref(context_, rows_.table(), object.at(member), row.path);
  if (!key) return Unexpected(key.error());
  Result<FoundRow> found = lock(*key);
  if (!found) return Unexpected(std::move(found).error());
  return delete_with_dependents(tx_, context_, writer, rows_.table(), {std::move(*found)});
}

Result<void> ItemWriter::write(const ItemRow& row, RowWriter& writer) {
  if (tool_ == WriteTool::create) return create(row, writer);
  return tool_ == WriteTool::update ? update(row, writer) : remove(row, writer);
}

}  // namespace alfred
