// Rows of PostgreSQL's inherited tables: a child may repeat a key of its parent, and a ref then
// names two rows.
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kInherited = R"(
CREATE TABLE places (id integer PRIMARY KEY, name text);
CREATE TABLE towns (mayor text, PRIMARY KEY (id)) INHERITS (places);
)";

class RepeatedKeys : public OwnTables {
 protected:
  void SetUp() override {
    open(kInherited);
    put("places", {{"id", std::int64_t{1}}, {"name", "a hill"}});
    put("places", {{"id", std::int64_t{2}}, {"name", "a lake"}});
    put("towns", {{"id", std::int64_t{1}}, {"name", "a town"}});
  }
};

TEST_P(RepeatedKeys, D14_a_ref_that_names_two_rows_changes_neither) {
  read(R"({"table":"places"})").value();
  expect_refused(&update_rows, R"({"table":"places","data":{"id":"place_1","name":"x"}})",
                 ErrorCode::conflict);
  EXPECT_NE(last.message.find("Several rows of places have the same key"), std::string::npos)
      << last.message;
  expect_refused(&delete_rows, by_ref("places", "place_1"), ErrorCode::conflict);
  const std::string changed =
      answer(update(R"({"table":"places","data":{"id":"place_2","name":"a pond"}})"));
  EXPECT_NE(changed.find("\"count\":1"), std::string::npos) << changed;
}

INSTANTIATE_TEST_SUITE_P(Stores, RepeatedKeys, testing::Values(AlbumsPlace::postgres),
                         albums_place);

}  // namespace
}  // namespace alfred
