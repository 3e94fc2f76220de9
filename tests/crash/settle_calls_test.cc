// Calls on a user's own database that were left open between the two commits, or before the first,
// while others changed the rows.
#include <sqlite3.h>

#include <utility>

#include "engine/place_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kCreate = R"({"table":"books","data":{"title":"Mine"}})";
constexpr const char* kRename = R"({"table":"books","data":{"title":"Mine"},
    "filters":[{"field":"id","op":"=","value":"book_1"}]})";
constexpr const char* kDelete = R"({"table":"books",
    "filters":[{"field":"id","op":"=","value":"book_1"}]})";

// The first write is undone at its end, as by a crash before its commit; nothing works after it.
class CrashingRows final : public RecordStore {
 public:
  explicit CrashingRows(std::shared_ptr<RecordStore> inner) : inner_(std::move(inner)) {}
  Result<std::string> write(const WriteCall& call, const WriteFn& closure) override {
    if (std::exchange(is_gone_, true)) return gone();
    return inner_->write(call, [&](Tx& tx) -> Result<std::string> {
      const Result<std::string> answer = closure(tx);
      if (!answer) return answer;
      return gone();
    });
  }
  Result<void> read(const Caller&, const ReadFn&) override { return gone(); }
  Result<Catalogue> catalogue() override { return inner_->catalogue(); }
  Result<QueryRows> query(const Caller& caller, std::string_view sql,
                          std::span<const Table* const> tables, std::size_t most) override {
    return inner_->query(caller, sql, tables, most);
  }
  StateStore* state() override { return nullptr; }

 private:
  static Unexpected gone() { return fail(ErrorCode::storage, "the process is gone"); }
  std::shared_ptr<RecordStore> inner_;
  bool is_gone_ = false;
};

enum class Crash : std::uint8_t { before_commit, after_commit };

class SettleCalls : public testing::Test {
 protected:
  SettleCalls() { own_.open(); }  // the workspace is there

  // The call is written down, its rows are committed or not, and nobody gets an answer.
  void leave_open(Crash crash, std::string_view tool, std::string_view params) {
    const auto wrap = [](std::shared_ptr<RecordStore> rows) -> std::shared_ptr<RecordStore> {
      return std::make_shared<CrashingRows>(std::move(rows));
    };
    const auto service =
        crash == Crash::after_commit ? own_.open(2, "", has_ops_) : own_.open_rows(wrap, has_ops_);
    EXPECT_FALSE(service->call(tool, json_for_tests(params), op_));
    EXPECT_EQ(open_count(), "1");
  }
  std::string open_count() {
    std::string count = "no file";
    for (const auto& entry : std::filesystem::directory_iterator(own_.data_folder()))
      if (entry.path().extension() == ".db")
        count = sql("SELECT count(*) FROM alfred_open_calls WHERE is_unknown = 0",
                    entry.path().string());
    return count;
  }
  std::string again(std::string_view tool, std::string_view params) {
    const Result<std::string> answer =
        own_.open(0, "", has_ops_)->call(tool, json_for_tests(params), op_);
    return answer ? *answer
                  : std::string(error_name(answer.error().code)) + ": " + answer.error().message;
  }
  void add_book() {
    own_.open()
        ->call("db_create", json_for_tests(R"({"table":"books","data":{"title":"Old"}})"),
               OpId::random())
        .value();
  }
  // Somebody else, past us.
  std::string sql(const char* statement) { return sql(statement, own_.file()); }
  static std::string sql(const char* statement, const std::string& file) {
    sqlite3* database = nullptr;
    std::string out;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    const auto collect = [](void* text, int, char** values, char**) {
      *static_cast<std::string*>(text) += values[0] == nullptr ? "null" : values[0];
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, statement, collect, &out, nullptr), SQLITE_OK) << statement;
    sqlite3_close(database);
    return out;
  }
  std::string titles() {
    return sql("SELECT group_concat(title) FROM (SELECT title FROM books ORDER BY id)");
  }
  void expect_untold(const std::string& answer) {
    EXPECT_TRUE(answer.starts_with("conflict: It cannot be told")) << answer;
  }
  void read_all() { read_for_tests(*own_.open(0, "", has_ops_), R"({"table":"books"})"); }

  OwnDatabase own_;
  OpId op_ = OpId::random();
  bool has_ops_ = false;
};

