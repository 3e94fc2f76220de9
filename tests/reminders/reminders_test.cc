#include "engine/reminders/reminders.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/test_size.h"
#include "engine/open_place.h"
#include "engine/packs/pack_tools.h"
#include "engine/reminders/session_waker.h"
#include "engine/session/replay.h"
#include "interpreter/rules/rules_interpreter.h"
#include "pack/load/folder_for_tests.h"
#include "storage/postgres/postgres_server_for_tests.h"
#include "storage/scratch_database.h"

namespace alfred {
namespace {

constexpr std::int64_t kMonday = 1'780'300'800'000;  // 2026-06-01 08:00 UTC
constexpr std::int64_t kHour = 3'600'000;

enum class Where { sqlite, postgres, own_sqlite };
std::string where_name(const testing::TestParamInfo<Where>& where) {
  return where.param == Where::sqlite     ? "sqlite"
         : where.param == Where::postgres ? "postgres"
                                          : "own_sqlite";
}

// The pack with reminders, on a database of ours or a user's own.
class Reminders : public testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    options_.pack = std::string(ALFRED_SOURCE_DIR) + "/packs/kitchen";
    options_.data_dir = folder_.path() + "/data";
    options_.has_demo = false;
    if (GetParam() == Where::postgres) {
      options_.db = PostgresForTests::server().fresh_database();
      const auto installed = install_pack(options_.pack, options_.db, clock_, random_);
      ASSERT_TRUE(installed) << installed.error().message << installed.error().detail;
    }
    if (GetParam() == Where::own_sqlite) {
      options_.db = folder_.path() + "/mine.db";
      ASSERT_TRUE(open_state(options_.db, {}));
      ASSERT_TRUE(run_sql(parse_database_url(options_.db).value(),
                          read_file(options_.pack + "/schema.sql").value()));
    }
    reopen();
  }
  void close() {
    session_.reset();
    rules_.reset();
    inbox_.reset();
    place_.reset();
  }
  void reopen() {
    const std::string id = session_ ? session_->id() : id_;
    close();
    Result<RecordPlace> place = open_place(options_, clock_, random_);
    ASSERT_TRUE(place) << place.error().message << place.error().detail;
    place_ = std::move(*place);
    inbox_ = std::make_unique<Inbox>(place_->state(), clock_, random_);
    rules_ = RulesInterpreter::make(*place_->pack, *place_->schema).value();
    session_ = open_session(id);
    id_ = session_->id();
  }
  std::unique_ptr<Session> open_session(const std::string& id) {
    SessionOptions options;
    options.id = id;
    options.zone = "Europe/Berlin";
    options.whole_facts = true;
    auto session = Session::open(*place_, std::move(options), clock_, random_);
    if (!session) throw std::runtime_error(session.error().message);
    return std::move(*session);
  }
  std::string say(const std::string& message) {
    Result<TurnProgress> begun = session_->start(message);
    if (!begun) return begun.error().message;
    const Result<TurnProgress> done = run_turn(*session_, *rules_, std::move(*begun));
    return done ? done->reply : done.error().message;
  }
  JsonArray timers() {
    const Result<Json> listed = inbox_->timers();
    return listed ? listed->at("timers").as_array() : JsonArray();
  }
  // "2026-06-02T15:00:00.000Z Thaw it", joined.
  std::string timers_text() {
    std::string out;
    for (const Json& one : timers())
      if (one.at("status").as_string() == "active")
        out += (out.empty() ? "" : ", ") + std::string(one.at("nextFireAt").as_string()) + " " +
               std::string(one.at("message").as_string());
    return out;
  }
  SessionWakerWorld waker_world() {
    SessionWakerWorld world{*place_, clock_, random_, *inbox_};
    world.interpreter = [this]() -> Result<std::shared_ptr<Interpreter>> {
      return std::shared_ptr<Interpreter>(rules_);
    };
    return world;
  }
  // What time brings, as often as something is due by now.
  Json run_due() {
    SessionWaker waker(waker_world());
    Result<Json> done = inbox_->run_due({.session = &waker});
    EXPECT_TRUE(done) << done.error().message << done.error().detail;
    return done ? *done : Json();
  }
  std::vector<std::string> unshown() {
    std::vector<std::string> out;
    const auto found = unshown_wake_ups(place_->state(), place_->caller.user.value_or(""));
    EXPECT_TRUE(found);
    for (const WakeUp& one : *found) out.push_back(*one.reply);
    return out;
  }
  std::string call(const std::string& tool, const std::string& params) {
    const Json json = parse_json(params, JsonLimits::none()).value();
    const Result<std::string> done = session_->records().call(tool, json, OpId::random(random_));
    return done ? *done : done.error().message + " " + done.error().detail;
  }

