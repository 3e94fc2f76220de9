// A tmux pane as a target: a one-line prompt is typed into it.
//
// R1 what strangers wrote is typed as plain words only: letters, digits, spaces and . , : - _ / @ + = %; no sign
//    that a shell or a terminal acts on, however the text was written.
// R2 a pane in a mode (somebody scrolls in it) is busy; one that is gone or dead is gone.
// R3 the prompt for the same entries is never typed twice into the same pane.
#pragma once

#include <map>
#include <mutex>
#include <string_view>

#include "inbox/wake/waker.h"

namespace alfred {

class TmuxWaker final : public Waker {
 public:
  explicit TmuxWaker(std::string program = "tmux") : program_(std::move(program)) {}
  WakeOutcome wake(const WakeRequest& request) override;
  WakeOutcome probe(const WakeRequest& request) override;

 private:
  struct Ran {
    int code = -1;
    std::string output;
  };
  // How the pane is, and in `told` for what it was told last.
  WakeOutcome look(const WakeRequest& request, std::string& told) const;
  Ran run(const WakeRequest& request, std::vector<std::string> words) const;

  std::string program_;
};

// R1, at most so many characters.
std::string plain_words(std::string_view text, std::size_t most);
std::string wake_line(const WakeRequest& request);

}  // namespace alfred
