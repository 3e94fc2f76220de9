// The same batch on PostgreSQL, its connection cut at every message that the client sends: in a
// database of ours, and in a user's own with our file beside it.
#include "base/test_seed.h"
#include "base/test_size.h"
#include "batch_for_tests.h"
#include "engine/packs/pack_tools.h"
#include "storage/postgres/cutting_proxy_for_tests.h"

namespace alfred {
namespace {

using Cut = CuttingProxy::Cut;
enum class Kind { shared, own };

class PostgresCutThreads : public testing::TestWithParam<Kind> {
 protected:
  PostgresCutThreads() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-cut-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    if (GetParam() == Kind::own) {
      PostgresForTests::run_on(
          url_,
          "CREATE TABLE recipes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
          "name text NOT NULL, instructions jsonb);"
          "CREATE TABLE recipe_ingredients (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
          "recipe_id bigint NOT NULL REFERENCES recipes ON DELETE CASCADE, "
          "name text NOT NULL, quantity double precision)");
      return;
    }
    const auto installed = install_pack(kPack, url_, SystemClock(), random_);
    EXPECT_TRUE(installed) << told(installed.error());
  }
  ~PostgresCutThreads() override { std::filesystem::remove_all(folder_); }

  PlaceOptions options(const std::string& url) const {
    PlaceOptions out;
    out.db = url;
    if (GetParam() == Kind::shared) out.pack = kPack;
    out.data_dir = folder_;
    out.busy_timeout_ms = 300;
    return out;
  }
  // All rounds are on one database and through one proxy: the batch of the last is taken away
  // first.
  void begin_round() const {
    PostgresForTests::run_on(url_, "TRUNCATE recipe_ingredients, recipes CASCADE");
    if (GetParam() == Kind::shared)
      PostgresForTests::run_on(url_,
                               "TRUNCATE alfred.alfred_workspaces, alfred.alfred_ops CASCADE");
    std::filesystem::remove_all(folder_);
  }
  std::string ask(const std::string& sql) const { return PostgresForTests::ask(url_, sql); }

  void expect_rows() const {
    EXPECT_EQ(ask("SELECT count(*) FROM recipes"), "3");
    EXPECT_EQ(ask("SELECT count(*) FROM recipe_ingredients"), "36");
    EXPECT_EQ(ask("SELECT string_agg(n::text, ',') FROM (SELECT count(DISTINCT i.name) AS n FROM "
                  "recipes r JOIN recipe_ingredients i ON i.recipe_id = r.id AND "
                  "i.name LIKE substr(r.name, 7) || ' part%' GROUP BY r.id) AS counts"),
              "12,12,12");
  }

  long count_messages() {
    begin_round();
    const long before = proxy_.messages();
    const auto opened = ServiceForTests::open(options(proxied_));
    EXPECT_TRUE(opened) << told(opened.error());
    EXPECT_TRUE(run_batch(*(*opened)->service, BatchOps(), [] {}));
    return proxy_.messages() - before;
  }

  // Opens again, by the same way, as the workspace of a user's own database is known by it.
  void expect_finished(const BatchOps& ops, std::size_t answers, bool by_op) {
    proxy_.cut_at(-1, Cut::none);
    const auto opened = ServiceForTests::open(options(proxied_));
    ASSERT_TRUE(opened) << told(opened.error());
    RecordService& service = *(*opened)->service;
    if (answers > 0) {
      const std::string batch = declare_for_tests(service, ops).value();
      const std::set<std::string> done = completed_items(service, batch);
      for (std::size_t i = 0; i + 1 < answers; ++i) EXPECT_TRUE(done.contains(item_name(i))) << i;
    }
    go_on_with_batch(service, ops, by_op);
    expect_batch_in_refs(service, ops);
    expect_same_registry(service, options(proxied_));
    expect_rows();
  }