TEST_F(SettleCalls, A2_a_create_that_committed_is_answered_and_not_repeated) {
  leave_open(Crash::after_commit, "db_create", kCreate);
  EXPECT_EQ(again("db_create", kCreate),
            R"({"created":[{"ref":"book_1","label":"Mine"}],"count":1})");
  EXPECT_EQ(titles(), "Mine");
}

TEST_F(SettleCalls, A2_an_equal_row_of_somebody_else_is_not_taken_for_ours) {
  sql("INSERT INTO books (id, title) VALUES (1, 'Mine')");
  leave_open(Crash::before_commit, "db_create", kCreate);
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":)"));
  EXPECT_EQ(titles(), "Mine,Mine");
}

TEST_F(SettleCalls, A2_a_key_that_somebody_else_took_since_cannot_be_told) {
  leave_open(Crash::before_commit, "db_create", kCreate);
  sql("INSERT INTO books (id, title) VALUES (1, 'Theirs')");
  expect_untold(again("db_create", kCreate));
  expect_untold(again("db_create", kCreate));
  EXPECT_EQ(titles(), "Theirs");
  EXPECT_TRUE(own_.open()->call("db_create", json_for_tests(kCreate), OpId::random()));
  EXPECT_EQ(titles(), "Theirs,Mine");
}

TEST_F(SettleCalls, A2_what_a_trigger_wrote_is_no_change_by_others) {
  sql("CREATE TRIGGER loud AFTER INSERT ON books BEGIN "
      "UPDATE books SET title = upper(title) WHERE id = new.id; END");
  leave_open(Crash::after_commit, "db_create", kCreate);
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":)"));
  EXPECT_EQ(titles(), "MINE");
}

TEST_F(SettleCalls, A2_an_item_that_cannot_be_told_fails_for_good) {
  const auto service = own_.open();
  const Json declared = json_for_tests(
      service->declare_batch(json_for_tests(R"({"table":"books","items":["one"]})"), OpId::random())
          .value());
  const std::string id(declared.at("id").as_string());
  const std::string row = "{\"table\":\"books\",\"batch\":\"" + id +
                          "\",\"data\":[{\"ref\":\"one\",\"title\":\"Mine\"}]}";
  leave_open(Crash::before_commit, "db_create", row);
  sql("INSERT INTO books (id, title) VALUES (1, 'Theirs')");
  expect_untold(again("db_create", row));
  const std::string status = own_.open()->batch_status(id).value();
  EXPECT_NE(status.find(R"("status":"failed")"), std::string::npos) << status;
  EXPECT_NE(status.find("It cannot be told"), std::string::npos) << status;
  EXPECT_NE(own_.open()->retry_batch(id, OpId::random()).value().find(R"("status":"failed")"),
            std::string::npos);
  EXPECT_EQ(titles(), "Theirs");
}

TEST_F(SettleCalls, A3_a_read_writes_no_row_of_an_old_call) {
  leave_open(Crash::before_commit, "db_create", kCreate);
  read_all();
  EXPECT_EQ(sql("SELECT count(*) FROM books"), "0");
  add_book();
  leave_open(Crash::before_commit, "db_update", kRename);
  sql("INSERT INTO books (title) VALUES ('New')");
  read_all();
  EXPECT_EQ(titles(), "Old,New");
}

TEST_F(SettleCalls, A4_an_update_is_done_once_and_never_over_what_others_wrote) {
  add_book();
  leave_open(Crash::after_commit, "db_update", kRename);
  sql("INSERT INTO books (title) VALUES ('New')");
  read_all();
  sql("UPDATE books SET title = 'Theirs' WHERE id = 1");
  EXPECT_EQ(again("db_update", kRename), R"({"updated":["book_1"],"count":1})");
  EXPECT_EQ(titles(), "Theirs,New");
  op_ = OpId::random();
  leave_open(Crash::before_commit, "db_update", kRename);
  EXPECT_EQ(again("db_update", kRename), R"({"updated":["book_1"],"count":1})");
  EXPECT_EQ(titles(), "Mine,New");
}

