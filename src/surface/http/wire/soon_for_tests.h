// Whether something comes about within ten seconds.
#pragma once

#include <chrono>
#include <thread>

namespace alfred::http {

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 10'000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

}  // namespace alfred::http
