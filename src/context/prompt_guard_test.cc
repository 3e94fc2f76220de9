#include "context/prompt_guard.h"

#include <gtest/gtest.h>

#include "contracts/contract.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

class Guard : public testing::Test {
 protected:
  Guard() {
    const TypeNo book = registry.type_named("book", "books").value();
    EXPECT_TRUE(registry.register_read(book, KeyView::integer(812345679)));
    const TypeNo shelf = registry.type_named("shelf", "shelves").value();
    EXPECT_TRUE(registry.register_read(shelf, KeyView::text("warehouse-north-7")));
  }
  ::testing::AssertionResult passes(std::string_view text) {
    PromptGuard guard(registry, {"sk-canary-0123456789", "short"});
    const Result<void> checked = guard.check(text, "act prompt");
    if (checked) return ::testing::AssertionSuccess();
    EXPECT_EQ(checked.error().code, ErrorCode::bug);
    EXPECT_EQ(checked.error().message.find("812345679"), std::string::npos);
    last = checked.error();
    return ::testing::AssertionFailure() << checked.error().message;
  }

  RefRegistry registry;
  Error last;
};

const std::string kUuid = std::string("a508000d-9b55-40f0-") + "8886-dbdd88bd2de2";

TEST_F(Guard, I3_no_uuid_in_any_form) {
  EXPECT_FALSE(passes("see " + kUuid));
  std::string upper = kUuid;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  EXPECT_FALSE(passes("see {" + upper + "}"));
  std::string joined = kUuid;
  std::erase(joined, '-');
  EXPECT_FALSE(passes(joined));
}

TEST_F(Guard, I3_no_known_key_and_no_piece_of_one) {
  EXPECT_FALSE(passes("number 812345679"));
  EXPECT_FALSE(passes("warehouse-north-7"));
  EXPECT_FALSE(passes("warehous…"));
  EXPECT_FALSE(passes("…-north-7"));
  EXPECT_TRUE(passes("a ware house in the north"));
}

TEST_F(Guard, I4_no_secret) {
  EXPECT_FALSE(passes("key sk-canary-0123456789."));
  EXPECT_TRUE(passes("a short word"));
}

TEST_F(Guard, R3_a_literal_that_was_issued_is_no_key) {
  registry.begin();
  LiteralMask mask(registry);
  const MaskedText masked = mask.mask("note " + kUuid).value();
  EXPECT_TRUE(passes(masked.view()));
  EXPECT_FALSE(passes("lit_99"));
}

TEST_F(Guard, R5_a_ref_that_was_issued_is_no_key_although_a_key_reads_the_same) {
  const TypeNo product = registry.type_named("product", "products").value();
  EXPECT_TRUE(registry.register_read(product, KeyView::text("product_2")));
  EXPECT_TRUE(registry.register_read(product, KeyView::text("product_7")));
  EXPECT_TRUE(passes(R"({"rows":[{"sku":"product_1"},{"sku":"product_2"}]})"));
  EXPECT_TRUE(passes(R"({"text":"found:\nproduct_1"})"));
  EXPECT_FALSE(passes("the key is product_7"));
  EXPECT_FALSE(passes("product_1-product_7"));
}

TEST_F(Guard, R5_words_of_ours_are_no_keys) {
  Table posts;
  posts.name = "warehouse_posts";
  posts.ref = "post";
  posts.key = {"id"};
  for (const char* name : {"id", "created_at", "size class"})
    posts.fields.push_back({.name = name});
  const Schema schema = Schema::make({posts}).value();
  const TypeNo setting = registry.type_named("setting", "settings").value();
  for (const char* key : {"has_more", "created_at", "size class", "operation-12"})
    EXPECT_TRUE(registry.register_read(setting, KeyView::text(key)));
  const OwnWords own(schema, {"Names an operation."});
  PromptGuard guard(registry, {}, &own);
  const auto is_sent = [&](std::string_view text) {
    return guard.check(text, "message").has_value();
  };
  EXPECT_TRUE(is_sent(R"({"has_more":false,"created_at":"x","size class":1})"));
  EXPECT_TRUE(is_sent("warehouse_posts, by an operation"));
  EXPECT_FALSE(is_sent("operation-12"));
  EXPECT_FALSE(is_sent("operationally"));
  EXPECT_FALSE(is_sent("created_atx"));
  EXPECT_FALSE(is_sent("warehouse-north-7"));
}

TEST_F(Guard, R5_words_of_the_question_are_told_again) {
  const Schema schema = Schema::make({}).value();
  const TypeNo setting = registry.type_named("setting", "settings").value();
  EXPECT_TRUE(registry.register_read(setting, KeyView::text("warehouses_77")));
  OwnWords own(schema);
  PromptGuard guard(registry, {}, &own);
  const auto is_sent = [&] { return guard.check("no column `warehouses`", "message").has_value(); };
  EXPECT_FALSE(is_sent());
  own.hear(R"({"table":"warehouses"})");
  EXPECT_TRUE(is_sent());
  own.hear("");
  EXPECT_FALSE(is_sent());
}

TEST_F(Guard, R5_words_of_prompts_and_contracts_are_no_keys) {
  const Schema schema = Schema::make({}).value();
  Pack pack;
  pack.texts["personas/x"].text = "Somebody patient, who knows warehouse-north-7.";
  const PromptTexts texts(embedded_core_texts(), pack);
  const TypeNo status = registry.type_named("status", "statuses").value();
  const std::vector<std::string> keys{"order_complete", "not_complete",  "complete_2",
                                      "completed_1",    "very_patients", "patients_77"};
  for (const std::string& key : keys)
    EXPECT_TRUE(registry.register_read(status, KeyView::text(key)));
  for (const char* key : {"step_complete", "next_step", "new_question"})
    EXPECT_TRUE(registry.register_read(status, KeyView::text(key)));
  const OwnWords own(schema, &texts);
  PromptGuard guard(registry, {}, &own);
  const auto is_sent = [&](std::string_view text) {
    return guard.check(text, "message").has_value();
  };
  for (const auto& [name, text] : texts.all_core()) EXPECT_TRUE(is_sent(text)) << name;
  for (const Node node : {Node::understand, Node::think, Node::act, Node::summarize})
    EXPECT_TRUE(is_sent(json_schema_text(*contract_of(node)->shape)));
  EXPECT_TRUE(is_sent("`step_complete`, then note_for_next_step"));
  EXPECT_FALSE(is_sent("patients"));
  pack.texts["personas/x"].text += " Knows all patients, and patients_77.";
  EXPECT_TRUE(is_sent("patients"));
  for (const std::string& key : keys) EXPECT_FALSE(is_sent("it is " + key)) << key;
  EXPECT_FALSE(is_sent("warehouse-north-7"));
}

TEST(WithoutSecrets, every_long_secret_is_masked) {
  const std::vector<std::string> secrets{"sk-canary-1234567890", "short"};
  EXPECT_EQ(without_secrets("a sk-canary-1234567890, sk-canary-1234567890!", secrets),
            "a [secret], [secret]!");
  EXPECT_EQ(without_secrets("a short text", secrets), "a short text");
}

TEST_F(Guard, R4_the_error_names_the_section_and_not_the_text) {
  EXPECT_FALSE(passes("# Act\n\n## Task\nfine\n\n## Entities in Context\nkey 812345679\n"));
  EXPECT_NE(last.detail.find("\"Entities in Context\""), std::string::npos) << last.detail;
  EXPECT_NE(last.message.find("act prompt"), std::string::npos);
}

}  // namespace
}  // namespace alfred
