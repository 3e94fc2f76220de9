#include "records/refused_null.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Error refused(ErrorCode code, std::string detail) {
  return Error{code, "whatever it says", "", {}, std::move(detail)};
}

TEST(RefusedNull, is_known_by_the_code_of_either_driver) {
  EXPECT_TRUE(is_refused_null(
      refused(ErrorCode::conflict, "sqlite 1299: NOT NULL constraint failed: notes.author_id")));
  EXPECT_TRUE(is_refused_null(refused(ErrorCode::conflict, "SQLSTATE 23502: null value")));
}

TEST(RefusedNull, no_other_refusal_is_one) {
  EXPECT_FALSE(is_refused_null(refused(ErrorCode::conflict, "sqlite 2067: UNIQUE")));
  EXPECT_FALSE(is_refused_null(refused(ErrorCode::conflict, "SQLSTATE 23505: duplicate")));
  EXPECT_FALSE(is_refused_null(refused(ErrorCode::storage, "sqlite 1299: NOT NULL")));
  EXPECT_FALSE(is_refused_null(
      Error{ErrorCode::conflict, "A column that needs a value has none.", "", {}, ""}));
}

}  // namespace
}  // namespace alfred
