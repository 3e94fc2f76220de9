#include "pack/entity_types.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

EntityType type_of(std::string table, std::string ref = {}) {
  EntityType type;
  type.table = std::move(table);
  type.ref = std::move(ref);
  type.key = {"id"};
  return type;
}

Error error_of(std::vector<EntityType> types) {
  const Result<EntityTypes> made = EntityTypes::make(std::move(types));
  EXPECT_FALSE(made.has_value());
  return made ? Error{} : made.error();
}

Error toml_error(std::string_view text) {
  const Result<EntityTypes> read = read_entity_types(text, "shop.toml");
  EXPECT_FALSE(read.has_value()) << text;
  return read ? Error{} : read.error();
}

bool says(const Error& error, std::string_view words) {
  return error.message.find(words) != std::string::npos;
}

TEST(EntityTypes, nothing_is_declared_at_first) {
  const EntityTypes types;
  EXPECT_TRUE(types.all().empty());
  EXPECT_EQ(types.find_table("books"), nullptr);
  EXPECT_EQ(types.find_ref("book"), nullptr);
}

TEST(EntityTypes, finds_by_table_and_by_ref) {
  const Result<EntityTypes> made = EntityTypes::make({type_of("books", "book"), type_of("pens")});
  ASSERT_TRUE(made.has_value());
  ASSERT_NE(made->find_table("books"), nullptr);
  EXPECT_EQ(made->find_ref("book"), made->find_table("books"));
  EXPECT_EQ(made->find_ref("pen"), made->find_table("pens"));
  EXPECT_EQ(made->find_table("book"), nullptr);
  EXPECT_EQ(made->find_ref("books"), nullptr);
  EXPECT_EQ(made->all()[1].table, "pens");
}

TEST(EntityTypes, R1_a_ref_that_breaks_the_grammar_is_refused) {
  for (const char* ref : {"Book", "gen_book", "lit", "2b", "a__b", "a_"}) {
    const Error error = error_of({type_of("pens"), type_of("books", ref)});
    EXPECT_EQ(error.code, ErrorCode::schema);
    EXPECT_EQ(error.path, "entity[1].ref");
    EXPECT_TRUE(says(error, ref)) << error.message;
  }
}

TEST(EntityTypes, R2_tables_and_refs_are_declared_once) {
  EXPECT_EQ(error_of({type_of("books"), type_of("books")}).path, "entity[1].table");
  EXPECT_EQ(error_of({type_of("")}).path, "entity[0].table");
  const Error error = error_of({type_of("books", "b"), type_of("boats", "b")});
  EXPECT_EQ(error.path, "entity[1].ref");
  EXPECT_TRUE(says(error, "\"books\" and \"boats\"")) << error.message;
}

TEST(EntityTypes, R2_columns_are_declared_once) {
  EntityType books = type_of("books");
  books.key = {"a", "a"};
  EXPECT_EQ(error_of({books}).path, "entity[0].key");
  books = type_of("books");
  books.links = {{"next_id", "books"}, {"next_id", "books"}};
  EXPECT_EQ(error_of({books}).path, "entity[0].links.next_id");
  books.links = {{"next", "books"}};
  books.nested = {{"next", "books"}};
  EXPECT_EQ(error_of({books}).path, "entity[0].nested.next");
  books.links = {{"", "books"}};
  EXPECT_EQ(error_of({books}).path, "entity[0].links");
}

TEST(EntityTypes, R2_a_joining_table_has_links_for_its_key) {
  EntityType joined = type_of("book_tags");
  joined.key = {"book_id", "tag_id"};
  joined.links = {{"book_id", "books"}, {"tag_id", "tags"}};
  EXPECT_TRUE(EntityTypes::make({type_of("books"), type_of("tags"), joined}).has_value());
}

TEST(EntityTypes, R3_links_lead_to_declared_tables) {
  EntityType books = type_of("books");
  books.links = {{"author_id", "writers"}};
  const Error error = error_of({books, type_of("authors")});
  EXPECT_EQ(error.path, "entity[0].links.author_id");
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"authors", "books"}));
  EXPECT_TRUE(says(error, "authors, books")) << error.message;
  books.links.clear();
  books.nested = {{"chapters", "chapters"}};
  EXPECT_EQ(error_of({books}).path, "entity[0].nested.chapters");
}

TEST(EntityTypes, R3_a_link_leads_to_a_key_of_one_column) {
  EntityType books = type_of("books");
  books.links = {{"author_id", "authors"}};
  EntityType authors = type_of("authors");
  for (const std::vector<std::string>& key : {std::vector<std::string>{}, {"a", "b"}}) {
    authors.key = key;
    EXPECT_EQ(error_of({books, authors}).path, "entity[0].links.author_id");
  }
}

TEST(EntityTypes, R3_at_most_ten_tables_are_named) {
  std::vector<EntityType> types;
  for (char c = 'a'; c < 'p'; ++c) types.push_back(type_of(std::string("table_") + c));
  types[0].links = {{"x_id", "x"}};
  EXPECT_EQ(error_of(types).allowed.size(), 10u);
  EXPECT_TRUE(says(error_of(types), "table_j and 5 more.")) << error_of(types).message;
}

