#include <set>

#include "base/test_seed.h"
#include "base/test_size.h"
#include "base/time/iso_time.h"
#include "inbox/timer/cron.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

using inbox::Cron;

// The next times after an instant, joined.
std::string next_times(const std::string& rule, const std::string& zone, const std::string& after,
                       int count) {
  const Cron cron = Cron::parse(rule).value();
  const TimeZone place = TimeZone::load(zone).value();
  std::int64_t at = *iso_instant_ms(after) / 1000;
  std::string out;
  for (int i = 0; i < count; ++i) {
    const std::optional<std::int64_t> next = cron.next_after(at, place);
    if (!next) return out + " never";
    at = *next;
    out += (i > 0 ? " " : "") + rfc3339_utc(at * 1000).substr(0, 16);
  }
  return out;
}

TEST(InboxCron, R1_fields) {
  EXPECT_EQ(next_times("*/20 9-10 * * mon-fri", "UTC", "2026-05-29T09:30:00Z", 5),
            "2026-05-29T09:40 2026-05-29T10:00 2026-05-29T10:20 2026-05-29T10:40 2026-06-01T09:00");
  EXPECT_EQ(next_times("0 12 * * 7", "UTC", "2026-05-29T00:00:00Z", 1), "2026-05-31T12:00");
  EXPECT_EQ(next_times("0 12 * * 0", "UTC", "2026-05-29T00:00:00Z", 1), "2026-05-31T12:00");
  for (const char* bad : {"", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *",
                          "* * * * 8", "5-1 * * * *", "*/0 * * * *", "a * * * *", "1,, * * * *"})
    EXPECT_FALSE(Cron::parse(bad).has_value()) << bad;
}

TEST(InboxCron, R2_a_day_of_either_kind_is_enough) {
  EXPECT_EQ(next_times("0 0 13 * fri", "UTC", "2026-06-01T00:00:00Z", 3),
            "2026-06-05T00:00 2026-06-12T00:00 2026-06-13T00:00");
}

TEST(InboxCron, F6_clocks_that_skip_and_repeat_an_hour_and_leap_days) {
  // Berlin, 29 March 2026: 02:00 becomes 03:00; 25 October: 03:00 becomes 02:00.
  EXPECT_EQ(next_times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2),
            "2026-03-29T01:00 2026-03-30T00:30");
  EXPECT_EQ(next_times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
            "2026-10-25T00:30 2026-10-26T01:30");
  EXPECT_EQ(next_times("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2),
            "2028-02-29T00:00 2032-02-29T00:00");
  EXPECT_EQ(next_times("0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z", 1), " never");
}

class InboxTimer : public InboxUnderTest {
 protected:
  std::string add_timer(const std::string& rule) {
    Json request = json("{\"message\":\"thaw it\"," + rule + "}");
    request.as_object()["agentId"] = agent_;
    return text(must(inbox_->add_timer(request)), "scheduleId");
  }
  std::int64_t fire() { return must(inbox_->fire()).at("fired").as_int64(); }
  Json last_payload() {
    const JsonArray read = entries(agent_);
    return read.back().at("items").at(0).at("rawPayload");
  }
  std::string agent_ = add_agent();
};

TEST_P(InboxTimer, R2_an_instant_fires_once_also_when_it_is_overdue) {
  add_timer(R"("at":")" + rfc3339_utc(kNoon + 60'000) + "\"");
  EXPECT_EQ(fire(), 0);
  EXPECT_EQ(*inbox_->next_due_ms().value(), kNoon + 60'000);
  clock_.advance_ms(86'400'000);
  reopen();
  EXPECT_EQ(fire(), 1);
  EXPECT_EQ(fire(), 0);
  EXPECT_EQ(text(last_payload(), "message"), "thaw it");
  EXPECT_EQ(entries(agent_).size(), 1U);
}

