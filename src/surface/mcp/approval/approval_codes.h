// ApprovalCodes: what stands for a user's yes where the client cannot ask: a preview gives a code,
// and the call that comes back with it is done.
//
// R1 a code stands for one call with one outcome. It is drawn at random, so that nobody makes one up.
// R2 it is good for one write: the next preview of the same has another one. One whose write did nothing
//    stays good.
// R3 codes live as long as their server, and as many as kMost at a time; the oldest go first.
// R4 any thread may call.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "alfred/random.h"

namespace alfred::mcp {

class ApprovalCodes {
 public:
  static constexpr std::size_t kMost = 1000;

  explicit ApprovalCodes(Random& random) : random_(random) {}

  // The code that is good for this, which is a new one where none is.
  std::string code_for(std::string_view call_and_outcome);
  // Whether it is good for this; from now on it is not (R2), but was for this operation.
  bool use(std::string_view code, std::string_view call_and_outcome, std::string_view op);
  // What `use` took did nothing.
  void give_back(std::string_view code);
  // The operation that the code was used for; empty: it was not.
  std::string used_for(std::string_view code);

 private:
  struct Code {
    std::string text;
    std::string stands_for;
    std::string used_for{};
  };
  Code* find(std::string_view code);

  Random& random_;
  std::mutex mutex_;
  std::deque<Code> codes_;
};

}  // namespace alfred::mcp