  FolderForTests folder_{{}};
  PlaceOptions options_;
  ManualClock clock_{kMonday};
  OsRandom random_;
  std::optional<RecordPlace> place_;
  std::unique_ptr<Inbox> inbox_;
  std::shared_ptr<RulesInterpreter> rules_;
  std::unique_ptr<Session> session_;
  std::string id_;
};

TEST_P(Reminders, R1_what_is_said_makes_a_timer_that_moves_and_goes_with_its_row) {
  say("remind me to thaw the cod tomorrow at 5pm");
  EXPECT_EQ(timers_text(), "2026-06-02T15:00:00.000Z thaw the cod");
  const auto changed = call(
      "db_update", R"({"table":"tasks","filters":[{"field":"id","op":"=","value":"task_1"}],)"
                   R"("data":{"remind_at":"2026-06-03T09:00[Europe/Berlin]","title":"thaw it"}})");
  EXPECT_EQ(timers_text(), "2026-06-03T07:00:00.000Z thaw it") << changed;
  call("db_update", R"({"table":"tasks","filters":[{"field":"id","op":"=","value":"task_1"}],)"
                    R"("data":{"category":"prep"}})");
  EXPECT_EQ(timers().size(), 1U);
  call("db_update", R"({"table":"tasks","filters":[{"field":"id","op":"=","value":"task_1"}],)"
                    R"("data":{"completed":true}})");
  EXPECT_EQ(timers_text(), "");
  call("db_undo", "{}");
  EXPECT_EQ(timers_text(), "2026-06-03T07:00:00.000Z thaw it");
  const std::string deleting =
      R"({"table":"tasks","filters":[{"field":"id","op":"=","value":"task_1"}]})";
  call("db_delete",
       R"({"table":"tasks","dry_run":true,"filters":[{"field":"id","op":"=","value":"task_1"}]})");
  EXPECT_EQ(timers().size(), 1U);
  call("db_delete", deleting);
  EXPECT_TRUE(timers().empty());
  call("db_undo", R"({"dry_run":true})");
  EXPECT_TRUE(timers().empty());
  call("db_undo", "{}");
  EXPECT_EQ(timers_text(), "2026-06-03T07:00:00.000Z thaw it");
}

