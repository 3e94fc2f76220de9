#include "records/read/generated_rows.h"

#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

class Generated : public ::testing::Test {
 protected:
  Generated() {
    library.read(R"({"table":"books"})");
    library.registry.begin();
    const TypeNo type = *library.registry.find_type("book");
    for (const char* title : {"Chapterhouse", "Sanditon"})
      EXPECT_TRUE(library.registry.register_generated(type, title, {}));
    contents["gen_book_1"] = {{"title", "Chapterhouse"},
                              {"pages", 464},
                              {"author_id", "author_1"},
                              {"chapters", JsonArray{JsonObject{{"heading", "No-ship"}}}},
                              {"note", book_key(1)}};
    contents["gen_book_2"] = {{"title", "Sanditon"}, {"pages", "many"}};
    library.artifact = [this](std::string_view ref) -> const JsonObject* {
      const auto found = contents.find(ref);
      return found == contents.end() ? nullptr : &found->second;
    };
    library.rows.scanned.clear();
  }
  std::string books(std::string_view value, std::string_view more = "") {
    return fmt::format(
        R"({{"table":"books","columns":["title"],"filters":[{{"field":"id","op":"in","value":{}}}{}]}})",
        value, more);
  }

  ReadLibrary library;
  std::map<std::string, JsonObject, std::less<>> contents;
};

TEST_F(Generated, scenario_5_R7_served_whole_and_not_from_the_database) {
  library.read(R"({"table":"books","filters":[{"field":"id","op":"=","value":"gen_book_1"}]})");
  EXPECT_EQ(library.answer,
            R"({"rows":[{"id":"gen_book_1","title":"Chapterhouse","pages":464,)"
            R"("author_id":"author_1","chapters":[{"heading":"No-ship"}],"note":"lit_1"}],)"
            R"("has_more":false})");
  EXPECT_TRUE(library.rows.scanned.empty());
}

TEST_F(Generated, R1_saved_and_generated_together) {
  EXPECT_EQ(library.shown(books(R"(["book_2","gen_book_2","gen_book_1"])"), "id"),
            "gen_book_2, gen_book_1, book_2");
  EXPECT_EQ(library.shown(books(R"(["gen_book_2","gen_book_2"])"), "title"), "Sanditon");
}

TEST_F(Generated, R1_a_ref_without_content_is_pending) {
  contents.clear();
  EXPECT_EQ(library.error(books(R"(["gen_book_1"])")).code, ErrorCode::ref_pending);
  library.artifact = nullptr;
  EXPECT_EQ(library.error(books(R"(["gen_book_1"])")).code, ErrorCode::ref_pending);
  EXPECT_EQ(library.error(books(R"(["gen_book_9"])")).code, ErrorCode::ref_unknown);
}

TEST_F(Generated, R1_once_saved_it_is_a_row) {
  library.registry.begin();
  const TypeNo type = *library.registry.find_type("book");
  const RecordKey key = RecordKey::from_text(book_key(9));
  ASSERT_TRUE(library.registry.register_created(type, key.view(), "gen_book_1"));
  library.add_book(9, "Chapterhouse: Dune", {});
  EXPECT_EQ(library.shown(books(R"(["gen_book_1"])"), "title"), "Chapterhouse: Dune");
}

TEST_F(Generated, R2_other_filters_hold_too) {
  const std::string both = R"(["gen_book_1","gen_book_2"])";
  const auto with = [&](std::string_view more) { return library.shown(books(both, more), "id"); };
  EXPECT_EQ(with(R"(,{"field":"pages","op":">","value":1})"), "gen_book_1");
  EXPECT_EQ(with(R"(,{"field":"pages","op":"is_null"})"), "gen_book_2")
      << "what does not fit is none";
  EXPECT_EQ(with(R"(,{"field":"author_id","op":"=","value":"author_1"})"), "gen_book_1");
  EXPECT_EQ(with(R"(,{"field":"title","op":"similar","value":"no-ship"})"), "gen_book_1");
  EXPECT_EQ(with(R"(,{"field":"id","op":"in","value":["gen_book_2","book_1"]})"), "gen_book_2");
}

// A row may have a key that reads as a column is called.
TEST_F(Generated, R3_names_of_the_schema_are_shown_also_in_nested_rows) {
  library.registry.begin();
  const TypeNo type = library.registry.type_named("chapter", "chapters").value();
  for (const char* key : {"heading", "chapters", "pages", "other_member", "book_9999"})
    ASSERT_TRUE(library.registry.register_read(type, RecordKey::from_text(key).view()));
  contents["gen_book_1"] = {
      {"title", "heading"},
      {"pages", 464},
      {"chapters", JsonArray{JsonObject{{"heading", "other_member"},
                                        {"book_id", "book_1"},
                                        {"other_member", JsonObject{{"heading", 1}}}}}}};
  library.read(R"({"table":"books","filters":[{"field":"id","op":"=","value":"gen_book_1"}]})");
  EXPECT_EQ(library.answer,
            R"({"rows":[{"id":"gen_book_1","title":"heading","pages":464,"chapters":[)"
            R"({"heading":"lit_1","book_id":"book_1","lit_1":{"heading":1}}]}],"has_more":false})");
}

TEST_F(Generated, R3_columns_leave_members_out) {
  library.read(books(R"(["gen_book_1"])"));
  EXPECT_EQ(library.answer,
            R"({"rows":[{"id":"gen_book_1","title":"Chapterhouse"}],"has_more":false})");
}

TEST_F(Generated, count_holds_them) {
  const JsonObject answer = library.read(
      R"({"table":"books","count":true,"filters":[{"field":"id","op":"in","value":["book_1","gen_book_1"]}]})");
  EXPECT_EQ(answer.at("count"), 2);
}

}  // namespace
}  // namespace alfred
