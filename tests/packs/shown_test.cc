// What a pack shows of rows and looks at in them, against real columns (check_shown.h).
#include <gtest/gtest.h>

#include "catalogue_for_tests.h"
#include "pack/check.h"
#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

constexpr std::string_view kShop =
    "create table authors (id integer primary key, name text not null);"
    "create table books (id integer primary key, title text not null, kind text, out_on text,"
    "  pages bigint, weight double precision, api_key text,"
    "  author_id bigint references authors (id) on delete cascade);"
    "create table people (id integer primary key, likes text, wishes text);";

constexpr const char* kHead = R"(name = "x"
[[entity]]
table = "books"
[entity.fields]
kind = { type = "list" }
out_on = { type = "date" }
[[entity]]
table = "people"
single = true
[entity.fields]
likes = { type = "list" }
wishes = { type = "json" }
[[constraint]]
name = "c"
takes = "many"
check = "tag"
in = ["kind"]
[[entity]]
table = "authors"
)";

Result<PackSummary> checked(const std::string& toml) {
  const FolderForTests folder({{"pack.toml", kHead + toml}});
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  if (!pack) return Unexpected(pack.error());
  return check_against(*pack, catalogue_of(kShop));
}

TEST(CheckShown, what_fits_is_fine) {
  const Result<PackSummary> fits = checked(
      "lines = [\"{name}\"]\n"
      "[[entity.list]]\nmember = \"books\"\nitem = \"{title} {pages+weight}\"\n"
      "[[constraint]]\nname = \"d\"\ntakes = \"one\"\ncheck = \"at_most\"\nin = [\"books.pages\"]\n"
      "[profile]\ntable = \"people\"\nguidance = \"wishes\"\nlines = [\"{likes}\"]\n"
      "[[profile.list]]\nmember = \"likes\"\n"
      "[[profile.constraint]]\nfield = \"likes\"\ntype = \"c\"\n"
      "[[dashboard]]\ntable = \"books\"\ntext = \"{count}\"\nbefore = \"out_on\"\n"
      "where = { title = \"x\" }\n");
  EXPECT_TRUE(fits.has_value()) << fits.error().message << " at " << fits.error().path;
}

TEST(CheckShown, R1_what_no_column_has_is_an_error_at_its_line) {
  const std::vector<std::pair<const char*, const char*>> rows{
      {"lines = [\n  \"{name}\",\n  \"{colour}\"]\n", "pack.toml:22:3"},
      {"lines = [\"{name+id}\"]\n", "pack.toml:20:10"},
      {"[[entity.list]]\nmember = \"pens\"\n", "pack.toml:20:1"},
      {"[[entity.list]]\nmember = \"books\"\nitem = \"{colour}\"\n", "pack.toml:20:1"},
      {"[[entity.list]]\nmember = \"books\"\nitem = \"{api_key}\"\n", "pack.toml:20:1"},
      {"[[entity.list]]\nmember = \"name\"\n", "pack.toml:20:1"},
      {"[[constraint]]\nname = \"d\"\ntakes = \"one\"\ncheck = \"tag\"\nin = [\"colour\"]\n",
       "pack.toml:20:1"},
      {"[[constraint]]\nname = \"d\"\ntakes = \"one\"\ncheck = \"tag\"\nin = [\"api_key\"]\n",
       "pack.toml:20:1"},
      {"[[constraint]]\nname = \"d\"\ntakes = \"one\"\ncheck = \"tag\"\nin = [\"books.colour\"]\n",
       "pack.toml:20:1"},
      {"[profile]\ntable = \"people\"\nlines = [\"{colour}\"]\n", "pack.toml:22:10"},
      {"[profile]\ntable = \"people\"\n[[profile.list]]\nmember = \"likes\"\nitem = \"{a}\"\n",
       "pack.toml:22:1"},
      {"[profile]\ntable = \"people\"\nguidance = \"likes\"\n", "pack.toml:20:1"},
      {"[profile]\ntable = \"people\"\nguidance = \"colour\"\n", "pack.toml:20:1"},
      {"[profile]\ntable = \"people\"\n[[profile.constraint]]\nfield = \"colour\"\ntype = \"c\"\n",
       "pack.toml:22:1"},
      {"[[dashboard]]\ntable = \"books\"\ntext = \"{count}\"\nwhere = { colour = 1 }\n",
       "pack.toml:20:1"},
      {"[[dashboard]]\ntable = \"books\"\ntext = \"{count}\"\nempty = [\"colour\"]\n",
       "pack.toml:20:1"},
      {"[[dashboard]]\ntable = \"books\"\ntext = \"{count}\"\nbefore = \"title\"\n",
       "pack.toml:20:1"},
      {"[[dashboard]]\ntable = \"books\"\ntext = \"{count}\"\nbefore = \"colour\"\n",
       "pack.toml:20:1"},
  };
  for (const auto& [toml, place] : rows) {
    const Result<PackSummary> summary = checked(toml);
    ASSERT_FALSE(summary.has_value()) << toml;
    EXPECT_EQ(summary.error().code, ErrorCode::pack) << toml;
    EXPECT_EQ(summary.error().path, place) << toml << summary.error().message;
  }
}

TEST(CheckShown, R1_says_which_columns_there_are) {
  const Result<PackSummary> summary = checked("lines = [\"{colour}\"]\n");
  ASSERT_FALSE(summary.has_value());
  EXPECT_EQ(summary.error().allowed, (std::vector<std::string>{"id", "name"}));
}

TEST(CheckShown, R1_a_table_that_only_the_database_could_have) {
  const FolderForTests folder({{"pack.toml",
                                "name = \"x\"\nundeclared = \"show\"\n[[dashboard]]\n"
                                "table = \"pens\"\ntext = \"{count}\"\n"}});
  const Result<Pack> pack = load_pack(folder.path());
  ASSERT_TRUE(pack.has_value());
  const Result<PackSummary> summary = check_against(*pack, catalogue_of(kShop));
  ASSERT_FALSE(summary.has_value());
  EXPECT_EQ(summary.error().path, "pack.toml:3:1");
}

}  // namespace
}  // namespace alfred
