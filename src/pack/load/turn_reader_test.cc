// What a pack declares for turns: layouts, checks, profile, dashboard and the names of texts.
#include <gtest/gtest.h>

#include "pack/load/folder_for_tests.h"
#include "pack/pack.h"

namespace alfred {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kShop = R"(name = "shop"
[[entity]]
table = "things"
nested = { parts = "parts" }
lines = ["size: {size} | weight: {net+tare} g"]
[[entity.list]]
member = "parts"
noun = "pieces"
item = "{quantity} {name} | {is_spare?spare}"
[[entity.list]]
member = "steps"
title = "How"
numbered = true
[entity.compile]
renames = { mass = "net", girth = "size", method = "steps" }
[[entity.compile.linked]]
members = ["parts", "pieces"]
table = "parts"
column = "thing_id"
renames = { item = "name" }
[[entity]]
table = "parts"
[[entity]]
table = "people"
single = true
[[subdomain]]
name = "goods"
tables = ["things"]
[[constraint]]
name = "without"
takes = "many"
check = "excluded"
in = ["name", "parts.name"]
[[constraint]]
name = "way"
takes = "many"
check = "excluded"
in = ["parts.name"]
stands_for = { light = ["lead", "iron"] }
[[constraint]]
name = "size"
takes = "one"
[profile]
table = "people"
lines = ["likes: {likes}"]
guidance = "wishes"
[[profile.list]]
member = "rules"
[[profile.constraint]]
field = "hates"
type = "without"
[[dashboard]]
table = "things"
text = "{count} things"
[[dashboard]]
table = "parts"
text = "{count} parts due"
where = { is_done = false }
empty = ["gone_on"]
before = "due_on"
within_days = 3
from_today = true
)";

Pack loaded(const std::map<std::string, std::string>& files) {
  const FolderForTests folder(files);
  Result<Pack> pack = load_pack(folder.path());
  EXPECT_TRUE(pack.has_value()) << pack.error().message << " at " << pack.error().path;
  return pack ? std::move(*pack) : Pack();
}

Error error_of(const std::string& toml, const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> files = more;
  files["pack.toml"] = "name = \"x\"\n" + toml;
  const FolderForTests folder(files);
  const Result<Pack> pack = load_pack(folder.path());
  EXPECT_FALSE(pack.has_value()) << toml;
  return pack ? Error{} : pack.error();
}

TEST(TurnReader, reads_layouts_checks_profile_and_dashboard) {
  const Pack pack = loaded({{"pack.toml", kShop}});
  const EntityLayout& layout = pack.find("things")->layout.value();
  ASSERT_EQ(layout.lists.size(), 2U);
  EXPECT_EQ(layout.lists[0].title, "parts");
  EXPECT_EQ(layout.lists[0].noun, "pieces");
  EXPECT_EQ(layout.lists[1].title, "How");
  EXPECT_TRUE(layout.lists[1].is_numbered);
  EXPECT_FALSE(pack.find("parts")->layout.has_value());
  EXPECT_EQ(pack.constraint_types[0].check.kind, ConstraintCheck::Kind::excluded);
  EXPECT_EQ(pack.constraint_types[1].check.stands_for.at("light"), (Texts{"lead", "iron"}));
  EXPECT_EQ(pack.constraint_types[2].check.kind, ConstraintCheck::Kind::none);
  EXPECT_EQ(pack.profile.table, "people");
  EXPECT_EQ(pack.profile.layout.lines, Texts{"likes: {likes}"});
  EXPECT_EQ(pack.profile.layout.lists.at(0).member, "rules");
  EXPECT_EQ(pack.profile.guidance, "wishes");
  EXPECT_EQ(pack.profile.constraints.at(0).field, "hates");
  EXPECT_EQ(pack.profile.constraints.at(0).type, "without");
  ASSERT_EQ(pack.dashboard.size(), 2U);
  EXPECT_EQ(pack.dashboard[1].where.at("is_done"), Json(false));
  EXPECT_EQ(pack.dashboard[1].empty, Texts{"gone_on"});
  EXPECT_EQ(pack.dashboard[1].before, "due_on");
  EXPECT_EQ(pack.dashboard[1].within_days, 3);
  EXPECT_TRUE(pack.dashboard[1].is_from_today);
  EXPECT_FALSE(pack.dashboard[0].is_from_today);
}

