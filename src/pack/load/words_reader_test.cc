// What a pack declares for the built-in rules: read, or refused with its place.
#include <gtest/gtest.h>

#include "pack/load/folder_for_tests.h"
#include "pack/pack.h"

namespace alfred {
namespace {

std::string pack_with(const std::string& rules) {
  return "name = \"shop\"\n[[entity]]\ntable = \"things\"\n[[subdomain]]\nname = \"goods\"\n"
         "tables = [\"things\"]\n" +
         rules;
}
Result<Pack> read_rules_of(const std::string& rules) {
  const FolderForTests folder({{"pack.toml", pack_with(rules)}});
  return load_pack(folder.path());
}

TEST(WordsReader, words_intents_and_templates_are_read) {
  const Result<Pack> pack = read_rules_of(R"(
[rules]
things = "things"
[rules.wishes]
type = "thing"
exclusive = ["colour"]
[rules.portions]
field = "people"
default = 3
[rules.extras]
shelf = ["on {code}"]
[[word]]
says = ["longest"]
table = "things"
order = "size desc"
[[intent]]
phrases = ["lend {what:thing}"]
does = "add"
table = "things"
with = { takes = ["shelf"] }
[[template]]
type = "thing"
title = "{a}"
slots = { a = ["as"] }
[template.content]
size = 1
[[choices]]
name = "as"
of = [{ name = "one", amount = 2, tags = ["colour:red"] }]
)");
  ASSERT_TRUE(pack) << pack.error().message;
  EXPECT_EQ(pack->rules.words.at(0).order, "size desc");
  EXPECT_EQ(pack->rules.intents.at(0).phrases.at(0), "lend {what:thing}");
  EXPECT_EQ(pack->rules.portions.at("default").as_int64(), 3);
  EXPECT_EQ(pack->rules.extras.at("shelf").at(0), "on {code}");
  EXPECT_EQ(pack->rules.lists.at(0).choices.at(0).tags.at(0), "colour:red");
}

TEST(WordsReader, a_key_that_nobody_knows_is_refused_with_its_place_and_what_there_is) {
  for (const char* rules :
       {"[rules.wishes]\nflavour = \"x\"\n", "[rules.parts]\nflavour = \"x\"\n",
        "[rules.portions]\nflavour = 1\n",
        "[[intent]]\nphrases = [\"x\"]\ndoes = \"add\"\nwith = { flavour = 1 }\n"}) {
    const Result<Pack> pack = read_rules_of(rules);
    ASSERT_FALSE(pack) << rules;
    EXPECT_EQ(pack.error().code, ErrorCode::pack);
    EXPECT_NE(pack.error().message.find("flavour"), std::string::npos) << pack.error().message;
    EXPECT_FALSE(pack.error().allowed.empty());
  }
}

TEST(WordsReader, a_word_stands_for_rows_or_for_other_words) {
  EXPECT_FALSE(read_rules_of("[[word]]\nsays = [\"x\"]\n"));
  EXPECT_FALSE(read_rules_of("[[word]]\nsays = [\"x\"]\ntable = \"things\"\nmeans = \"y\"\n"));
  EXPECT_TRUE(read_rules_of("[[word]]\nsays = [\"x\"]\nmeans = \"y\"\n"));
}

}  // namespace
}  // namespace alfred
