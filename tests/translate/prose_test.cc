// Key-shaped text in prose: shown as lit_n, and only that (D7, I-3, I-6).
#include "refs/hiding/literal_mask.h"
#include "translate/session.h"

namespace alfred {
namespace {

TEST(RowsToRefs, D7_a_uuid_in_prose_is_shown_as_a_literal_never_as_a_ref) {
  Session session;
  const std::string id(kCurry);
  EXPECT_EQ(session.read("books", R"([{"id":")" + id + R"(","note":"see )" + id + R"(."}])"),
            R"([{"id":"book_1","note":"see lit_1."}])");
  EXPECT_EQ(session.literal(1), id);
}

TEST(RowsToRefs, D7_in_every_case_and_spelling) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"a":"{A508000D-9B55-40F0-8886-DBDD88BD2DE2}",)"
                                  R"("b":"a508000d9b5540f08886dbdd88bd2de2","c":"x_)" +
                                      std::string(kCurry) + R"(_y","d":["urn:uuid:)" +
                                      std::string(kCod) + R"("]}])"),
            R"([{"a":"{lit_1}","b":"lit_2","c":"lit_3","d":["urn:uuid:lit_4"]}])");
  EXPECT_EQ(session.literal(3), "x_" + std::string(kCurry) + "_y");
}

TEST(RowsToRefs, D7_inside_the_users_own_json_and_in_its_member_names) {
  Session session({{"books", "", {"id"}, "", {}, {}}});
  const std::string id(kCurry);
  EXPECT_EQ(session.read("books", R"({"meta":{"id":")" + id + R"(","list":[{"x":")" + id +
                                      R"("}],")" + id + R"(":1,"a":{"a":1,"A":2}}})"),
            R"({"meta":{"id":"lit_1","list":[{"x":"lit_1"}],"lit_1":1,"a":{"a":1,"A":2}}})");
  EXPECT_EQ(session.read("books", R"({"meta":{"a":{"a":1,"a":2}}})"), "json_dupkey at byte 20");
  EXPECT_EQ(session.read("books", R"({"meta":[1,{"a":1,"\u0061":2}]})"), "json_dupkey at byte 18");
}

TEST(RowsToRefs, D7_in_the_name_of_a_column) {
  EXPECT_EQ(Session().read("books", R"([{"id":1,")" + std::string(kCurry) + R"(":1},{"id":2,")" +
                                        std::string(kCurry) + R"(":2}])"),
            R"([{"id":"book_1","lit_1":1},{"id":"book_2","lit_1":2}])");
}

TEST(RowsToRefs, D7_behind_escapes) {
  Session session;
  EXPECT_EQ(
      session.read("books", R"([{"note":"\t\u0061508000d-9b55-40f0-8886-dbdd88bd2de2\n\u00e9"}])"),
      R"([{"note":"\tlit_1\n\u00e9"}])");
  EXPECT_EQ(session.literal(1), kCurry);
}

TEST(RowsToRefs, D7_an_escape_is_no_part_of_a_run_of_digits) {
  const std::string json = R"([{"note":"\b1234567 \f1234567 \u00ad1234567"}])";
  Session session;
  EXPECT_EQ(session.read("books", json), json);
  EXPECT_EQ(session.read("books", R"([{"id":11234567}])"), R"([{"id":"book_1"}])");
  EXPECT_EQ(session.read("books", json), json);
}

TEST(RowsToRefs, I3_pieces_of_known_keys_are_hidden) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":")" + std::string(kCurry) +
                                      R"("},{"id":123456789},{"id":"warehouse-77"}])"),
            R"([{"id":"book_1"},{"id":"book_2"},{"id":"book_3"}])");
  EXPECT_EQ(session.read("books",
                         R"([{"note":"id:a508000d, ..88BD2DE2; no 123456789 in warehouse-77"}])"),
            R"([{"note":"id:lit_1, ..lit_2; no lit_3 in lit_4"}])");
  EXPECT_EQ(session.read("books", R"([{"note":"a508000 8bd2de2 12345670 warehous"}])"),
            R"([{"note":"a508000 8bd2de2 12345670 lit_5"}])");
}

