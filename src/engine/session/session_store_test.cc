#include "engine/session/session_store.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/test_size.h"
#include "engine/journal/state_file_for_tests.h"
#include "engine/journal/workspace.h"
#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

enum class StateKind : std::uint8_t { sqlite, postgres };

// Gives the same bytes a few times before it goes on.
class StutteringRandom final : public Random {
 public:
  explicit StutteringRandom(int repeats) : repeats_(repeats) {}
  void fill(std::span<std::byte> out) override {
    if (repeats_-- <= 0) ++round_;
    SeededRandom(round_).fill(out);
  }

 private:
  int repeats_;
  std::uint64_t round_ = 1;
};

class Sessions : public testing::TestWithParam<StateKind> {
 protected:
  Sessions() {
    if (GetParam() == StateKind::sqlite) {
      file_.emplace(tables_);
      store_ = &file_->store();
      return;
    }
    StoreOptions options;
    options.is_ours = true;
    options.tables = tables_;
    const std::string url = PostgresForTests::server().fresh_database();
    rows_ = open_records(parse_database_url(url).value(), options).value();
    store_ = rows_->state();
  }
  template <class T>
  Result<T> in_write(const std::function<Result<T>(Tx&)>& act) {
    std::optional<Result<T>> out;
    const Result<std::string> done =
        store_->write({std::nullopt, "", {}}, [&](Tx& tx) -> Result<std::string> {
          out.emplace(act(tx));
          if (!*out) return Unexpected(out->error());
          return std::string();
        });
    if (!done) return Unexpected(done.error());
    return std::move(*out);
  }
  template <class Act>
  auto write(const Act& act) {
    using R = std::invoke_result_t<Act, Tx&>;
    return in_write<typename R::value_type>(act);
  }
  SessionRecord make(const std::string& user, std::int64_t at_ms = 1) {
    return write([&](Tx& tx) {
             return make_session(tx, {.user = user, .pack = "p", .pack_fingerprint = "f"}, at_ms,
                                 random_);
           })
        .value();
  }
  TurnRecord start(const SessionRecord& session, std::int64_t number,
                   std::optional<std::string> key = {}, const std::string& message = "Hello") {
    return write([&](Tx& tx) {
             return put_turn(tx, {session.id, number, key, message, {}}, 100 + number, random_);
           })
        .value();
  }
  SessionPage list(const std::string& user, std::int64_t most, const std::string& cursor = "") {
    return write([&](Tx& tx) { return list_sessions(tx, user, most, cursor); }).value();
  }

  const std::array<StateTables, 2> tables_{workspace_tables(), session_tables()};
  std::optional<StateFile> file_;
  std::unique_ptr<RecordStore> rows_;
  StateStore* store_ = nullptr;
  OsRandom random_;
};

TEST_P(Sessions, R1_a_user_sees_their_own_only) {
  const SessionRecord mine = make("ann");
  const SessionRecord other = make("bob");
  const auto find = [&](const SessionRecord& session, const std::string& user) {
    return write([&](Tx& tx) { return find_session(tx, session.id, user); });
  };
  EXPECT_EQ(find(mine, "ann")->workspace, mine.id.view());
  const Result<SessionRecord> theirs = find(other, "ann");
  const Result<SessionRecord> none =
      write([&](Tx& tx) { return find_session(tx, SessionId::random(random_), "ann"); });
  ASSERT_FALSE(theirs);
  ASSERT_FALSE(none);
  EXPECT_EQ(theirs.error().code, ErrorCode::session);
  EXPECT_EQ(none.error().code, ErrorCode::session);
  EXPECT_EQ(theirs.error().message.size(), none.error().message.size());
  ASSERT_EQ(list("ann", 10).sessions.size(), 1U);
  EXPECT_EQ(list("ann", 10).sessions.front().id, mine.id);
  EXPECT_TRUE(list("cyn", 10).sessions.empty());
}

TEST_P(Sessions, R4_pages_give_every_session_once_the_last_used_first) {
  std::vector<SessionId> expected;
  for (std::int64_t i = 0; i < 7; ++i) expected.push_back(make("ann", i / 3).id);
  make("bob", 2);
  std::vector<SessionId> found;
  std::string cursor;
  std::int64_t last = 99;
  do {
    const SessionPage page = list("ann", 2, cursor);
    EXPECT_LE(page.sessions.size(), 2U);
    for (const SessionRecord& one : page.sessions) {
      EXPECT_LE(one.updated_ms, last);
      last = one.updated_ms;
      found.push_back(one.id);
    }
    cursor = page.cursor;
  } while (!cursor.empty());
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  const std::array<const char*, 4> none_of_ours{"x", "12", "12.", "12x.ses_000000000000"};
  for (const char* bad : none_of_ours) {
    const auto page = write([&](Tx& tx) { return list_sessions(tx, "ann", 2, bad); });
    ASSERT_FALSE(page) << bad;
    EXPECT_EQ(page.error().code, ErrorCode::value);
  }
}