TEST(EntityTypes, R4_an_empty_ref_comes_from_the_name_after_the_declared_ones) {
  const Result<EntityTypes> made =
      EntityTypes::make({type_of("boxes"), type_of("a.users"), type_of("b.users"),
                         type_of("crates", "box"), type_of("categories")});
  ASSERT_TRUE(made.has_value());
  std::vector<std::string> refs;
  for (const EntityType& type : made->all()) refs.push_back(type.ref);
  EXPECT_EQ(refs, (std::vector<std::string>{"boxes", "a_user", "b_user", "box", "category"}));
}

TEST(EntityTypes, R5_a_label_is_no_key) {
  EntityType books = type_of("books");
  books.label = "id";
  EXPECT_EQ(error_of({books}).path, "entity[0].label");
  books.label = "next_id";
  books.links = {{"next_id", "books"}};
  EXPECT_EQ(error_of({books}).path, "entity[0].label");
}

TEST(DeriveEntityType, takes_everything_from_the_name) {
  const EntityType type = derive_entity_type("shop.order_items");
  EXPECT_EQ(type.table, "shop.order_items");
  EXPECT_EQ(type.ref, "order_item");
  EXPECT_EQ(type.key, std::vector<std::string>{"id"});
  EXPECT_FALSE(type.is_declared);
  EXPECT_TRUE(type.label.empty() && type.links.empty() && type.nested.empty());
}

TEST(ReadEntityTypes, reads_every_member) {
  const Result<EntityTypes> read = read_entity_types(R"(
[[entity]]
table = "books"
ref = "volume"
key = ["shelf", "place"]
label = "title"
links = { author_id = "authors", a_id = "authors" }
nested = { chapters = "chapters" }
[[entity]]
table = "authors"
[[entity]]
table = "chapters"
key = []
)",
                                                     "shop.toml");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const EntityType& books = *read->find_ref("volume");
  EXPECT_EQ(books.key, (std::vector<std::string>{"shelf", "place"}));
  EXPECT_EQ(books.label, "title");
  ASSERT_EQ(books.links.size(), 2u);
  EXPECT_EQ(books.links[0].column, "a_id");
  EXPECT_EQ(books.links[1].table, "authors");
  ASSERT_EQ(books.nested.size(), 1u);
  EXPECT_EQ(books.nested[0].member, "chapters");
  EXPECT_TRUE(books.is_declared);
  EXPECT_EQ(read->find_table("authors")->key, std::vector<std::string>{"id"});
  EXPECT_EQ(read->find_table("authors")->ref, "author");
  EXPECT_TRUE(read->find_table("chapters")->key.empty());
}

TEST(ReadEntityTypes, an_empty_text_declares_nothing) {
  const Result<EntityTypes> read = read_entity_types("# nothing yet\n", "shop.toml");
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->all().empty());
}

TEST(ReadEntityTypes, errors_name_the_place) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"[[entity]]\ntable = \"a\"\ncolour = 1\n", "shop.toml:3:1"},
      {"[[entity]]\ntable = \"a\"\nref = 3\n", "shop.toml:3:7"},
      {"[[entity]]\ntable = \"\"\n", "shop.toml:2:9"},
      {"[[entity]]\ntable = \"a\"\nkey = \"id\"\n", "shop.toml:3:7"},
      {"[[entity]]\ntable = \"a\"\nkey = [1]\n", "shop.toml:3:8"},
      {"[[entity]]\ntable = \"a\"\nlinks = [\"b\"]\n", "shop.toml:3:9"},
      {"[[entity]]\ntable = \"a\"\nlinks = { b_id = 2 }\n", "shop.toml:3:18"},
      {"[[entity]]\nref = \"a\"\n", "shop.toml:1:1"},
      {"[entity]\ntable = \"a\"\n", "shop.toml:1:1"},
      {"entity = 3\n", "shop.toml:1:10"},
      {"entity = [1, 2]\n", "shop.toml:1:10"},
      {"other = 3\n", "shop.toml:1:1"},
      {"[[entity]]\ntable = \n", "shop.toml:2:9"},
      {"[[entity]]\ntable = \"a\"\ntable = \"b\"\n", "shop.toml:3:9"},
      {"[[entity]]\ntable = \"a\"\nref = \"gen\"\n", "shop.toml:3:7"},
      {"[[entity]]\ntable = \"a\"\nlinks = { b_id = \"b\" }\n", "shop.toml:3:18"},
      {"[[entity]]\ntable = \"a\"\n[[entity]]\ntable = \"a\"\n", "shop.toml:4:9"},
      {"[[entity]]\ntable = \"a\"\nlabel = \"id\"\n", "shop.toml:3:9"}};
  for (const auto& [text, place] : cases) {
    const Error error = toml_error(text);
    EXPECT_EQ(error.code, ErrorCode::schema);
    EXPECT_EQ(error.path, place) << text << error.message;
    EXPECT_FALSE(error.message.empty());
  }
}

TEST(ReadEntityTypes, an_unknown_key_comes_with_the_known_ones) {
  const Error error = toml_error("[[entity]]\ntable = \"a\"\ncolour = 1\n");
  EXPECT_EQ(error.allowed,
            (std::vector<std::string>{"table", "ref", "key", "label", "links", "nested"}));
  EXPECT_TRUE(says(error, "colour")) << error.message;
}

TEST(ReadEntityTypes, bytes_that_are_not_utf8_are_an_error_with_a_place) {
  EXPECT_EQ(toml_error("[[entity]]\ntable = \"\xff\xfe\"\n").path.substr(0, 11), "shop.toml:2");
}

}  // namespace
}  // namespace alfred
