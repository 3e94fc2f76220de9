#include "batch/manifest.h"

#include <gtest/gtest.h>

#include "alfred/random.h"
#include "base/test_seed.h"
#include "base/test_size.h"

namespace alfred {
namespace {

BatchId batch_id() {
  SeededRandom random(7);
  return BatchId::random(random);
}

BatchManifest three() {
  return BatchManifest::declare(batch_id(), "books", {"gen_book_1", "gen_book_2", "gen_book_3"})
      .value();
}

TEST(BatchManifest, A18_one_ref_is_one_item) {
  const auto twice = BatchManifest::declare(batch_id(), "books", {"a", "b", "a"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::batch_dup);
  EXPECT_EQ(twice.error().path, "items[2]");
  EXPECT_EQ(BatchManifest::declare(batch_id(), "books", {""}).error().code, ErrorCode::value);
  EXPECT_EQ(BatchManifest::declare(batch_id(), "books", {}).error().code, ErrorCode::value);
}

TEST(BatchManifest, a_batch_has_at_most_its_limit_of_items) {
  EXPECT_TRUE(BatchManifest::declare(batch_id(), "books", {"a", "b"}, 2));
  EXPECT_EQ(BatchManifest::declare(batch_id(), "books", {"a", "b", "c"}, 2).error().code,
            ErrorCode::limit);
}

TEST(BatchManifest, R3_it_is_finished_when_nothing_is_open) {
  BatchManifest manifest = three();
  EXPECT_FALSE(manifest.is_finished());
  ASSERT_TRUE(manifest.start("gen_book_2"));
  ASSERT_TRUE(manifest.complete("gen_book_2", "book_1"));
  ASSERT_TRUE(manifest.start("gen_book_1"));
  const Result<void> open = manifest.check_finished();
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ErrorCode::batch_pending);
  EXPECT_NE(open.error().message.find("2 of 3 pending: gen_book_1, gen_book_3"), std::string::npos);
  ASSERT_TRUE(manifest.fail_item("gen_book_1", "no", false));
  ASSERT_TRUE(manifest.start("gen_book_3"));
  ASSERT_TRUE(manifest.fail_item("gen_book_3", "no", true));
  EXPECT_TRUE(manifest.is_finished());
  EXPECT_TRUE(manifest.check_finished());
  EXPECT_EQ(manifest.counts(), (BatchCounts{3, 1, 2, 0, 0}));
}

TEST(BatchManifest, R2_status_moves_one_way) {
  BatchManifest manifest = three();
  EXPECT_EQ(manifest.complete("gen_book_1", "book_1").error().code, ErrorCode::batch_item);
  EXPECT_EQ(manifest.start("gen_book_9").error().code, ErrorCode::batch_item);
  ASSERT_TRUE(manifest.start("gen_book_1"));
  EXPECT_FALSE(manifest.start("gen_book_1"));
  ASSERT_TRUE(manifest.complete("gen_book_1", "book_1"));
  EXPECT_FALSE(manifest.fail_item("gen_book_1", "no", true));
  EXPECT_FALSE(manifest.start("gen_book_1"));
  EXPECT_TRUE(manifest.retry().empty());
  EXPECT_EQ(manifest.find("gen_book_1")->result_ref, "book_1");
}

TEST(BatchManifest, R2_retry_opens_only_what_failed_and_may_be_tried_again) {
  BatchManifest manifest = three();
  ASSERT_TRUE(manifest.start("gen_book_1"));
  ASSERT_TRUE(manifest.fail_item("gen_book_1", "held", true));
  ASSERT_TRUE(manifest.start("gen_book_2"));
  ASSERT_TRUE(manifest.fail_item("gen_book_2", "wrong", false));
  const BatchChanges changes = manifest.retry();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].item, (BatchItem{"gen_book_1", ItemStatus::pending, {}, {}, false}));
  EXPECT_EQ(manifest.find("gen_book_2")->status, ItemStatus::failed);
}

TEST(BatchManifest, R2_retry_opens_what_is_named_whatever_it_failed_of) {
  BatchManifest manifest = three();
  const BatchManifest before = manifest;
  BatchChanges all;
  all.push_back(manifest.start("gen_book_1").value());
  all.push_back(manifest.fail_item("gen_book_1", "held", true).value());
  all.push_back(manifest.start("gen_book_2").value());
  all.push_back(manifest.fail_item("gen_book_2", "wrong", false).value());
  const std::string names[] = {"gen_book_2", "gen_book_3"};
  const BatchChanges changes = manifest.retry(names);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(manifest.find("gen_book_1")->status, ItemStatus::failed);
  EXPECT_EQ(manifest.find("gen_book_2")->status, ItemStatus::pending);
  BatchManifest folded = before;
  for (const ItemMoved& one : all) ASSERT_TRUE(folded.fold(one));
  for (const ItemMoved& one : changes) ASSERT_TRUE(folded.fold(one));
  EXPECT_EQ(write_json(folded.to_json()), write_json(manifest.to_json()));
}

