#include "pack/overlay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "catalogue_for_tests.h"
#include "pack/check.h"
#include "pack/derive.h"
#include "pack/load/folder_for_tests.h"
#include "pack/pack_text.h"

namespace alfred {
namespace {

constexpr std::string_view kShop =
    "create table authors (id integer primary key, name text not null);"
    "create table books (id integer primary key, title text not null, kind text, out_on text,"
    "  made text, api_key text, author_id bigint references authors (id) on delete cascade,"
    "  owner_id bigint references secrets (id), cover blob);"
    "create table secrets (id integer primary key, word text);";

Result<Schema> laid(const std::string& toml, std::string_view sql = kShop) {
  const FolderForTests folder({{"pack.toml", toml}});
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  if (!pack) return Unexpected(pack.error());
  return overlay(*pack, catalogue_of(sql));
}

Error error_of(const std::string& toml) {
  const Result<Schema> schema = laid(toml);
  EXPECT_FALSE(schema.has_value()) << toml;
  return schema ? Error{} : schema.error();
}

TEST(Overlay, R1_what_the_database_has_not_is_an_error_at_its_line) {
  const Error table = error_of("name = \"x\"\n[[entity]]\ntable = \"pens\"\n");
  EXPECT_EQ(table.code, ErrorCode::pack);
  EXPECT_EQ(table.path, "pack.toml:3:9");
  EXPECT_EQ(table.allowed, (std::vector<std::string>{"authors", "books", "secrets"}));
  const std::vector<std::pair<const char*, const char*>> rows{
      {"[entity.fields]\ncolour = { type = \"text\" }\n", "pack.toml:5:1"},
      {"hidden_fields = [\"colour\"]\n", "pack.toml:4:17"},
      {"label = \"colour\"\n", "pack.toml:4:9"},
      {"key = [\"colour\"]\n", "pack.toml:4:7"},
      {"owner = \"colour\"\n", "pack.toml:4:9"},
      {"updated_at = \"colour\"\n", "pack.toml:4:14"},
      {"timer = \"colour\"\n", "pack.toml:4:9"},
      {"links = { colour = \"books\" }\n", "pack.toml:4:11"},
      {"searched = [\"colour\"]\n", "pack.toml:4:12"},
      {"nested = { colours = \"books\" }\n", "pack.toml:4:12"},
      {"ref = \"gen\"\n", "pack.toml:4:7"},
  };
  for (const auto& [text, place] : rows) {
    const Error error =
        error_of(std::string("name = \"x\"\n[[entity]]\ntable = \"books\"\n") + text);
    EXPECT_EQ(error.path, place) << text << error.message;
    EXPECT_EQ(error.code, ErrorCode::pack) << text;
  }
}

TEST(Overlay, R1_a_column_named_for_all_tables_is_in_one_of_them_at_least) {
  for (const std::string name : {"owner", "created_at", "updated_at"}) {
    const Error error = error_of("name = \"x\"\n" + name + " = \"nowhere\"\n");
    EXPECT_EQ(error.code, ErrorCode::pack);
    EXPECT_EQ(error.path, fmt::format("pack.toml:2:{}", name.size() + 4)) << name;
    EXPECT_EQ(
        error.message,
        fmt::format("No table of the database has a column \"nowhere\", which {} names.", name));
  }
}

TEST(Overlay, R2_what_the_pack_does_not_say_is_derived) {
  const Result<Schema> schema =
      laid("name = \"x\"\n[[entity]]\ntable = \"books\"\n[[entity]]\ntable = \"authors\"\n");
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  const Table& books = *schema->find("books");
  EXPECT_EQ(books.ref, "book");
  EXPECT_EQ(books.label, "title");
  EXPECT_EQ(books.find("author_id")->link->on_delete, OnDelete::cascade);
  EXPECT_TRUE(books.find("api_key")->is_hidden);
  EXPECT_EQ(schema->find("authors")->relations[0].member, "books");
}

TEST(Overlay, R2_what_the_pack_says_wins) {
  const Result<Schema> schema = laid(R"(name = "x"
updated_at = "made"
[[entity]]
table = "books"
ref = "volume"
label = "kind"
batch = "atomic"
shown_fields = ["api_key"]
read_only_fields = ["title"]
links = { author_id = { table = "authors", on_delete = "set_null" } }
[entity.fields]
kind = { values = ["new", "old"], aliases = { used = "old" }, default = "new" }
out_on = { type = "date" }
[[entity]]
table = "authors"
nested = {}
)");
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  const Table& books = *schema->find_ref("volume");
  EXPECT_EQ(books.label, "kind");
  EXPECT_EQ(books.batch_policy, BatchPolicy::atomic);
  EXPECT_FALSE(books.find("api_key")->is_hidden);
  EXPECT_TRUE(books.find("title")->is_read_only);
  EXPECT_EQ(books.find("author_id")->link->on_delete, OnDelete::set_null);
  EXPECT_EQ(books.find("kind")->value_aliases.at("used"), "old");
  EXPECT_EQ(books.find("kind")->default_value, Json("new"));
  EXPECT_EQ(books.find("out_on")->type, FieldType::date);
  EXPECT_EQ(books.updated_at, "made");
  EXPECT_EQ(books.find("made")->type, FieldType::instant);
  EXPECT_TRUE(schema->find("authors")->relations.empty());
}

TEST(Overlay, R3_undeclared_tables_are_left_out_and_what_leads_to_them_is_hidden) {
  const std::string toml = "name = \"x\"\n[[entity]]\ntable = \"books\"\n";
  const Result<Schema> hidden = laid(toml);
  ASSERT_TRUE(hidden.has_value());
  EXPECT_EQ(hidden->tables().size(), 1U);
  EXPECT_TRUE(hidden->find("books")->find("author_id")->is_hidden);
  EXPECT_TRUE(hidden->find("books")->find("owner_id")->is_hidden);
  const Result<Schema> shown = laid("undeclared = \"show\"\n" + toml);
  ASSERT_TRUE(shown.has_value());
  EXPECT_EQ(shown->tables().size(), 3U);
  EXPECT_FALSE(shown->find("books")->find("author_id")->is_hidden);
}

TEST(Overlay, R4_a_link_has_the_type_of_the_key_it_leads_to) {
  const Result<Schema> schema = laid(
      "name = \"x\"\n[[entity]]\ntable = \"a\"\n[entity.fields]\nid = { type = \"uuid\" }\n"
      "[[entity]]\ntable = \"b\"\n",
      "create table a (id text primary key, name text);"
      "create table b (id integer primary key, a_id text references a (id));");
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  EXPECT_EQ(schema->find("b")->find("a_id")->type, FieldType::uuid);
  EXPECT_EQ(schema->find("a")->key_source, KeySource::ours);
}

TEST(Overlay, R5_a_type_that_the_column_cannot_hold_is_refused) {
  for (const char* field : {"cover = { type = \"text\" }", "id = { type = \"date\" }"}) {
    const Error error = error_of(
        std::string("name = \"x\"\n[[entity]]\ntable = \"books\"\n[entity.fields]\n") + field);
    EXPECT_EQ(error.path, "pack.toml:5:1") << field;
  }
}

Error check_error(const std::string& toml, const std::string& rows) {
  const FolderForTests folder({{"pack.toml", toml}, {"rows.json", rows}});
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  if (!pack) return {};
  const Result<PackSummary> summary = check_against(*pack, catalogue_of(kShop));
  EXPECT_FALSE(summary.has_value()) << toml << rows;
  return summary ? Error{} : summary.error();
}

// check.h, R1.
TEST(CheckPack, R1_rules_and_scopes_name_columns) {
  const std::string head = "name = \"x\"\n[[entity]]\ntable = \"authors\"\n";
  for (const char* rules :
       {"compile = { renames = { a = \"colour\" } }",
        "compile = { coerce = { colour = \"text\" } }", "compile = { defaults = { colour = 1 } }"})
    EXPECT_EQ(check_error(head + rules, "").path, "pack.toml:4:11") << rules;
  const std::string books = "\n[[entity]]\ntable = \"books\"\n";
  const std::string linked =
      "compile = { linked = [{ members = [\"b\"], table = \"books\", column = \"";
  EXPECT_EQ(check_error(head + linked + "owner_id\" }] }" + books, "").path, "pack.toml:4:11");
  EXPECT_EQ(
      check_error(head + linked + "author_id\", text_column = \"colour\" }] }" + books, "").path,
      "pack.toml:4:11");
  EXPECT_EQ(check_error(head + "[[subdomain]]\nname = \"s\"\ntables = [\"authors\"]\n"
                               "scopes = { few = { colour = 1 } }\n",
                        "")
                .path,
            "pack.toml:4:1");
}

TEST(CheckPack, R1_rows_are_such_as_may_be_written) {
  const std::string toml =
      "name = \"x\"\nrows = [\"rows.json\"]\n[[entity]]\ntable = \"books\"\n[entity.fields]\n"
      "kind = { values = [\"new\", \"old\"] }\n[[entity]]\ntable = \"authors\"\n";
  for (const char* row : {R"({"title": 3})", R"({"kind": "new"})",
                          R"({"title": "A", "kind": "worn"})", R"({"title": null})",
                          R"({"title": "A", "author_id": 3})", R"({"title": "A", "cover": "x"})"})
    EXPECT_EQ(check_error(toml, std::string(R"({"table": "books", "rows": [)") + row + "]}").path,
              "rows.json row 1")
        << row;
}

// pack_text.h, R1.
TEST(PackText, R1_what_is_written_gives_the_same_schema) {
  constexpr std::string_view kStrange =
      "create table people (id integer primary key, \"full name\" text not null, password text,"
      "  boss_id bigint references people (id) on delete set null, created_at datetime,"
      "  updated_at datetime, total integer generated always as (id * 2));"
      "create table \"odd \"\"name\" (code text primary key, title text);"
      "create table tags (person_id bigint not null references people (id) on delete cascade,"
      "  code text not null references \"odd \"\"name\" (code), primary key (person_id, code));"
      "create table log (line text);"
      "create view names as select \"full name\" from people;";
  const Catalogue catalogue = catalogue_of(kStrange);
  const Result<Schema> derived = derive_schema(catalogue);
  ASSERT_TRUE(derived.has_value()) << derived.error().message;
  const std::string text = pack_text(*derived, "shop");
  const FolderForTests folder({{"pack.toml", text}});
  const Result<Pack> pack = load_pack(folder.path());
  ASSERT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path << text;
  const Result<Schema> again = overlay(*pack, catalogue);
  ASSERT_TRUE(again.has_value()) << again.error().message << " at " << again.error().path << text;
  EXPECT_EQ(pack_text(*again, "shop"), text);
  ASSERT_EQ(again->tables().size(), derived->tables().size());
  for (const Table& table : derived->tables()) {
    const Table& same = *again->find(table.name);
    EXPECT_EQ(same.ref, table.ref);
    EXPECT_EQ(same.key_source, table.key_source) << table.name;
    EXPECT_EQ(same.is_read_only, table.is_read_only) << table.name;
    for (const Field& field : table.fields) {
      EXPECT_EQ(same.find(field.name)->type, field.type) << field.name;
      EXPECT_EQ(same.find(field.name)->is_hidden, field.is_hidden) << field.name;
      EXPECT_EQ(same.find(field.name)->is_read_only, field.is_read_only) << field.name;
    }
  }
}

TEST(PackText, R2_guesses_are_said_in_comments) {
  const Result<Schema> derived = derive_schema(catalogue_of(kShop));
  ASSERT_TRUE(derived.has_value());
  const std::string text = pack_text(*derived, "shop");
  for (const char* words :
       {"label = \"title\"  #", "hidden_fields = [\"api_key\"]  #", "# counted by the database"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

}  // namespace
}  // namespace alfred
