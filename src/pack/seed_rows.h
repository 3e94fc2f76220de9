// The rows that come with a pack: those always there, and those of its demo. Files hold no keys and
// no dates: rows are named, links name rows, days are counted from the day of seeding.
//
//   {"table": "loans", "rows": [{"as": "first", "book_id": "dune", "due_on": "+14d"}]}
//
// R1 a row's name is its `as`, or its label in lower case with _ between words; no two rows of a
//    table share one.
// R2 a text in a link's column names a row of the linked table, in these files or those always
//    there; one that is not there is refused.
// R3 in a date's column "+3d" is three days after the day of seeding; in an instant's column
//    "+3d 18:30" is that day at that time, UTC.
// R4 a member that is a nested relation holds the rows of the child table; they come after their
//    parent and lead to it.
// R5 rows come in an order in which each is after the rows it leads to, but for rows that lead to
//    themselves in a circle.
// R6 errors name the file and the row.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"
#include "pack/pack.h"
#include "pack/schema.h"

namespace alfred {

struct SeedLink {
  std::string table;
  std::string row;
  friend bool operator==(const SeedLink&, const SeedLink&) = default;
};

struct SeedDay {
  int days = 0;
  std::optional<int> minute;  // of the day; not set: a date
  friend bool operator==(const SeedDay&, const SeedDay&) = default;
};

using SeedValue = std::variant<Json, SeedLink, SeedDay>;

struct SeedRow {
  std::string table;
  std::string name;                                       // unique in its table
  std::vector<std::pair<std::string, SeedValue>> values;  // by column, in the file's order
  std::string place;                                      // "demo/loans.json row 3"
};

// The rows of the pack that are always there.
Result<std::vector<SeedRow>> load_seed_rows(const Pack& pack, const Schema& schema);
// The rows of the demo, which may lead to those always there.
Result<std::vector<SeedRow>> load_demo(const Pack& pack, const Schema& schema);

// The files as JSON, which can be read before there are tables; what is wrong in them is said by
// load_pack_rows().
struct RowFiles {
  std::vector<Result<Json>> shared;
  std::vector<Result<Json>> demo;
};
RowFiles parse_row_files(const Pack& pack);

struct PackRows {
  std::vector<SeedRow> shared;
  std::vector<SeedRow> demo;
};
Result<PackRows> load_pack_rows(const Pack& pack, const RowFiles& files, const Schema& schema);

}  // namespace alfred
