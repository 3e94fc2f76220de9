// The whole check of a pack, against the database it is for: what `alfred pack check` runs.
//
// R1 it finds what loading cannot know: columns of the overlay, of compile rules, scopes, layouts,
//    checks, profile and dashboard, and the rows that come with the pack, whose values must be such
//    as a call would be allowed to write.
// R2 it stops at the first thing that is wrong and names its place.
#pragma once

#include <cstddef>

#include "alfred/error.h"
#include "pack/catalogue.h"
#include "pack/pack.h"

namespace alfred {

struct PackSummary {
  std::size_t tables = 0;
  std::size_t rows = 0;  // always there
  std::size_t demo_rows = 0;
};

Result<PackSummary> check_against(const Pack& pack, const Catalogue& catalogue);

}  // namespace alfred
