// Two who live at the same time on one database of a user's own: one between its two commits while
// the other reads and writes, on the same workspace and on another.
#include <sys/wait.h>

#include <future>
#include <map>
#include <set>
#include <thread>

#include "base/test_size.h"
#include "engine/place_for_tests.h"

namespace alfred {
namespace {

constexpr const char* kBooks = R"({"table":"books","columns":["title"],"limit":200})";

Json create_params(const std::string& title) {
  return JsonObject{{"table", "books"}, {"data", JsonObject{{"title", title}}}};
}
std::string create(RecordService& service, const std::string& title) {
  const Result<std::string> answer =
      service.call("db_create", create_params(title), OpId::random());
  if (!answer) return answer.error().message;
  return std::string(json_for_tests(*answer).at("created").at(0).at("ref").as_string());
}
// Title → ref; a title that is there twice would be missed, so the count is checked too.
std::map<std::string, std::string> shown(RecordService& service) {
  std::map<std::string, std::string> out;
  const std::string text = read_for_tests(service, kBooks);
  const Json rows = json_for_tests(text);
  for (const Json& row : rows.as_array())
    out.emplace(row.at("title").as_string(), row.at("id").as_string());
  EXPECT_EQ(out.size(), rows.as_array().size()) << text;
  return out;
}

class TwoProcessesThreads : public testing::TestWithParam<const char*> {};

// The hook stands before a write of the first's state: 1 is before the call is written down
// and its rows are committed, 2 after its rows are committed and before its refs are.
TEST_P(TwoProcessesThreads, R2_what_one_has_half_done_the_other_waits_for_and_then_shows) {
  for (const int nth : {1, 2}) {
    SCOPED_TRACE(nth);
    OwnDatabase own;
    create(*own.open(), "Known");
    const auto other = own.open(0, GetParam());
    shown(*other);
    std::promise<void> has_read;
    std::thread meanwhile;
    std::map<std::string, std::string> seen;
    std::string made;
    const auto first = own.open_hooked([&](int write) {
      if (write != nth || meanwhile.joinable()) return;
      meanwhile = std::thread([&] {
        const std::string known = read_for_tests(*other, R"({"table":"books","columns":["title"],
                        "filters":[{"field":"title","op":"=","value":"Known"}]})");
        EXPECT_EQ(json_for_tests(known).as_array().size(), 1U) << known;
        has_read.set_value();
        seen = shown(*other);  // meets the row that has no ref yet, and waits for its call
        made = create(*other, "Other");
      });
      has_read.get_future().wait();
    });
    const std::string ref = create(*first, "First");
    ASSERT_TRUE(meanwhile.joinable());
    meanwhile.join();
    const bool is_same = std::string(GetParam()).empty();
    if (nth == 2) {
      ASSERT_TRUE(seen.contains("First"));
      if (is_same) {
        EXPECT_EQ(seen["First"], ref);
      }
    }
    const auto later = own.open();
    const std::map<std::string, std::string> all = shown(*later);
    EXPECT_EQ(all.size(), 3U);
    EXPECT_EQ(all.at("First"), ref);
    if (is_same) {
      EXPECT_EQ(all.at("Other"), made);
    }
    EXPECT_EQ(shown(*own.open(0, GetParam())).at("Other"), made);
  }
}

// Children of ours, each with its own services; they tell by their exit code.
int child_of(OwnDatabase& own, const char* workspace, char name, std::size_t calls) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const auto service = own.open(0, workspace);
  for (std::size_t i = 0; i < calls; ++i) {
    const std::string ref = create(*service, std::string(1, name) + std::to_string(i));
    if (!ref.starts_with("book_")) ::_exit(3);
    if (i % 3 == 0 && shown(*service).size() <= i) ::_exit(4);
  }
  ::_exit(0);
}

TEST_P(TwoProcessesThreads, R3_of_workspaces_two_that_write_at_once_lose_and_double_nothing) {
  const std::size_t calls = test_size({8, 20, 80});
  OwnDatabase own;
  own.open();
  const int one = child_of(own, "", 'a', calls);
  const int two = child_of(own, GetParam(), 'b', calls);
  for (const int child : {one, two}) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  for (const char* workspace : {"", GetParam()}) {
    const auto service = own.open(0, workspace);
    const std::map<std::string, std::string> all = shown(*service);
    EXPECT_EQ(all.size(), 2 * calls);
    std::set<std::string> refs;
    for (const auto& [title, ref] : all) refs.insert(ref);
    EXPECT_EQ(refs.size(), 2 * calls);
    EXPECT_EQ(shown(*own.open(0, workspace)), all);
  }
}

INSTANTIATE_TEST_SUITE_P(, TwoProcessesThreads, testing::Values("", "another"),
                         [](const auto& workspace) {
                           return *workspace.param == '\0' ? "one_workspace" : "two_workspaces";
                         });

}  // namespace
}  // namespace alfred
