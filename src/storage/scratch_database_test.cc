#include "storage/scratch_database.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "alfred-copy-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

constexpr const char* kNotes =
    "create table notes (id integer primary key, body text);"
    "insert into notes values (1, 'one'), (2, 'two');";

std::size_t count_notes(const std::string& url) {
  const auto store = open_records(parse_database_url(url).value(), {});
  EXPECT_TRUE(store) << store.error().message;
  Table table;
  table.name = "notes";
  Field& id = table.fields.emplace_back();
  id.name = "id";
  id.type = FieldType::integer;
  table.key = {"id"};
  const SelectRows plan{.table = &table, .fields = {&table.fields.front()}};
  std::size_t count = 0;
  const auto read = (*store)->read({}, [&](Tx& tx) -> Result<void> {
    const Result<std::vector<Row>> rows = tx.select(plan);
    if (!rows) return Unexpected(rows.error());
    count = rows->size();
    return {};
  });
  EXPECT_TRUE(read) << read.error().message;
  return count;
}

// What is tried on a copy stays there; the copy is gone afterwards.
void expect_a_copy(const std::string& original, const std::string& folder) {
  OsRandom random;
  std::string url;
  {
    const auto copy =
        ScratchDatabase::copy_of(parse_database_url(original).value(), folder, random);
    ASSERT_TRUE(copy) << copy.error().message << copy.error().detail;
    url = (*copy)->url();
    EXPECT_EQ(count_notes(url), 2U);
    ASSERT_TRUE(run_sql(parse_database_url(url).value(), "delete from notes where id = 1;"));
    EXPECT_EQ(count_notes(url), 1U);
    EXPECT_EQ(count_notes(original), 2U);
  }
  EXPECT_FALSE(run_sql(parse_database_url(url).value(), "select 1;"));
}

TEST(ScratchDatabase, R1_R2_a_file_is_copied_and_stays_as_it_was) {
  const Folder folder;
  const std::string original = "sqlite:" + folder.path() + "/it's.db";
  ASSERT_TRUE(open_state(folder.path() + "/it's.db", {}));
  ASSERT_TRUE(run_sql(parse_database_url(original).value(), kNotes));
  expect_a_copy(original, folder.path());
}

TEST(ScratchDatabase, R1_R2_a_database_of_a_server_is_copied_and_stays_as_it_was) {
  const Folder folder;
  const std::string original = PostgresForTests::server().fresh_database();
  ASSERT_TRUE(run_sql(parse_database_url(original).value(), kNotes));
  expect_a_copy(original, folder.path());
  EXPECT_EQ(PostgresForTests::ask(original,
                                  "select count(*) from pg_database where datname like "
                                  "'alfred_scratch_%'"),
            "0");
}

TEST(ScratchDatabase, R1_a_login_that_may_make_no_databases_is_told_so) {
  const Folder folder;
  const std::string original = PostgresForTests::server().fresh_database();
  PostgresForTests::server().admin("CREATE ROLE copies_nothing LOGIN");
  const std::string url = PostgresForTests::as_user(original, "copies_nothing");
  OsRandom random;
  const auto copy =
      ScratchDatabase::copy_of(parse_database_url(url).value(), folder.path(), random);
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().code, ErrorCode::storage);
  EXPECT_NE(copy.error().message.find("must be allowed to make databases"), std::string::npos);
}

TEST(ScratchDatabase, what_a_database_refuses_is_told_in_its_own_words) {
  const Folder folder;
  const std::string path = folder.path() + "/x.db";
  ASSERT_TRUE(open_state(path, {}));
  const Result<void> done = run_sql(parse_database_url(path).value(), "delete from nowhere;");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::query);
  EXPECT_NE(done.error().message.find("no such table: nowhere"), std::string::npos)
      << done.error().message;
}

}  // namespace
}  // namespace alfred
