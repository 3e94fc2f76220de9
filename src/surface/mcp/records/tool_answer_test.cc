#include "surface/mcp/records/tool_answer.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

Json result_of(std::string_view answer) {
  return parse_json("{" + tool_result(answer).members + "}", JsonLimits::none()).value();
}

TEST(ToolAnswer, an_object_is_text_and_structured_content) {
  constexpr std::string_view kAnswer = R"({"rows":[{"id":"book_1","title":"a \"b\"\n\\"}]})";
  const Json result = result_of(kAnswer);
  EXPECT_EQ(result.at("content").at(0).at("type"), "text");
  EXPECT_EQ(std::string_view(result.at("content").at(0).at("text").as_string()), kAnswer);
  EXPECT_EQ(write_json(result.at("structuredContent")), kAnswer);
  EXPECT_FALSE(result.as_object().contains("isError"));
}

TEST(ToolAnswer, anything_else_is_text_alone) {
  const Json result = result_of("[1,2]");
  EXPECT_EQ(std::string_view(result.at("content").at(0).at("text").as_string()), "[1,2]");
  EXPECT_FALSE(result.as_object().contains("structuredContent"));
}

TEST(ToolAnswer, who_named_refs_is_told_of_refs) {
  const auto told = [](const char* arguments) {
    const Error error{ErrorCode::conflict, "No.", "filters", {}, {}};
    const Json given = parse_json(arguments, JsonLimits::none()).value();
    return write_json(tool_error(error, given.get_object()));
  };
  EXPECT_NE(told(R"({"refs":["book_1"]})").find("(at refs)"), std::string::npos);
  EXPECT_NE(told(R"({"refs":["book_1"],"filters":[]})").find("(at filters)"), std::string::npos);
  EXPECT_NE(told(R"({"filters":[]})").find("(at filters)"), std::string::npos);
}

TEST(ToolAnswer, who_sent_items_by_refs_is_told_of_refs) {
  const auto told = [](const char* path) {
    const Error error{ErrorCode::batch_item, "No.", path, {}, {}};
    const Json given =
        parse_json(R"({"batch":"bat_1","refs":["a","b"],"data":{"pages":1}})", JsonLimits::none())
            .value();
    return write_json(tool_error(error, given.get_object()));
  };
  EXPECT_NE(told("data[1]").find("(at refs[1])"), std::string::npos);
  EXPECT_NE(told("data[1].pages").find("(at data.pages)"), std::string::npos);
  EXPECT_NE(told("data").find("(at data)"), std::string::npos);
}

TEST(ToolAnswer, the_next_call_helps) {
  const auto told = [](ErrorCode code, const char* path) {
    return write_json(tool_error(Error{code, "No.", path, {}, {}}, JsonObject()));
  };
  EXPECT_NE(told(ErrorCode::batch_item, "batch").find("action declare"), std::string::npos);
  EXPECT_NE(told(ErrorCode::batch_item, "data[0]").find("action status"), std::string::npos);
  const std::string reused = told(ErrorCode::op_reused, "");
  EXPECT_NE(reused.find("This idempotency_key was used"), std::string::npos);
  EXPECT_NE(reused.find("(at idempotency_key) [op_reused]"), std::string::npos);
}

TEST(ToolAnswer, refs_are_the_first_of_the_filters) {
  const Json given =
      parse_json(
          R"({"table":"books","refs":["book_1"],"confirm":"x","idempotency_key":"y","filters":[{"field":"pages"}]})",
          JsonLimits::none())
          .value();
  EXPECT_EQ(
      write_json(engine_params(given.as_object())),
      R"({"table":"books","filters":[{"field":"_ref","op":"in","value":["book_1"]},{"field":"pages"}]})");
}

}  // namespace
}  // namespace alfred::mcp
