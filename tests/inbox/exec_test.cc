// Programs as sources: started, started again, and stopped when nobody reads them.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "inbox/source/child_lines.h"
#include "inbox/source/exec_runner.h"
#include "inbox_for_tests.h"
#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

bool until(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

class InboxExec : public InboxUnderTest {
 protected:
  // A shell script that leaves its process id in a file.
  std::string add_program(const std::string& script) {
    const Json host = must(inbox_->add_host(json(R"({"hostType":"exec","hostKey":"here"})")));
    const std::string whole = "echo $$ > " + folder_.path() + "/pid; " + script;
    return text(
        must(inbox_->add_source(JsonObject{
            {"hostId", host.at("hostId")},
            {"streamKind", "events"},
            {"streamKey", "log"},
            {"config", JsonObject{{"command", JsonArray{Json("sh"), Json("-c"), Json(whole)}}}}})),
        "sourceId");
  }
  bool is_running() const {
    std::ifstream in(folder_.path() + "/pid");
    pid_t pid = 0;
    return in >> pid && ::kill(pid, 0) == 0;
  }
  ExecRunner::Options options() {
    ExecRunner::Options out;
    out.first_wait_ms = 20;
    out.on_error = [this](const Error& error) {
      const std::scoped_lock lock(mutex_);
      told_ += error.message + "\n";
    };
    return out;
  }
  std::string told() {
    const std::scoped_lock lock(mutex_);
    return told_;
  }

  const FolderForTests folder_{{}};
  std::mutex mutex_;
  std::string told_;
};

TEST_P(InboxExec, R4_a_program_that_nobody_reads_is_stopped_after_its_grace) {
  const std::string agent = add_agent("fox");
  const std::string source =
      add_program(R"(echo '{"sourceNativeId":"a","eventVariant":"line"}'; exec sleep 600)");
  const ExecRunner runner(*inbox_, clock_, options());
  EXPECT_FALSE(is_running());
  const std::string subscription = subscribe(agent, source);
  EXPECT_TRUE(until([&] { return seen(agent) == "a"; }));
  must(inbox_->unsubscribe(subscription));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_TRUE(is_running());
  clock_.advance_ms(600'000);
  EXPECT_TRUE(until([&] { return !is_running(); }));
  subscribe(agent, source);
  EXPECT_TRUE(until([&] { return is_running(); }));
}

TEST_P(InboxExec, R1_R3_a_program_that_ends_is_started_again_and_what_is_no_event_is_told) {
  const std::string agent = add_agent("fox");
  const std::string source =
      add_program(R"(echo nonsense; echo '{"eventVariant":"x"}'; )"
                  R"(echo "{\"sourceNativeId\":\"$$\",\"eventVariant\":\"line\"}")");
  subscribe(agent, source);
  const ExecRunner runner(*inbox_, clock_, options());
  EXPECT_TRUE(until([&] { return entries(agent).size() >= 2; }));
  EXPECT_NE(told().find("no JSON"), std::string::npos) << told();
  EXPECT_NE(told().find("sourceNativeId needs a text"), std::string::npos) << told();
}

TEST_P(InboxExec, R1_a_program_that_cannot_be_started_is_told) {
  const Json host = must(inbox_->add_host(json(R"({"hostType":"exec","hostKey":"here"})")));
  const Json source =
      must(inbox_->add_source(JsonObject{{"hostId", host.at("hostId")},
                                         {"streamKind", "events"},
                                         {"streamKey", "x"},
                                         {"config", json(R"({"command":["/nowhere/at-all"]})")}}));
  subscribe(add_agent("fox"), text(source, "sourceId"));
  const ExecRunner runner(*inbox_, clock_, options());
  EXPECT_TRUE(until([&] { return told().find("cannot be started") != std::string::npos; }));
}

TEST_P(InboxExec, an_event_with_a_number_beyond_64_bits_is_an_event) {
  const std::string agent = add_agent("fox");
  const std::string source = add_program(
      R"(echo '{"sourceNativeId":"a","eventVariant":"line","rawPayload":{"n":123456789012345678901}}'; )"
      R"(echo '{"sourceNativeId":"b","eventVariant":"line","rawPayload":{"n":1e400}}'; exec sleep 600)");
  const ExecRunner runner(*inbox_, clock_, options());
  subscribe(agent, source);
  EXPECT_TRUE(until([&] { return seen(agent) == "a"; })) << told();
  EXPECT_EQ(write_json(entries(agent).at(0).at("items").at(0).at("rawPayload")),
            R"({"n":1.2345678901234568e+20})");
  EXPECT_TRUE(until([&] { return told().find("too large") != std::string::npos; })) << told();
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxExec, testing::Values(StoreKind::sqlite), store_name);

TEST(ChildLines, R3_a_line_that_is_too_long_is_dropped_and_the_next_one_is_read) {
  inbox::ChildLines child({"sh", "-c", "head -c 2000000 /dev/zero; echo; echo good; printf end"});
  ASSERT_TRUE(child.is_started());
  std::vector<std::string> lines;
  while (!child.is_ended())
    if (std::optional<std::string> line = child.next(1'000)) lines.push_back(*line);
  EXPECT_EQ(lines, (std::vector<std::string>{"good", "end"}));
  EXPECT_TRUE(child.has_dropped());
  EXPECT_FALSE(child.has_dropped());
}

TEST(ChildLines, R1_a_program_holds_no_file_of_whoever_started_it) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // inherited by who does not look after it
  const inbox::ChildLines child({"sleep", "600"});
  ASSERT_TRUE(child.is_started());
  ::close(ends[1]);
  pollfd wait{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&wait, 1, 10'000), 1);  // nobody else has its other end
  ::close(ends[0]);
}

// Gone, or dead and not yet looked after by whoever inherited it.
bool is_dead(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string skipped;
  std::string state;
  return !(in >> skipped >> skipped >> state) || state == "Z" || state == "X";
}

TEST(ChildLines, R2_a_program_ends_with_a_starter_that_is_killed) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t starter = ::fork();
  if (starter == 0) {
    inbox::ChildLines child({"sh", "-c", "echo $$; exec sleep 600"});
    const std::optional<std::string> line = child.next(10'000);
    const pid_t pid = line ? static_cast<pid_t>(std::atoi(line->c_str())) : 0;
    if (::write(ends[1], &pid, sizeof pid) < 0) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  pid_t program = 0;
  ASSERT_EQ(::read(ends[0], &program, sizeof program), static_cast<ssize_t>(sizeof program));
  ASSERT_GT(program, 0);
  ::waitpid(starter, nullptr, 0);
  EXPECT_TRUE(until([&] { return is_dead(program); }));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace alfred
