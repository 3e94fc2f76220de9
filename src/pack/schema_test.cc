#include "pack/schema.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

Field field_of(std::string name, FieldType type = FieldType::text) {
  Field field;
  field.name = std::move(name);
  field.type = type;
  return field;
}

Field link_of(std::string name, std::string table) {
  Field field = field_of(std::move(name), FieldType::uuid);
  field.link = FieldLink{std::move(table), OnDelete::cascade};
  return field;
}

Table table_of(std::string name, std::vector<Field> more = {}) {
  Table table;
  table.name = std::move(name);
  table.key = {"id"};
  table.fields = {field_of("id", FieldType::uuid), field_of("name")};
  table.label = "name";
  for (Field& field : more) table.fields.push_back(std::move(field));
  return table;
}

Error error_of(std::vector<Table> tables) {
  const Result<Schema> made = Schema::make(std::move(tables));
  EXPECT_FALSE(made.has_value());
  return made ? Error{} : made.error();
}

TEST(Schema, field_types_have_names_and_come_back_by_them) {
  for (int i = 0; i <= static_cast<int>(FieldType::bytes); ++i) {
    const auto type = static_cast<FieldType>(i);
    EXPECT_EQ(field_type_named(field_type_name(type)), type);
  }
  EXPECT_EQ(field_type_name(FieldType::instant), "instant");
  EXPECT_EQ(field_type_named("Text"), std::nullopt);
}

TEST(Schema, R1_tables_and_fields_are_found_by_exact_name) {
  const Result<Schema> made = Schema::make({table_of("books"), table_of("authors")});
  ASSERT_TRUE(made.has_value());
  ASSERT_NE(made->find("books"), nullptr);
  EXPECT_EQ(made->find("books")->ref, "book");
  EXPECT_EQ(made->find_ref("author"), made->find("authors"));
  EXPECT_EQ(made->find("Books"), nullptr);
  EXPECT_EQ(made->find_ref("books"), nullptr);
  EXPECT_NE(made->find("books")->find("name"), nullptr);
  EXPECT_EQ(made->find("books")->find("NAME"), nullptr);
  EXPECT_TRUE(made->find("books")->is_key("id"));
  EXPECT_FALSE(made->find("books")->is_key("name"));
  EXPECT_EQ(error_of({table_of("books"), table_of("books")}).path, "books");
  EXPECT_EQ(error_of({table_of("books", {field_of("name")})}).path, "books.name");
}

TEST(Schema, R2_a_table_without_a_key_is_read_only) {
  Table log = table_of("log");
  log.key.clear();
  const Result<Schema> made = Schema::make({log, table_of("books")});
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->find("log")->is_read_only);
  EXPECT_FALSE(made->find("books")->is_read_only);
}

TEST(Schema, R3_a_link_leads_to_a_table_with_a_key_of_one_column) {
  EXPECT_EQ(error_of({table_of("books", {link_of("author_id", "authors")})}).path,
            "books.author_id");
  Table pairs = table_of("pairs", {field_of("second")});
  pairs.key = {"id", "second"};
  pairs.key_source = KeySource::caller;
  EXPECT_EQ(error_of({pairs, table_of("books", {link_of("pair_id", "pairs")})}).path,
            "books.pair_id");
}

TEST(Schema, R4_the_owner_is_hidden_and_no_part_of_the_key) {
  Table books = table_of("books", {field_of("user_id")});
  books.key = {"user_id", "id"};
  books.owner = "user_id";
  Table notes = table_of("notes", {link_of("book_id", "books")});
  const Result<Schema> made = Schema::make({books, notes});
  ASSERT_TRUE(made.has_value());
  const Table& table = *made->find("books");
  EXPECT_EQ(table.key, std::vector<std::string>{"id"});
  EXPECT_TRUE(table.find("user_id")->is_hidden);
  EXPECT_TRUE(table.find("user_id")->is_read_only);
  EXPECT_EQ(made->entity_types().find_table("books")->key, std::vector<std::string>{"id"});
}

