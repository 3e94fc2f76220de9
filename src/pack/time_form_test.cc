#include "pack/time_form.h"

#include <gtest/gtest.h>

namespace alfred {
namespace {

TEST(TimeForm, is_known_by_the_text) {
  EXPECT_EQ(time_form_of("2026-02-28T17:05:00.000Z"), TimeForm::ours);
  EXPECT_EQ(time_form_of("2026-02-28T17:05:00+01:00"), TimeForm::ours);
  EXPECT_EQ(time_form_of("2026-02-28 17:05:00"), TimeForm::spaced);
  EXPECT_EQ(time_form_of("2026-02-28 17:05:00.25"), TimeForm::spaced);
  EXPECT_EQ(time_form_of("2026-02-28T17:05:00"), TimeForm::bare);
  for (const char* const other : {"", "2026-02-28", "2026-02-30 17:05:00", "28.02.2026 17:05",
                                  "2026-02-28 17:05", "2026-02-28 17:05:00+01:00", "yesterday"})
    EXPECT_EQ(time_form_of(other), TimeForm::other) << other;
}

TEST(TimeForm, R2_what_is_written_reads_back_as_the_same_moment) {
  for (const TimeForm form : {TimeForm::spaced, TimeForm::bare})
    for (const char* const moment : {"2026-02-28T17:05:00.000Z", "2026-02-28T17:05:00.250Z",
                                     "2026-02-28T17:05:00.000001Z", "0001-01-01T00:00:00.000Z"})
      EXPECT_EQ(read_time(form, written_time(form, moment)), moment);
  EXPECT_EQ(written_time(TimeForm::spaced, "2026-02-28T17:05:00.000Z"), "2026-02-28 17:05:00");
  EXPECT_EQ(written_time(TimeForm::bare, "2026-02-28T18:05:00.5+01:00"), "2026-02-28T17:05:00.500");
}

TEST(TimeForm, R3_what_is_not_of_the_form_stays) {
  EXPECT_EQ(read_time(TimeForm::spaced, "2026-02-28"), std::nullopt);
  EXPECT_EQ(read_time(TimeForm::spaced, "2026-02-28T17:05:00.000Z"), std::nullopt);
  EXPECT_EQ(written_time(TimeForm::spaced, "soon"), "soon");
  EXPECT_EQ(written_time(TimeForm::ours, "2026-02-28T17:05:00Z"), "2026-02-28T17:05:00Z");
}

}  // namespace
}  // namespace alfred
