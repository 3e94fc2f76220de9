#include "alfred/refs.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "refs/hiding/key_shapes.h"
#include "refs/ref_grammar.h"

namespace alfred {
namespace {

const std::string kUuid = "a508000d-9b55-40f0-8886-dbdd88bd2de2";

// Refused as no ref, in a message that repeats nothing that looks like a key; what it suggests.
std::string refused(std::string_view text) {
  const Result<Ref> parsed = Ref::parse(text);
  EXPECT_FALSE(parsed) << text;
  if (parsed) return "a ref";
  EXPECT_EQ(parsed.error().code, ErrorCode::ref_syntax) << text;
  EXPECT_FALSE(has_key_shape(parsed.error().message)) << parsed.error().message;
  EXPECT_LE(parsed.error().message.size(), 400u);
  EXPECT_LE(parsed.error().allowed.size(), 1u);
  RefParts parts;
  EXPECT_FALSE(split_ref(text, parts)) << text;
  if (parsed.error().allowed.empty()) return "";
  const std::string meant = parsed.error().allowed.front();
  EXPECT_NE(parsed.error().message.find("did you mean " + meant), std::string::npos);
  return meant;
}

TEST(RefGrammar, R1_reads_type_and_number) {
  const Ref ref = Ref::parse("recipe_12").value();
  EXPECT_EQ(ref.text(), "recipe_12");
  EXPECT_EQ(ref.type(), "recipe");
  EXPECT_EQ(ref.number(), 12u);
  EXPECT_FALSE(ref.is_generated());
  const Ref generated = Ref::parse("gen_order_item_999999999").value();
  EXPECT_EQ(generated.text(), "gen_order_item_999999999");
  EXPECT_EQ(generated.type(), "order_item");
  EXPECT_EQ(generated.number(), Ref::kMaxNumber);
  EXPECT_TRUE(generated.is_generated());
}

TEST(RefGrammar, R1_takes_every_type_the_rule_allows) {
  const std::string longest(Ref::kMaxTypeBytes, 'x');
  for (const std::string& text :
       {std::string("r_1"), std::string("t2_1"), std::string("a_2_3"), std::string("a_b2_c_7"),
        std::string("generated_1"), std::string("refs_1"), std::string("a_gen_1"), longest + "_1",
        "gen_" + longest + "_999999999"})
    EXPECT_EQ(Ref::parse(text).value().text(), text);
}

TEST(RefGrammar, R1_refuses_what_is_no_type) {
  const std::string too_long(Ref::kMaxTypeBytes + 1, 'x');
  for (const std::string& text : {std::string(),
                                  std::string("_"),
                                  std::string("_1"),
                                  std::string("recipe"),
                                  std::string("recipe_"),
                                  std::string("recipe1"),
                                  std::string("1_1"),
                                  std::string("_recipe_1"),
                                  std::string("recipe__1"),
                                  std::string("a__b_1"),
                                  std::string("2a_1"),
                                  std::string("gen_1"),
                                  std::string("ref_1"),
                                  std::string("lit_1"),
                                  std::string("gen__1"),
                                  std::string("lit_x_1"),
                                  std::string("gen_gen_x_1"),
                                  std::string("gen_ref_x_1"),
                                  std::string("ref_ref_x_1"),
                                  std::string("ref_gen_x_1"),
                                  std::string("gen_lit_1"),
                                  too_long + "_1",
                                  "gen_" + too_long + "_1",
                                  "ref_" + too_long + "_1",
                                  std::string("olive_oil"),
                                  std::string("a-b_1"),
                                  std::string("a b_1"),
                                  std::string("recipe_1\0", 9),
                                  std::string("recipe\0_1", 9)})
    EXPECT_EQ(refused(text), "");
}

TEST(RefGrammar, R2_ref_in_front_is_taken_off) {
  const Ref ref = Ref::parse("ref_recipe_42").value();
  EXPECT_EQ(ref.text(), "recipe_42");
  EXPECT_FALSE(ref.is_generated());
  EXPECT_EQ(ref, Ref::make("recipe", 42));
  const std::string longest(Ref::kMaxTypeBytes, 'x');
  EXPECT_EQ(Ref::parse("ref_" + longest + "_999999999").value().type(), longest);
}

TEST(RefGrammar, R1_orders_by_type_then_saved_before_generated_then_number) {
  std::vector<Ref> refs;
  for (const char* text : {"gen_b_1", "b_10", "a_3", "b_9", "gen_a_1", "ab_1"})
    refs.push_back(Ref::parse(text).value());
  std::sort(refs.begin(), refs.end());
  std::string order;
  for (const Ref& ref : refs) order += std::string(ref.text()) + " ";
  EXPECT_EQ(order, "a_3 gen_a_1 ab_1 b_9 b_10 gen_b_1 ");
}

RC_GTEST_PROP(RefGrammar, R1_what_is_made_is_what_is_parsed, ()) {
  const std::string type = *rc::gen::element<std::string>("r", "order_item", "x2", "generic",
                                                          std::string(Ref::kMaxTypeBytes, 'q'));
  const auto number = *rc::gen::inRange<std::uint32_t>(1, Ref::kMaxNumber + 1);
  const Ref made = Ref::make(type, number, *rc::gen::arbitrary<bool>());
  const Ref parsed = Ref::parse(made.text()).value();
  RC_ASSERT(parsed == made);
  RC_ASSERT(!(parsed < made) && !(made < parsed));
  RC_ASSERT(parsed.type() == type);
  RC_ASSERT(parsed.number() == number);
  RC_ASSERT(made.text().size() <= Ref::kMaxBytes);
}

TEST(RefSyntax, B7_a_whole_uuid_is_no_ref_in_any_spelling) {
  std::string upper = kUuid;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  std::string bare = kUuid;
  std::erase(bare, '-');
  for (const std::string& text : {kUuid, upper, bare, "{" + kUuid + "}", "recipe_" + kUuid,
                                  kUuid + "_1", "urn:uuid:" + kUuid, "\"" + kUuid + "\""})
    EXPECT_EQ(refused(text), "");
}

TEST(RefSyntax, B8_a_truncated_or_padded_uuid_is_no_ref) {
  for (const char* text : {"a508000d", "a508000d-", "a508000d-…", "..c69607bb", "id:..c69607bb",
                           "c69607bb-0000-0000-0000-000000000000", "a508000d-9b55",
                           "recipe_a508000d", "A508000D_1", "C69607BB_00", "88bd2de2"})
    EXPECT_EQ(refused(text), "");
}

TEST(RefSyntax, B9_a_durable_short_id_is_no_ref) {
  for (const char* text :
       {"itm_7k2f9m3qw1bx", "ses_123456789123", "trn_000000000001", "agt_copper-fox", "inb_"})
    EXPECT_EQ(refused(text), "");
}

TEST(RefSyntax, B10_only_a_plain_number_counts) {
  for (const char* text :
       {"recipe_01", "recipe_+1", "recipe_ 1", "recipe_1.0", "recipe_-1", "recipe_0", "recipe_00",
        "recipe_1e3", "recipe_0x1", "recipe_1_", "recipe_1,0", "recipe_1'0", "recipe_one"})
    EXPECT_EQ(refused(text), "") << text;
}

TEST(RefSyntax, B11_a_number_of_too_many_digits_is_no_ref) {
  EXPECT_EQ(refused("recipe_99999999999999999999"), "");
  EXPECT_EQ(refused("recipe_1000000000"), "");
  EXPECT_EQ(refused("recipe_4294967297"), "");  // 1, where 32 bits wrap
  EXPECT_EQ(refused("recipe_" + std::string(100'000, '9')), "");
  EXPECT_TRUE(Ref::parse("recipe_999999999"));
}

TEST(RefSyntax, B12_only_ascii_counts) {
  for (const char* text :
       {"recipe_１", "recipe_١",
        "r\xd0\xb5"
        "cipe_1",
        "recipe＿1", "recipe_1\u200b", "\ufeffrecipe_1", "récipe_1", "recipe_\xff", "\xff\xfe_1"})
    EXPECT_EQ(refused(text), "");
}

TEST(RefSyntax, B13_what_is_nearly_a_ref_is_refused_with_the_ref_it_may_have_meant) {
  for (const char* text :
       {"Recipe_1", "RECIPE_1", " recipe_1 ", "\"recipe_1.\"", "recipe_1.", "`recipe_1`",
        "'recipe_1'", "(recipe_1)", "[recipe_1]", "recipe_1\n", "\trecipe_1", "#recipe_1",
        "@recipe_1", "recipe_1,", "REF_recipe_1", "ref_Recipe_1", "<recipe_1>"})
    EXPECT_EQ(refused(text), "recipe_1") << text;
  EXPECT_EQ(refused("Gen_Recipe_1"), "gen_recipe_1");
}

TEST(RefSyntax, B13_what_is_far_from_a_ref_gets_no_suggestion) {
  for (const char* text :
       {"recipe 1", "recipe-1", "the recipe_1", "recipe_1 recipe_2", "...", "\""})
    EXPECT_EQ(refused(text), "");
}

TEST(RefSyntax, I3_an_error_repeats_no_text_that_looks_like_a_key) {
  for (const char* text : {"DEADBEEF_1", "Recipe_12345678", "1234567890", "'deadbeef_2'",
                           "x a508000d", "Recipe_123456789."})
    EXPECT_EQ(refused(text), "") << text;
}

RC_GTEST_PROP(RefSyntax, I3_whatever_comes_errors_show_no_key_and_no_control_character,
              (const std::string& before, const std::string& after)) {
  const std::string piece = *rc::gen::elementOf(
      std::vector<std::string>{kUuid, "a508000d", "Recipe_1", "A508000D_1", ""});
  const Result<Ref> parsed = Ref::parse(before + piece + after);
  if (parsed) return;
  RC_ASSERT(!has_key_shape(parsed.error().message));
  for (const char c : parsed.error().message) RC_ASSERT(c >= ' ' && c <= '~');
}

TEST(Ref, R3_an_error_shows_what_came_as_every_message_does) {
  const auto message = [](std::string_view text) { return Ref::parse(text).error().message; };
  EXPECT_TRUE(message("book 1").starts_with("`book 1` is not a ref. ")) << message("book 1");
  EXPECT_TRUE(message("Book_1\n").starts_with("`Book_1\\x0a` is not a ref; did you mean book_1?"));
  EXPECT_TRUE(message("").starts_with("an empty text is not a ref. "));
  EXPECT_TRUE(message(std::string(40, 'x')).starts_with("`" + std::string(32, 'x') + "` and 8 "));
  EXPECT_TRUE(message("a\xb5\x30\x38\x30\x30\x30\x64").starts_with("this value is not a ref. "));
  // Key-shaped text is not repeated, wherever it stands; nor is a uuid with its dashes elsewhere.
  for (const std::string_view key : {"book_5ab7c0de", "5ab7c0de-1f2e-4d3c-8b4a-5968778695a4",
                                     "a text that is long enough to be cut before its end 5ab7c0de",
                                     "5a-b7-c0-de-1f-2e-4d-3c-8b-4a-59-68-77-86-95-a4"})
    for (const std::string_view piece : {"5ab7", "5a-b7", "95a4", "95-a4"})
      EXPECT_EQ(message(key).find(piece), std::string::npos) << message(key);
}

}  // namespace
}  // namespace alfred
