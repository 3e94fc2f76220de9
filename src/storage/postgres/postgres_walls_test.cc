// Who may see what on PostgreSQL: row-level security behind the builder, logins without rights,
// secrets.
#include "storage/postgres/pg_migrate.h"
#include "storage/postgres/postgres_store_for_tests.h"

namespace alfred {
namespace {

class PostgresWalls : public PostgresStoreForTests {
 protected:
  void SetUp() override {
    open(url_)->write(call_of("ann"), add_shelf("a1")).value();
    open(url_)->write(call_of("bob"), add_shelf("b1")).value();
    server_.admin(
        "DO $$ BEGIN CREATE ROLE clerk LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    PostgresForTests::run_on(url_, R"(
      GRANT USAGE ON SCHEMA alfred TO clerk;
      GRANT ALL ON ALL TABLES IN SCHEMA alfred TO clerk;
      GRANT SELECT, INSERT, UPDATE, DELETE ON shelves, books TO clerk;)");
  }
  std::string clerk() const { return PostgresForTests::as_user(url_, "clerk"); }

  std::string names_as(const std::string& tenant) const {
    auto session = PgSession::open(clerk());
    const std::vector<PgCommand> commands{
        {"BEGIN", {}, false},
        {"SELECT set_config('app.tenant', $1, true)", {{tenant, 0}}, false},
        {"SELECT string_agg(id, ',') FROM shelves", {}, false}};
    auto answers = (*session)->run(commands);
    return answers ? answers->back().text(0, 0) : answers.error().message;
  }
};

TEST_F(PostgresWalls, row_security_holds_without_the_builders_condition) {
  EXPECT_EQ(names_as("ann"), "a1");
  EXPECT_EQ(names_as("bob"), "b1");
  EXPECT_EQ(names_as(""), "");
  EXPECT_EQ(PostgresForTests::ask(clerk(), "SELECT count(*) FROM shelves"), "0");
  auto session = PgSession::open(clerk());
  const std::vector<PgCommand> theft{
      {"BEGIN", {}, false},
      {"SELECT set_config('app.tenant', 'ann', true)", {}, false},
      {"INSERT INTO shelves (user_id, id, name) VALUES ('bob', 'x', 'x')", {}, false}};
  auto stolen = (*session)->run(theft);
  ASSERT_FALSE(stolen.has_value());
  EXPECT_EQ(stolen.error().state, "42501");
}

TEST_F(PostgresWalls, row_security_binds_the_tables_owner_too) {
  server_.admin(
      "DO $$ BEGIN CREATE ROLE landlord LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
  PostgresForTests::run_on(url_, "ALTER TABLE shelves OWNER TO landlord");
  EXPECT_EQ(PostgresForTests::ask(PostgresForTests::as_user(url_, "landlord"),
                                  "SELECT count(*) FROM shelves"),
            "0");
}

TEST_F(PostgresWalls, a_login_without_rights_works_behind_both_walls) {
  const auto database = open(clerk(), foreign());
  ASSERT_TRUE(database->write(call_of("ann"), add_shelf("a2")));
  const Result<void> read = database->read(Caller{"ann"}, [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.select(select_from(library_.shelves, {"id"}));
    EXPECT_EQ(rows.value().size(), 2U);
    return {};
  });
  EXPECT_TRUE(read.has_value());
}

TEST_F(PostgresWalls, a_table_without_rights_looks_like_one_that_does_not_exist) {
  const auto database = open(clerk(), foreign());
  Table gone = library_.notes;
  gone.name = "nowhere";
  std::vector<std::string> told_of;
  for (const Table* table : {&library_.notes, &gone}) {
    const Result<void> read = database->read({}, [&](Tx& tx) -> Result<void> {
      const Result<std::vector<Row>> rows = tx.select(select_from(*table, {"body"}));
      if (!rows) return Unexpected(rows.error());
      return {};
    });
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::table);
    std::string text = read.error().message;
    text.replace(text.find(table->name), table->name.size(), "T");
    told_of.push_back(text);
  }
  EXPECT_EQ(told_of[0], told_of[1]);
  const Result<Catalogue> catalogue = database->catalogue();
  ASSERT_TRUE(catalogue.has_value());
  EXPECT_EQ(catalogue->tables.size(), 2U);  // books and shelves, not notes
}

TEST_F(PostgresWalls, a_write_that_the_login_has_no_right_to_says_so) {
  PostgresForTests::run_on(url_, "REVOKE INSERT ON shelves FROM clerk");
  const auto database = open(clerk(), foreign());
  const auto refused = database->write(call_of("ann"), add_shelf("a2"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::table);
  EXPECT_EQ(refused.error().message,
            "The login may not write this to shelves: that takes INSERT of id, name. Nothing was "
            "done; whoever owns the table can GRANT it the right.");
}

TEST_F(PostgresWalls, D22_a_users_own_database_is_not_changed_by_opening_and_reading) {
  const std::string own = server_.fresh_database();
  PostgresForTests::run_on(own, "CREATE TABLE t (id bigint PRIMARY KEY)");
  const std::string all =
      "SELECT string_agg(n.nspname || '.' || c.relname, ',' ORDER BY 1) FROM pg_class c "
      "JOIN pg_namespace n ON n.oid = c.relnamespace";
  const std::string before = PostgresForTests::ask(own, all);
  const auto database = open(own, foreign());
  EXPECT_EQ(database->state(), nullptr);
  ASSERT_TRUE(database->catalogue());
  const Result<void> read = database->read({}, [](Tx& tx) -> Result<void> {
    EXPECT_FALSE(tx.holds_state());
    const Result<std::vector<Row>> rows = tx.run("SELECT 1");
    EXPECT_EQ(rows.error().code, ErrorCode::storage);
    return {};
  });
  EXPECT_TRUE(read.has_value());
  EXPECT_EQ(PostgresForTests::ask(own, all), before);
}

TEST_F(PostgresWalls, R3_of_the_url_a_password_is_in_no_error) {
  for (const std::string& bad :
       {std::string("postgres://ann:hunter2@/nowhere?host=") + server_.directory(),
        std::string("postgres://ann:hunter2@localhost:notaport/x"),
        std::string("postgres://ann:hunter2@127.0.0.1:1/x"),
        std::string("postgres://ann:hunt%zzer2@127.0.0.1:1/x"),
        std::string("postgres:///x?password=hunter2&host=/nowhere")}) {
    StoreOptions options = foreign();
    options.busy_timeout_ms = 10;
    const Result<std::unique_ptr<PostgresDatabase>> database =
        PostgresDatabase::open(parse_database_url(bad).value(), options);
    ASSERT_FALSE(database.has_value()) << bad;
    EXPECT_EQ(database.error().code, ErrorCode::storage);
    EXPECT_EQ(told(database.error()).find("hunt"), std::string::npos) << told(database.error());
  }
}

TEST_F(PostgresWalls, E16_a_newer_version_is_refused_and_left_alone) {
  StoreOptions options = ours();
  options.packs[0].version = 3;
  options.packs[0].sql = "CREATE TABLE extra (id integer)";
  open(url_, options);
  const Result<std::unique_ptr<PostgresDatabase>> older =
      PostgresDatabase::open(DatabaseUrl{DatabaseUrl::Kind::postgres, url_, "test"}, ours());
  ASSERT_FALSE(older.has_value());
  EXPECT_EQ(older.error().code, ErrorCode::newer_schema);
  EXPECT_NE(older.error().message.find('3'), std::string::npos);
}

constexpr Statement kFirst[] = {
    "CREATE TABLE letters (id text PRIMARY KEY, size integer NOT NULL, weight real)"};
constexpr Statement kSecond[] = {"ALTER TABLE letters ADD COLUMN read_at integer",
                                 "CREATE INDEX letters_by_size ON letters (size)"};
constexpr Statement kBroken[] = {"CREATE TABLE half (id integer)",
                                 "CREATE TABLE letters (id text)"};

TEST_F(PostgresWalls, E15_migrations_run_once_each_and_a_broken_one_leaves_nothing) {
  const std::string url = server_.fresh_database();
  const Migration one[] = {{1, kFirst}};
  const Migration two[] = {{1, kFirst}, {2, kSecond}};
  const Migration three[] = {{1, kFirst}, {2, kSecond}, {3, kBroken}};
  StoreOptions options;
  options.is_ours = true;
  for (const std::span<const Migration> migrations :
       {std::span<const Migration>(one), std::span<const Migration>(two),
        std::span<const Migration>(two)}) {
    const StateTables tables[] = {{"letters", migrations}};
    options.tables = tables;
    open(url, options);
  }
  EXPECT_EQ(PostgresForTests::ask(url,
                                  "SELECT string_agg(column_name || ' ' || data_type, ',' "
                                  "ORDER BY ordinal_position) FROM information_schema.columns "
                                  "WHERE table_schema = 'alfred' AND table_name = 'letters'"),
            "id text,size bigint,weight double precision,read_at bigint");
  const StateTables broken[] = {{"letters", three}};
  options.tables = broken;
  EXPECT_FALSE(PostgresDatabase::open(DatabaseUrl{DatabaseUrl::Kind::postgres, url, "t"}, options));
  EXPECT_EQ(PostgresForTests::ask(url, "SELECT to_regclass('alfred.half') IS NULL"), "t");
  EXPECT_EQ(PostgresForTests::ask(url, "SELECT version FROM alfred.alfred_versions"), "2");
}

TEST_F(PostgresWalls, E15_a_users_table_named_like_one_of_ours_stays_apart) {
  PostgresForTests::run_on(url_, "CREATE TABLE letters (id text)");
  const Migration one[] = {{1, kFirst}};
  const StateTables tables[] = {{"letters", one}};
  StoreOptions options = ours();
  options.tables = tables;
  const auto database = open(url_, options);
  Table theirs;
  theirs.name = "letters";
  theirs.fields = {text_field("id")};
  const Result<std::string> answer =
      database->write(call_of("ann"), [&](Tx& tx) -> Result<std::string> {
        const Param params[] = {{"id", std::string("ours")}, {"size", std::int64_t{1} << 40}};
        tx.run("INSERT INTO letters (id, size) VALUES (:id, :size)", params).value();
        tx.insert(insert_into(theirs, {{"id", "theirs"}})).value();
        const Result<void> undone = tx.savepoint([&]() -> Result<void> {
          tx.run("INSERT INTO letters (id, size) VALUES ('x', 1)").value();
          return fail(ErrorCode::value, "no");
        });
        EXPECT_FALSE(undone.has_value());
        tx.insert(insert_into(theirs, {{"id", "theirs2"}})).value();
        return "done";
      });
  ASSERT_TRUE(answer.has_value()) << told(answer.error());
  EXPECT_EQ(
      PostgresForTests::ask(url_, "SELECT string_agg(id, ',' ORDER BY id) FROM public.letters"),
      "theirs,theirs2");
  EXPECT_EQ(PostgresForTests::ask(url_, "SELECT string_agg(id || size, ',') FROM alfred.letters"),
            "ours1099511627776");
}

}  // namespace
}  // namespace alfred
