// Rows E2, E8, E17 and E19 of robustness.md on PostgreSQL, and what is kept of ops.
#include "alfred/random.h"
#include "base/ids/mint.h"
#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

constexpr Statement kThings[] = {"CREATE TABLE alfred_things (id text PRIMARY KEY, body text)"};
constexpr Statement kMore[] = {"ALTER TABLE alfred_things ADD COLUMN size integer",
                               "UPDATE alfred_things SET size = length(body)",
                               "CREATE INDEX alfred_things_by_size ON alfred_things (size)"};
constexpr Migration kOne[] = {{1, kThings}};
constexpr Migration kTwo[] = {{1, kThings}, {2, kMore}};

class PostgresOps : public PostgresStoreForTests {
 protected:
  static StoreOptions with(std::span<const StateTables> tables) {
    StoreOptions options = ours();
    options.tables = tables;
    return options;
  }
  const StateTables one_[1] = {{"things", kOne}};
  const StateTables two_[1] = {{"things", kTwo}};
};
using PostgresOpsThreads = PostgresOps;

TEST_F(PostgresOps, R6_old_ops_are_forgotten_and_those_beyond_the_count) {
  StoreOptions options = ours();
  options.ops.most = 50;
  const auto database = open(url_, options);
  PostgresForTests::run_on(
      url_,
      "INSERT INTO alfred.alfred_ops SELECT 'old' || n, '', '', extract(epoch FROM now() - "
      "interval '8 days') * 1000 FROM generate_series(1, 30) n;"
      "INSERT INTO alfred.alfred_ops SELECT 'new' || n, '', '', extract(epoch FROM now() - "
      "interval '1 day') * 1000 + n FROM generate_series(1, 100) n");
  const auto write = [&](const char* op) {
    const WriteCall call{OpId::parse(op).value(), "r", Caller{"ann"}};
    ASSERT_TRUE(database->write(call, [](Tx&) -> Result<std::string> { return "x"; }));
  };
  write("opn_zzzzzzzzzzz1");
  EXPECT_EQ(count("alfred.alfred_ops"), "131");
  write("opn_zzzzzzzzzzz0");  // one in 32 forgets
  EXPECT_EQ(count("alfred.alfred_ops"), "50");
  EXPECT_EQ(count("alfred.alfred_ops WHERE op LIKE 'old%'"), "0");
  EXPECT_EQ(count("alfred.alfred_ops WHERE op = 'new100'"), "1");
  EXPECT_EQ(count("alfred.alfred_ops WHERE op = 'new1'"), "0");
}

// The server says 53100 when its disk is full; a trigger says it here.
TEST_F(PostgresOps, E2_on_a_full_disk_the_store_says_so_is_read_and_recovers) {
  const auto database = open(url_);
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("s1")));
  PostgresForTests::run_on(url_, R"(
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON shelves FOR EACH ROW EXECUTE FUNCTION full_disk())");
  EXPECT_EQ(database->write(call_of("ann"), add_shelf("s2")).error().code, ErrorCode::storage);
  EXPECT_FALSE(database->health().is_writable);
  EXPECT_NE(database->health().reason.find("disk is full"), std::string::npos);
  const Result<void> read = database->read(Caller{"ann"}, [&](Tx& tx) -> Result<void> {
    EXPECT_EQ(tx.select(select_from(library_.shelves, {"id"})).value().size(), 1U);
    return {};
  });
  EXPECT_TRUE(read.has_value());
  PostgresForTests::run_on(url_, "DROP TRIGGER full_disk ON shelves");
  EXPECT_TRUE(database->write(call_of("ann"), add_shelf("s3")));
  EXPECT_TRUE(database->health().is_writable);
}

// Gives the same bits again and again, then others.
class StubbornRandom final : public Random {
 public:
  explicit StubbornRandom(int repeats) : left_(repeats) {}
  void fill(std::span<std::byte> bytes) override {
    if (left_ > 0) --left_;
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(left_ > 0 ? 0 : 0x55));
  }

 private:
  int left_;
};