TEST(BatchManifest, R2_R5_what_is_given_up_stays_failed_and_is_taken_up_only_by_name) {
  BatchManifest manifest = three();
  for (const char* const ref : {"gen_book_1", "gen_book_2"}) ASSERT_TRUE(manifest.start(ref));
  ASSERT_TRUE(manifest.fail_item("gen_book_1", "held", true));
  ASSERT_TRUE(manifest.fail_item("gen_book_2", "wrong", false));
  BatchManifest folded = manifest;
  const BatchChanges changes = manifest.give_up();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].item, (BatchItem{"gen_book_1", ItemStatus::failed, {}, "held", false}));
  EXPECT_EQ(manifest.find("gen_book_3")->status, ItemStatus::pending);
  EXPECT_TRUE(manifest.give_up().empty());
  EXPECT_TRUE(manifest.retry().empty());
  ASSERT_TRUE(folded.fold(changes[0]));
  EXPECT_EQ(write_json(folded.to_json()), write_json(manifest.to_json()));
  // Nothing else about a failed item changes without a retry.
  EXPECT_FALSE(folded.fold({{"gen_book_1", ItemStatus::failed, {}, "other", false}}));
  EXPECT_FALSE(folded.fold({{"gen_book_1", ItemStatus::failed, {}, "held", true}}));
  const std::string named[] = {"gen_book_1"};
  EXPECT_EQ(manifest.retry(named).size(), 1U);
}

TEST(BatchManifest, a_long_list_of_open_items_fits_a_message) {
  std::vector<std::string> refs;
  for (int i = 1; i <= 500; ++i) refs.push_back("gen_book_" + std::to_string(i));
  const BatchManifest manifest = BatchManifest::declare(batch_id(), "books", refs).value();
  const Error error = manifest.check_finished().error();
  EXPECT_LE(error.message.size(), 400U);
  EXPECT_NE(error.message.find("500 of 500"), std::string::npos);
}

TEST(BatchManifest, what_is_no_manifest_is_refused) {
  const std::string good = write_json(three().to_json());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"pending\"", "\"done\""},
                                                        {"gen_book_2", "gen_book_1"},
                                                        {"bat_", "opn_"},
                                                        {"\"status\"", "\"state\""},
                                                        {"\"ref\"", "\"error\":\"x\",\"ref\""},
                                                        {"\"items\":[", "\"items\":[7,"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_FALSE(BatchManifest::from_json(parse_json(bad, JsonLimits::none()).value())) << bad;
  }
  EXPECT_TRUE(BatchManifest::from_json(parse_json(good, JsonLimits::none()).value()));
}

// One random transition; the change it made, if it could be made.
std::optional<ItemMoved> any_move(BatchManifest& manifest, SeededRandom& random) {
  const std::string ref = manifest.items()[random.next_u64() % manifest.items().size()].ref;
  Result<ItemMoved> moved = fail(ErrorCode::bug, "");
  switch (random.next_u64() % 3) {
    case 0: moved = manifest.start(ref); break;
    case 1: moved = manifest.complete(ref, "book_" + std::to_string(random.next_u64() % 9)); break;
    default: moved = manifest.fail_item(ref, "why", random.next_u64() % 2 == 0); break;
  }
  return moved ? std::optional(*moved) : std::nullopt;
}

TEST(BatchManifest, I12_I13_R5_whatever_is_tried_counts_add_up_and_changes_tell_all) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (std::size_t round = 0; round < test_size({20, 100, 5000}); ++round) {
    std::vector<std::string> refs;
    for (std::uint64_t i = random.next_u64() % 6 + 1; i > 0; --i)
      refs.push_back("item_" + std::to_string(i));
    BatchManifest manifest = BatchManifest::declare(batch_id(), "books", refs).value();
    BatchManifest copy = manifest;
    for (int step = 0; step < 40; ++step) {
      const std::vector<BatchItem> before(manifest.items().begin(), manifest.items().end());
      BatchChanges changes;
      if (random.next_u64() % 10 == 0)
        changes = manifest.retry();
      else if (random.next_u64() % 10 == 0)
        changes = manifest.give_up();
      else if (const auto moved = any_move(manifest, random))
        changes.push_back(*moved);
      for (const ItemMoved& change : changes) ASSERT_TRUE(copy.fold(change));
      const BatchCounts counts = manifest.counts();
      ASSERT_EQ(counts.completed + counts.failed + counts.pending + counts.in_progress,
                counts.total);
      for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i].status == ItemStatus::complete) ASSERT_EQ(manifest.items()[i], before[i]);
      ASSERT_EQ(write_json(copy.to_json()), write_json(manifest.to_json()));
      ASSERT_EQ(write_json(BatchManifest::from_json(manifest.to_json()).value().to_json()),
                write_json(manifest.to_json()));
      ASSERT_EQ(manifest.is_finished(), counts.pending + counts.in_progress == 0);
    }
  }
}

}  // namespace
}  // namespace alfred
