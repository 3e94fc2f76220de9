#include "surface/mcp/request_state.h"

#include <gtest/gtest.h>

namespace alfred::mcp {
namespace {

struct Sealing {
  ManualClock clock{1'000'000};
  SeededRandom random{7};
  RequestState states{clock, random};
};

TEST(RequestState, R1_opens_what_was_sealed_for_the_same_request) {
  Sealing sealing;
  const Json kept = JsonObject{{"code", "abc"}};
  const Result<Json> opened = sealing.states.open(sealing.states.seal(kept, "one"), "one");
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(*opened, kept);
}

TEST(RequestState, R1_refuses_what_was_changed_anywhere) {
  Sealing sealing;
  const std::string sealed = sealing.states.seal(JsonObject{{"code", "abc"}}, "one");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'g' ? 'h' : 'g';
    EXPECT_FALSE(sealing.states.open(changed, "one").has_value()) << i;
    EXPECT_FALSE(sealing.states.open(sealed.substr(0, i), "one").has_value()) << i;
  }
  EXPECT_FALSE(sealing.states.open("", "one").has_value());
  EXPECT_TRUE(sealing.states.open(sealed, "one").has_value());
}

TEST(RequestState, R1_refuses_another_request_and_another_server) {
  Sealing sealing;
  const std::string sealed = sealing.states.seal(Json(), "one");
  EXPECT_FALSE(sealing.states.open(sealed, "two").has_value());
  SeededRandom other_random(8);
  RequestState other(sealing.clock, other_random);
  EXPECT_FALSE(other.open(sealed, "one").has_value());
}

TEST(RequestState, R1_refuses_what_is_too_old) {
  Sealing sealing;
  const std::string sealed = sealing.states.seal(Json(), "one");
  const std::string later = sealing.states.seal(Json(), "one");
  sealing.clock.advance_ms(RequestState::kGoodForMs);
  EXPECT_TRUE(sealing.states.open(sealed, "one").has_value());
  sealing.clock.advance_ms(1);
  EXPECT_FALSE(sealing.states.open(later, "one").has_value());
}

TEST(RequestState, R2_is_good_for_one_use) {
  Sealing sealing;
  const std::string sealed = sealing.states.seal(Json(), "one");
  EXPECT_TRUE(sealing.states.open(sealed, "one").has_value());
  EXPECT_FALSE(sealing.states.open(sealed, "one").has_value());
}

}  // namespace
}  // namespace alfred::mcp
