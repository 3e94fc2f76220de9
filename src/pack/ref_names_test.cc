#include "pack/ref_names.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace alfred {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;
using Strings = std::vector<std::string>;

const std::vector<Pair> kWords = {
    {"recipes", "recipe"},
    {"categories", "category"},
    {"boxes", "box"},
    {"status", "status"},
    {"statuses", "status"},
    {"addresses", "address"},
    {"people", "person"},
    {"children", "child"},
    {"movies", "movie"},
    {"leaves", "leaf"},
    {"shelves", "shelf"},
    {"knives", "knife"},
    {"indices", "index"},
    {"indexes", "index"},
    {"series", "series"},
    {"news", "news"},
    {"data", "data"},
    {"analyses", "analysis"},
    {"buses", "bus"},
    {"houses", "house"},
    {"cases", "case"},
    {"heroes", "hero"},
    {"shoes", "shoe"},
    {"quizzes", "quiz"},
    {"caches", "cache"},
    {"branches", "branch"},
    {"taxes", "tax"},
    {"address", "address"},
    {"bonus", "bonus"},
    {"bonuses", "bonus"},
    {"gas", "gas"},
    {"gases", "gas"},
    {"books", "book"},
    {"users", "user"},
    {"tasks", "task"},
    {"inventory", "inventory"},
    {"companies", "company"},
    {"countries", "country"},
    {"cities", "city"},
    {"queries", "query"},
    {"entries", "entry"},
    {"histories", "history"},
    {"keys", "key"},
    {"days", "day"},
    {"surveys", "survey"},
    {"replies", "reply"},
    {"cookies", "cookie"},
    {"pies", "pie"},
    {"ties", "tie"},
    {"calories", "calorie"},
    {"species", "species"},
    {"classes", "class"},
    {"class", "class"},
    {"processes", "process"},
    {"process", "process"},
    {"access", "access"},
    {"businesses", "business"},
    {"bosses", "boss"},
    {"dishes", "dish"},
    {"wishes", "wish"},
    {"batches", "batch"},
    {"matches", "match"},
    {"lunches", "lunch"},
    {"searches", "search"},
    {"niches", "niche"},
    {"headaches", "headache"},
    {"mailboxes", "mailbox"},
    {"prefixes", "prefix"},
    {"axes", "axis"},
    {"axis", "axis"},
    {"matrices", "matrix"},
    {"vertices", "vertex"},
    {"prices", "price"},
    {"invoices", "invoice"},
    {"services", "service"},
    {"devices", "device"},
    {"sizes", "size"},
    {"prizes", "prize"},
    {"waltzes", "waltz"},
    {"databases", "database"},
    {"courses", "course"},
    {"releases", "release"},
    {"purchases", "purchase"},
    {"expenses", "expense"},
    {"responses", "response"},
    {"licenses", "license"},
    {"warehouses", "warehouse"},
    {"phases", "phase"},
    {"exercises", "exercise"},
    {"clauses", "clause"},
    {"causes", "cause"},
    {"uses", "use"},
    {"viruses", "virus"},
    {"campuses", "campus"},
    {"menus", "menu"},
    {"skus", "sku"},
    {"parentheses", "parenthesis"},
    {"hypotheses", "hypothesis"},
    {"crises", "crisis"},
    {"diagnoses", "diagnosis"},
    {"basis", "basis"},
    {"apis", "api"},
    {"wikis", "wiki"},
    {"taxis", "taxi"},
    {"lenses", "lens"},
    {"lens", "lens"},
    {"aliases", "alias"},
    {"alias", "alias"},
    {"canvases", "canvas"},
    {"canvas", "canvas"},
    {"tomatoes", "tomato"},
    {"potatoes", "potato"},
    {"echoes", "echo"},
    {"photos", "photo"},
    {"videos", "video"},
    {"toes", "toe"},
    {"canoes", "canoe"},
    {"areas", "area"},
    {"schemas", "schema"},
    {"quotas", "quota"},
    {"archives", "archive"},
    {"moves", "move"},
    {"olives", "olive"},
    {"curves", "curve"},
    {"halves", "half"},
    {"loaves", "loaf"},
    {"wolves", "wolf"},
    {"wives", "wife"},
    {"housewives", "housewife"},
    {"bookshelves", "bookshelf"},
    {"salespeople", "salesperson"},
    {"grandchildren", "grandchild"},
    {"men", "man"},
    {"women", "woman"},
    {"feet", "foot"},
    {"teeth", "tooth"},
    {"mice", "mouse"},
    {"geese", "goose"},
    {"criteria", "criterion"},
    {"phenomena", "phenomenon"},
    {"media", "media"},
    {"sheep", "sheep"},
    {"fish", "fish"},
    {"analytics", "analytics"},
    {"metrics", "metric"},
    {"topics", "topic"},
    {"settings", "setting"},
    {"messages", "message"},
    {"images", "image"},
    {"files", "file"},
    {"roles", "role"},
    {"types", "type"},
    {"employees", "employee"},
    {"fees", "fee"},
    {"trees", "tree"},
    {"sms", "sms"},
    {"gps", "gps"},
    {"ids", "id"},
    {"os", "os"},
    {"us", "us"},
    {"s", "s"},
    {"", ""},
};

