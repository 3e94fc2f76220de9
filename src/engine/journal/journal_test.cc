#include "engine/journal/journal.h"

#include <gtest/gtest.h>

#include "engine/journal/state_file_for_tests.h"
#include "engine/journal/workspace.h"
#include "refs/registry/registry_json.h"

namespace alfred {
namespace {

constexpr Statement kByte[] = {
    "UPDATE alfred_workspace_changes SET changes = replace(changes, '200000003', '200000004')"};
constexpr Statement kTime[] = {
    "UPDATE alfred_workspace_changes SET at_ms = at_ms + 1 WHERE place = 3"};
constexpr Statement kRemoved[] = {"DELETE FROM alfred_workspace_changes WHERE place = 3"};
constexpr Statement kFirst[] = {"DELETE FROM alfred_workspace_changes WHERE place = 1"};
constexpr Statement kRenumbered[] = {
    "DELETE FROM alfred_workspace_changes WHERE place = 3",
    "UPDATE alfred_workspace_changes SET place = 3 WHERE place = 4",
    "UPDATE alfred_workspace_changes SET place = 4 WHERE place = 5"};
constexpr Statement kSwapped[] = {"UPDATE alfred_workspace_changes SET place = 99 WHERE place = 3",
                                  "UPDATE alfred_workspace_changes SET place = 3 WHERE place = 4",
                                  "UPDATE alfred_workspace_changes SET place = 4 WHERE place = 99"};
constexpr Statement kLast[] = {"DELETE FROM alfred_workspace_changes WHERE place = 5"};
constexpr Statement kCut[] = {
    "DELETE FROM alfred_workspace_changes WHERE place = 5",
    "UPDATE alfred_workspaces SET place = 4, hash = (SELECT c.hash FROM alfred_workspace_changes c "
    "WHERE c.workspace = alfred_workspaces.id AND c.place = 4)"};
constexpr Statement kSnapshot[] = {"UPDATE alfred_workspace_snapshots SET hash = 'another'"};
constexpr Statement kNoText[] = {"UPDATE alfred_workspace_changes SET changes = 7 WHERE place = 3",
                                 "UPDATE alfred_workspace_changes SET at_ms = 'x' WHERE place = 3"};

class JournalTest : public testing::Test {
 protected:
  Workspace open() {
    return Workspace::open(file_.store(), {"default", "a database", ""}, clock_).value();
  }
  // An entry with a new row in it.
  void write(Workspace& workspace, std::int64_t key) {
    const auto closure = [&](Tx& tx) -> Result<std::string> {
      if (Result<void> started = workspace.start_write(tx); !started)
        return Unexpected(started.error());
      const TypeNo type = workspace.registry().type_named("book", "books").value();
      workspace.registry().register_read(type, RecordKey::integer(key).view()).value();
      const Changes changes{RefsChanged{workspace.registry().changes()}};
      if (Result<void> kept = workspace.append(tx, changes, clock_); !kept)
        return Unexpected(kept.error());
      return std::string();
    };
    const Result<std::string> written = file_.store().write({std::nullopt, "", {}}, closure);
    ASSERT_TRUE(written) << written.error().message << written.error().detail;
    workspace.settle();
  }
  void write_five() {
    Workspace workspace = open();
    for (std::int64_t key = 200'000'001; key <= 200'000'005; ++key) write(workspace, key);
    id_ = workspace.id();
  }
  Result<JournalHead> verified() {
    Result<JournalHead> head = JournalHead();
    const Result<void> done = file_.store().read({}, [&](Tx& tx) -> Result<void> {
      head = verify_journal(tx, *id_);
      return {};
    });
    EXPECT_TRUE(done);
    return head;
  }
  void expect_found(std::span<const Statement> tampering, std::string_view place) {
    write_five();
    ASSERT_EQ(verified().value().place, 5);
    const Result<std::string> done = file_.tamper(tampering);
    ASSERT_TRUE(done) << done.error().message << done.error().detail;
    const Result<JournalHead> head = verified();
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().code, ErrorCode::corrupt);
    EXPECT_TRUE(head.error().detail.ends_with(" " + std::string(place))) << head.error().detail;
    const Result<Workspace> again =
        Workspace::open(file_.store(), {"default", "a database", ""}, clock_);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::corrupt);
    EXPECT_EQ(again.error().detail, head.error().detail);
  }

  const std::array<StateTables, 1> tables_{workspace_tables()};
  StateFile file_{tables_};
  SystemClock clock_;
  std::optional<WorkspaceId> id_;
};

