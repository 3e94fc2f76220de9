// A real tmux, on a socket of its own.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <thread>

#include "inbox/wake/tmux.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxTmuxPane : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(std::system("tmux -V >/dev/null 2>&1"), 0)
        << "no tmux; scripts/setup --tests installs it";
    folder_ = (std::filesystem::temp_directory_path() / "alfred-tmux-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
    // What is typed is kept as it came; nothing answers it.
    ask("-f /dev/null new-session -d -x 200 -y 50 'cat > " + folder_ + "/typed'");
    pane_ = ask("list-panes -a -F '#{pane_id}'");
    ASSERT_TRUE(pane_.starts_with("%")) << pane_;
  }
  void TearDown() override {
    if (folder_.empty()) return;
    ask("kill-server");
    std::filesystem::remove_all(folder_);
  }
  std::string ask(const std::string& words) {
    const std::string command = "tmux -S " + folder_ + "/socket " + words + " 2>&1";
    std::string out;
    FILE* const pipe = ::popen(command.c_str(), "r");
    for (char room[256]; std::fgets(room, sizeof room, pipe) != nullptr;) out += room;
    ::pclose(pipe);
    while (out.ends_with('\n')) out.pop_back();
    return out;
  }
  // What came, as soon as it is this many lines.
  std::string typed(std::size_t lines) {
    std::string out;
    for (int i = 0; i < 200; ++i) {
      out = read_typed();
      if (static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n')) >= lines) return out;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return out;
  }
  std::string read_typed() {
    std::string out;
    if (FILE* const file = std::fopen((folder_ + "/typed").c_str(), "r")) {
      for (char room[256]; std::fgets(room, sizeof room, file) != nullptr;) out += room;
      std::fclose(file);
    }
    return out;
  }
  WakeRequest request(const std::string& entry, const std::string& preview) {
    WakeRequest out;
    out.kind = "terminal";
    out.agent = "agt_copper-fox";
    out.unacked = 2;
    out.latest_entry = entry;
    out.preview = preview;
    out.config = JsonObject{{"tmuxPaneId", pane_}, {"tmuxSocket", folder_ + "/socket"}};
    return out;
  }
  WakeOutcome::Kind wake(const WakeRequest& request) { return waker_.wake(request).kind; }

  std::string folder_, pane_;
  TmuxWaker waker_;
};

TEST_F(InboxTmuxPane, R3_a_line_is_typed_once_for_the_same_entries) {
  const WakeRequest first = request("ent_000000000001", "build; rm -rf / `x` -- failed");
  EXPECT_EQ(wake(first), WakeOutcome::Kind::delivered);
  EXPECT_EQ(wake(first), WakeOutcome::Kind::delivered);
  EXPECT_EQ(wake(request("ent_000000000002", "again")), WakeOutcome::Kind::delivered);
  EXPECT_EQ(typed(2),
            "Alfred inbox: 2 unacked for agt_copper-fox, latest ent_000000000001: build rm -rf / x "
            "-- failed\n"
            "Alfred inbox: 2 unacked for agt_copper-fox, latest ent_000000000002: again\n");
}

TEST_F(InboxTmuxPane, R2_a_pane_in_a_mode_is_busy_and_one_that_ended_is_gone) {
  ask("copy-mode -t " + pane_);
  EXPECT_EQ(wake(request("ent_000000000001", "x")), WakeOutcome::Kind::busy);
  ask("send-keys -t " + pane_ + " -X cancel");
  EXPECT_EQ(wake(request("ent_000000000001", "x")), WakeOutcome::Kind::delivered);
  ask("new-session -d");
  ask("kill-pane -t " + pane_);
  EXPECT_EQ(wake(request("ent_000000000002", "x")), WakeOutcome::Kind::gone);
  ask("kill-server");
  EXPECT_EQ(wake(request("ent_000000000002", "x")), WakeOutcome::Kind::gone);
}

}  // namespace
}  // namespace alfred