TEST_P(InboxTimer, R2_a_period_fires_once_with_what_it_missed_and_keeps_its_phase) {
  const std::string timer = add_timer(R"("every":"5m")");
  clock_.advance_ms(17 * 60'000);
  EXPECT_EQ(fire(), 1);
  EXPECT_EQ(last_payload().at("missed").as_int64(), 2);
  EXPECT_EQ(text(must(inbox_->timers(agent_)).at("timers").at(0), "nextFireAt"),
            rfc3339_utc(kNoon + 20 * 60'000));
}

TEST_P(InboxTimer, F5_a_clock_that_is_set_back_fires_nothing_twice) {
  add_timer(R"("cron":"*/10 * * * *")");
  clock_.advance_ms(11 * 60'000);
  EXPECT_EQ(fire(), 1);
  clock_.set_wall_ms(kNoon);
  EXPECT_EQ(fire(), 0);
  clock_.set_wall_ms(kNoon + 11 * 60'000);
  EXPECT_EQ(fire(), 0);
  clock_.set_wall_ms(kNoon + 86'400'000);  // a day ahead
  EXPECT_EQ(fire(), 1);
  EXPECT_EQ(entries(agent_).size(), 2U);
}

TEST_P(InboxTimer, R2_pause_and_resume_and_refusals) {
  const std::string timer = add_timer(R"("every":60000)");
  must(inbox_->pause_timer(timer));
  clock_.advance_ms(600'000);
  EXPECT_EQ(fire(), 0);
  must(inbox_->resume_timer(timer));
  EXPECT_EQ(fire(), 0);
  clock_.advance_ms(60'000);
  EXPECT_EQ(fire(), 1);
  must(inbox_->remove_timer(timer));
  EXPECT_EQ(code_of(inbox_->pause_timer(timer)), "record");
  const auto refused = [&](const char* rule) {
    Json request = json(std::string("{\"message\":\"m\",") + rule + "}");
    request.as_object()["agentId"] = agent_;
    return code_of(inbox_->add_timer(request));
  };
  EXPECT_EQ(refused(R"("every":59999)"), "value");
  EXPECT_EQ(refused(R"("every":"1m","at":"2026-01-01T00:00:00Z")"), "schema");
  EXPECT_EQ(refused(R"("at":"tomorrow")"), "value");
  EXPECT_EQ(refused(R"("cron":"0 0 30 2 *")"), "value");
  EXPECT_EQ(refused(R"("cron":"0 0 1 1 *","timezone":"Mars/Base")"), "value");
}

TEST_P(InboxTimer, F7_I36_many_overdue_timers_fire_once_each) {
  const std::size_t most = GetParam() == StoreKind::sqlite ? 10'000 : 1'000;
  const auto count = static_cast<std::int64_t>(test_size({101, 101, most}));
  add_timer(R"("cron":"* * * * *")");
  for (std::int64_t i = 1; i < count; ++i)
    add_timer(i % 2 == 0 ? R"("cron":"* * * * *")" : R"("every":"1m")");
  clock_.advance_ms(1'200'000);
  reopen();
  EXPECT_EQ(fire(), count);
  EXPECT_EQ(last_payload().at("missed").as_int64(), 19);
  EXPECT_EQ(fire(), 0);
  EXPECT_EQ(entries(agent_, {.most = 20'000}).size(), static_cast<std::size_t>(count));
}

TEST_P(InboxTimer, F5_I36_a_clock_that_is_stepped_all_the_time_fires_nothing_twice) {
  add_timer(R"("every":"1m")");
  SeededRandom random(test_seed());
  std::set<std::string> nominal;
  std::int64_t fired = 0;
  for (int step = 0; step < 200; ++step) {
    const auto by = static_cast<std::int64_t>(random.next_u64() % 240'000) - 90'000;
    clock_.set_wall_ms(std::max(kNoon, clock_.wall_ms() + by));
    fired += fire();
  }
  for (const Json& entry : entries(agent_, {.most = 1'000}))
    nominal.insert(text(entry.at("items").at(0), "sourceNativeId"));
  EXPECT_GT(fired, 20);
  EXPECT_EQ(nominal.size(), static_cast<std::size_t>(fired));
}

TEST_P(InboxTimer, F5_a_timer_after_2038_and_one_40_days_ahead_wait_and_fire) {
  add_timer(R"("at":"2039-01-01T00:00:00Z")");
  add_timer(R"("at":")" + rfc3339_utc(kNoon + 40LL * 86'400'000) + "\"");
  EXPECT_EQ(*inbox_->next_due_ms().value(), kNoon + 40LL * 86'400'000);
  EXPECT_EQ(fire(), 0);
  clock_.advance_ms(40LL * 86'400'000);
  EXPECT_EQ(fire(), 1);
  EXPECT_EQ(rfc3339_utc(*inbox_->next_due_ms().value() - 3'000), rfc3339_utc(clock_.wall_ms()));
  clock_.set_wall_ms(*iso_instant_ms("2039-01-01T00:00:00Z"));
  EXPECT_EQ(fire(), 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxTimer,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
