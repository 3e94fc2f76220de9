#include "surface/cli/chat/slash_commands.h"

#include <gtest/gtest.h>

#include "surface/cli/chat/dialogue_for_tests.h"
#include "surface/cli/chat/greeting.h"
#include "surface/cli/chat/reply_preview.h"
#include "surface/cli/chat/state_pages.h"
#include "surface/cli/chat/turn_story.h"
#include "surface/cli/terminal/display_width.h"

namespace alfred::cli {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(SlashCommands, an_unknown_one_gets_the_list) {
  DialogueForTests test;
  EXPECT_EQ(run_slash_command("/wat", test.dialogue()), SlashEnd::failed);
  const std::string noted = test.noted();
  for (const std::string& name : slash_command_names()) EXPECT_TRUE(has(noted, name)) << name;
  EXPECT_EQ(run_slash_command("/quit", test.dialogue()), SlashEnd::quit);
  EXPECT_FALSE(is_slash_command("say /help"));
}

TEST(SlashCommands, every_one_works_before_anything_was_said) {
  DialogueForTests test;
  for (const std::string& name : slash_command_names()) {
    if (name == "/quit" || name == "/new") continue;
    EXPECT_EQ(run_slash_command(name, test.dialogue()), SlashEnd::done) << name;
    EXPECT_FALSE(test.said().empty()) << name;
  }
}

TEST(SlashCommands, they_show_what_the_last_turn_did) {
  DialogueForTests test;
  ASSERT_EQ(test.dialogue().say("add *Ann*"), TurnEnd::finished);
  test.said();
  const auto page = [&](std::string_view line) {
    EXPECT_EQ(run_slash_command(line, test.dialogue()), SlashEnd::done) << test.noted();
    return test.said();
  };
  const std::string why = page("/why");
  EXPECT_TRUE(has(why, "Turn 1: add *Ann*")) << why;
  EXPECT_TRUE(has(why, "call 1: db_create")) << why;
  EXPECT_TRUE(has(why, "created: author_1 Ann")) << why;
  EXPECT_TRUE(has(page("/working-set"), "author_1 │ Ann"));
  EXPECT_TRUE(has(page("/plan"), "1. complete Add Ann (write, books)"));
  EXPECT_TRUE(has(page("/cost"), "showed 6 prompts"));
  EXPECT_TRUE(has(page("/sessions"), "(this)"));
}

TEST(SlashCommands, TurnStory_R2_prompts_are_shown_as_they_went_out) {
  DialogueForTests test;
  ASSERT_EQ(test.dialogue().say("add Ann"), TurnEnd::finished);
  const Recording recording = test.dialogue().session().recording().value();
  const std::string shown = prompt_text(test.dialogue().session(), "think").value();
  std::size_t found = 0;
  for (const Changes& entry : recording.entries)
    for (const Change& change : entry)
      if (const auto* ask = std::get_if<AskMade>(&change); ask && ask->node == Node::think) {
        const SentPrompt sent = recording.prompt(ask->prompt).value();
        EXPECT_TRUE(has(shown, sent.system + "\n--- user ---\n" + sent.user));
        ++found;
      }
  EXPECT_EQ(found, 1U);
  EXPECT_FALSE(prompt_text(test.dialogue().session(), "dream"));
}

TEST(SlashCommands, new_begins_a_session) {
  DialogueForTests test;
  const std::string first = test.dialogue().session().id();
  EXPECT_EQ(run_slash_command("/new", test.dialogue()), SlashEnd::done);
  EXPECT_NE(test.dialogue().session().id(), first);
  EXPECT_EQ(test.dialogue().say("add Ann"), TurnEnd::finished);
}

TEST(StatePages, progress_says_where_a_turn_is) {
  SessionState state;
  state.facts.running.emplace();
  state.facts.running->plan.emplace();
  state.facts.running->plan->steps = {Step{.description = "find"}, Step{.description = "save"}};
  TurnProgress progress;
  EXPECT_EQ(progress_text(progress, state), "");
  progress.asks = {Ask{.node = Node::think}};
  EXPECT_EQ(progress_text(progress, state), "planning…");
  progress.asks = {Ask{.node = Node::act, .step = 1, .attempt = 2}};
  EXPECT_EQ(progress_text(progress, state), "step 2 of 2: save (again, 2)");
  progress.asks = {Ask{.node = Node::act, .step = 7}};
  EXPECT_EQ(progress_text(progress, state), "working…");
}

// Keeps the last line of progress.
class ProgressScreen final : public Screen {
 public:
  void note(std::string_view /*text*/) override {}
  void page(std::string_view /*markdown*/) override {}
  void exact(std::string_view /*text*/) override {}
  void progress(std::string_view text) override { last_ = text; }
  void reply(std::string_view /*markdown*/) override {}
  void error(const Error& /*error*/) override {}
  std::string last_;
};

TEST(ReplyPreview, the_end_of_what_comes_stands_on_the_line) {
  ProgressScreen screen;
  const OnToken token = reply_preview(screen);
  token({.id = 5}, "Here ");
  token({.id = 5}, "it is\x1b[31m\nnow");
  EXPECT_EQ(screen.last_, "Here it is\\u{1b}[31m now");
  for (int i = 0; i < 200; ++i) token({.id = 5}, "日本");
  EXPECT_EQ(display_width(screen.last_), 60U);
  token({.id = 6}, "Anew");
  EXPECT_EQ(screen.last_, "Anew");
}

TEST(Greeting, it_says_who_speaks_and_what_to_try) {
  Pack pack;
  pack.title = "Shelf";
  pack.description = "Books.";
  Speaker speaker;
  speaker.interpreter = std::make_unique<RecordedAnswers>();
  speaker.name = "a player";
  speaker.about = "Plays.";
  EXPECT_TRUE(has(first_greeting(pack, speaker), "Shelf: Books."));
  pack.chat = {"I mind *books*.", {"which are out?"}};
  const std::string page = first_greeting(pack, speaker);
  EXPECT_TRUE(has(page, "I mind \\*books\\*."));
  EXPECT_TRUE(has(page, "You are talking to **a player**. Plays."));
  EXPECT_TRUE(has(page, "- which are out?"));
  EXPECT_TRUE(has(page, "ALFRED_MODEL_URL"));
}

}  // namespace
}  // namespace alfred::cli