Result<std::string> mint_thing(PostgresDatabase& store, Random& random) {
  return store.write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
    const auto try_insert = [&](const ShortId<IdKind::source>& id) -> Result<bool> {
      const Result<void> part = tx.savepoint([&]() -> Result<void> {
        const Param params[] = {{"id", std::string(id.view())}};
        const Result<std::vector<Row>> rows =
            tx.run("INSERT INTO alfred_things (id, body) VALUES (:id, 'x')", params);
        if (!rows) return Unexpected(rows.error());
        return {};
      });
      if (part) return true;
      if (part.error().code == ErrorCode::conflict) return false;
      return Unexpected(part.error());
    };
    const Result<ShortId<IdKind::source>> id = mint<IdKind::source>(random, try_insert);
    if (!id) return Unexpected(id.error());
    return std::string(id->view());
  });
}

TEST_F(PostgresOps, E8_a_taken_id_is_answered_with_another_and_at_last_with_an_error) {
  const auto database = open(url_, with(one_));
  StubbornRandom first(100);
  const std::string taken = mint_thing(*database, first).value();
  StubbornRandom second(4);
  const Result<std::string> other = mint_thing(*database, second);
  ASSERT_TRUE(other.has_value()) << told(other.error());
  EXPECT_NE(*other, taken);
  StubbornRandom stubborn(1000);
  EXPECT_EQ(mint_thing(*database, stubborn).error().code, ErrorCode::storage);
  EXPECT_EQ(count("alfred.alfred_things"), "2");
}

// Parted from the server at every message of the migration, for good, as when it is killed.
TEST_F(PostgresOpsThreads, E17_a_migration_that_is_broken_off_anywhere_is_finished_next_time) {
  CuttingProxy proxy(server_);
  bool has_finished = false;
  for (long nth = 1; !has_finished; ++nth) {
    ASSERT_LT(nth, 200);
    SCOPED_TRACE(nth);
    const std::string url = server_.fresh_database();
    open(url, with(one_));
    PostgresForTests::run_on(url, "INSERT INTO alfred.alfred_things VALUES ('a', 'four')");
    proxy.cut_at(nth, nth % 2 == 0 ? CuttingProxy::Cut::before : CuttingProxy::Cut::after, true);
    StoreOptions options = with(two_);
    options.busy_timeout_ms = 20;
    has_finished = PostgresDatabase::open(
                       DatabaseUrl{DatabaseUrl::Kind::postgres, proxy.through(url), "t"}, options)
                       .has_value();
    open(url, with(two_));
    EXPECT_EQ(PostgresForTests::ask(url, "SELECT size FROM alfred.alfred_things"), "4");
    EXPECT_EQ(PostgresForTests::ask(
                  url, "SELECT version FROM alfred.alfred_versions WHERE owner = 'things'"),
              "2");
  }
}

// A database without an encoding takes any bytes.
TEST_F(PostgresOps, E19_bytes_that_are_no_text_come_as_bytes) {
  server_.admin(
      "CREATE DATABASE raw ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
  const std::string url = server_.url("raw");
  PostgresForTests::run_on(url,
                           "CREATE TABLE notes (id bigint PRIMARY KEY, body text);"
                           "INSERT INTO notes VALUES (1, E'A\\377B'), (2, 'größer')");
  const auto database = open(url, foreign());
  const Result<void> read = database->read({}, [&](Tx& tx) -> Result<void> {
    SelectRows plan = select_from(library_.notes, {"body"});
    plan.order = {{field_of(library_.notes, "id"), false}};
    const Result<std::vector<Row>> rows = tx.select(plan);
    if (!rows) return Unexpected(rows.error());
    EXPECT_EQ(*rows, (std::vector<Row>{{Bytes{"A\xff"
                                              "B"}},
                                       {std::string("größer")}}));
    return {};
  });
  EXPECT_TRUE(read.has_value()) << told(read.error());
}

}  // namespace
}  // namespace alfred