TEST(RowsToRefs, I3_a_piece_of_a_key_that_comes_later_in_the_input_is_hidden_too) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":1,"name":"like a508000d"},{"id":")" +
                                      std::string(kCurry) + R"(","name":"lit_1"}])"),
            R"([{"id":"book_1","name":"like lit_1"},{"id":"book_2","name":"lit_2"}])");
  EXPECT_EQ(session.literal(1), "a508000d");
  EXPECT_EQ(session.literal(2), "lit_1");
  EXPECT_EQ(session.label("book_1"), "like lit_1");
  EXPECT_EQ(session.label("book_2"), "lit_2");
}

TEST(RowsToRefs, I3_the_same_for_a_long_text_key_and_a_composite_one) {
  Session session({{"places", "", {"town", "nr"}, "", {}, {}}});
  EXPECT_EQ(
      session.read("places", R"([{"note":"in warehouse-77"},{"town":"warehouse-77","nr":1}])"),
      R"([{"note":"in lit_1"},{"id":"place_1","town":"lit_1","nr":1}])");
}

TEST(RowsToRefs, I3_a_key_beside_a_literal_name_is_hidden) {
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":"warehouse-77","note":"warehouse-77 and lit_5"}])"),
            R"([{"id":"book_1","note":"lit_1 and lit_2"}])");
}

// Eight bytes of this key end in the middle of a character.
TEST(RowsToRefs, I3_hiding_never_splits_a_character) {
  Session session;
  EXPECT_EQ(session.read("books",
                         "[{\"id\":\"a\u00e9\u00e9\u00e9\u00e9\u00e9-z\",\"note\":"
                         "\"x a\u00e9\u00e9\u00e9\u00e9. y \u00e9\u00e9 z\"}]"),
            "[{\"id\":\"book_1\",\"note\":\"x lit_1. y \u00e9\u00e9 z\"}]");
  EXPECT_EQ(session.literal(1), "a\u00e9\u00e9\u00e9\u00e9");
}

TEST(RowsToRefs, B22_a_literal_name_typed_by_a_person_survives) {
  Session session;
  const std::string text = "lit_1, alit_2 lit_3x lit_ lit_03";
  EXPECT_EQ(session.read("books", R"([{"note":")" + text + R"("}])"),
            R"([{"note":"lit_1, alit_2 lit_3x lit_ lit_2"}])");
  const Result<std::string> restored =
      LiteralMask::restore(session.registry, "lit_1, alit_2 lit_3x lit_ lit_2");
  ASSERT_TRUE(restored);
  EXPECT_EQ(*restored, text);
}

TEST(RowsToRefs, D4_numbers_in_plain_columns_are_no_keys) {
  EXPECT_EQ(Session().read("books", R"([{"id":123456789,"count":123456789}])"),
            R"([{"id":"book_1","count":123456789}])");
}

TEST(RowsToRefs, without_masking_prose_is_copied) {
  RowsOptions options;
  options.masks_prose = false;
  Session session;
  EXPECT_EQ(session.read("books", R"([{"id":1,"note":"a508000d9b5540f08886dbdd88bd2de2 \u0041"}])",
                         options),
            R"([{"id":"book_1","note":"a508000d9b5540f08886dbdd88bd2de2 \u0041"}])");
}

// Strings, escapes and runs of digits across every border of the 64 bytes that are looked at at
// once.
TEST(RowsToRefs, D7_wherever_it_stands) {
  for (std::size_t before = 0; before < 140; ++before) {
    Session session;
    const std::string pad(before, 'z');
    EXPECT_EQ(
        session.read("books", "[{\"a\":\"" + pad + " " + std::string(kCurry) + "\\n\u00e9\"}]"),
        "[{\"a\":\"" + pad + " lit_1\\n\u00e9\"}]");
    EXPECT_EQ(session.read("books", "[{\"b\":\"" + pad + "-lit_1\\\"\"}]"),
              "[{\"b\":\"" + pad + "-lit_2\\\"\"}]");
  }
}

TEST(RowsToRefs, I3_uuids_joined_by_a_word_are_hidden_all) {
  for (const std::string between : {"_", "", "x", "0", "__"}) {
    Session session;
    const std::string text = std::string(kCurry) + between + std::string(kCod);
    EXPECT_EQ(session.read("notes", R"({"body":"see )" + text + R"(."})"),
              R"({"body":"see lit_1."})");
    EXPECT_EQ(session.literal(1), text);
  }
}

}  // namespace
}  // namespace alfred
