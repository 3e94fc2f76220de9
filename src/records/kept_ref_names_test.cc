#include "records/kept_ref_names.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

// Tables by name, each with the ref that is declared for it, or none.
std::shared_ptr<const Schema> schema_of(std::vector<std::pair<std::string, std::string>> tables) {
  std::vector<Table> made;
  for (auto& [name, ref] : tables) {
    Table table;
    table.name = name;
    table.ref = ref;
    table.key = {"id"};
    table.fields.emplace_back().name = "id";
    made.push_back(std::move(table));
  }
  return std::make_shared<const Schema>(Schema::make(std::move(made)).value());
}

std::string called(const Schema& schema, std::string_view table) { return schema.find(table)->ref; }

class KeptRefNames : public testing::Test {
 protected:
  void knows(std::string_view word, std::string_view table) {
    ASSERT_TRUE(registry_.type_named(word, table));
  }
  std::shared_ptr<const Schema> kept(const std::shared_ptr<const Schema>& schema) {
    Result<std::shared_ptr<const Schema>> made = with_kept_ref_names(schema, registry_);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  RefRegistry registry_;
};

TEST_F(KeptRefNames, R1_a_table_keeps_the_word_its_refs_have) {
  knows("box", "boxes");
  const auto schema = kept(schema_of({{"box", ""}, {"boxes", ""}, {"lid", ""}}));
  EXPECT_EQ(called(*schema, "boxes"), "box");
  EXPECT_EQ(called(*schema, "box"), "box2");
  EXPECT_EQ(called(*schema, "lid"), "lid");
  EXPECT_EQ(schema->find_ref("box")->name, "boxes");
}

TEST_F(KeptRefNames, R2_a_word_of_a_table_that_is_gone_is_not_given_again) {
  knows("box", "box");
  const auto schema = kept(schema_of({{"boxes", ""}, {"shop.box", ""}}));
  EXPECT_EQ(called(*schema, "boxes"), "boxes");
  EXPECT_EQ(called(*schema, "shop.box"), "shop_box");
}

TEST_F(KeptRefNames, R2_who_has_a_free_word_does_not_lose_it_to_who_needs_one) {
  knows("box", "gone");
  const auto schema = kept(schema_of({{"box", ""}, {"box2", ""}}));
  EXPECT_EQ(called(*schema, "box2"), "box2");
  EXPECT_EQ(called(*schema, "box"), "box3");
}

TEST_F(KeptRefNames, R3_what_is_declared_stays_as_it_is) {
  knows("box", "boxes");
  const auto schema = schema_of({{"boxes", "carton"}, {"lids", "box"}});
  EXPECT_EQ(kept(schema), schema);
}

TEST_F(KeptRefNames, R4_a_schema_that_agrees_is_given_back) {
  knows("box", "boxes");
  knows("other", "not_here");
  const auto schema = schema_of({{"boxes", ""}, {"lids", ""}, {"jars", "pot"}});
  EXPECT_EQ(kept(schema), schema);
}

}  // namespace
}  // namespace alfred
