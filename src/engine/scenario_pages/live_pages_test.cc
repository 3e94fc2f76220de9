#include "engine/scenario_pages/live_pages.h"

#include <gtest/gtest.h>

#include "engine/session/session_for_tests.h"
#include "interpreter/chat_http/chat_server_for_tests.h"
#include "interpreter/recorded/recorded_answers.h"
#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

// A page that scripts something else than what the model does, and expects words that it does not
// say.
std::string page(const std::string& rows) {
  return "# Live\n\n```given authors\n[{\"name\": \"Zoe\"}]\n```\n```user\nadd Ann\n```\n"
         "```model understand\n{\"processed_message\": \"never used\"}\n```\n"
         "```reply\n{\"$says\": [\"words of the page\"]}\n```\n```turn\n{\"nodes\": []}\n```\n"
         "```rows authors\n" +
         rows + "\n```\n";
}

// Plays "add Ann" to whoever asks, by the name of the schema.
class LivePagesTest : public testing::Test {
 protected:
  class Script final : public AddingAnn {
   public:
    using AddingAnn::AddingAnn;
    std::string text_of(std::uint32_t id) { return text_for({.id = id}); }
  };

  ResponseForTests respond(const RequestForTests& request) {
    const std::string node = asked_for_tests(ChatWire::openai, request.body).node;
    static const std::map<std::string, std::uint32_t> kIds{
        {"understand", 1}, {"think", 2}, {"reply", 5}, {"summarize", 6}};
    const auto found = kIds.find(node);
    std::string text = script.text_of(found != kIds.end() ? found->second : 3 + acts++ % 2);
    if (node == "reply") text = "Ann is added.";
    return chunks_for_tests({events_for_tests(ChatWire::openai, {text})});
  }

  Result<PageOutcome> run(const std::string& rows) {
    const FolderForTests folder({{"page.md", page(rows)}});
    acts = 0;
    return model->run(folder.path() + "/page.md",
                      {.pack = std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf"});
  }

  Script script;
  std::uint32_t acts = 0;
  HttpServerForTests server{[this](const RequestForTests& request) { return respond(request); }};
  std::unique_ptr<LivePages> model =
      LivePages::make({{"ALFRED_MODEL_URL", server.url()}, {"ALFRED_MODEL", "small"}}).value();
};

TEST_F(LivePagesTest, R1_the_model_answers_and_rows_are_what_counts) {
  const Result<PageOutcome> right = run(R"([{"name": "Zoe"}, {"name": "Ann"}])");
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(right->failure, "");
  const Result<PageOutcome> wrong = run(R"([{"name": "Zoe"}])");
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_NE(wrong->failure.find("page.md:18: "), std::string::npos) << wrong->failure;
}

TEST_F(LivePagesTest, R1_a_table_that_no_block_speaks_of_keeps_its_rows) {
  const FolderForTests folder(
      {{"page.md",
        "# Live\n\n```given authors\n[{\"name\": \"Bob\"}]\n```\n```user\nlook\n```\n"
        "```reply\n{\"$says\": [\"Bob\"]}\n```\n"}});
  const Result<PageOutcome> done = model->run(
      folder.path() + "/page.md", {.pack = std::string(ALFRED_SOURCE_DIR) + "/packs/bookshelf"});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_NE(done->failure.find("authors had 1 rows and has 2"), std::string::npos) << done->failure;
}

TEST_F(LivePagesTest, R2_what_the_model_used_is_summed) {
  ASSERT_TRUE(run("[]"));
  EXPECT_EQ(model->used(), "small: 6 answers, 240 tokens read (180 from a cache), 30 written");
}

TEST(LivePages, R1_without_a_model_it_says_what_to_set) {
  const auto none = LivePages::make({{"OPENAI_API_KEY", "k"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::model);
  EXPECT_NE(none.error().message.find("ALFRED_MODEL_URL"), std::string::npos);
}

}  // namespace
}  // namespace alfred