TEST(Schema, R5_what_the_system_sets_is_read_only) {
  Table books = table_of(
      "books", {field_of("made", FieldType::instant), field_of("changed", FieldType::instant),
                field_of("cover", FieldType::bytes)});
  books.created_at = "made";
  books.updated_at = "changed";
  Table codes = table_of("codes");
  codes.key_source = KeySource::caller;
  const Result<Schema> made = Schema::make({books, codes});
  ASSERT_TRUE(made.has_value());
  for (const char* name : {"id", "made", "changed", "cover"})
    EXPECT_TRUE(made->find("books")->find(name)->is_read_only) << name;
  EXPECT_FALSE(made->find("books")->find("name")->is_read_only);
  EXPECT_FALSE(made->find("codes")->find("id")->is_read_only);
}

TEST(Schema, R5_a_key_that_nobody_can_make_is_refused) {
  Table books = table_of("books");
  books.key_source = KeySource::database;
  EXPECT_EQ(error_of({books}).path, "books.id");
  books.key_source = KeySource::ours;
  books.key = {"id", "name"};
  books.label.clear();
  EXPECT_EQ(error_of({books}).path, "books.id");
}

TEST(Schema, R6_a_label_is_no_key_no_link_and_not_hidden) {
  Table books = table_of("books", {link_of("author_id", "books"), field_of("secret")});
  books.fields.back().is_hidden = true;
  for (const char* label : {"id", "author_id", "secret", "nothing"}) {
    books.label = label;
    EXPECT_EQ(error_of({books}).path, std::string("books.") + label);
  }
}

TEST(Schema, R6_searched_fields_are_texts_at_most_one_step_away) {
  Table authors = table_of("authors");
  authors.relations = {{"books", "books", "author_id"}};
  authors.searched = {"name", "books.name"};
  Table books =
      table_of("books", {link_of("author_id", "authors"), field_of("pages", FieldType::integer)});
  books.searched = {"author_id.name"};
  EXPECT_TRUE(Schema::make({authors, books}).has_value());
  for (const char* path : {"pages", "author_id.nothing", "nothing.name", "author_id.books.name"}) {
    books.searched = {path};
    EXPECT_EQ(error_of({authors, books}).path, std::string("books.") + path);
  }
}

TEST(Schema, R7_relations_lead_to_a_column_that_links_back) {
  Table authors = table_of("authors");
  const Table books = table_of("books", {link_of("author_id", "authors"), field_of("other")});
  authors.relations = {{"books", "books", "author_id"}};
  const Result<Schema> made = Schema::make({authors, books});
  ASSERT_TRUE(made.has_value());
  const EntityType& type = *made->entity_types().find_table("authors");
  ASSERT_EQ(type.nested.size(), 1U);
  EXPECT_EQ(type.nested[0].member, "books");
  ASSERT_EQ(made->entity_types().find_table("books")->links.size(), 1U);
  for (const Relation& bad : {Relation{"books", "books", "other"},
                              {"name", "books", "author_id"},
                              {"x", "pens", "author_id"},
                              {"", "books", "author_id"}}) {
    authors.relations = {bad};
    EXPECT_EQ(error_of({authors, books}).path, "authors." + bad.member);
  }
}

TEST(Schema, aliases_stand_for_values_of_the_list) {
  Table books = table_of("books");
  books.fields[1].enum_values = {"new", "old"};
  books.fields[1].value_aliases = {{"used", "old"}};
  EXPECT_TRUE(Schema::make({books}).has_value());
  books.fields[1].value_aliases = {{"used", "worn"}};
  EXPECT_EQ(error_of({books}).path, "books.name");
}

TEST(Schema, a_bad_ref_is_named_by_its_table) {
  Table books = table_of("books");
  books.ref = "gen";
  EXPECT_EQ(error_of({table_of("pens"), books}).path, "books.ref");
}

}  // namespace
}  // namespace alfred
