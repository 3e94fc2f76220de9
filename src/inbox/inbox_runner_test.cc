// The runner's threads beside threads that append, read and ack.
#include "inbox/inbox_runner.h"

#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "inbox/store/tables.h"
#include "storage/open_store.h"

namespace alfred {
namespace {

class CountingWaker final : public Waker {
 public:
  WakeOutcome wake(const WakeRequest&) override {
    ++wakes;
    return {};
  }
  std::atomic<int> wakes{0};
};

class InboxRunnerThreads : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "alfred-inbox-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    const StateTables tables[] = {inbox::inbox_tables()};
    StoreOptions options;
    options.is_ours = true;
    options.tables = tables;
    store_ = open_state(folder_ + "/inbox.db", options).value();
    inbox_ = std::make_unique<Inbox>(*store_, clock_, random_);
    inbox_->register_agent(JsonObject{{"agentId", kAgent}, {"backend", "mcp"}}).value();
    const Json host =
        inbox_->add_host(JsonObject{{"hostType", "local_event"}, {"hostKey", "here"}}).value();
    source_ =
        inbox_
            ->add_source(JsonObject{
                {"hostId", host.at("hostId")}, {"streamKind", "events"}, {"streamKey", "builds"}})
            .value()
            .at("sourceId")
            .as_string();
    inbox_->subscribe(JsonObject{{"agentId", kAgent}, {"sourceId", source_}}).value();
  }
  void TearDown() override {
    inbox_.reset();
    store_.reset();
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }

  static constexpr std::string_view kAgent = "copper-fox";
  SystemClock clock_;
  OsRandom random_;
  std::string folder_;
  std::unique_ptr<StateStore> store_;
  std::unique_ptr<Inbox> inbox_;
  std::string source_;
};

TEST_F(InboxRunnerThreads, R1_R2_what_comes_in_from_many_threads_wakes_and_is_lost_nowhere) {
  constexpr int kThreads = 3;
  constexpr int kEach = 10;
  CountingWaker waker;
  std::atomic<int> errors = 0;
  {
    InboxRunner::Options options;
    options.more.mcp = &waker;
    options.wakes_others = false;
    options.on_error = [&](const Error&) { ++errors; };
    const InboxRunner runner(*inbox_, clock_, std::move(options));
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i)
          inbox_
              ->append(source_, JsonObject{{"sourceNativeId", std::to_string(t * kEach + i)},
                                           {"eventVariant", "built"},
                                           {"rawPayload", JsonObject{{"n", i}}}})
              .value();
      });
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) inbox_->entries(kAgent, {}).value();
    });
    for (std::thread& one : threads) one.join();
    for (int i = 0; i < 20'000 && waker.wakes == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(waker.wakes, 1);  // within the lease the rest only adds up
  std::size_t items = 0;
  inbox::ReadEntries read;
  read.most = 100;
  const Json all = inbox_->entries(kAgent, read).value();
  for (const Json& entry : all.at("entries").as_array())
    items += entry.at("items").as_array().size();
  EXPECT_EQ(items, static_cast<std::size_t>(kThreads * kEach));
}

}  // namespace
}  // namespace alfred
