// Ctrl-C and the wish to end, as flags that are looked at.
//
// R1 Ctrl-C (SIGINT) sets a flag; the third one that nobody took notice of ends the program at once with 130.
// R2 SIGTERM and SIGHUP ask for an end after what is running; what takes longer than eight seconds is then stopped as by
//    Ctrl-C (F2). The second is obeyed at once.
// R3 a reader that is gone (SIGPIPE) ends nothing: the turn goes on to its commit (F3).
#pragma once

#include <atomic>

namespace alfred::cli {

// The signals are watched while it lives.
class SignalWatch {
 public:
  explicit SignalWatch(int patience_ms = 8000);  // R2
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
};

const std::atomic<bool>& interrupt_flag();
bool is_interrupted();
void clear_interrupt();
bool is_end_wanted();

}  // namespace alfred::cli
