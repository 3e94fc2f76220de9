// Subscriptions whose resource has ended: who retires, and who does not.
#include "inbox_for_tests.h"

namespace alfred {
namespace {

class InboxLifecycle : public InboxUnderTest {
 protected:
  std::string track(const std::string& agent, const std::string& source, const char* start) {
    Json more = json(R"({"trackedResourceRef":"pr:7","cleanupPolicy":{"mode":"on_terminal"}})");
    more.as_object()["startPolicy"] = start;
    return subscribe(agent, source, more);
  }
  void end(const std::string& source, const std::string& native) {
    append(source, native, json(R"({"resourceRef":"pr:7","lifecycle":"terminal"})"));
  }
  std::int64_t retire() { return must(inbox_->run_due({})).at("retired").as_int64(); }
  bool is_there(const std::string& subscription) {
    return inbox_->subscription(subscription).has_value();
  }

  std::string one_ = add_agent("one"), two_ = add_agent("two");
  std::string source_ = add_source();
};

TEST_P(InboxLifecycle, R5_an_old_end_retires_only_who_catches_up_on_it) {
  end(source_, "old");
  const std::string new_work = track(one_, source_, "latest");
  const std::string other_source = track(one_, add_source("other"), "latest");
  const std::string reader = track(two_, source_, "earliest");
  must(inbox_->pump());
  EXPECT_EQ(retire(), 1);
  EXPECT_FALSE(is_there(reader));
  EXPECT_TRUE(is_there(new_work));
  EXPECT_TRUE(is_there(other_source));
  end(source_, "new");
  EXPECT_EQ(retire(), 2);
}

TEST_P(InboxLifecycle, R5_a_subscription_that_starts_behind_an_end_is_not_retired_by_it) {
  options_.is_eager = false;
  reopen();
  end(source_, "old");  // waits for the pump
  const std::string later = track(one_, source_, "latest");
  must(inbox_->pump());
  EXPECT_EQ(retire(), 0);
  EXPECT_TRUE(is_there(later));
}

TEST_P(InboxLifecycle, R5_a_second_signal_does_not_retire_before_the_first_was_read) {
  const std::string other = add_source("other");
  const std::string reader = track(one_, source_, "latest");
  end(source_, "here");
  must(inbox_->reset(reader, json(R"({"startPolicy":"earliest"})")));  // it has to read it again
  end(other, "there");
  EXPECT_EQ(retire(), 0);
  EXPECT_TRUE(is_there(reader));
  must(inbox_->pump());
  EXPECT_EQ(retire(), 1);
}

// As the original takes it.
TEST_P(InboxLifecycle, R5_what_tracks_nothing_is_taken_and_ended_by_no_event) {
  const std::string untracked =
      subscribe(one_, source_, json(R"({"cleanupPolicy":{"mode":"on_terminal"}})"));
  end(source_, "end");
  EXPECT_EQ(retire(), 0);
  EXPECT_TRUE(is_there(untracked));
}

INSTANTIATE_TEST_SUITE_P(Stores, InboxLifecycle,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres), store_name);

}  // namespace
}  // namespace alfred
