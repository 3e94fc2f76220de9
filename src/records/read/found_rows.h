// The rows that a read is about: asked of the database as far as SQL says the same everywhere, and
// decided by our own filter for the rest; with the nested rows that belong to them.
//
// R1 one row more than the limit is looked for: that is how `has_more` is known.
// R2 by score, all rows that may match are looked at, and only the best are kept; who cannot be among them is not
//    scored. Builds with assertions score it all the same and compare.
// R3 nested rows of all parents come with one query per relation, in the order of their making where the
//    table says when that was, then of their keys; beyond the cap of a parent they are left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "records/filter/row_scores.h"
#include "records/read/read_request.h"

namespace alfred {

struct NestedRows {
  const Relation* relation = nullptr;
  RowFields fields;
  std::vector<const Field*> columns{};                        // shown
  std::map<std::string, std::vector<Row>, std::less<>> of{};  // by key_text of the parent's key
  std::map<std::string, bool, std::less<>> is_cut{};
};

struct FoundRows {
  RowFields fields;
  std::vector<Row> rows{};
  std::vector<int> scores{};  // by score, one a row
  bool has_more = false;
  // Of a table without a key, rows with the values of the cursor: that were left out, and that
  // there are.
  std::size_t skipped = 0;
  std::size_t like_last = 0;
  std::size_t keyless = 0;             // rows that match and have no key, which are not among them
  std::optional<std::size_t> count{};  // of all that match, when asked for
};

Result<FoundRows> find_rows(Tx& tx, RecordContext& context, const ReadRequest& request);

Result<std::vector<NestedRows>> find_nested(Tx& tx, RecordContext& context,
                                            const ReadRequest& request, const FoundRows& found);

}  // namespace alfred
