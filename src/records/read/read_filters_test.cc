// What each operator holds for, through a read.
#include <gtest/gtest.h>

#include "records/read/library_for_tests.h"

namespace alfred {
namespace {

std::string test(std::string_view field, std::string_view op, std::string_view value) {
  return fmt::format(R"({{"field":"{}","op":"{}","value":{}}})", field, op, value);
}

class ReadFilters : public ::testing::Test {
 protected:
  std::string titles(std::string_view field, std::string_view op, std::string_view value) {
    return library.titles("[" + test(field, op, value) + "]");
  }
  ReadLibrary library;
};

TEST_F(ReadFilters, comparisons) {
  EXPECT_EQ(titles("pages", "=", "474"), "Emma");
  EXPECT_EQ(titles("pages", "!=", "474"), "Dune, Dune Messiah") << "no value is not another value";
  EXPECT_EQ(titles("pages", ">", "474"), "Dune");
  EXPECT_EQ(titles("pages", ">=", "474"), "Dune, Emma");
  EXPECT_EQ(titles("pages", "<", "474"), "Dune Messiah");
  EXPECT_EQ(titles("pages", "<=", "474"), "Emma, Dune Messiah");
  EXPECT_EQ(titles("price", ">", "7.5"), "Dune");
  EXPECT_EQ(titles("title", ">=", "\"E\""), "Emma, Persuasion") << "by bytes";
  EXPECT_EQ(titles("is_out", "=", "true"), "Persuasion");
  EXPECT_EQ(titles("born", "<", "\"2026-01-01\""), "Dune, Emma, Dune Messiah, Persuasion");
}

TEST_F(ReadFilters, between_holds_at_both_ends) {
  EXPECT_EQ(titles("pages", "between", "[256,474]"), "Emma, Dune Messiah");
  EXPECT_EQ(titles("pages", "between", "[474,256]"), "");
}

TEST_F(ReadFilters, C6_empty_in_list_reads_nothing) {
  EXPECT_EQ(titles("pages", "in", "[]"), "");
  EXPECT_EQ(titles("id", "in", "[]"), "");
  EXPECT_EQ(titles("tags", "contains_any", "[]"), "");
}

TEST_F(ReadFilters, C7_not_in_with_several_values_and_with_none) {
  EXPECT_EQ(titles("pages", "not_in", "[474,612]"), "Dune Messiah");
  EXPECT_EQ(titles("pages", "not_in", "[]"), "Dune, Emma, Dune Messiah");
}

TEST_F(ReadFilters, null_tests) {
  EXPECT_EQ(titles("pages", "is_null", "null"), "Persuasion");
  EXPECT_EQ(titles("sequel_of", "is_not_null", "true"), "Dune Messiah");
  EXPECT_EQ(titles("extra", "is_null", "null"), "Dune, Emma, Dune Messiah, Persuasion");
}

TEST_F(ReadFilters, like_minds_case_and_ilike_does_not) {
  EXPECT_EQ(titles("title", "like", "\"Dune%\""), "Dune, Dune Messiah");
  EXPECT_EQ(titles("title", "like", "\"dune%\""), "");
  EXPECT_EQ(titles("title", "ilike", "\"dUNE%\""), "Dune, Dune Messiah");
  EXPECT_EQ(titles("title", "like", "\"_une\""), "Dune");
  EXPECT_EQ(titles("title", "like", "\"%e%s%a%\""), "Dune Messiah, Persuasion");
  EXPECT_EQ(titles("title", "like", "\"Dune\""), "Dune");
  library.add_book(6, "100% Ünïcode_", {});
  EXPECT_EQ(titles("title", "ilike", R"("100\\% üNÏ%")"), "100% Ünïcode_");
  EXPECT_EQ(titles("title", "like", R"("%\\_")"), "100% Ünïcode_");
  EXPECT_EQ(titles("title", "like", R"("100_ _n_code_")"), "100% Ünïcode_") << "by characters";
}

TEST_F(ReadFilters, contains) {
  EXPECT_EQ(titles("title", "contains", "\"MESS\""), "Dune Messiah");
  EXPECT_EQ(titles("title", "contains", "\"%\""), "") << "no wildcards";
  EXPECT_EQ(titles("title", "contains_any", R"(["emm","suas"])"), "Emma, Persuasion");
  EXPECT_EQ(titles("tags", "contains", "\"love\""), "Persuasion");
  EXPECT_EQ(titles("tags", "contains", "\"lov\""), "") << "a member, not a part of one";
  EXPECT_EQ(titles("tags", "contains_any", R"(["peace","sea"])"), "Persuasion");
}

TEST_F(ReadFilters, R2_or_filters_and_groups) {
  const std::string dune = test("title", "=", "\"Dune\"");
  const std::string emma = test("title", "contains", "\"emma\"");
  const std::string dark = test("mood", "=", "\"dark\"");
  EXPECT_EQ(library.shown(fmt::format(R"({{"table":"books","or_filters":[{},{}]}})", dune, emma),
                          "title"),
            "Dune, Emma");
  EXPECT_EQ(library.shown(fmt::format(R"({{"table":"books","filters":[{}],"or_filters":[{},{}]}})",
                                      dark, dune, emma),
                          "title"),
            "Dune");
  EXPECT_EQ(library.titles(fmt::format(R"([{{"any":[{{"all":[{},{}]}},{}]}}])", dune, dark, emma)),
            "Dune, Emma");
  EXPECT_EQ(library.titles(R"([{"any":[]}])"), "");
  EXPECT_EQ(library.titles(R"([{"all":[]}])"), "Dune, Emma, Dune Messiah, Persuasion");
}

TEST_F(ReadFilters, refs_lead_to_rows_and_through_links) {
  library.read(R"({"table":"books"})");
  EXPECT_EQ(titles("id", "=", "\"book_2\""), "Emma");
  EXPECT_EQ(titles("id", "not_in", R"(["book_2","book_1"])"), "Dune Messiah, Persuasion");
  EXPECT_EQ(titles("author_id", "=", "\"author_2\""), "Emma, Persuasion");
  EXPECT_EQ(titles("sequel_of", "!=", "\"book_2\""), "Dune Messiah");
}

TEST_F(ReadFilters, order) {
  const auto ordered = [&](std::string_view order) {
    return library.shown(fmt::format(R"({{"table":"books","order":{}}})", order), "title");
  };
  EXPECT_EQ(ordered("\"title\""), "Dune, Dune Messiah, Emma, Persuasion");
  EXPECT_EQ(ordered("\"pages\""), "Dune Messiah, Emma, Dune, Persuasion") << "nulls last";
  EXPECT_EQ(ordered("\"pages desc\""), "Dune, Emma, Dune Messiah, Persuasion") << "nulls last";
  EXPECT_EQ(ordered(R"([{"field":"author_id"},{"field":"title","direction":"DESC"}])"),
            "Dune Messiah, Dune, Persuasion, Emma");
}

class Kinds final : public WordCategories {
 public:
  std::vector<std::string> members_of(std::string_view category) const override {
    if (category == "fish") return {"cod", "salmon"};
    return {};
  }
};

TEST_F(ReadFilters, scenario_25_fish_finds_what_is_made_with_cod) {
  const Kinds kinds;
  library.categories = &kinds;
  library.add_chapter("chapter-key-dd", 3, "How to grill cod");
  library.add_author(918273643, "Nora Salmon");
  library.add_book(6, "Rivers", {.author = 918273643});
  library.add_book(7, "Fishing for all", {});
  library.add_chapter("chapter-key-ee", 4, "Salmon of somebody else", "bob");
  const auto found = [&](std::string_view value, std::string_view intent) {
    return library.shown(
        fmt::format(R"({{"table":"books","filters":[{{"field":"title","op":"similar",)"
                    R"("value":"{}","intent":"{}"}}]}})",
                    value, intent),
        "title");
  };
  EXPECT_EQ(found("fish books", "similar"), "Dune Messiah, Rivers, Fishing for all");
  EXPECT_EQ(found("fish", "category"), "Dune Messiah, Rivers");
  EXPECT_EQ(found("fish", "literal"), "Fishing for all");
  EXPECT_EQ(found("dragonfruit", "similar"), "");
}

TEST_F(ReadFilters, similar_orders_by_score_unless_told_otherwise) {
  const std::string filter =
      R"("filters":[{"field":"title","op":"similar","value":"dune messiah"}])";
  EXPECT_EQ(library.shown(R"({"table":"books",)" + filter + "}", "title"), "Dune Messiah, Dune");
  EXPECT_EQ(library.shown(R"({"table":"books","order":"title",)" + filter + "}", "title"),
            "Dune, Dune Messiah");
  EXPECT_EQ(library.read(R"({"table":"books","limit":1,"count":true,)" + filter + "}").at("count"),
            2);
}

// More rows match than are kept at a time; page by page they come as they do all at once.
TEST_F(ReadFilters, similar_keeps_the_best_of_many_and_the_first_of_equals) {
  for (int book = 100; book < 300; ++book)
    library.add_book(book, book % 7 == 0 ? "Dune Messiah" : (book % 3 == 0 ? "Emma" : "Dune"),
                     {.pages = book % 5 == 0 ? 7 : 0});
  const auto page = [&](int limit, const std::string& more) {
    return library.read(
        fmt::format(R"({{"table":"books","columns":["title"],"limit":{},"or_filters":[)"
                    R"({{"field":"title","op":"similar","value":"dune messiah"}},)"
                    R"({{"field":"pages","op":"=","value":7}}]{}}})",
                    limit, more));
  };
  const Json whole = page(100, R"(,"count":true)");
  ASSERT_EQ(whole.at("count"), 157);
  std::string all;
  for (const Json& row : whole.at("rows").as_array()) all += write_json(row);
  std::string paged;
  std::string cursor;
  for (int i = 0; i < 20; ++i) {
    const Json answer = page(5, cursor);
    for (const Json& row : answer.at("rows").as_array()) paged += write_json(row);
    cursor = ",\"cursor\":" + write_json(answer.at("cursor"));
  }
  EXPECT_EQ(paged, all);
  EXPECT_NE(all.find("Messiah"), std::string::npos);
}

TEST_F(ReadFilters, similar_on_another_column_looks_there_alone) {
  EXPECT_EQ(titles("tags", "similar", "\"lovely sea\""), "Persuasion");
  EXPECT_EQ(titles("mood", "similar", "\"dune\""), "");
}

}  // namespace
}  // namespace alfred
