#include "pack/derive.h"

#include <gtest/gtest.h>

#include "pack/derive/declared_type.h"

namespace alfred {
namespace {

CatalogueColumn column(std::string name, std::string type, bool has_default = false) {
  CatalogueColumn made;
  made.name = std::move(name);
  made.declared_type = std::move(type);
  made.has_default = has_default;
  return made;
}

CatalogueTable table(std::string name, std::vector<CatalogueColumn> columns,
                     std::vector<std::string> key = {"id"}, std::vector<CatalogueLink> links = {}) {
  CatalogueTable made;
  made.name = std::move(name);
  made.columns = std::move(columns);
  made.primary_key = std::move(key);
  made.links = std::move(links);
  return made;
}

Schema derived(std::vector<CatalogueTable> tables, const DeriveOptions& options = {}) {
  Result<Schema> made = derive_schema(Catalogue{std::move(tables)}, options);
  EXPECT_TRUE(made.has_value()) << made.error().message << " at " << made.error().path;
  return made ? std::move(*made) : Schema();
}

TEST(DeclaredType, R1_names_mean_the_same_on_both_databases) {
  const std::vector<std::pair<const char*, FieldType>> rows{
      {"TEXT", FieldType::text},
      {"varchar(40)", FieldType::text},
      {"character varying(255)", FieldType::text},
      {"citext", FieldType::text},
      {"INTEGER", FieldType::integer},
      {"bigint", FieldType::integer},
      {"UNSIGNED BIG INT", FieldType::integer},
      {"int8", FieldType::integer},
      {"bigserial", FieldType::integer},
      {"tinyint(1)", FieldType::boolean},
      {"tinyint(4)", FieldType::integer},
      {"bool", FieldType::boolean},
      {"BOOLEAN", FieldType::boolean},
      {"double precision", FieldType::number},
      {"REAL", FieldType::number},
      {"numeric(10,2)", FieldType::number},
      {"DECIMAL(8, 2)", FieldType::number},
      {"date", FieldType::date},
      {"DATETIME", FieldType::instant},
      {"timestamp(3) without time zone", FieldType::instant},
      {"timestamp with time zone", FieldType::instant},
      {"timestamptz", FieldType::instant},
      {"json", FieldType::json},
      {"jsonb", FieldType::json},
      {"uuid", FieldType::uuid},
      {"uniqueidentifier", FieldType::uuid},
      {"blob", FieldType::bytes},
      {"bytea", FieldType::bytes},
      {"", FieldType::text},
      {"ltree", FieldType::text},
      {"interval", FieldType::text},
      {"interval day to second(3)", FieldType::text},
      {"time without time zone", FieldType::text},
      {"int4range", FieldType::text},
      {"geometry(Point,4326)", FieldType::text},
  };
  for (const auto& [declared, type] : rows)
    EXPECT_EQ(field_type_name(read_declared_type(declared).type), field_type_name(type))
        << declared;
}

TEST(DeclaredType, R2_other_names_follow_affinity) {
  EXPECT_EQ(read_declared_type("MEDIUMINT UNSIGNED").type, FieldType::integer);
  EXPECT_EQ(read_declared_type("NATIVE CHARACTER(70)").type, FieldType::text);
  EXPECT_EQ(read_declared_type("longblob").type, FieldType::bytes);
  EXPECT_EQ(read_declared_type("float8").type, FieldType::number);
}

TEST(DeclaredType, R3_arrays_of_texts_are_lists_and_other_arrays_are_only_read) {
  EXPECT_EQ(read_declared_type("text[]").type, FieldType::list);
  EXPECT_EQ(read_declared_type("character varying(10)[]").type, FieldType::list);
  for (const char* declared : {"integer[]", "text[][]", "uuid[]", "timestamp[]"}) {
    EXPECT_EQ(read_declared_type(declared).type, FieldType::json) << declared;
    EXPECT_TRUE(read_declared_type(declared).is_read_only) << declared;
  }
}

TEST(Derive, R1_who_makes_a_key_follows_from_its_type) {
  CatalogueColumn uuids = column("id", "text");
  uuids.holds_uuids = true;
  const Schema schema = derived({
      table("a", {column("id", "uuid", true)}),
      table("b", {column("id", "INTEGER", true)}),
      table("c", {column("id", "bigint", true)}),
      table("d", {column("id", "bigint")}),
      table("e", {column("id", "char(36)")}),
      table("f", {column("id", "text")}),
      table("g", {column("id", "text", true)}),
      table("h", {column("x", "integer"), column("y", "integer")}, {"x", "y"}),
      table("i", {uuids}),
  });
  const auto source = [&](const char* name) { return schema.find(name)->key_source; };
  EXPECT_EQ(source("a"), KeySource::ours);
  EXPECT_EQ(source("b"), KeySource::database);
  EXPECT_EQ(source("c"), KeySource::database);
  EXPECT_EQ(source("d"), KeySource::caller);
  EXPECT_EQ(source("e"), KeySource::ours);
  EXPECT_EQ(source("f"), KeySource::caller);
  EXPECT_EQ(source("g"), KeySource::ours);
  EXPECT_EQ(source("i"), KeySource::ours);
  EXPECT_EQ(source("h"), KeySource::caller);
  EXPECT_EQ(schema.find("h")->key, (std::vector<std::string>{"x", "y"}));
  EXPECT_FALSE(schema.find("h")->find("x")->is_hidden);  // D29
}

TEST(Derive, R1_a_key_that_no_ref_can_stand_for_is_none) {
  const Schema schema = derived({table("files", {column("id", "blob"), column("name", "text")}),
                                 table("days", {column("id", "date")})});
  EXPECT_TRUE(schema.find("files")->key.empty());
  EXPECT_TRUE(schema.find("files")->is_read_only);
  EXPECT_EQ(schema.find("days")->key.size(), 1U);
}

TEST(Derive, R2_foreign_keys_of_one_column_are_links) {
  const Schema schema = derived({
      table("authors", {column("id", "integer"), column("name", "text")}),
      table("books",
            {column("id", "integer"), column("author_id", "integer"), column("code", "text")},
            {"id"},
            {{{"author_id"}, "Authors", {"ID"}, OnDelete::cascade},
             {{"code"}, "authors", {"name"}, OnDelete::refuse}}),
      table("chapters", {column("id", "integer"), column("book", "integer")}, {"id"},
            {{{"book"}, "books", {}, OnDelete::set_null}}),
  });
  const Table& books = *schema.find("books");
  ASSERT_TRUE(books.find("author_id")->link.has_value());
  EXPECT_EQ(books.find("author_id")->link->table, "authors");
  EXPECT_EQ(books.find("author_id")->link->on_delete, OnDelete::cascade);
  EXPECT_FALSE(books.find("code")->link.has_value());  // not the key
  EXPECT_EQ(schema.find("chapters")->find("book")->link->table, "books");
}

TEST(Derive, R2_a_foreign_key_that_shares_the_owner_is_one_of_one_column) {
  const std::vector<CatalogueTable> tables{
      table("books", {column("user_id", "text"), column("id", "uuid")}, {"user_id", "id"}),
      table("notes", {column("user_id", "text"), column("id", "uuid"), column("book_id", "uuid")},
            {"user_id", "id"},
            {{{"user_id", "book_id"}, "books", {"user_id", "id"}, OnDelete::refuse}})};
  DeriveOptions owned;
  owned.owner = "user_id";
  const Schema schema = derived(tables, owned);
  EXPECT_EQ(schema.find("books")->owner, "user_id");
  EXPECT_EQ(schema.find("books")->key, std::vector<std::string>{"id"});
  ASSERT_TRUE(schema.find("notes")->find("book_id")->link.has_value());
  EXPECT_EQ(schema.find("books")->relations.size(), 1U);
  // Without an owner it is a foreign key of two columns, which is no link.
  EXPECT_FALSE(derived(tables).find("notes")->find("book_id")->link.has_value());
}

TEST(Derive, R2_a_key_that_is_a_link_is_content) {
  const Schema schema = derived({
      table("users", {column("id", "uuid")}),
      table("profiles", {column("user_id", "uuid"), column("bio", "text")}, {"user_id"},
            {{{"user_id"}, "users", {"id"}, OnDelete::cascade}}),
  });
  EXPECT_EQ(schema.find("profiles")->key_source, KeySource::caller);
}

TEST(Derive, R3_the_label_is_the_first_guess_that_is_a_text) {
  const Schema schema = derived({
      table("a", {column("id", "uuid"), column("email", "text"), column("title", "integer"),
                  column("Name", "text")}),
      table("b", {column("id", "uuid"), column("CompanyName", "text")}),
      table("c", {column("name", "text"), column("email", "text")}, {"name"}),
      table("d", {column("id", "uuid"), column("total", "real")}),
      table("e", {column("id", "uuid"), column("email", "text"), column("fullName", "text")}),
      table("f", {column("id", "uuid"), column("slug", "text"), column("DISPLAY_NAME", "text")}),
      table("g", {column("id", "uuid"), column("summary", "text"), column("userName", "text")}),
  });
  EXPECT_EQ(schema.find("e")->label, "fullName");
  EXPECT_EQ(schema.find("f")->label, "DISPLAY_NAME");
  EXPECT_EQ(schema.find("g")->label, "userName");
  EXPECT_EQ(schema.find("a")->label, "Name");
  EXPECT_EQ(schema.find("b")->label, "CompanyName");
  EXPECT_EQ(schema.find("c")->label, "email");
  EXPECT_EQ(schema.find("d")->label, "");
}

TEST(Derive, R4_rows_that_lead_here_are_nested_under_their_tables_name) {
  const Schema schema = derived({
      table("people",
            {column("id", "integer"), column("boss_id", "integer"), column("notes", "text")},
            {"id"}, {{{"boss_id"}, "people", {"id"}, OnDelete::refuse}}),
      table("letters",
            {column("id", "integer"), column("from_id", "integer"), column("to_id", "integer")},
            {"id"},
            {{{"from_id"}, "people", {"id"}, OnDelete::refuse},
             {{"to_id"}, "people", {"id"}, OnDelete::refuse}}),
      table("notes", {column("id", "integer"), column("person_id", "integer")}, {"id"},
            {{{"person_id"}, "people", {"id"}, OnDelete::refuse}}),
  });
  std::vector<std::string> members;
  for (const Relation& relation : schema.find("people")->relations)
    members.push_back(relation.member);
  EXPECT_EQ(members, (std::vector<std::string>{"people", "letters_by_from", "letters_by_to",
                                               "notes_by_person"}));
}

TEST(Derive, R5_views_tables_without_a_key_and_computed_columns_are_read_only) {
  CatalogueTable view = table("recent", {column("id", "integer")}, {});
  view.is_view = true;
  CatalogueTable sums = table("sums", {column("id", "integer"), column("total", "integer")});
  sums.columns[1].is_computed = true;
  const Schema schema = derived({view, table("log", {column("line", "text")}, {}), sums});
  EXPECT_TRUE(schema.find("recent")->is_read_only);
  EXPECT_TRUE(schema.find("log")->is_read_only);
  EXPECT_FALSE(schema.find("sums")->is_read_only);
  EXPECT_TRUE(schema.find("sums")->find("total")->is_read_only);
}

TEST(Derive, lists_of_values_are_of_words) {
  CatalogueTable things = table("things", {column("id", "uuid"), column("mood", "interest_kind"),
                                           column("size", "integer"), column("code", "text")});
  things.columns[1].enum_values = {"low", "high"};
  things.columns[2].enum_values = {"1", "2", "-3"};
  things.columns[3].enum_values = {"1", "2"};
  const Schema schema = derived({things});
  const Table& found = *schema.find("things");
  EXPECT_EQ(found.find("mood")->type, FieldType::text);
  EXPECT_EQ(found.find("mood")->enum_values.size(), 2U);
  EXPECT_EQ(found.find("size")->type, FieldType::integer);
  EXPECT_TRUE(found.find("size")->enum_values.empty());
  EXPECT_EQ(found.find("code")->enum_values.size(), 2U);
}

TEST(Derive, R6_times_are_known_by_name_and_type) {
  const Schema schema = derived({
      table("a", {column("id", "uuid"), column("created_at", "datetime"),
                  column("updated_at", "timestamptz")}),
      table("b", {column("id", "uuid"), column("created_at", "timestamptz", true),
                  column("updated_at", "integer")}),
  });
  EXPECT_EQ(schema.find("a")->created_at, "created_at");
  EXPECT_EQ(schema.find("a")->updated_at, "updated_at");
  EXPECT_EQ(schema.find("b")->created_at, "");
  EXPECT_TRUE(schema.find("b")->find("created_at")->is_read_only);
  EXPECT_EQ(schema.find("b")->updated_at, "");
}

TEST(Derive, R7_columns_with_credentials_are_hidden) {
  for (const char* name : {"password", "password_hash", "PasswordHash", "encrypted_password",
                           "secret", "otp_secret", "client_secret", "token", "accessToken",
                           "api_key", "apiKey", "private_key", "salt", "passwd", "token_hash"})
    EXPECT_TRUE(is_secret_name(name)) << name;
  for (const char* name : {"name", "token_count", "secret_santa", "key", "sort_key", "secretary",
                           "salted", "hash", "compass", "salt_grams"})
    EXPECT_FALSE(is_secret_name(name)) << name;
  const Schema schema = derived({table("users", {column("id", "uuid"), column("password", "text")}),
                                 table("logins", {column("token", "text")}, {"token"})});
  EXPECT_TRUE(schema.find("users")->find("password")->is_hidden);
  EXPECT_FALSE(schema.find("logins")->find("token")->is_hidden);
}

TEST(Derive, R8_tables_of_our_own_are_left_out) {
  const Schema schema = derived({table("alfred_ops", {column("id", "uuid")}),
                                 table("alfred.sessions", {column("id", "uuid")}),
                                 table("sqlite_sequence", {column("id", "uuid")}),
                                 table("pens", {column("id", "uuid")})});
  ASSERT_EQ(schema.tables().size(), 1U);
  EXPECT_EQ(schema.tables()[0].name, "pens");
}

}  // namespace
}  // namespace alfred