TEST_P(Sessions, I7_ids_that_are_taken_are_drawn_again) {
  StutteringRandom random(3);
  std::set<std::string> ids;
  for (int i = 0; i < 2; ++i)
    ids.emplace(write([&](Tx& tx) { return make_session(tx, {.user = "ann"}, 1, random); })
                    .value()
                    .id.view());
  EXPECT_EQ(ids.size(), 2U);
  StutteringRandom stuck(1'000);
  ASSERT_TRUE(
      write([&](Tx& tx) { return make_session(tx, {.user = "bob"}, 1, stuck); }).error().code ==
      ErrorCode::storage);
}

TEST_P(Sessions, R2_the_same_key_is_the_same_turn) {
  const SessionRecord session = make("ann");
  const SessionRecord other = make("ann");
  const TurnRecord turn = start(session, 1, "key");
  const auto find = [&](const SessionRecord& at, const std::string& message) {
    return write([&](Tx& tx) { return find_turn(tx, at.id, "key", message); });
  };
  EXPECT_EQ((*find(session, "Hello"))->id, turn.id);
  EXPECT_EQ((*find(session, "Hello"))->status, TurnStatus::running);
  EXPECT_FALSE(*find(other, "Hello"));
  EXPECT_EQ(find(session, "Something else").error().code, ErrorCode::op_reused);
  const auto again = write([&](Tx& tx) {
    return put_turn(tx, {session.id, 2, "key", "Hello", {}}, 1, random_);
  });
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  start(session, 2);
  start(session, 3);  // no key is no key
  start(other, 1, "key");
}

TEST_P(Sessions, a_turn_is_ended_once_and_its_session_says_when) {
  const SessionRecord session = make("ann");
  const std::string message = "  Plan the week,\nplease, \xE2\x82\xAC" + std::string(1, '\0');
  const TurnRecord turn = start(session, 1, {}, message);
  const auto end = [&](TurnStatus status) {
    return in_write<void>([&](Tx& tx) { return end_turn(tx, turn.id, status, "Done.", 500); });
  };
  EXPECT_EQ(list("ann", 1).sessions.at(0).title, "Plan the week,");
  EXPECT_EQ(write([&](Tx& tx) { return running_turns(tx, 9); })->size(), 1U);
  ASSERT_TRUE(end(TurnStatus::finished));
  EXPECT_EQ(end(TurnStatus::interrupted).error().code, ErrorCode::bug);
  EXPECT_TRUE(write([&](Tx& tx) { return running_turns(tx, 9); })->empty());
  const auto turns = write([&](Tx& tx) { return read_turns(tx, session.id, 0, 10); });
  ASSERT_EQ(turns->size(), 1U);
  EXPECT_EQ(turns->front().status, TurnStatus::finished);
  EXPECT_EQ(turns->front().reply, "Done.");
  EXPECT_EQ(turns->front().ended_ms, 500);
  EXPECT_TRUE(turns->front().message.ends_with("\xE2\x82\xAC\xEF\xBF\xBD"));
  start(session, 2, {}, "Another");
  const SessionRecord now = list("ann", 1).sessions.at(0);
  EXPECT_EQ(now.title, "Plan the week,");
  EXPECT_EQ(now.updated_ms, 102);
  EXPECT_TRUE(write([&](Tx& tx) { return read_turns(tx, session.id, 2, 10); })->empty());
}

TEST_P(Sessions, R2_a_turn_may_bring_its_id) {
  const SessionRecord session = make("ann");
  const TurnId id = TurnId::random(random_);
  const auto put = [&](std::int64_t number) {
    return write([&](Tx& tx) {
      return put_turn(tx, {session.id, number, {}, "m", id}, 1, random_);
    });
  };
  EXPECT_EQ(put(1)->id, id);
  EXPECT_EQ(put(2).error().code, ErrorCode::storage);
  EXPECT_EQ(write([&](Tx& tx) { return read_turns(tx, session.id, 0, 9); })->size(), 1U);
}

TEST_P(Sessions, R3_what_comes_again_and_again_is_stored_once) {
  const SessionRecord session = make("ann");
  const TurnRecord turn = start(session, 1);
  Ask ask{.id = 1, .node = Node::act, .step = 0, .attempt = 1, .system = "You are …"};
  ask.schema_json = R"({"type":"object"})";
  ask.facts_json = R"({"entities":[]})";
  for (std::uint32_t id = 1; id <= 3; ++id) {
    ask.id = id;
    ask.user = "Message " + std::to_string(id);
    ASSERT_TRUE(write([&](Tx& tx) { return put_prompt(tx, {session.id, turn.id}, ask, random_); }));
  }
  const auto prompts = write([&](Tx& tx) { return read_prompts(tx, turn.id); });
  ASSERT_EQ(prompts->size(), 3U);
  for (std::uint32_t id = 1; id <= 3; ++id) {
    const PromptRecord& one = prompts->at(id - 1);
    EXPECT_EQ(one.ask, id);
    EXPECT_EQ(one.node, "act");
    EXPECT_EQ(one.step, 0U);
    EXPECT_EQ(one.system, "You are …");
    EXPECT_EQ(one.user, "Message " + std::to_string(id));
    EXPECT_EQ(one.schema, R"({"type":"object"})");
    EXPECT_EQ(one.facts, R"({"entities":[]})");
  }
  const auto texts = write([&](Tx& tx) { return tx.run("SELECT count(*) FROM alfred_texts"); });
  EXPECT_EQ(std::get<std::int64_t>(texts->at(0).at(0)), 2);
}

// P11: opening one of many looks at no other. A statement that goes through them all is broken off.
TEST(ManySessions, R4_one_of_many_is_found_opened_and_listed_without_a_look_at_the_others) {
  const std::array<StateTables, 2> tables{workspace_tables(), session_tables()};
  StateFile file(tables);
  const SystemClock clock;
  SeededRandom random(1);
  std::vector<SessionRecord> made;
  const auto make = [&](Tx& tx) -> Result<std::string> {
    for (std::size_t i = 0; i < test_size({1'000, 2'000, 100'000}); ++i) {
      Result<SessionRecord> one = make_session(tx, {.user = i % 2 == 0 ? "ann" : "bob"},
                                               static_cast<std::int64_t>(i), random);
      if (!one) return Unexpected(one.error());
      const auto turn = put_turn(tx, {one->id, 1, "key", "Hello", {}}, 1, random);
      if (!turn) return Unexpected(turn.error());
      if (auto ended = end_turn(tx, turn->id, TurnStatus::finished, "", 2); !ended)
        return Unexpected(ended.error());
      made.push_back(std::move(*one));
    }
    return std::string();
  };
  ASSERT_TRUE(file.store().write({std::nullopt, "", {}}, make));
  constexpr Statement kWorkspaces[] = {
      "INSERT INTO alfred_workspaces (id, name, database, owner, created_ms, place, hash) "
      "SELECT 'wsp_' || substr(id, 5), id, 'd', owner, 0, 0, 'wsp_' || substr(id, 5) "
      "FROM alfred_sessions"};
  ASSERT_TRUE(file.tamper(kWorkspaces));
  file.limit_work(1'000);
  const SessionRecord& one = made[made.size() / 2];
  const auto read = [&](const ReadFn& act) { return file.store().read({}, act); };
  const Result<void> looked = read([&](Tx& tx) -> Result<void> {
    EXPECT_TRUE(find_session(tx, one.id, one.user));
    const Result<SessionPage> page = list_sessions(tx, "ann", 3);
    EXPECT_EQ(page.value().sessions.size(), 3U);
    EXPECT_EQ(list_sessions(tx, "ann", 3, page->cursor).value().sessions.size(), 3U);
    EXPECT_TRUE(find_turn(tx, one.id, "key", "Hello").value());
    EXPECT_EQ(read_turns(tx, one.id, 0, 5).value().size(), 1U);
    EXPECT_TRUE(running_turns(tx, 5).value().empty());
    return {};
  });
  EXPECT_TRUE(looked) << looked.error().message;
  EXPECT_TRUE(Workspace::open(file.store(), {std::string(one.id.view()), "d", one.user}, clock));
  const Result<void> through_all = read([&](Tx& tx) -> Result<void> {
    const auto rows = tx.run("SELECT count(*) FROM alfred_sessions WHERE title = 'x'");
    return rows ? Result<void>() : Unexpected(rows.error());
  });
  EXPECT_FALSE(through_all);
}

INSTANTIATE_TEST_SUITE_P(, Sessions, testing::Values(StateKind::sqlite, StateKind::postgres),
                         [](const auto& kind) {
                           return kind.param == StateKind::sqlite ? "sqlite" : "postgres";
                         });

}  // namespace
}  // namespace alfred
