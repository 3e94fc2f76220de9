#include "surface/cli/terminal/signals.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

namespace alfred::cli {
namespace {

TEST(SignalWatch, R2_what_takes_longer_than_its_patience_is_stopped) {
  const SignalWatch signals(30);
  ::raise(SIGTERM);
  EXPECT_TRUE(is_end_wanted());
  EXPECT_FALSE(is_interrupted());
  for (int i = 0; i < 200 && !is_interrupted(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(is_interrupted());
}

}  // namespace
}  // namespace alfred::cli