TEST_P(Reminders, R1_what_is_said_by_the_second_is_kept_to_the_second) {
  clock_.advance_ms(5'000);
  const std::string reply = say("remind me to stir the soup in 90 seconds");
  EXPECT_EQ(timers_text(), "2026-06-01T08:01:35.000Z stir the soup");
  EXPECT_NE(reply.find("today (2026-06-01) at 10:01:35"), std::string::npos) << reply;
}

TEST_P(Reminders, R1_an_undo_in_the_conversation_takes_the_timer_away) {
  say("remind me to thaw the cod tomorrow at 5pm");
  EXPECT_EQ(timers().size(), 1U);
  say("undo");
  EXPECT_TRUE(timers().empty()) << timers_text();
}

TEST_P(Reminders, R1_a_call_that_is_refused_leaves_no_timer) {
  call("db_create", R"({"table":"tasks","data":[{"title":"a","remind_at":"2026-06-03T09:00:00Z"},)"
                    R"({"title":"b","category":"none of these"}]})");
  EXPECT_TRUE(timers().empty()) << timers_text();
}

TEST_P(Reminders, R2_outside_of_sessions_the_last_session_is_woken) {
  RecordPlace named = *place_;
  named.workspace.name = "by hand";
  auto service = RecordService::open(std::move(named), clock_, random_);
  ASSERT_TRUE(service);
  const Json made = parse_json(R"({"table":"tasks","data":{"title":"call","remind_at":)"
                               R"("2026-06-01T09:00:00Z"}})",
                               JsonLimits::none())
                        .value();
  const auto done = (*service)->call("db_create", made, OpId::random(random_));
  ASSERT_TRUE(done) << done.error().message << done.error().detail;
  ASSERT_EQ(timers().size(), 1U);
  EXPECT_EQ(timers()[0].at("agentId").as_string(), session_->id());
}

TEST_P(Reminders, R3_what_is_long_past_makes_none_and_what_is_just_past_fires_at_once) {
  call("db_create",
       R"({"table":"tasks","data":[{"title":"old","remind_at":"2026-05-01T09:00:00Z"},)"
       R"({"title":"new","remind_at":"2026-06-01T07:59:00Z"}]})");
  EXPECT_EQ(timers_text(), "2026-06-01T07:59:00.000Z new");
  run_due();
  clock_.advance_ms(3'000);
  run_due();
  EXPECT_EQ(unshown(), std::vector<std::string>{"Reminder (2026-06-01 07:59): new"});
}

TEST_P(Reminders, when_it_fires_the_session_gets_a_turn_and_its_user_is_told_once) {
  say("remind me to thaw the cod tomorrow at 5pm");
  clock_.set_wall_ms(kMonday + 31 * kHour);
  reopen();
  run_due();
  EXPECT_TRUE(unshown().empty());
  clock_.advance_ms(3'000);
  run_due();
  EXPECT_EQ(unshown(), std::vector<std::string>{"Reminder (2026-06-02 17:00): thaw the cod"});
  run_due();
  EXPECT_EQ(unshown().size(), 1U);
  const auto found = unshown_wake_ups(place_->state(), place_->caller.user.value_or(""));
  ASSERT_TRUE(mark_shown(place_->state(), found->at(0).activation, clock_.wall_ms()));
  EXPECT_TRUE(unshown().empty());
  EXPECT_NE(found->at(0).message.find("entry_1 (timer, 2026-06-02 17:00): thaw the cod"),
            std::string::npos);
  for (const char* id : {"ent_", "sch_", "itm_", "evt_", "act_", "ses_"})
    EXPECT_EQ(found->at(0).message.find(id), std::string::npos) << id;
  ASSERT_TRUE(session_->records().catch_up());
  EXPECT_EQ(session_->state().facts.turn, 2U);
  // Dealt with: nothing is due any more, and the inbox is empty.
  EXPECT_FALSE(inbox_->next_due_ms().value().has_value());
  EXPECT_TRUE(inbox_->entries(id_, {})->at("entries").as_array().empty());
  const auto recorded = session_->recording();
  ASSERT_TRUE(recorded);
  const auto played = replay(*recorded, session_->world());
  EXPECT_TRUE(played) << played.error().message << played.error().detail;
}

TEST_P(Reminders, two_reminders_one_after_the_other_are_two_turns) {
  say("remind me to thaw the cod today at 2pm");
  say("remind me to feed the starter today at 3pm");
  for (const int hour : {4, 5}) {
    clock_.set_wall_ms(kMonday + hour * kHour);
    run_due();
    clock_.advance_ms(3'000);
    run_due();
  }
  EXPECT_EQ(unshown(), (std::vector<std::string>{"Reminder (2026-06-01 14:00): thaw the cod",
                                                 "Reminder (2026-06-01 15:00): feed the starter"}));
}

class Mute final : public Interpreter {
 public:
  std::string_view name() const override { return "mute"; }
  Result<Answer> answer(const Ask&) override { return fail(ErrorCode::model, "Nobody is there."); }
};

TEST_P(Reminders, R4_a_reminder_is_told_also_when_the_model_is_not_there) {
  say("remind me to thaw the cod today at 2pm");
  clock_.set_wall_ms(kMonday + 4 * kHour);
  run_due();
  clock_.advance_ms(3'000);
  SessionWakerWorld world = waker_world();
  world.interpreter = []() -> Result<std::shared_ptr<Interpreter>> {
    return std::shared_ptr<Interpreter>(std::make_shared<Mute>());
  };
  SessionWaker waker(std::move(world));
  ASSERT_TRUE(inbox_->run_due({.session = &waker}));
  EXPECT_EQ(unshown(), std::vector<std::string>{"Reminder (2026-06-01 14:00): thaw the cod"});
  // The session is free again.
  EXPECT_NE(say("remind me to feed the starter tomorrow at 9am").find("feed the starter"),
            std::string::npos);
}

TEST_P(Reminders, R3_a_session_in_the_middle_of_a_turn_is_woken_after_it) {
  say("remind me to thaw the cod today at 2pm");
  clock_.set_wall_ms(kMonday + 4 * kHour);
  run_due();
  clock_.advance_ms(3'000);
  Result<TurnProgress> open = session_->start("what do I have to do?");
  ASSERT_TRUE(open);
  EXPECT_EQ(run_due().at("deferred").as_int64(), 1);
  ASSERT_TRUE(run_turn(*session_, *rules_, std::move(*open)));
  EXPECT_TRUE(unshown().empty());
  clock_.advance_ms(5'000);
  run_due();
  EXPECT_EQ(unshown().size(), 1U);
}

// Ends the process at the ask of a number.
class Killing final : public Interpreter {
 public:
  Killing(std::shared_ptr<Interpreter> inner, std::uint32_t at)
      : inner_(std::move(inner)), at_(at) {}
  std::string_view name() const override { return inner_->name(); }
  bool needs_whole_facts() const override { return true; }
  Result<Answer> answer(const Ask& ask) override {
    if (ask.id >= at_) std::raise(SIGKILL);
    return inner_->answer(ask);
  }

 private:
  std::shared_ptr<Interpreter> inner_;
  std::uint32_t at_;
};

TEST_P(Reminders, R2_killed_in_the_turn_it_is_one_turn_and_told_once) {
  say("remind me to thaw the cod today at 2pm");
  clock_.set_wall_ms(kMonday + 4 * kHour);
  run_due();
  clock_.advance_ms(3'000);
  for (std::uint32_t ask = 1; ask <= 4; ++ask) {
    close();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      reopen();
      SessionWakerWorld world = waker_world();
      world.interpreter = [&]() -> Result<std::shared_ptr<Interpreter>> {
        return std::shared_ptr<Interpreter>(std::make_shared<Killing>(rules_, ask));
      };
      SessionWaker waker(std::move(world));
      (void)inbox_->run_due({.session = &waker});
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << ask;
    reopen();
    EXPECT_TRUE(unshown().empty());
    clock_.advance_ms(120'000);  // what it had begun is offered again
  }
  run_due();
  EXPECT_EQ(unshown(), std::vector<std::string>{"Reminder (2026-06-01 14:00): thaw the cod"});
  ASSERT_TRUE(session_->records().catch_up());
  EXPECT_EQ(session_->state().facts.turn, 2U);
  EXPECT_TRUE(inbox_->entries(id_, {})->at("entries").as_array().empty());
}

// A store whose process ends at a statement of ours of a number, whatever it is about.
class EndingTx final : public Tx {
 public:
  EndingTx(Tx& inner, int& left) : inner_(inner), left_(left) {}
  Result<std::vector<Row>> select(const SelectRows& plan) override { return inner_.select(plan); }
  Result<void> scan(const SelectRows& plan,
                    const std::function<Result<bool>(const Row&)>& visit) override {
    return inner_.scan(plan, visit);
  }
  Result<Row> insert(const InsertRow& plan) override { return inner_.insert(plan); }
  Result<std::uint64_t> update(const UpdateRows& plan) override { return inner_.update(plan); }
  Result<std::uint64_t> remove(const DeleteRows& plan) override { return inner_.remove(plan); }
  Result<std::vector<ActingLink>> acting_links(const Table& table) override {
    return inner_.acting_links(table);
  }
  Result<std::uint64_t> count_acted_on(const ActingLink& link, const DeleteRows& going,
                                       const SelectRows* among) override {
    return inner_.count_acted_on(link, going, among);
  }
  Result<std::optional<std::uint64_t>> touched_so_far(const ActingLink& link) override {
    return inner_.touched_so_far(link);
  }
  Result<std::vector<Row>> run(const Statement& statement, Params params) override {
    if (--left_ == 0) std::raise(SIGKILL);
    return inner_.run(statement, params);
  }
  Result<std::uint64_t> execute(const Statement& statement, Params params) override {
    if (--left_ == 0) std::raise(SIGKILL);
    return inner_.execute(statement, params);
  }
  Result<void> savepoint(const std::function<Result<void>()>& part) override {
    return inner_.savepoint(part);
  }
  bool holds_state() const override { return inner_.holds_state(); }

 private:
  Tx& inner_;
  int& left_;
};

class EndingStore final : public RecordStore {
 public:
  EndingStore(std::shared_ptr<RecordStore> inner, int at) : inner_(std::move(inner)), left_(at) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    return inner_->write(call, [&](Tx& tx) {
      EndingTx ending(tx, left_);
      return closure(ending);
    });
  }
  Result<void> read(const Caller& caller, const ReadFn& closure) override {
    return inner_->read(caller, closure);
  }
  Result<Catalogue> catalogue() override { return inner_->catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t max_rows) override {
    return inner_->query(caller, sql, tables, max_rows);
  }
  StateStore* state() override { return inner_->state(); }

 private:
  std::shared_ptr<RecordStore> inner_;
  int left_;
};

// Where rows and timers share a transaction; on a user's own database rows commit apart.
class SharedReminders : public Reminders {};

TEST_P(SharedReminders, R5_rows_to_try_get_their_timers_with_the_first_session) {
  close();
  id_.clear();
  options_.has_demo = true;
  options_.user = "newcomer";
  options_.data_dir = folder_.path() + "/other";
  clock_.set_wall_ms(kMonday);
  reopen();
  if (GetParam() == Where::postgres) {  // an installed pack has no rows to try
    EXPECT_EQ(timers_text(), "");
    call("db_create",
         R"({"table":"tasks","data":{"title":"a","remind_at":"2026-06-03T09:00:00Z"}})");
    (void)open_session("");
    EXPECT_EQ(timers_text(), "2026-06-03T09:00:00.000Z a") << "made once";
    return;
  }
  const std::string before = timers_text();
  EXPECT_NE(before.find("Mix the overnight oats"), std::string::npos) << before;
  EXPECT_NE(before.find("Thaw the ground beef"), std::string::npos) << before;
  (void)open_session("");
  EXPECT_EQ(timers_text(), before) << "made once";
  for (const Json& one : timers()) EXPECT_EQ(one.at("agentId").as_string(), id_);
}

TEST_P(SharedReminders, R1_killed_anywhere_in_the_call_there_is_a_row_with_a_timer_or_neither) {
  const int points = static_cast<int>(test_size({2, 4, 40}));
  std::size_t done = 0;
  for (int i = 1; i <= points; ++i) {
    close();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      reopen();
      RecordPlace place = *place_;
      place.workspace.name = id_;
      place.rows = std::make_shared<EndingStore>(place.rows, points == 4 ? 6 * i : i);
      auto service = RecordService::open(std::move(place), clock_, random_);
      if (!service) ::_exit(2);
      const Json made = parse_json(R"({"table":"tasks","data":{"title":"call","remind_at":)"
                                   R"("2026-06-01T09:00:00Z"}})",
                                   JsonLimits::none())
                            .value();
      const auto called = (*service)->call("db_create", made, OpId::random(random_));
      ::_exit(called ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
    reopen();
    done += WIFSIGNALED(status) ? 0 : 1;
    const Json read =
        parse_json(call("db_read", R"({"table":"tasks"})"), JsonLimits::none()).value();
    EXPECT_EQ(read.at("rows").as_array().size(), done) << i;
    EXPECT_EQ(timers().size(), done) << i;
  }
  EXPECT_LT(done, static_cast<std::size_t>(points)) << "nothing was killed";
}

INSTANTIATE_TEST_SUITE_P(Places, Reminders,
                         testing::Values(Where::sqlite, Where::postgres, Where::own_sqlite),
                         where_name);
INSTANTIATE_TEST_SUITE_P(Places, SharedReminders, testing::Values(Where::sqlite, Where::postgres),
                         where_name);

}  // namespace
}  // namespace alfred
