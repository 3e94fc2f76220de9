#include "surface/cli/terminal/signals.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace alfred::cli {
namespace {

// What a handler may touch lives outside of every object.
std::atomic<bool> interrupted{false};
std::atomic<int> interrupts{0};
std::atomic<int> ends{0};
std::array<struct sigaction, 4> handlers_before{};
constexpr std::array<int, 4> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
constexpr int kInterrupted = 130;

void on_interrupt(int /*signal*/) {
  interrupted = true;
  if (interrupts.fetch_add(1) >= 2) ::_exit(kInterrupted);
}
void on_end(int signal) {
  if (ends.fetch_add(1) >= 1) ::_exit(128 + signal);
}

}  // namespace

SignalWatch::SignalWatch() {
  clear_interrupt();
  ends = 0;
  for (std::size_t at = 0; at < kSignals.size(); ++at) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    // No SA_RESTART: who waits for a line is woken.
    action.sa_handler = kSignals.at(at) == SIGINT ? on_interrupt : on_end;
    if (kSignals.at(at) == SIGPIPE) action.sa_handler = SIG_IGN;
    ::sigaction(kSignals.at(at), &action, &handlers_before.at(at));
  }
}

SignalWatch::~SignalWatch() {
  for (std::size_t at = 0; at < kSignals.size(); ++at)
    ::sigaction(kSignals.at(at), &handlers_before.at(at), nullptr);
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }
bool is_interrupted() { return interrupted.load(); }
void clear_interrupt() {
  interrupts = 0;
  interrupted = false;
}
bool is_end_wanted() { return ends.load() > 0; }

}  // namespace alfred::cli
