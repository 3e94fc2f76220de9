#include "engine/session/audit.h"

#include <gtest/gtest.h>

#include "engine/session/run_turn.h"
#include "engine/session/session_for_tests.h"

namespace alfred {
namespace {

constexpr Statement kDropPrompt("DELETE FROM alfred_prompts WHERE ask = 1");
constexpr Statement kDropPrompts("DELETE FROM alfred_prompts");
constexpr Statement kDropTurns("DELETE FROM alfred_turns");
constexpr Statement kMessage("UPDATE alfred_turns SET message = 'another'");
constexpr Statement kReply("UPDATE alfred_turns SET reply = 'another'");
constexpr Statement kStatus("UPDATE alfred_turns SET status = 'failed'");
constexpr Statement kUserText("UPDATE alfred_prompts SET user_text = user_text || ' and more'");

class Audit : public testing::Test {
 protected:
  // A session with one whole turn.
  std::string one_turn(std::string_view message = "add Ann") {
    const std::unique_ptr<Session> session = shelf_.open();
    AddingAnn model;
    Result<TurnProgress> begun = session->start(std::string(message));
    EXPECT_TRUE(begun) << begun.error().message;
    const auto done = run_turn(*session, model, std::move(*begun));
    EXPECT_TRUE(done && done->is_finished);
    return session->id();
  }
  void tamper(const Statement& statement) {
    RecordPlace place = shelf_.place();
    const Result<std::string> written =
        place.state().write({std::nullopt, "", place.caller}, [&](Tx& tx) -> Result<std::string> {
          const auto done = tx.run(statement, {});
          if (!done) return Unexpected(done.error());
          return std::string();
        });
    ASSERT_TRUE(written) << written.error().message << written.error().detail;
  }
  std::vector<AuditFinding> findings(const std::string& id, std::vector<std::string> secrets = {}) {
    SessionOptions options;
    options.id = id;
    options.secrets = std::move(secrets);
    const auto session =
        Session::open(shelf_.place(), std::move(options), shelf_.clock(), shelf_.random());
    EXPECT_TRUE(session) << session.error().message;
    const Result<AuditReport> report = audit(**session);
    EXPECT_TRUE(report) << report.error().message << report.error().detail;
    return report ? report->findings : std::vector<AuditFinding>();
  }
  BookshelfForTests shelf_{false};
};

TEST_F(Audit, R3_what_is_stored_beside_the_journal_is_what_the_journal_says) {
  for (const Statement& change : {kDropPrompt, kMessage, kReply, kStatus, kUserText}) {
    const std::string id = one_turn();
    EXPECT_TRUE(findings(id).empty()) << findings(id).front().what;
    tamper(change);
    EXPECT_FALSE(findings(id).empty()) << change.text();
  }
}

TEST_F(Audit, R3_a_turn_that_is_gone_is_found) {
  const std::string id = one_turn();
  tamper(kDropPrompts);
  const std::size_t without_prompts = findings(id).size();
  tamper(kDropTurns);
  EXPECT_EQ(findings(id).size(), without_prompts + 1);
}

TEST_F(Audit, R1_a_secret_in_the_journal_is_found) {
  const std::string id = one_turn("add sk-canary-1234567890abcdef");
  EXPECT_TRUE(findings(id).empty());
  EXPECT_FALSE(findings(id, {"sk-canary-1234567890abcdef"}).empty());
}

TEST_F(Audit, a_turn_that_is_not_there_is_not_replayed) {
  const std::unique_ptr<Session> session = shelf_.open(one_turn());
  const Result<Recording> recording = session->recording();
  ASSERT_TRUE(recording);
  EXPECT_TRUE(replay(*recording, session->world(), 1));
  const auto beyond = replay(*recording, session->world(), 99);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::value);
}

TEST_F(Audit, R6_a_secret_that_is_pasted_is_masked_before_it_is_stored_and_R7_no_wake_up_is_typed) {
  SessionOptions options;
  options.secrets = {"sk-canary-1234567890abcdef"};
  const auto session =
      Session::open(shelf_.place(), std::move(options), shelf_.clock(), shelf_.random());
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start("my key is sk-canary-1234567890abcdef", "k"));
  EXPECT_EQ((*session)->state().facts.running->message, "my key is [secret]");
  EXPECT_FALSE((*session)->resume()->asks.empty());
  EXPECT_TRUE((*session)->start("my key is sk-canary-1234567890abcdef", "k"));  // the same turn
  ASSERT_TRUE((*session)->cancel());
  ASSERT_TRUE((*session)->start("[wake-up] Tell me"));
  EXPECT_EQ((*session)->state().facts.running->message, " [wake-up] Tell me");
}

}  // namespace
}  // namespace alfred
