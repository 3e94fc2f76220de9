#include "surface/cli/terminal/signals.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>

namespace alfred::cli {
namespace {

// What a handler may touch lives outside of every object.
std::atomic<bool> interrupted{false};
std::atomic<int> interrupts{0};
std::atomic<int> ends{0};
std::array<struct sigaction, 5> handlers_before{};
constexpr std::array<int, 5> kSignals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM};
timer_t patience{};
bool has_patience = false;
itimerspec patience_lasts{};
constexpr int kInterrupted = 130;

void on_interrupt(int /*signal*/) {
  interrupted = true;
  if (interrupts.fetch_add(1) >= 2) ::_exit(kInterrupted);
}
void on_end(int signal) {
  if (ends.fetch_add(1) >= 1) ::_exit(128 + signal);
  if (has_patience) ::timer_settime(patience, 0, &patience_lasts, nullptr);
}
void on_late(int /*signal*/) { interrupted = true; }

using Handler = void (*)(int);
Handler handler_of(int signal) {
  switch (signal) {
    case SIGINT: return on_interrupt;
    case SIGALRM: return on_late;
    case SIGPIPE: return SIG_IGN;
    default: return on_end;
  }
}

}  // namespace

SignalWatch::SignalWatch(int patience_ms) {
  clear_interrupt();
  ends = 0;
  patience_lasts = {};
  patience_lasts.it_value = {patience_ms / 1000, patience_ms % 1000 * 1'000'000L};
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  has_patience = ::timer_create(CLOCK_MONOTONIC, &event, &patience) == 0;
  for (std::size_t at = 0; at < kSignals.size(); ++at) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    // No SA_RESTART: who waits for a line is woken.
    action.sa_handler = handler_of(kSignals.at(at));
    ::sigaction(kSignals.at(at), &action, &handlers_before.at(at));
  }
}

SignalWatch::~SignalWatch() {
  if (has_patience) ::timer_delete(patience);
  has_patience = false;
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
