// RequestState: what a call keeps while it asks its client for input (2026-07-28), sealed, since it
// lies with the client meanwhile.
//
// R1 a state that was changed, is another principal's, another request's or too old is refused.
// R2 a state is good for one use.
// R3 the key is drawn when the server starts and never leaves it: a restart ends all states.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "alfred/error.h"
#include "alfred/random.h"
#include "base/json/json.h"
#include "base/time/clock.h"

namespace alfred::mcp {

class RequestState {
 public:
  static constexpr std::int64_t kGoodForMs = 10 * 60 * 1000;
  static constexpr std::size_t kMostUsed = 100'000;

  RequestState(const Clock& clock, Random& random);

  // `request` is what the state is bound to: principal, method and parameters.
  std::string seal(const Json& kept, std::string_view request);
  Result<Json> open(std::string_view sealed, std::string_view request);

 private:
  std::string mark_of(std::string_view text, std::string_view request) const;
  void forget_old();

  const Clock& clock_;
  Random& random_;
  std::string key_;
  std::map<std::string, std::int64_t> used_;  // nonce → when it stops to count
};

}  // namespace alfred::mcp