  static constexpr const char* kPack = ALFRED_SOURCE_DIR "/packs/kitchen";
  PostgresForTests& server_ = PostgresForTests::server();
  std::string url_ = server_.fresh_database();
  CuttingProxy proxy_{server_};
  std::string proxied_ = proxy_.through(url_);
  std::string folder_;
  OsRandom random_;
};

// The connection alone is lost: the store finds out and goes on by itself.
TEST_P(PostgresCutThreads, E5_E6_cut_at_any_message_of_a_batch_it_goes_on_and_nothing_is_doubled) {
  const auto opened = [&] { return ServiceForTests::open(options(proxied_)); };
  const long messages = count_messages();
  const long step = static_cast<long>(test_size({97, 61, 11}));
  const long first = 1 + static_cast<long>(test_seed() % static_cast<std::uint64_t>(step));
  for (long nth = first; nth <= messages; nth += step) {
    for (const Cut cut : {Cut::before, Cut::after}) {
      SCOPED_TRACE("message " + std::to_string(nth) + " of " + std::to_string(messages) +
                   (cut == Cut::before ? " before" : " after"));
      begin_round();
      const BatchOps ops;
      std::size_t answers = 0;
      proxy_.cut_at(nth, cut);
      if (const auto place = opened()) {
        const Result<void> done = run_batch(*(*place)->service, ops, [&] { ++answers; });
        EXPECT_TRUE(done) << told(done.error());
      }
      expect_finished(ops, answers, nth % 2 == 0);
      if (HasFailure()) return;
    }
  }
}

// One write of one item with its parts, cut at each of its messages in turn, until there is none
// left to cut at.
TEST_P(PostgresCutThreads, E5_E6_cut_at_every_message_of_one_write_it_happens_once) {
  constexpr long kFewest = 20;  // messages that such a write has at least
  constexpr long kMost = 2000;
  begin_round();
  const auto opened = ServiceForTests::open(options(proxied_));
  ASSERT_TRUE(opened) << told(opened.error());
  RecordService& service = *(*opened)->service;
  const Json parts = json_of(R"([{"name":"one"},{"name":"two"}])");
  const long step = static_cast<long>(test_size({7, 1, 1}));
  const long first = 1 + static_cast<long>(test_seed() % static_cast<std::uint64_t>(step));
  long writes = 0;
  for (const Cut cut : {Cut::before, Cut::after}) {
    bool was_cut = true;
    for (long nth = first; was_cut; nth += step) {
      SCOPED_TRACE("message " + std::to_string(nth) + (cut == Cut::before ? " before" : " after"));
      ASSERT_LT(nth, kMost);
      const BatchOps ops;
      const std::string batch = declare_for_tests(service, ops).value();
      const JsonObject row{{"ref", item_name(0)},
                           {"name", "Cut " + std::to_string(++writes)},
                           {"instructions", JsonArray{"Cook."}},
                           {"recipe_ingredients", parts}};
      const JsonObject params{{"table", "recipes"}, {"batch", batch}, {"data", JsonArray{row}}};
      const int cuts = proxy_.cuts();
      proxy_.cut_at(nth, cut);
      const Result<std::string> done = service.call("db_create", params, ops.items[0]);
      proxy_.cut_at(-1, Cut::none);
      was_cut = proxy_.cuts() > cuts;
      ASSERT_TRUE(done) << told(done.error());
      EXPECT_EQ(service.call("db_create", params, ops.items[0]).value(), *done);
      EXPECT_EQ(completed_items(service, batch), std::set<std::string>{item_name(0)});
      EXPECT_EQ(ask("SELECT count(*) || ' ' || count(DISTINCT name) || ' ' || "
                    "(SELECT count(*) FROM recipe_ingredients) FROM recipes"),
                fmt::format("{} {} {}", writes, writes, 2 * writes));
      if (HasFailure()) return;
      if (!was_cut) EXPECT_GT(nth, kFewest);
    }
  }
  expect_same_registry(service, options(proxied_));
}

// Client and server stay parted, as when the process is gone: the next one goes on.
TEST_P(PostgresCutThreads, parted_at_any_message_the_next_process_finishes_the_batch) {
  const long messages = count_messages();
  const long step = static_cast<long>(test_size({211, 127, 31}));
  const long first = 1 + static_cast<long>(test_seed() % static_cast<std::uint64_t>(step));
  for (long nth = first; nth <= messages; nth += step) {
    SCOPED_TRACE("message " + std::to_string(nth) + " of " + std::to_string(messages));
    begin_round();
    const BatchOps ops;
    std::size_t answers = 0;
    proxy_.cut_at(nth, nth % 2 == 0 ? Cut::before : Cut::after, true);
    if (const auto place = ServiceForTests::open(options(proxied_)))
      (void)run_batch(*(*place)->service, ops, [&] { ++answers; });
    expect_finished(ops, answers, nth % 4 < 2);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(, PostgresCutThreads, testing::Values(Kind::shared, Kind::own),
                         [](const auto& kind) {
                           return kind.param == Kind::shared ? "in_one_database" : "on_a_users_own";
                         });

}  // namespace
}  // namespace alfred
