#include "inbox/source/child_lines.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "inbox/flow/append.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace alfred::inbox {
namespace {

constexpr std::size_t kLongestLine = 2 * kMaxEventBytes;
constexpr int kEndTicks = 20;  // of 50 ms, for a program to end by itself

}  // namespace

ChildLines::ChildLines(const std::vector<std::string>& command) {
  int pipes[2];
  if (command.empty() || ::pipe2(pipes, O_CLOEXEC) != 0) return;
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  if (::posix_spawnp(&child_, words[0], &actions, &attributes, words.data(), environ) != 0)
    child_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipes[1]);
  from_ = pipes[0];
}

ChildLines::~ChildLines() {
  if (from_ >= 0) ::close(from_);
  if (child_ <= 0) return;
  ::kill(-child_, SIGTERM);
  bool is_gone = false;
  for (int tick = 0; tick < kEndTicks && !is_gone; ++tick) {
    is_gone = ::waitpid(child_, nullptr, WNOHANG) != 0;
    if (!is_gone) ::poll(nullptr, 0, 50);
  }
  ::kill(-child_, SIGKILL);
  if (!is_gone) ::waitpid(child_, nullptr, 0);
}

bool ChildLines::has_dropped() { return std::exchange(has_dropped_, false); }

std::optional<std::string> ChildLines::next(int most_ms) {
  for (;;) {
    const std::size_t end = bytes_.find('\n');
    if (end != std::string::npos) {
      std::string line = bytes_.substr(0, end);
      bytes_.erase(0, end + 1);
      if (std::exchange(is_dropping_, false)) continue;
      return line;
    }
    if (bytes_.size() > kLongestLine) {
      bytes_.clear();
      is_dropping_ = true;
      has_dropped_ = true;
    }
    if (is_ended_) return std::nullopt;
    pollfd wait{from_, POLLIN, 0};
    if (::poll(&wait, 1, most_ms) <= 0) return std::nullopt;
    char room[16 * 1024];
    const ssize_t got = ::read(from_, room, sizeof room);
    if (got > 0) bytes_.append(room, static_cast<std::size_t>(got));
    if (got > 0) continue;
    is_ended_ = true;
    // What it printed last may have no end of line.
    if (bytes_.empty() || is_dropping_) return std::nullopt;
    return std::exchange(bytes_, {});
  }
}

}  // namespace alfred::inbox