TEST(SingularOf, gives_the_singular_of_every_listed_word) {
  EXPECT_GE(kWords.size(), 120u);
  for (const auto& [plural, singular] : kWords) EXPECT_EQ(singular_of(plural), singular) << plural;
}

TEST(SingularOf, leaves_a_singular_alone) {
  for (const auto& [plural, singular] : kWords)
    EXPECT_EQ(singular_of(singular), singular) << plural;
}

TEST(RefNames, R1_says_which_words_are_ref_types) {
  for (const char* word : {"book", "order_item", "t2", "a", "item_2", "gencode", "book_ref"})
    EXPECT_TRUE(is_ref_type(word)) << word;
  for (const char* word : {"", "_a", "a_", "a__b", "2a", "Book", "bücher", "a-b", "a b", "gen",
                           "ref", "lit", "gen_book", "ref_book", "lit_1"})
    EXPECT_FALSE(is_ref_type(word)) << word;
  EXPECT_TRUE(is_ref_type(std::string(kMaxRefTypeBytes, 'a')));
  EXPECT_FALSE(is_ref_type(std::string(kMaxRefTypeBytes + 1, 'a')));
}

TEST(RefNames, R2_a_table_of_any_name_gets_a_ref_type) {
  const std::vector<Pair> names = {{"books", "book"},
                                   {"shop.books", "book"},
                                   {"Books", "book"},
                                   {"OrderItems", "orderitem"},
                                   {"my books", "my_book"},
                                   {"--a--b--", "a_b"},
                                   {"2024_sales", "t2024_sale"},
                                   {"", "row"},
                                   {"shop.", "row"},
                                   {"書籍", "row"},
                                   {"gen_codes", "gencode"},
                                   {"gen", "genrow"},
                                   {"refs", "refrow"},
                                   {"lit", "litrow"},
                                   {"lit_refs", "litref"},
                                   {"general", "general"},
                                   {"status", "status"},
                                   {"t", "t"}};
  for (const auto& [table, name] : names) EXPECT_EQ(ref_name_of_table(table), name) << table;
}

TEST(RefNames, R2_a_long_name_is_cut_between_words) {
  const std::string word(18, 'w');
  EXPECT_EQ(ref_name_of_table(word + "_" + word + "_books"), word + "_" + word);
  EXPECT_EQ(ref_name_of_table(std::string(60, 'w')), std::string(kMaxRefTypeBytes, 'w'));
  EXPECT_EQ(ref_name_of_table("gen_" + std::string(60, 'w')), "gen" + std::string(37, 'w'));
}

TEST(RefNames, R3_only_the_last_word_is_made_singular) {
  EXPECT_EQ(ref_name_of_table("order_items"), "order_item");
  EXPECT_EQ(ref_name_of_table("sales_orders"), "sales_order");
  EXPECT_EQ(ref_name_of_table("news_categories"), "news_category");
}

Strings settled(const Strings& tables, const std::set<std::string, std::less<>>& taken = {}) {
  const auto names = settle_ref_names(tables, taken);
  Strings out;
  for (const std::string& table : tables) out.push_back(names.at(table));
  return out;
}

TEST(SettleRefNames, R4_the_table_that_bears_the_name_keeps_it) {
  EXPECT_EQ(settled({"boxes", "box"}), (Strings{"boxes", "box"}));
  EXPECT_EQ(settled({"books", "authors"}), (Strings{"book", "author"}));
}

TEST(SettleRefNames, R4_schemas_tell_tables_apart) {
  EXPECT_EQ(settled({"a.users", "b.users"}), (Strings{"a_user", "b_user"}));
  EXPECT_EQ(settled({"users", "b.users"}), (Strings{"user", "b_user"}));
  EXPECT_EQ(settled({"a.box", "a.boxes", "b.box", "b.boxes"}),
            (Strings{"a_box", "a_boxes", "b_box", "b_boxes"}));
}

