// Which rows an update or a delete means: rows named by refs, narrowed by other filters, locked.
//
// R1 at least one filter names rows by their key with = or in, where all filters must hold (D14); else
//    filter_required (C4). More refs than the cap is refused with their number (C5).
// R2 an empty in or not_in list is refused here (C6, C7), as is `similar`, which is for reading.
// R3 rows come back in the order in which they were named, with all their columns, locked until the
//    transaction ends; a row of another owner is not there.
// R4 a version that is not the row's is refused (stale).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/filter/row_filter.h"
#include "records/record_context.h"
#include "records/write/row_writer.h"

namespace alfred {

struct RowTargets {
  const Table* table = nullptr;
  std::vector<RecordKey> named{};
  RowFilter filter{};
  std::vector<std::string> repaired{};
};

struct TargetCall {
  Json filters;
  Json or_filters;
  std::size_t cap = 0;
};

// Ends the registry's open transaction.
Result<RowTargets> targets_of_filters(RecordContext& context, const Table& table,
                                      const TargetCall& call);
// Rows that are named one by one.
Result<RecordKey> target_of_ref(const RecordContext& context, const Table& table, const Json& ref,
                                const std::string& path);
RowTargets targets_of_keys(const Table& table, std::vector<RecordKey> keys);

using FoundRow = RowWriter::Doomed;
Result<std::vector<FoundRow>> lock_targets(Tx& tx, const RowTargets& targets);

Result<void> check_version(const RecordContext& context, const Table& table, const Row& row,
                           const std::string& version);

// Refs of rows that were named and are left as they are, and which of them are not there any more:
// the others do not fit the filters.
struct MissedRows {
  std::vector<std::string> not_matched{};
  std::vector<std::string> gone{};
};
Result<MissedRows> missed_rows(Tx& tx, const RecordContext& context, const RowTargets& targets,
                               const std::vector<FoundRow>& found);

}  // namespace alfred