TEST(TurnReader, reads_what_chat_greets_with) {
  const Pack pack = loaded(
      {{"pack.toml", "name = \"p\"\n[chat]\ngreeting = \"Hello.\"\ntry = [\"a\", \"b\"]\n"}});
  EXPECT_EQ(pack.chat.greeting, "Hello.");
  EXPECT_EQ(pack.chat.tries, (Texts{"a", "b"}));
}

TEST(TurnReader, what_generated_content_calls_a_column_counts_as_well) {
  const Pack pack = loaded({{"pack.toml", kShop}});
  const EntityLayout& layout = pack.find("things")->layout.value();
  EXPECT_EQ(layout.lines, Texts{"size: {size/girth} | weight: {net/mass+tare} g"});
  EXPECT_EQ(layout.lists[0].member, "parts/pieces");
  EXPECT_EQ(layout.lists[0].item, "{quantity} {name/item} | {is_spare?spare}");
  EXPECT_EQ(layout.lists[1].member, "steps/method");
  EXPECT_EQ(pack.constraint_types[0].check.in, (Texts{"name", "parts/pieces.name/item"}));
}

TEST(TurnReader, R1_errors_name_file_line_and_column) {
  const std::string things = "[[entity]]\ntable = \"things\"\n";
  const std::string people = "[[entity]]\ntable = \"people\"\nsingle = true\n";
  const std::string limit = "[[constraint]]\nname = \"c\"\ntakes = \"one\"\n";
  const std::vector<std::pair<std::string, const char*>> rows{
      {things + "lines = \"{a}\"\n", "pack.toml:4:9"},
      {"[chat]\ntry = [\"\"]\n", "pack.toml:3:8"},
      {"[chat]\ntry = [\"a\\nb\"]\n", "pack.toml:3:7"},
      {"[chat]\ntry = [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\"]\n", "pack.toml:3:7"},
      {"[chat]\nhello = \"x\"\n", "pack.toml:3:1"},
      {things + "lines = [\n  \"ok\",\n  3]\n", "pack.toml:6:3"},
      {things + "lines = [\"{a\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"a}\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"{}\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"{a+}\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"{a{b}}\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"{a?}\"]\n", "pack.toml:4:10"},
      {things + "lines = [\"{?a}\"]\n", "pack.toml:4:10"},
      {things + "[[entity.list]]\ntitle = \"x\"\n", "pack.toml:4:1"},
      {things + "[[entity.list]]\nmember = \"x\"\ncolour = 1\n", "pack.toml:6:1"},
      {things + "[[entity.list]]\nmember = \"x\"\nitem = \"{\"\n", "pack.toml:6:8"},
      {things + "[[entity.list]]\nmember = \"x\"\nitem = 3\n", "pack.toml:6:8"},
      {things + "[[entity.list]]\nmember = \"x\"\nnumbered = \"yes\"\n", "pack.toml:6:12"},
      {things + "list = \"x\"\n", "pack.toml:4:8"},
      {limit + "check = \"sometimes\"\nin = [\"a\"]\n", "pack.toml:5:9"},
      {limit + "check = \"tag\"\n", "pack.toml:5:9"},
      {limit + "in = [\"a\"]\n", "pack.toml:5:6"},
      {limit + "check = \"tag\"\nin = [\"a.\"]\n", "pack.toml:6:6"},
      {limit + "check = \"tag\"\nin = [\"a\"]\nstands_for = { b = [\"c\"] }\n", "pack.toml:7:14"},
      {limit + "stands_for = { b = [\"c\"] }\n", "pack.toml:5:14"},
      {limit + "check = \"excluded\"\nin = [\"a\"]\nstands_for = { b = \"c\" }\n",
       "pack.toml:7:20"},
      {limit + "check = \"excluded\"\nin = [\"a\"]\nstands_for = { b = [3] }\n", "pack.toml:7:21"},
      {"profile = 3\n", "pack.toml:2:11"},
      {"[profile]\nlines = [\"a\"]\n", "pack.toml:2:1"},
      {"[profile]\ntable = \"none\"\n", "pack.toml:2:1"},
      {things + "[profile]\ntable = \"things\"\n", "pack.toml:4:1"},
      {people + "[profile]\ntable = \"people\"\ncolour = 1\n", "pack.toml:7:1"},
      {people + "[profile]\ntable = \"people\"\n[[profile.constraint]]\nfield = \"a\"\n",
       "pack.toml:7:1"},
      {people + "[profile]\ntable = \"people\"\n[[profile.constraint]]\nfield = \"a\"\n"
                "type = \"none\"\n",
       "pack.toml:7:1"},
      {"[[dashboard]]\ntable = \"none\"\ntext = \"{count}\"\n", "pack.toml:2:1"},
      {things + "[[dashboard]]\ntable = \"things\"\n", "pack.toml:4:1"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"things\"\n", "pack.toml:6:8"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count} {a}\"\n", "pack.toml:6:8"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count\"\n", "pack.toml:6:8"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count}\"\nwithin_days = 3\n",
       "pack.toml:7:15"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count}\"\nfrom_today = true\n",
       "pack.toml:7:14"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count}\"\nbefore = \"d\"\n"
                "within_days = 0\n",
       "pack.toml:8:15"},
      {things + "[[dashboard]]\ntable = \"things\"\ntext = \"{count}\"\nwhere = 3\n",
       "pack.toml:7:9"},
      {"texts = \"about.md\"\n", "pack.toml:2:9"},
      {"texts = [3]\n", "pack.toml:2:10"},
      {"texts = [\"a/one.md\", \"b/one.md\"]\n", "pack.toml:2:22"},
  };
  for (const auto& [toml, place] : rows) {
    const Error error = error_of(toml);
    EXPECT_EQ(error.code, ErrorCode::pack) << toml;
    EXPECT_EQ(error.path, place) << toml << error.message;
    EXPECT_FALSE(error.message.empty());
  }
}