TEST_F(SettleCalls, A4_an_update_whose_row_others_changed_since_cannot_be_told) {
  for (const Crash crash : {Crash::before_commit, Crash::after_commit}) {
    op_ = OpId::random();
    sql("DELETE FROM books");
    const auto service = own_.open();
    const std::string made =
        service
            ->call("db_create", json_for_tests(R"({"table":"books","data":{"title":"Old"}})"),
                   OpId::random())
            .value();
    std::string rename = kRename;
    const std::string ref(json_for_tests(made).at("created").at(0).at("ref").as_string());
    rename.replace(rename.find("book_1"), 6, ref);
    leave_open(crash, "db_update", rename);
    sql("UPDATE books SET title = 'Theirs'");
    expect_untold(again("db_update", rename));
    EXPECT_EQ(titles(), "Theirs");
  }
}

TEST_F(SettleCalls, A4_a_row_that_was_changed_since_is_not_deleted) {
  add_book();
  leave_open(Crash::before_commit, "db_delete", kDelete);
  sql("UPDATE books SET title = 'Theirs'");
  expect_untold(again("db_delete", kDelete));
  EXPECT_EQ(titles(), "Theirs");
}

TEST_F(SettleCalls, A5_a_delete_that_was_done_names_its_row) {
  add_book();
  leave_open(Crash::after_commit, "db_delete", kDelete);
  EXPECT_EQ(again("db_delete", kDelete),
            R"({"deleted":[{"ref":"book_1","label":"Old"}],"count":1})");
}

TEST_F(SettleCalls, A5_an_update_with_the_version_it_read_is_not_stale_by_itself) {
  sql("CREATE TABLE plans (id integer PRIMARY KEY, name text, updated_at timestamp)");
  own_.open()
      ->call("db_create", json_for_tests(R"({"table":"plans","data":{"name":"Old"}})"),
             OpId::random())
      .value();
  const Json rows = json_for_tests(read_for_tests(*own_.open(), R"({"table":"plans"})"));
  ASSERT_TRUE(rows.at(0).at("updated_at").is_string()) << write_json(rows);
  const std::string update = R"({"table":"plans","data":{"name":"New"},"version":")" +
                             std::string(rows.at(0).at("updated_at").as_string()) +
                             R"(","filters":[{"field":"id","op":"=","value":"plan_1"}]})";
  leave_open(Crash::after_commit, "db_update", update);
  EXPECT_EQ(again("db_update", update), R"({"updated":["plan_1"],"count":1})");
}

// The op table tells what the rows alone cannot.
TEST_F(SettleCalls, A1_with_the_op_table_every_call_is_told_by_it_alone) {
  has_ops_ = true;
  leave_open(Crash::after_commit, "db_create", kCreate);
  EXPECT_EQ(sql("SELECT count(*) FROM alfred_ops"), "1");
  sql("UPDATE books SET title = 'Theirs'");
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":[{"ref":"book_1")"));
  EXPECT_EQ(titles(), "Theirs");
  op_ = OpId::random();
  leave_open(Crash::before_commit, "db_create", kCreate);
  sql("INSERT INTO books (id, title) VALUES (2, 'Mine')");
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":)"));
  EXPECT_EQ(titles(), "Theirs,Mine,Mine");
  EXPECT_EQ(sql("SELECT count(*) FROM alfred_ops"), "2");
}

// Somebody who may not use the table finds out by the rows.
TEST_F(SettleCalls, A1_a_call_is_told_by_the_rows_where_the_op_table_cannot_tell) {
  leave_open(Crash::after_commit, "db_create", kCreate);
  has_ops_ = true;
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":)"));
  op_ = OpId::random();
  leave_open(Crash::after_commit, "db_create", kCreate);
  has_ops_ = false;
  EXPECT_TRUE(again("db_create", kCreate).starts_with(R"({"created":)"));
  EXPECT_EQ(titles(), "Mine,Mine");
}

}  // namespace
}  // namespace alfred