TEST(SettleRefNames, R4_what_still_clashes_is_numbered) {
  EXPECT_EQ(settled({"users", "Users", "USERS"}), (Strings{"user3", "user2", "user"}));
  const std::string a = std::string(40, 'w') + "a";
  const std::string b = std::string(40, 'w') + "b";
  EXPECT_EQ(settled({b, a}), (Strings{std::string(39, 'w') + "2", std::string(40, 'w')}));
}

TEST(SettleRefNames, R4_names_already_taken_stay_so) {
  EXPECT_EQ(settled({"boxes"}, {"box"}), (Strings{"boxes"}));
  EXPECT_EQ(settled({"box", "boxes"}, {"box", "boxes"}), (Strings{"box2", "box3"}));
}

rc::Gen<std::string> table_name() {
  const auto word = rc::gen::element<std::string>("box", "boxes", "Box", "user", "users", "gen",
                                                  "ref", "lit", "2", "user2", "", "é", "_",
                                                  "a_word_of_some_length_to_be_cut_somewhere");
  const auto joined = rc::gen::apply([](const std::string& a, const std::string& joint,
                                        const std::string& b) { return a + joint + b; },
                                     word, rc::gen::element<std::string>(".", "_", "-", ""), word);
  return rc::gen::oneOf(word, joined, rc::gen::string<std::string>());
}

RC_GTEST_PROP(SettleRefNames, R4_any_tables_get_distinct_valid_names_in_any_order, ()) {
  Strings tables = *rc::gen::container<Strings>(table_name());
  const auto taken_list = *rc::gen::container<Strings>(
      rc::gen::element<std::string>("box", "boxes", "user", "user2", "genrow"));
  const std::set<std::string, std::less<>> taken(taken_list.begin(), taken_list.end());
  const auto names = settle_ref_names(tables, taken);
  std::set<std::string> seen;
  for (const std::string& table : tables) {
    const std::string& name = names.at(table);
    RC_ASSERT(is_ref_type(name));
    RC_ASSERT(!taken.contains(name));
    seen.insert(name);
  }
  RC_ASSERT(seen.size() == names.size());
  std::reverse(tables.begin(), tables.end());
  RC_ASSERT(settle_ref_names(tables, taken) == names);
  std::sort(tables.begin(), tables.end());
  RC_ASSERT(settle_ref_names(tables, taken) == names);
}

RC_GTEST_PROP(RefNames, R2_any_bytes_give_a_ref_type, ()) {
  RC_ASSERT(is_ref_type(ref_name_of_table(*rc::gen::string<std::string>())));
  RC_ASSERT(is_ref_type(ref_name_of_table(*table_name())));
}

TEST(NameStem, names_that_mean_the_same_are_equal_and_others_are_not) {
  EXPECT_EQ(name_stem("book"), name_stem("Books"));
  EXPECT_EQ(name_stem("order_items"), name_stem("order_item"));
  const std::vector<std::string> different = {"",
                                              "_",
                                              "_user",
                                              "user",
                                              "user2",
                                              "user_",
                                              "us-er",
                                              "us_er",
                                              "*user",
                                              "\\*user",
                                              "?user",
                                              "\\",
                                              "\xe4\xb9\xa6",
                                              "\xe4\xbd\x9c",
                                              "1",
                                              "t1",
                                              "row",
                                              "a.user",
                                              std::string(50, 'a') + "x",
                                              std::string(50, 'a') + "y"};
  std::set<std::string> stems;
  for (const std::string& name : different) {
    const std::string stem = name_stem(name);
    EXPECT_TRUE(stems.insert(stem).second) << name;
    EXPECT_FALSE(stem.empty() || stem.front() == '*' || stem.front() == '?') << name;
  }
}

TEST(NamedByKeyColumn, finds_the_name_in_front_of_id) {
  for (const char* column : {"author_id", "author_ID", "author_Id", "authorId", "authorID"})
    EXPECT_EQ(named_by_key_column(column), "author") << column;
  EXPECT_EQ(named_by_key_column("Author_ID"), "Author");
  EXPECT_EQ(named_by_key_column("_id"), "");
  for (const char* column : {"", "d", "id", "ID", "paid", "PAID", "PAId", "author_idx", "x2Id"})
    EXPECT_EQ(named_by_key_column(column), std::nullopt) << column;
}

}  // namespace
}  // namespace alfred
