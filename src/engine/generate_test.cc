#include <gtest/gtest.h>

#include "engine/place_for_tests.h"

namespace alfred {
namespace {

TEST(Generate, names_are_durable_and_reads_of_them_are_served_from_the_artifact) {
  OwnDatabase own;
  const Json content = json_for_tests(R"({"title":"Blue"})");
  const auto artifact = [&](std::string_view ref) {
    return ref == "gen_book_2" ? &content.as_object() : nullptr;
  };
  EXPECT_EQ(
      own.open()
          ->generate(json_for_tests(R"({"table":"books","labels":["Red","Blue"]})"), OpId::random())
          .value(),
      R"({"generated":[{"ref":"gen_book_1","label":"Red"},{"ref":"gen_book_2","label":"Blue"}]})");
  const auto later = own.open();
  constexpr std::string_view kRead =
      R"({"table":"books","filters":[{"field":"id","op":"=","value":"gen_book_2"}]})";
  EXPECT_TRUE(read_for_tests(*later, kRead).starts_with("ref_pending: "));
  later->set_artifacts(artifact);
  EXPECT_EQ(json_for_tests(read_for_tests(*later, kRead)).at(0).at("title").as_string(), "Blue");
  const Json save =
      json_for_tests(R"({"table":"books","data":{"ref":"gen_book_2","title":"Blue"}})");
  ASSERT_TRUE(later->call("db_create", save, OpId::random()));
  EXPECT_EQ(
      later->workspace().registry().ref(later->workspace().registry().find("gen_book_2")).text(),
      "book_1");
}

TEST(Generate, what_names_no_table_or_label_is_refused) {
  OwnDatabase own;
  const auto service = own.open();
  const std::vector<std::pair<const char*, ErrorCode>> bad{
      {R"({"table":"nothing","labels":["x"]})", ErrorCode::table},
      {R"({"table":"books"})", ErrorCode::value},
      {R"({"table":"books","labels":[1]})", ErrorCode::value},
      {"[]", ErrorCode::value}};
  for (const auto& [params, code] : bad) {
    const Result<std::string> answer = service->generate(json_for_tests(params), OpId::random());
    ASSERT_FALSE(answer) << params;
    EXPECT_EQ(answer.error().code, code) << params;
  }
  EXPECT_EQ(service->workspace().registry().size(), 0U);
}

}  // namespace
}  // namespace alfred
