#include "engine/record_service.h"

#include "engine/place_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kTitles = R"({"table":"books","columns":["title","author_id"]})";

TEST(RecordService, a_users_own_database_is_read_and_changed_in_refs) {
  OwnDatabase own;
  const auto service = own.open();
  const auto call = [&](std::string_view tool, std::string_view params) {
    const Result<std::string> answer = service->call(tool, json_for_tests(params), OpId::random());
    return answer ? *answer : answer.error().message;
  };
  call("db_create", R"({"table":"authors","data":{"name":"Le Guin"}})");
  call("db_create",
       R"({"table":"books","data":[{"title":"The Dispossessed","author_id":"author_1"},
                                   {"title":"Untitled"}]})");
  EXPECT_EQ(read_for_tests(*service, kTitles),
            R"([{"id":"book_1","title":"The Dispossessed","author_id":"author_1"},)"
            R"({"id":"book_2","title":"Untitled","author_id":null}])");
  call("db_delete", R"({"table":"books","filters":[{"field":"id","op":"=","value":"book_2"}]})");
  EXPECT_EQ(read_for_tests(*service, kTitles),
            R"([{"id":"book_1","title":"The Dispossessed","author_id":"author_1"}])");
}

TEST(RecordService, R3_the_same_op_gives_the_first_answer_and_changes_nothing) {
  OwnDatabase own;
  const auto service = own.open();
  const OpId op = OpId::random();
  const Json params = json_for_tests(R"({"table":"books","data":{"title":"Once"}})");
  const Result<std::string> first = service->call("db_create", params, op);
  ASSERT_TRUE(first) << first.error().message;
  const Result<std::string> second = own.open()->call("db_create", params, op);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(*second, *first);
  EXPECT_EQ(json_for_tests(read_for_tests(*service, kTitles)).as_array().size(), 1U);
  const Json other = json_for_tests(R"({"table":"books","data":{"title":"Twice"}})");
  const Result<std::string> reused = service->call("db_create", other, op);
  ASSERT_FALSE(reused);
  EXPECT_EQ(reused.error().code, ErrorCode::op_reused);
}

TEST(RecordService, R4_an_error_leaves_the_registry_as_it_was) {
  OwnDatabase own;
  const auto service = own.open();
  const auto bad = json_for_tests(
      R"({"table":"books","data":[{"title":"Good"},{"title":"Bad","author_id":"author_9"}]})");
  EXPECT_FALSE(service->call("db_create", bad, OpId::random()));
  EXPECT_EQ(service->workspace().registry().size(), 0U);
  EXPECT_EQ(read_for_tests(*service, kTitles), "[]");
  service
      ->call("db_create", json_for_tests(R"({"table":"books","data":{"title":"A"}})"),
             OpId::random())
      .value();
  EXPECT_EQ(read_for_tests(*service, kTitles), R"([{"id":"book_1","title":"A","author_id":null}])");
}

// Wherever our file fails between the two commits, the next call finishes what was begun: the row
// is there once, under one ref, and the op has its answer.
TEST(RecordService, R2_a_call_that_was_left_open_is_settled_by_the_next) {
  for (const char* table : {"books", "notes"}) {
    for (int fails_at = 1; fails_at <= 4; ++fails_at) {
      SCOPED_TRACE(std::string(table) + ", write " + std::to_string(fails_at));
      OwnDatabase own;
      own.open();  // the workspace is there
      const std::string column = std::string(table) == "books" ? "title" : "body";
      const std::string row = "{\"" + column + "\":\"First\"}";
      const Json params =
          json_for_tests("{\"table\":\"" + std::string(table) + "\",\"data\":" + row + "}");
      const OpId op = OpId::random();
      const bool is_said = own.open(fails_at)->call("db_create", params, op).has_value();
      const auto later = own.open();
      if (fails_at % 2 == 0)  // a read comes first, and may meet the row
        read_for_tests(*later, "{\"table\":\"" + std::string(table) + "\"}");
      const Result<std::string> again = later->call("db_create", params, op);
      ASSERT_TRUE(again) << again.error().message;
      const std::string rows = read_for_tests(
          *later, "{\"table\":\"" + std::string(table) + "\",\"columns\":[\"" + column + "\"]}");
      EXPECT_EQ(json_for_tests(rows).as_array().size(), 1U) << rows << (is_said ? " said" : "");
      EXPECT_EQ(later->workspace().registry().size(), 1U);
    }
  }
}

TEST(RecordService, R5_a_read_that_meets_only_known_rows_writes_nothing) {
  OwnDatabase own;
  const auto before = own.open();
  before
      ->call("db_create", json_for_tests(R"({"table":"books","data":{"title":"A"}})"),
             OpId::random())
      .value();
  read_for_tests(*before, kTitles);
  const auto service = own.open(1);  // any write fails
  EXPECT_EQ(read_for_tests(*service, kTitles), R"([{"id":"book_1","title":"A","author_id":null}])");
}

TEST(RecordService, two_processes_on_one_workspace_never_give_one_ref_to_two_rows) {
  OwnDatabase own;
  const auto one = own.open();
  const auto other = own.open();
  const auto create = [](RecordService& service, const std::string& title) {
    return service
        .call("db_create",
              json_for_tests("{\"table\":\"books\",\"data\":{\"title\":\"" + title + "\"}}"),
              OpId::random())
        .value();
  };
  create(*one, "A");
  create(*other, "B");
  create(*one, "C");
  const std::string expected =
      R"([{"id":"book_1","title":"A","author_id":null},{"id":"book_2","title":"B","author_id":null},)"
      R"({"id":"book_3","title":"C","author_id":null}])";
  EXPECT_EQ(read_for_tests(*one, kTitles), expected);
  EXPECT_EQ(read_for_tests(*other, kTitles), expected);
  const auto third = own.open(0, "another");
  EXPECT_EQ(read_for_tests(*third, R"({"table":"books","filters":
      [{"field":"title","op":"=","value":"C"}],"columns":["title"]})"),
            R"([{"id":"book_1","title":"C"}])");
}

