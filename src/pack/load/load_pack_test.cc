#include <gtest/gtest.h>

#include "pack/load/folder_for_tests.h"
#include "pack/pack.h"

namespace alfred {
namespace {

Error error_of(const std::map<std::string, std::string>& files) {
  const FolderForTests folder(files);
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_FALSE(pack.has_value());
  return pack ? Error{} : pack.error();
}

Error error_of_toml(const std::string& toml) {
  return error_of({{"pack.toml", "name = \"x\"\n" + toml}});
}

constexpr const char* kWhole = R"(name = "shop"
title = "Shop"
description = "Things."
owner = "user_id"
schema = "schema.sql"
include = ["words.toml"]
rows = ["rows.json"]
demo = ["demo/one.json"]
scenarios = ["scenarios/one.md"]
[texts]
persona = "texts/persona.md"
[[entity]]
table = "things"
ref = "thing"
words = ["stuff"]
single = true
timer = "at"
nested = { parts = { table = "parts", column = "thing_id" } }
[entity.fields]
kind = { values = ["a", "b"], aliases = { first = "a" }, default = "a", hidden = false, help = "?" }
[entity.compile]
renames = { title = "name" }
coerce = { size = "integer" }
defaults = { size = 3 }
[[entity.compile.linked]]
members = ["parts", "pieces"]
table = "parts"
column = "thing_id"
text = "quantity_unit"
text_column = "name"
[[entity]]
table = "parts"
owner = false
label = false
[[subdomain]]
name = "things"
tables = ["things", "parts"]
words = ["stuff"]
scopes = { small = { kind = "a" } }
[[constraint]]
name = "size"
takes = "one"
)";

std::map<std::string, std::string> whole() {
  return {{"pack.toml", kWhole},
          {"schema.sql", "create table things (id text);"},
          {"words.toml",
           "[[category]]\nname = \"c\"\nmembers = [\"m\"]\n"
           "[[unit]]\nname = \"g\"\nwords = [\"gram\"]\nkind = \"weight\"\nsize = 1\n"},
          {"rows.json", "[]"},
          {"demo/one.json", "{}"},
          {"scenarios/one.md", "# One"},
          {"texts/persona.md", "You are."}};
}

TEST(LoadPack, reads_everything_it_declares) {
  const FolderForTests folder(whole());
  const Result<Pack> pack = load_pack(folder.path());
  ASSERT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  EXPECT_EQ(pack->name, "shop");
  EXPECT_EQ(pack->owner, "user_id");
  EXPECT_EQ(pack->schema_sql, "create table things (id text);");
  EXPECT_EQ(pack->texts.at("persona").text, "You are.");
  EXPECT_EQ(pack->rows.at(0).text, "[]");
  EXPECT_EQ(pack->demo.at(0).name, "demo/one.json");
  EXPECT_EQ(pack->scenarios.at(0).text, "# One");
  const PackEntity& things = *pack->find("things");
  EXPECT_TRUE(things.is_single);
  EXPECT_EQ(things.timer, "at");
  EXPECT_EQ(things.fields.at(0).aliases.at("first"), "a");
  EXPECT_EQ(things.nested->at(0).column, "thing_id");
  EXPECT_EQ(things.compile.columns.renames.at("title"), "name");
  EXPECT_EQ(things.compile.columns.coercions.at("size"), Coercion::integer);
  EXPECT_EQ(things.compile.columns.defaults.at("size"), Json(3));
  EXPECT_EQ(things.compile.linked.at(0).members.at(1), "pieces");
  EXPECT_EQ(things.compile.linked.at(0).text_shape, TextShape::quantity_unit);
  EXPECT_EQ(pack->find("parts")->owner, "");
  EXPECT_EQ(pack->subdomains.at(0).scopes.at("small").at("kind"), Json("a"));
  EXPECT_FALSE(pack->constraint_types.at(0).is_many);
  EXPECT_EQ(pack->units.at(0).size, 1.0);
  EXPECT_TRUE(pack->categories.is_category("c"));
}

TEST(LoadPack, R1_errors_name_file_line_and_column) {
  const std::vector<std::pair<const char*, const char*>> rows{
      {"colour = 1\n", "pack.toml:2:1"},
      {"[[entity]]\ntable = \"a\"\ncolour = 1\n", "pack.toml:4:1"},
      {"[[entity]]\nref = \"a\"\n", "pack.toml:2:1"},
      {"[[entity]]\ntable = \"a\"\n[[entity]]\ntable = \"a\"\n", "pack.toml:5:9"},
      {"[[entity]]\ntable = \"a\"\nbatch = \"some\"\n", "pack.toml:4:9"},
      {"[[entity]]\ntable = \"a\"\nlabel = true\n", "pack.toml:4:9"},
      {"[[entity]]\ntable = \"a\"\nfields = { b = { type = \"colour\" } }\n", "pack.toml:4:25"},
      {"[[entity]]\ntable = \"a\"\nfields = { b = { kind = 1 } }\n", "pack.toml:4:18"},
      {"[[entity]]\ntable = \"a\"\nfields = { b = { values = [\"x\"], default = \"y\" } }\n",
       "pack.toml:4:44"},
      {"[[entity]]\ntable = \"a\"\nfields = { b = { values = [\"x\"], aliases = { z = \"y\" } } }\n",
       "pack.toml:4:12"},
      {"[[entity]]\ntable = \"a\"\nlinks = { b = \"none\" }\n", "pack.toml:4:11"},
      {"[[entity]]\ntable = \"a\"\nlinks = { b = { table = \"a\", on_delete = \"maybe\" } }\n",
       "pack.toml:4:42"},
      {"[[entity]]\ntable = \"a\"\ncompile = { coerce = { b = \"colour\" } }\n", "pack.toml:4:28"},
      {"[[entity]]\ntable = \"a\"\ncompile = { linked = [{ members = [\"m\"] }] }\n",
       "pack.toml:4:23"},
      {"[[subdomain]]\nname = \"s\"\ntables = [\"none\"]\n", "pack.toml:2:1"},
      {"[[category]]\nname = \"c\"\nincludes = [\"c\"]\n", "pack.toml:2:1"},
      {"[[constraint]]\nname = \"c\"\ntakes = \"few\"\n", "pack.toml:4:9"},
      {"[[constraint]]\nname = \"c\"\ntakes = \"many\"\none_fields = [\"x\"]\n", "pack.toml:2:1"},
      {"[[unit]]\nname = \"g\"\nsize = \"large\"\n", "pack.toml:4:8"},
      {"[[unit]]\nname = \"g\"\nwords = [\"g\"]\n", "pack.toml:2:1"},
      {"undeclared = \"perhaps\"\n", "pack.toml:2:14"},
      {"schema = \"none.sql\"\n", "pack.toml:2:10"},
      {"schema = 3\n", "pack.toml:2:10"},
      {"schema_version = 0\n", "pack.toml:2:18"},
      {"demo = [\"../x.json\"]\n", "pack.toml:2:9"},
      {"include = \"x.toml\"\n", "pack.toml:2:11"},
      {"texts = { a = \"/etc/passwd\" }\n", "pack.toml:2:15"},
      {"title = 2026-01-01\n", "pack.toml:2:9"},
      {"title = \n", "pack.toml:2:9"},
  };
  for (const auto& [toml, place] : rows) {
    const Error error = error_of_toml(toml);
    EXPECT_EQ(error.code, ErrorCode::pack) << toml;
    EXPECT_EQ(error.path, place) << toml << error.message;
    EXPECT_FALSE(error.message.empty());
  }
  EXPECT_EQ(error_of({{"pack.toml", "title = \"x\"\n"}}).path, "pack.toml:1:1");
  EXPECT_EQ(error_of({}).path, "pack.toml:1:1");
}

TEST(LoadPack, an_unknown_key_comes_with_the_known_ones) {
  const Error error = error_of_toml("[[unit]]\nname = \"g\"\ncolour = 1\n");
  EXPECT_EQ(error.allowed, (std::vector<std::string>{"name", "words", "kind", "size"}));
  EXPECT_NE(error.message.find("colour"), std::string::npos);
}

TEST(LoadPack, F14_a_file_that_is_included_includes_nothing) {
  const Error error = error_of({{"pack.toml", "name = \"x\"\ninclude = [\"a.toml\"]\n"},
                                {"a.toml", "include = [\"pack.toml\"]\n"}});
  EXPECT_EQ(error.path, "a.toml:1:1");
}

TEST(LoadPack, F14_a_name_is_no_path) {
  for (const char* name : {"../victim", "/etc/x", "a/b", "", "Big", "1st", "a.b", "a b"}) {
    const Error error = error_of({{"pack.toml", "name = \"" + std::string(name) + "\"\n"}});
    EXPECT_EQ(error.code, ErrorCode::pack) << name;
    EXPECT_NE(error.message.find("database file"), std::string::npos) << error.message;
  }
}

TEST(LoadPack, F14_deep_nesting_is_refused) {
  const Error error = error_of_toml("title = " + std::string(100000, '[') + "\n");
  EXPECT_EQ(error.code, ErrorCode::pack);
}

TEST(LoadPack, F15_a_loaded_pack_does_not_change_with_its_files) {
  const FolderForTests folder(whole());
  const Result<Pack> before = load_pack(folder.path());
  ASSERT_TRUE(before.has_value());
  folder.write("texts/persona.md", "You are not.");
  EXPECT_EQ(before->texts.at("persona").text, "You are.");
  const Result<Pack> after = load_pack(folder.path());
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(after->texts.at("persona").text, "You are not.");
  folder.write("pack.toml", "colour = 1");
  EXPECT_FALSE(load_pack(folder.path()).has_value());
  EXPECT_EQ(before->name, "shop");
}

TEST(LoadPack, a_text_says_something) {
  const FolderForTests folder(
      {{"pack.toml", "name = \"x\"\ntexts = { about = \"texts/about.md\" }\n"},
       {"texts/about.md", " \n"}});
  const Result<Pack> pack = load_pack(folder.path());
  ASSERT_FALSE(pack.has_value());
  EXPECT_EQ(pack.error().code, ErrorCode::pack);
  EXPECT_EQ(pack.error().path, "texts/about.md:1:1");
}

TEST(LoadPack, R3_the_fingerprint_follows_the_files) {
  const FolderForTests one(whole());
  const FolderForTests same(whole());
  std::map<std::string, std::string> other = whole();
  other["demo/one.json"] = "{ }";
  const FolderForTests different(other);
  const std::string fingerprint = load_pack(one.path())->fingerprint;
  EXPECT_EQ(load_pack(same.path())->fingerprint, fingerprint);
  EXPECT_NE(load_pack(different.path())->fingerprint, fingerprint);
  EXPECT_EQ(fingerprint.size(), 16U);
}

}  // namespace
}  // namespace alfred
