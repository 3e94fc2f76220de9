// Deliveries that come again or were cut off.
#include "inbox/wake/deliveries.h"

#include "inbox/store/near_random.h"
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxDeliveries : public InboxUnderTest {};

TEST_P(InboxDeliveries, G13_a_delivery_that_is_sent_again_with_its_key_is_the_one_it_was) {
  const Json request =
      json(R"({"provider":"alfred","surface":"agent","targetRef":"owl","payload":{"text":"hi"}})");
  const Once once{new_short_id<IdKind::operation>(), write_json(request)};
  const Json first = must(inbox_->deliver(request, once));
  EXPECT_EQ(text(first, "status"), "failed");  // there is no owl yet
  add_agent("owl");
  clock_.advance_ms(1'000);
  EXPECT_EQ(write_json(must(inbox_->deliver(request, once))), write_json(first));
  EXPECT_EQ(entries("owl").size(), 0U);
  EXPECT_EQ(text(must(inbox_->status()).at("recentDeliveries").at(0), "status"), "failed");
}

TEST_P(InboxDeliveries, I37_a_delivery_is_recorded_before_it_is_made_and_finished_after_a_stop) {
  add_agent("owl");
  const Json request =
      json(R"({"provider":"alfred","surface":"agent","targetRef":"owl","payload":{"text":"hi"}})");
  const Result<inbox::Delivery> delivery = inbox::read_delivery(request);
  // The record alone, as a stop leaves it.
  const Result<std::string> begun = store_->state()->write({}, [&](Tx& tx) -> Result<std::string> {
    inbox::NearRandom ids(random_);
    inbox::Sql sql(tx, random_, ids, clock_.wall_ms());
    inbox::begin_delivery(sql, *delivery);
    return std::string();
  });
  ASSERT_TRUE(begun.has_value());
  const auto status = [&] {
    return text(must(inbox_->status()).at("recentDeliveries").at(0), "status");
  };
  EXPECT_EQ(status(), "sending");
  EXPECT_EQ(must(inbox_->settle_deliveries()).at("settled"), Json(0));  // it may still be made
  clock_.advance_ms(60'000);
  EXPECT_EQ(must(inbox_->settle_deliveries()).at("settled"), Json(1));
  EXPECT_EQ(status(), "delivered");
  EXPECT_EQ(must(inbox_->settle_deliveries()).at("settled"), Json(0));
  EXPECT_EQ(entries("owl").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxDeliveries,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
