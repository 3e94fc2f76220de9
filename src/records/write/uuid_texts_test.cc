// Keys that a database keeps as texts and that are uuids.
#include <gtest/gtest.h>

#include "records/write/own_tables_for_tests.h"

namespace alfred {
namespace {

class UuidTexts : public OwnTables {
 protected:
  void SetUp() override {
    open("CREATE TABLE notes (id text PRIMARY KEY, body text);");
    put("notes", {{"id", "7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c377"}, {"body", "first"}});
    use(*store);
  }
};

TEST_P(UuidTexts, R2_a_new_row_gets_a_uuid_like_those_there_are) {
  EXPECT_EQ(answer(create(R"({"table":"notes","data":[{"body":"second"},{"body":"third"}]})")),
            R"({"created":[{"ref":"note_1"},{"ref":"note_2"}],"count":2})");
  const Result<RecordOutcome> given =
      create(R"({"table":"notes","data":{"id":"7d3f9b52-1c4e-4a67-9f0b-52e8d6a1c378"}})");
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code, ErrorCode::column_readonly);
  use(*store);
  EXPECT_TRUE(schema.find("notes")->find("id")->holds_uuids);
}

INSTANTIATE_TEST_SUITE_P(Stores, UuidTexts,
                         testing::Values(AlbumsPlace::sqlite, AlbumsPlace::postgres), albums_place);

}  // namespace
}  // namespace alfred
