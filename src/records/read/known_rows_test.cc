#include "records/read/known_rows.h"

#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

constexpr std::string_view kTwo =
    R"({"table":"books","columns":["title","author_id","tags","sequel_of"],"limit":2})";

class KnownRows : public testing::Test {
 protected:
  std::optional<std::string> known(std::string_view params = kTwo) {
    RecordContext context = library.context(library.registry);
    const Json json = parse_json(params, JsonLimits::none()).value();
    const Result<ReadRequest> request = read_request(context, json);
    const Result<FoundRows> found = find_rows(library.rows, context, *request);
    return known_rows_text(context, *request, *found, found->rows.size());
  }
  Value& title(std::size_t book) { return library.rows.tables["books"][book][2]; }
  Value& tags(std::size_t book) { return library.rows.tables["books"][book][10]; }

  ReadLibrary library;
};

TEST_F(KnownRows, R1_rows_that_were_read_before_are_written_as_then) {
  EXPECT_EQ(known(), std::nullopt) << "nothing is known yet";
  tags(0) = text_value(R"(["sand","worm \"shai\""])");
  const JsonObject before = library.read(kTwo);
  EXPECT_EQ(known(), write_json(before.at("rows")));
}

TEST_F(KnownRows, R1_what_has_changed_is_left_to_the_translator) {
  library.read(kTwo);
  ASSERT_TRUE(known());
  title(1) = text_value("Emma, again");
  EXPECT_EQ(known(), std::nullopt) << "its label is another";
  library.read(kTwo);
  EXPECT_TRUE(known());
  library.rows.tables["books"][1][4] = text_value(book_key(4));
  EXPECT_EQ(known(), std::nullopt) << "a link to a row that nobody has seen";
  library.read(kTwo);
  EXPECT_TRUE(known());
  library.registry.mark_deleted(library.registry.find("book_3"));
  EXPECT_EQ(known(), std::nullopt) << "a link to a row that is gone";
}

TEST_F(KnownRows, R1_a_text_that_may_have_to_be_hidden_is_left_to_the_translator) {
  for (const char* text : {"of deadbeef", "see lit_1", "a\x01 bell"}) {
    title(0) = text_value(text);
    library.read(kTwo);
    EXPECT_EQ(known(), std::nullopt) << text;
  }
  title(0) = text_value("Dune");
  for (const char* list : {R"(["7cd9e2f0"])", R"([{"a":1}])", R"({"a":1})"}) {
    tags(0) = text_value(list);
    library.read(kTwo);
    EXPECT_EQ(known(), std::nullopt) << list;
  }
}

TEST_F(KnownRows, R1_what_it_does_not_write_is_left_to_the_translator) {
  for (const char* params :
       {R"({"table":"books","columns":["extra"]})",
        R"({"table":"books","columns":["title"],"include":["chapters"]})", R"({"table":"loans"})",
        R"({"table":"visits"})", R"({"table":"chapters"})"}) {
    library.read(params);
    EXPECT_EQ(known(params), std::nullopt) << params;
  }
  EXPECT_EQ(known(), std::nullopt) << "the keys of chapters are texts, and may stand in any text";
}

TEST_F(KnownRows, R2_a_row_that_was_only_linked_to_is_read_now) {
  library.read(R"({"table":"books","columns":["author_id"],"limit":1})");
  constexpr std::string_view kAuthor = R"({"table":"authors","limit":1})";
  EXPECT_EQ(known(kAuthor), std::nullopt);
  library.read(kAuthor);
  EXPECT_EQ(known(kAuthor), R"([{"author_no":"author_1","name":"Frank Herbert"}])");
  library.registry.begin_turn(7);
  EXPECT_EQ(known(kAuthor), std::nullopt) << "a turn's reads are noted";
}

}  // namespace
}  // namespace alfred
