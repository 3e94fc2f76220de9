#include "inbox/wake/tmux.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include <fmt/format.h>

#include "base/utf8.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace alfred {
namespace {

constexpr std::size_t kMostPreview = 80;
constexpr std::size_t kMostAgent = 64;
constexpr int kMostMs = 5'000;

bool is_plain(char32_t c) {
  if (c < 0x80) {
    const char one = static_cast<char>(c);
    return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') ||
           std::string_view(" .,:-_/@+=%").find(one) != std::string_view::npos;
  }
  // Letters of most scripts; no spaces that look like none, no marks that turn the text around.
  return (c >= 0xC0 && c < 0x2000) || (c >= 0x2C00 && c < 0xD800);
}

std::string config_text(const WakeRequest& request, std::string_view name) {
  const JsonObject* const config = request.config.if_object();
  const Json* const value = config == nullptr ? nullptr : config->if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

// What the child writes, until it ends or its time is over.
std::string read_all(int from) {
  std::string out;
  char room[512];
  for (pollfd wait{from, POLLIN, 0}; ::poll(&wait, 1, kMostMs) > 0;) {
    const ssize_t got = ::read(from, room, sizeof room);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || out.size() > 65'536) break;
    out.append(room, static_cast<std::size_t>(got));
  }
  return out;
}

}  // namespace

std::string plain_words(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size() && count < most;) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::size_t size = point ? point->size : 1;
    const bool is_good = point && is_plain(point->value) && point->value != ' ';
    const bool adds_space = !is_good && !out.empty() && out.back() != ' ';
    if (is_good) out += text.substr(at, size);
    if (adds_space) out += ' ';
    count += is_good || adds_space ? 1 : 0;
    at += size;
  }
  return out;
}

std::string wake_line(const WakeRequest& request) {
  return fmt::format("Alfred inbox: {} unacked for {}, latest {}: {}", request.unacked,
                     plain_words(request.agent, kMostAgent), request.latest_entry,
                     plain_words(request.preview, kMostPreview));
}

TmuxWaker::Ran TmuxWaker::run(const WakeRequest& request, std::vector<std::string> words) const {
  const std::string socket = config_text(request, "tmuxSocket");
  if (!socket.empty()) words.insert(words.begin(), {"-S", socket});
  words.insert(words.begin(), program_);
  std::vector<char*> raw;
  raw.reserve(words.size() + 1);
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t child = 0;
  const int wrong =
      ::posix_spawnp(&child, program_.c_str(), &actions, nullptr, raw.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Ran out;
  if (wrong == 0) {
    out.output = read_all(ends[0]);
    int status = 0;
    // A client that still runs after its time hangs on a server that does.
    if (::waitpid(child, &status, WNOHANG) == 0 && out.output.empty()) {
      ::usleep(50'000);
      if (::waitpid(child, &status, WNOHANG) == 0) ::kill(child, SIGKILL);
    }
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ::close(ends[0]);
  return out;
}

WakeOutcome TmuxWaker::look(const WakeRequest& request, std::string& told) const {
  using Kind = WakeOutcome::Kind;
  const std::string pane = config_text(request, "tmuxPaneId");
  const Ran state = run(request, {"display-message", "-p", "-t", pane,
                                  "#{pane_id} #{pane_dead} #{pane_in_mode} #{@alfred_told}"});
  if (state.code != 0 || !state.output.starts_with(pane + " "))
    return {Kind::gone, "the tmux pane " + pane + " is not there"};
  told = state.output.substr(pane.size() + 1);
  if (told.starts_with("1")) return {Kind::gone, "the tmux pane " + pane + " is dead"};
  if (!told.starts_with("0 0")) return {Kind::busy, "the tmux pane " + pane + " is in a mode"};
  return {};
}

WakeOutcome TmuxWaker::probe(const WakeRequest& request) {
  std::string told;
  return look(request, told);
}

WakeOutcome TmuxWaker::wake(const WakeRequest& request) {
  using Kind = WakeOutcome::Kind;
  std::string told;
  if (WakeOutcome state = look(request, told); state.kind != Kind::delivered) return state;
  const std::string pane = config_text(request, "tmuxPaneId");
  const std::string key = request.latest_entry + "/" + std::to_string(request.unacked);
  if (told.find(" " + key + "\n") != std::string::npos) return {Kind::delivered};
  // One call to tmux, so that the mark and the line are there together or not at all.
  const Ran typed =
      run(request, {"set-option", "-p", "-t", pane, "@alfred_told", key, ";", "send-keys", "-t",
                    pane, "-l", "--", wake_line(request), ";", "send-keys", "-t", pane, "Enter"});
  if (typed.code == 0) return {Kind::delivered};
  return {Kind::failed, "tmux did not take the line"};
}

}  // namespace alfred
