#include "surface/mcp/records/answer_budget.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "context/token_estimate.h"

namespace alfred::mcp {
namespace {

constexpr std::size_t kTokens = 2000;

Json read(const std::string& text) { return parse_json(text, JsonLimits::none()).value(); }

std::string item_name(std::size_t i) { return fmt::format("row number {}", i); }

// A batch of which every tenth item failed and the last hundred are open.
std::string batch_status(std::size_t count) {
  JsonArray items;
  for (std::size_t i = 0; i < count; ++i) {
    JsonObject item{{"ref", item_name(i)}, {"status", "complete"}};
    if (i + 100 >= count)
      item["status"] = "pending";
    else if (i % 10 == 9)
      item = {{"ref", item_name(i)}, {"status", "failed"}, {"error", "It is not so."}};
    else
      item["result_ref"] = fmt::format("book_{}", i);
    items.push_back(std::move(item));
  }
  return write_json(JsonObject{{"id", "bat_1"}, {"table", "books"}, {"items", std::move(items)}});
}

std::string batch_write(std::size_t failed, std::size_t completed, std::size_t pending) {
  JsonArray lists[3];
  for (std::size_t i = 0; i < failed; ++i)
    lists[0].push_back(JsonObject{{"ref", item_name(i)}, {"error", "No."}, {"retriable", false}});
  for (std::size_t i = 0; i < completed; ++i)
    lists[1].push_back(JsonObject{{"ref", item_name(i)}, {"result", fmt::format("book_{}", i)}});
  for (std::size_t i = 0; i < pending; ++i) lists[2].emplace_back(item_name(i));
  return write_json(JsonObject{{"total", failed + completed + pending},
                               {"completed", lists[1]},
                               {"failed", lists[0]},
                               {"pending", lists[2]}});
}

TEST(AnswerBudget, R1_what_fits_is_left_as_it_is) {
  const std::string few = batch_write(1, 2, 3);
  EXPECT_EQ(fitting_write(few, kTokens), few);
  const std::string status = batch_status(5);
  EXPECT_EQ(fitting_batch(status, kTokens, {}).value(), status);
  EXPECT_EQ(fitting_refs(read(R"({"refs":[1],"has_more":false})").as_object(), kTokens),
            R"({"refs":[1],"has_more":false})");
}

TEST(AnswerBudget, R2_rows_that_were_written_are_cut_at_whole_ones) {
  JsonArray created;
  for (int i = 0; i < 100; ++i) {
    JsonArray parts;
    for (int j = 0; j < 100; ++j) parts.emplace_back(fmt::format("part_{}", i * 100 + j));
    created.push_back(JsonObject{{"ref", fmt::format("book_{}", i)},
                                 {"nested", JsonObject{{"parts", std::move(parts)}}}});
  }
  const std::string cut = fitting_write(
      write_json(JsonObject{{"created", std::move(created)}, {"count", 100}}), kTokens);
  EXPECT_LE(estimate_tokens(cut), kTokens);
  const Json answer = read(cut);
  EXPECT_EQ(answer.at("count").as_int64(), 100);
  EXPECT_TRUE(answer.at("truncated").as_bool());
  const JsonArray& rows = answer.at("created").as_array();
  EXPECT_GT(rows.size(), 10U);
  EXPECT_EQ(rows[1].at("nested").at("parts").as_array().size(), 10U);
  const std::string hint(answer.at("hint").as_string());
  EXPECT_NE(hint.find(fmt::format("all 100 rows are created; {} of them are named", rows.size())),
            std::string::npos)
      << hint;
  EXPECT_NE(hint.find("db_read"), std::string::npos);
}

TEST(AnswerBudget, R3_of_a_batch_what_failed_is_named_first) {
  const std::string cut = fitting_write(batch_write(20, 400, 80), kTokens);
  EXPECT_LE(estimate_tokens(cut), kTokens);
  EXPECT_GT(estimate_tokens(cut), kTokens * 8 / 10);
  const Json answer = read(cut);
  EXPECT_EQ(answer.at("failed").as_array().size(), 20U);
  EXPECT_EQ(answer.at("pending").as_array().size(), 80U);
  EXPECT_LT(answer.at("completed").as_array().size(), 400U);
  EXPECT_EQ(write_json(answer.at("counts")), R"({"failed":20,"pending":80,"completed":400})");
  EXPECT_EQ(answer.at("total").as_int64(), 500);
  EXPECT_TRUE(answer.at("truncated").as_bool());
  EXPECT_NE(answer.at("hint").as_string().find("action status"), std::string::npos);
  // Where not even those fit, as many of them as do.
  const Json failures = read(fitting_write(batch_write(500, 0, 0), kTokens));
  EXPECT_GT(failures.at("failed").as_array().size(), 50U);
  EXPECT_LT(failures.at("failed").as_array().size(), 500U);
}

TEST(AnswerBudget, R4_the_status_goes_on_with_its_cursor_until_all_items_were_shown) {
  const std::string status = batch_status(500);
  std::vector<std::string> seen;
  std::string cursor;
  std::string last = "failed";
  for (int page = 0; page < 50; ++page) {
    const std::string text = fitting_batch(status, kTokens, {.cursor = cursor}).value();
    ASSERT_LE(estimate_tokens(text), kTokens);
    const Json answer = read(text);
    EXPECT_EQ(write_json(answer.at("counts")), R"({"failed":40,"pending":100,"completed":360})");
    for (const Json& item : answer.at("items").as_array()) {
      const std::string now(item.at("status").as_string());
      EXPECT_TRUE(now == last || (last == "failed" && now == "pending") || now == "complete");
      last = now;
      seen.emplace_back(item.at("ref").as_string());
    }
    if (!answer.as_object().contains("cursor")) break;
    cursor = std::string(answer.at("cursor").as_string());
  }
  EXPECT_EQ(seen.size(), 500U);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(AnswerBudget, R4_items_may_be_named_and_a_cursor_made_up_is_refused) {
  const Json two = read(
      fitting_batch(batch_status(500), kTokens, {.items = {item_name(9), item_name(480)}}).value());
  EXPECT_EQ(two.at("items").as_array().size(), 2U);
  EXPECT_FALSE(two.as_object().contains("truncated"));
  EXPECT_EQ(fitting_batch(batch_status(5), kTokens, {.items = {"x"}}).error().code,
            ErrorCode::batch_item);
  for (const char* const made_up : {"x", "1", "1-", "-1", "9-1", "1-1x", "1-99999999999999999999"})
    EXPECT_EQ(fitting_batch(batch_status(5), kTokens, {.cursor = made_up}).error().path, "cursor");
}

TEST(AnswerBudget, what_was_retried_is_counted) {
  Json status = read(batch_status(500));
  JsonArray retried;
  for (std::size_t i = 0; i < 300; ++i) retried.emplace_back(item_name(i));
  status.as_object()["retried"] = std::move(retried);
  status.as_object()["hint"] = "correct it";
  const std::string cut = fitting_batch(write_json(status), kTokens, {}).value();
  EXPECT_LE(estimate_tokens(cut), kTokens);
  const Json answer = read(cut);
  EXPECT_EQ(answer.at("retried_count").as_int64(), 300);
  EXPECT_EQ(answer.at("retried").as_array().size(), 10U);
  EXPECT_TRUE(answer.at("hint").as_string().starts_with("correct it; "));
}

TEST(AnswerBudget, known_refs_are_cut_too) {
  JsonArray refs;
  for (int i = 0; i < 200; ++i)
    refs.push_back(
        JsonObject{{"ref", fmt::format("book_{}", i)}, {"label", std::string(400, 'x')}});
  const std::string cut = fitting_refs({{"refs", std::move(refs)}, {"has_more", false}}, kTokens);
  EXPECT_LE(estimate_tokens(cut), kTokens);
  EXPECT_TRUE(read(cut).at("has_more").as_bool());
  EXPECT_TRUE(read(cut).at("truncated").as_bool());
}

}  // namespace
}  // namespace alfred::mcp
