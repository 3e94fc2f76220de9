#include "engine/session/kept_texts.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(KeptTexts, R1_a_text_is_known_once_its_write_has_committed) {
  KeptTexts texts;
  texts.begin();
  texts.note("a");
  EXPECT_FALSE(texts.has("a"));
  texts.commit();
  EXPECT_TRUE(texts.has("a"));
}

TEST(KeptTexts, R2_what_a_write_noted_that_is_run_again_is_forgotten) {
  KeptTexts texts;
  texts.begin();
  texts.note("a");
  texts.begin();
  texts.note("b");
  texts.commit();
  EXPECT_FALSE(texts.has("a"));
  EXPECT_TRUE(texts.has("b"));
}

TEST(KeptTexts, R2_behind_a_write_that_failed_nothing_is_known) {
  KeptTexts texts;
  texts.note("a");
  texts.commit();
  texts.begin();
  texts.note("b");
  texts.forget();
  texts.begin();
  texts.commit();
  EXPECT_FALSE(texts.has("a"));
  EXPECT_FALSE(texts.has("b"));
}

TEST(KeptTexts, R3_it_keeps_so_many_and_goes_on) {
  KeptTexts texts;
  for (std::size_t i = 0; i <= 2 * KeptTexts::kMost; ++i) {
    texts.begin();
    texts.note(std::to_string(i));
    texts.commit();
    EXPECT_TRUE(texts.has(std::to_string(i))) << i;
  }
  std::size_t known = 0;
  for (std::size_t i = 0; i <= 2 * KeptTexts::kMost; ++i) known += texts.has(std::to_string(i));
  EXPECT_LE(known, KeptTexts::kMost);
}

}  // namespace
}  // namespace alfred