TEST_F(JournalTest, R1_each_hash_holds_the_one_before_place_time_and_bytes) {
  const JournalHead start = journal_start(WorkspaceId::parse("wsp_000000000001").value());
  EXPECT_EQ(start.hash, "wsp_000000000001");
  const JournalEntry entry = next_entry(start, 5, "[]");
  EXPECT_EQ(entry.place, 1);
  EXPECT_EQ(entry.hash, next_entry(start, 5, "[]").hash);
  EXPECT_NE(entry.hash, next_entry(start, 6, "[]").hash);
  EXPECT_NE(entry.hash, next_entry(start, 5, "[ ]").hash);
  EXPECT_NE(entry.hash, next_entry({1, start.hash}, 5, "[]").hash);
  EXPECT_NE(entry.hash, next_entry({0, "wsp_000000000002"}, 5, "[]").hash);
  EXPECT_EQ(verify(start, std::span(&entry, 1)).value().hash, entry.hash);
}

TEST_F(JournalTest, R2_a_changed_byte_is_found) { expect_found(kByte, "3"); }
TEST_F(JournalTest, R2_a_changed_time_is_found) { expect_found(kTime, "3"); }
TEST_F(JournalTest, R2_a_removed_entry_is_found) { expect_found(kRemoved, "3"); }
TEST_F(JournalTest, R2_a_removed_first_entry_is_found) { expect_found(kFirst, "1"); }
TEST_F(JournalTest, R2_a_removed_entry_is_found_when_others_took_its_place) {
  expect_found(kRenumbered, "3");
}
TEST_F(JournalTest, R2_two_entries_that_were_swapped_are_found) { expect_found(kSwapped, "3"); }
TEST_F(JournalTest, R2_what_is_no_entry_is_found) { expect_found(kNoText, "3"); }

TEST_F(JournalTest, R2_an_entry_that_is_missing_at_the_end_is_found) { expect_found(kLast, "5"); }

TEST_F(JournalTest, R2_who_has_it_open_finds_that_it_was_cut) {
  write_five();
  Workspace workspace = open();
  ASSERT_TRUE(file_.tamper(kCut));
  const Result<void> looked = file_.store().read({}, [&](Tx& tx) -> Result<void> {
    const Result<bool> behind = workspace.is_behind(tx);
    if (!behind) return Unexpected(behind.error());
    return {};
  });
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().code, ErrorCode::corrupt);
  const auto append = [&](Tx& tx) -> Result<std::string> {
    if (Result<void> started = workspace.start_write(tx); !started)
      return Unexpected(started.error());
    if (Result<void> kept = workspace.append(tx, {AnswersApplied{}}, clock_); !kept)
      return Unexpected(kept.error());
    return std::string();
  };
  EXPECT_EQ(file_.store().write({std::nullopt, "", {}}, append).error().code, ErrorCode::corrupt);
}

TEST_F(JournalTest, R2_a_snapshot_of_another_journal_is_found) {
  Workspace workspace = open();
  for (std::int64_t key = 1; key <= 130; ++key) write(workspace, key);
  EXPECT_EQ(open().place(), 130);
  ASSERT_TRUE(file_.tamper(kSnapshot));
  const Result<Workspace> again =
      Workspace::open(file_.store(), {"default", "a database", ""}, clock_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().detail, "the chain breaks at place 129");
}

TEST_F(JournalTest, changes_of_refs_are_written_as_any_other) {
  RefRegistry registry;
  registry.begin();
  const TypeNo type = registry.type_named("book", "books").value();
  registry.register_read(type, RecordKey::text("k\"ey\n").view()).value();
  registry.register_generated(type, "A \"label\"", {1, 2}).value();
  const BatchChanges moved{{{"a \"1\"", ItemStatus::in_progress, {}, {}, false}},
                           {{"a \"1\"", ItemStatus::complete, "book_1", {}, false}},
                           {{"b", ItemStatus::failed, {}, "why", true}},
                           {{"c", ItemStatus::failed, {}, "not", false}}};
  const Changes changes{RefsChanged{registry.changes()}, TurnFailed{{"a", "b", std::nullopt}},
                        ItemsMoved{"bat_1", moved}, ItemsMoved{"bat_1", {}}};
  std::string expected;
  for (const Change& change : changes)
    expected += (expected.empty() ? "[" : ",") + write_json(change_json(change));
  expected += "]";
  EXPECT_EQ(write_changes(changes), expected);
  EXPECT_EQ(write_changes(read_changes(expected).value()), expected);
}

}  // namespace
}  // namespace alfred