TEST(RecordService, I3_no_item_of_a_batch_is_called_by_a_key) {
  OwnDatabase own;
  for (const char* name :
       {"6f9619ff-8b86-4011-b42d-00c04fc964ff", "x 6F9619FF8B864011B42D00C04FC964FF"}) {
    const JsonObject call{{"table", "notes"}, {"items", JsonArray{"first", name}}};
    const Result<std::string> declared = own.open()->declare_batch(call, OpId::random());
    ASSERT_FALSE(declared) << *declared;
    EXPECT_EQ(declared.error().code, ErrorCode::ref_syntax);
    EXPECT_EQ(declared.error().message.find("8b86"), std::string::npos);
  }
}

TEST(RecordService, A17_a_batch_declares_its_members_and_counts_its_items) {
  OwnDatabase own;
  const auto declared = [&](const char* params) {
    return own.open()->declare_batch(json_for_tests(params), OpId::random());
  };
  const auto wrong = declared(R"({"table":"books","items":["a","b"],"total":3})");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::batch_count);
  EXPECT_EQ(wrong.error().message,
            "total is 3, but the batch has 2 items. Give the number of its items, or leave total "
            "out.");
  EXPECT_EQ(declared(R"({"table":"books","items":["a"],"total":"1"})").error().code,
            ErrorCode::batch_count);
  const auto unknown = declared(R"({"table":"books","items":["a"],"itmes":["b"]})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::schema);
  EXPECT_EQ(unknown.error().allowed, (std::vector<std::string>{"table", "items", "total"}));
  EXPECT_TRUE(declared(R"({"table":"books","items":["a","b"],"total":2})"));
}

TEST(RecordService, R7_a_dry_run_does_not_use_its_op_up) {
  OwnDatabase own;
  const auto service = own.open();
  const OpId op = OpId::random();
  const Result<std::string> dry = service->call(
      "db_create", json_for_tests(R"({"table":"books","data":{"title":"Dry"},"dry_run":true})"),
      op);
  ASSERT_TRUE(dry) << dry.error().message;
  const Json real = json_for_tests(R"({"table":"books","data":{"title":"Real"}})");
  const Result<std::string> first = service->call("db_create", real, op);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(service->call("db_create", real, op).value(), *first);
}

TEST(RecordService, a_batch_is_declared_filled_and_looked_at) {
  OwnDatabase own;
  const auto service = own.open();
  const Json declared = json_for_tests(
      service
          ->declare_batch(json_for_tests(R"({"table":"books","items":["first","second"]})"),
                          OpId::random())
          .value());
  const std::string id(declared.at("id").as_string());
  const Json rows = json_for_tests("{\"table\":\"books\",\"batch\":\"" + id +
                                   "\",\"data\":[{\"ref\":\"second\",\"title\":\"B\"}]}");
  ASSERT_TRUE(service->call("db_create", rows, OpId::random()));
  const std::string status = own.open()->batch_status(id).value();
  EXPECT_NE(status.find(R"("ref":"first","status":"pending")"), std::string::npos) << status;
  EXPECT_NE(status.find(R"("ref":"second","status":"complete")"), std::string::npos) << status;
  EXPECT_FALSE(service->call("db_create", rows, OpId::random()));  // its item is finished
}

TEST(RecordService, I14_a_batch_is_finished_when_nothing_of_it_is_open) {
  OwnDatabase own;
  const auto service = own.open();
  const Json declared = json_for_tests(
      service
          ->declare_batch(json_for_tests(R"({"table":"books","items":["first","second"]})"),
                          OpId::random())
          .value());
  const std::string id(declared.at("id").as_string());
  const auto send = [&](const std::string& row) {
    return service->call(
        "db_create",
        json_for_tests("{\"table\":\"books\",\"batch\":\"" + id + "\",\"data\":[" + row + "]}"),
        OpId::random());
  };
  ASSERT_TRUE(send(R"({"ref":"second","title":"B"})"));
  const Result<std::string> early = service->finish_batch(id, OpId::random());
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, ErrorCode::batch_pending);
  EXPECT_EQ(early.error().message,
            "1 of 2 items are open: `first`. Send their rows with this batch, so that each is done "
            "or fails, and finish it then.");
  ASSERT_TRUE(send(R"({"ref":"first","title":null})"));
  const OpId op = OpId::random();
  const Json finished = json_for_tests(service->finish_batch(id, op).value());
  EXPECT_TRUE(finished.at("finished").as_bool());
  EXPECT_EQ(finished.at("completed").as_int64(), 1);
  EXPECT_EQ(finished.at("failed").as_int64(), 1);
  EXPECT_EQ(json_for_tests(service->finish_batch(id, op).value()), finished);
  EXPECT_EQ(own.open()->finish_batch("bat_0123456789ab", OpId::random()).error().code,
            ErrorCode::batch_item);
  const Json status = json_for_tests(own.open()->batch_status(id).value());
  EXPECT_EQ(status.at("items"), finished.at("items"));
  EXPECT_EQ(status.at("items").at(0).at("status").as_string(), "failed");
  EXPECT_FALSE(status.at("items").at(0).at("is_retriable").as_bool());
  const std::string again[] = {"first"};
  EXPECT_TRUE(service->retry_batch(id, OpId::random(), again));
  EXPECT_FALSE(service->finish_batch(id, OpId::random()));
}

}  // namespace
}  // namespace alfred
