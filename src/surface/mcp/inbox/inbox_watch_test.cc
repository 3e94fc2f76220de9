#include "surface/mcp/inbox/inbox_watch.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "inbox/open_inbox.h"
#include "surface/mcp/features_for_tests.h"

namespace alfred::mcp {
namespace {

constexpr std::string_view kFox = R"("uri":"inbox://fox")";

class InboxWatchThreads : public testing::Test {
 protected:
  InboxWatchThreads() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-watch-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    opened_ = open();
    for (const char* const agent : {"fox", "owl"})
      EXPECT_TRUE(
          opened_->inbox().register_agent(JsonObject{{"agentId", agent}, {"backend", "mcp"}}));
    watch_.emplace(opened_->inbox(), endpoint_, clock_);
    endpoint_.attach(peer_);
    ask("initialize", R"("protocolVersion":"2025-11-25","capabilities":{})");
  }
  ~InboxWatchThreads() override {
    watch_.reset();
    endpoint_.detach(peer_);
    opened_.reset();
    std::filesystem::remove_all(folder_);
  }
  std::unique_ptr<OpenInbox> open() { return open(clock_); }
  std::unique_ptr<OpenInbox> open(const Clock& clock) {
    Result<OpenInbox> opened = OpenInbox::open("sqlite:" + folder_ + "/inbox.db", clock, random_);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::make_unique<OpenInbox>(std::move(*opened));
  }
  void ask(std::string_view method, std::string_view params) {
    endpoint_.receive(request_for_tests(method, params), peer_, answers_);
  }
  static void send(Inbox& inbox, std::string_view agent) {
    const Result<Json> sent = inbox.send(agent, JsonObject{{"message", "m"}});
    EXPECT_TRUE(sent) << sent.error().message;
  }
  bool is_told(int times) {
    return soon([&] {
      const std::lock_guard lock(stream_->mutex);
      return std::ssize(stream_->sent) == times;
    });
  }

  SystemClock clock_;
  OsRandom random_;
  std::string folder_;
  std::unique_ptr<OpenInbox> opened_;
  FeaturesForTests features_;
  McpEndpoint endpoint_{features_, clock_, random_};
  McpPeer peer_;
  std::shared_ptr<SinkForTests> answers_ = std::make_shared<SinkForTests>();
  std::shared_ptr<SinkForTests> stream_ = std::make_shared<SinkForTests>();
  std::optional<InboxWatch> watch_;
};

TEST_F(InboxWatchThreads, R1_what_comes_after_the_subscription_is_told_whoever_brings_it) {
  endpoint_.set_stream(peer_, stream_);
  send(opened_->inbox(), "fox");
  ask("resources/subscribe", kFox);
  send(opened_->inbox(), "owl");
  send(opened_->inbox(), "fox");
  EXPECT_TRUE(is_told(1));
  send(open()->inbox(), "fox");  // as another process does
  EXPECT_TRUE(is_told(2));
  const std::lock_guard lock(stream_->mutex);
  for (const std::string& one : stream_->sent)
    EXPECT_NE(one.find("inbox://fox"), std::string::npos) << one;
}

TEST_F(InboxWatchThreads, R3_what_came_waits_for_a_stream) {
  ask("resources/subscribe", kFox);
  send(opened_->inbox(), "fox");
  endpoint_.set_stream(peer_, stream_);
  EXPECT_TRUE(is_told(1));
}

TEST_F(InboxWatchThreads, R4_who_is_told_was_woken_and_nobody_is_told_twice) {
  const auto activations = [&](Inbox& inbox) {
    const Result<Json> status = inbox.status();
    EXPECT_TRUE(status);
    return status->at("recentActivations").as_array();
  };
  ManualClock before(clock_.wall_ms() - 60'000);
  for (const char* const agent : {"fox", "owl"}) send(open(before)->inbox(), agent);
  endpoint_.set_stream(peer_, stream_);
  ask("resources/subscribe", kFox);
  ASSERT_TRUE(soon([&] { return !activations(opened_->inbox()).empty(); }));
  ASSERT_TRUE(soon(
      [&] { return activations(opened_->inbox()).at(0).at("status").as_string() == "delivered"; }));
  EXPECT_EQ(activations(opened_->inbox()).size(), 1U);  // nobody watches the owl's
  EXPECT_TRUE(is_told(1));
}

TEST_F(InboxWatchThreads, an_agent_that_comes_later_is_told_of_too) {
  endpoint_.set_stream(peer_, stream_);
  ask("resources/subscribe", R"("uri":"inbox://hen")");
  EXPECT_TRUE(opened_->inbox().register_agent(JsonObject{{"agentId", "hen"}, {"backend", "mcp"}}));
  send(opened_->inbox(), "hen");
  EXPECT_TRUE(is_told(1));
}

TEST_F(InboxWatchThreads, nobody_is_told_when_it_has_stopped) {
  endpoint_.set_stream(peer_, stream_);
  ask("resources/subscribe", kFox);
  watch_->stop();
  watch_->stop();
  send(opened_->inbox(), "fox");
  ask("resources/subscribe", kFox);
  EXPECT_TRUE(is_told(0));
}

}  // namespace
}  // namespace alfred::mcp
