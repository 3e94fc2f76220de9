#include "inbox/source/child_lines.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "inbox/flow/append.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kLongestLine = 2 * kMaxEventBytes;
constexpr int kEndTicks = 20;  // of 50 ms, for a program to end by itself

// In the child, between fork and exec: nothing but calls that are safe there. The program gets its
// three streams and nothing else of ours, so that a server that was killed leaves no door open in
// it, and it ends with whoever started it.
[[noreturn]] void become(char* const* words, int output, int failure, pid_t parent) {
  ::setpgid(0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (::getppid() == parent && nothing >= 0 && ::dup2(output, 1) >= 0 && ::dup2(nothing, 0) >= 0 &&
      ::dup2(nothing, 2) >= 0) {
    if (failure != 3) failure = ::dup3(failure, 3, O_CLOEXEC);
#ifdef SYS_close_range
    ::syscall(SYS_close_range, 4U, ~0U, 0U);  // where there is none, what we open closes by itself
#endif
    ::execvp(words[0], words);
  }
  const char wrong = 1;
  if (::write(failure, &wrong, 1) < 0) ::_exit(126);
  ::_exit(127);
}

// Whether the program runs: the pipe closes when it begins, and says something when it could not.
bool has_begun(int failure) {
  char room = 0;
  ssize_t got = 0;
  while ((got = ::read(failure, &room, 1)) < 0 && errno == EINTR) {
  }
  return got == 0;
}

}  // namespace

ChildLines::ChildLines(const std::vector<std::string>& command) {
  int output[2];
  int failure[2];
  if (command.empty() || ::pipe2(output, O_CLOEXEC) != 0) return;
  from_ = output[0];
  if (::pipe2(failure, O_CLOEXEC) != 0) {
    ::close(output[1]);
    return;
  }
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) become(words.data(), output[1], failure[1], parent);
  ::close(output[1]);
  ::close(failure[1]);
  if (child_ > 0) ::setpgid(child_, child_);  // whoever is first
  if (child_ > 0 && !has_begun(failure[0])) {
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }
  ::close(failure[0]);
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