TEST(TurnReader, an_unknown_word_comes_with_the_known_ones) {
  EXPECT_EQ(error_of("[[constraint]]\nname = \"c\"\ntakes = \"one\"\ncheck = \"x\"\n").allowed,
            (Texts{"excluded", "required", "at_most", "equals", "tag"}));
  const Error type = error_of(
      "[[entity]]\ntable = \"people\"\nsingle = true\n[[constraint]]\nname = \"c\"\n"
      "takes = \"one\"\n[profile]\ntable = \"people\"\n[[profile.constraint]]\nfield = \"a\"\n"
      "type = \"d\"\n");
  EXPECT_EQ(type.allowed, Texts{"c"});
  EXPECT_EQ(error_of("[[dashboard]]\ntable = \"x\"\ntext = \"x\"\n").allowed, Texts{"{count}"});
}

TEST(TurnReader, texts_of_a_list_are_called_by_their_files) {
  const Pack pack = loaded(
      {{"pack.toml",
        "name = \"x\"\ntexts = [\"texts/about.md\", \"texts/subdomains/goods.md\",\n"
        "  \"texts/personas/goods.read.md\", \"texts/examples/goods.write.md\", \"own.md\"]\n"
        "[[entity]]\ntable = \"a\"\n[[subdomain]]\nname = \"goods\"\ntables = [\"a\"]\n"},
       {"texts/about.md", "1"},
       {"texts/subdomains/goods.md", "2"},
       {"texts/personas/goods.read.md", "3"},
       {"texts/examples/goods.write.md", "4"},
       {"own.md", "5"}});
  std::map<std::string, std::string> texts;
  for (const auto& [name, file] : pack.texts) texts[name] = file.text;
  EXPECT_EQ(texts, (std::map<std::string, std::string>{{"about", "1"},
                                                       {"subdomains/goods", "2"},
                                                       {"personas/goods.read", "3"},
                                                       {"examples/goods.write", "4"},
                                                       {"own", "5"}}));
}

TEST(TurnReader, a_text_for_prompts_names_a_subdomain_and_a_step) {
  const std::string goods =
      "[[entity]]\ntable = \"a\"\n[[subdomain]]\nname = \"goods\"\n"
      "tables = [\"a\"]\n";
  const auto error_named = [&](const std::string& name) {
    return error_of("texts = [\"texts/" + name + ".md\"]\n" + goods,
                    {{"texts/" + name + ".md", "x"}});
  };
  EXPECT_EQ(error_named("subdomains/bads").allowed, Texts{"goods"});
  EXPECT_EQ(error_named("personas/bads.read").allowed, Texts{"goods"});
  EXPECT_EQ(error_named("examples/goods.think").allowed,
            (Texts{"read", "write", "analyze", "generate"}));
  EXPECT_EQ(error_named("personas/goods").path, "texts/personas/goods.md:1:1");
}

}  // namespace
}  // namespace alfred
