#include "engine/journal/workspace.h"

#include <gtest/gtest.h>

#include "engine/journal/state_file_for_tests.h"
#include "refs/registry/registry_json.h"

namespace alfred {
namespace {

class WorkspaceTest : public ::testing::Test {
 protected:
  Workspace open(const std::string& name = "default", const std::string& user = "") {
    return Workspace::open(file_.store(), {name, "a database", user}, clock_).value();
  }
  using Act = std::function<Changes(Workspace&)>;
  Result<std::string> write(Workspace& workspace, const Act& act, bool is_failing = false) {
    const auto closure = [&](Tx& tx) -> Result<std::string> {
      if (Result<void> started = workspace.start_write(tx); !started)
        return Unexpected(started.error());
      if (Result<void> kept = workspace.append(tx, act(workspace), clock_); !kept)
        return Unexpected(kept.error());
      if (is_failing) return fail(ErrorCode::storage, "the disk is gone");
      return std::string();
    };
    Result<std::string> written = file_.store().write({std::nullopt, "", {}}, closure);
    if (written)
      workspace.settle();
    else
      workspace.rollback();
    return written;
  }
  // Registers a row and keeps it.
  void read_row(Workspace& workspace, std::int64_t key) {
    const Result<std::string> written = write(workspace, [&](Workspace& at) -> Changes {
      const TypeNo type = at.registry().type_named("book", "books").value();
      at.registry().register_read(type, RecordKey::integer(key).view()).value();
      return {RefsChanged{at.registry().changes()}};
    });
    ASSERT_TRUE(written) << written.error().message << written.error().detail;
  }
  static Changes note(Workspace& workspace, const std::string& value) {
    Changes changes{PermanentConstraintsSet{{{.type = "note", .value = Json(value)}}}};
    EXPECT_TRUE(apply_change(workspace.spoil(), changes.front()));
    return changes;
  }

  const std::array<StateTables, 1> tables_{workspace_tables()};
  StateFile file_{tables_};
  SystemClock clock_;
};

TEST_F(WorkspaceTest, R1_its_state_is_the_snapshot_and_the_changes_after_it) {
  Workspace workspace = open();
  for (std::int64_t key = 1; key <= 300; ++key) read_row(workspace, key);  // two snapshots
  const Workspace again = open();
  EXPECT_EQ(write_session(again.state()), write_session(workspace.state()));
  EXPECT_EQ(again.registry().size(), 300U);
  EXPECT_EQ(again.place(), 300);
}

TEST_F(WorkspaceTest, R3_each_catches_up_with_the_others) {
  Workspace one = open();
  Workspace other = open();
  EXPECT_EQ(one.id(), other.id());
  read_row(one, 1);
  read_row(other, 2);
  read_row(one, 3);
  EXPECT_EQ(RegistryJson::write(open().registry()), RegistryJson::write(one.registry()));
  EXPECT_EQ(one.registry().size(), 3U);
  EXPECT_EQ(other.registry().size(), 2U);
}

TEST_F(WorkspaceTest, R4_a_name_is_one_for_each_user_and_database) {
  Workspace mine = open("default", "me");
  read_row(mine, 1);
  EXPECT_EQ(open("default", "you").registry().size(), 0U);
  EXPECT_EQ(open("other", "me").registry().size(), 0U);
  EXPECT_EQ(open("default", "me").registry().size(), 1U);
}

// A snapshot is due by bytes long before it is by operations.
TEST_F(WorkspaceTest, R6_large_changes_are_folded_in_few_when_it_is_opened) {
  Workspace workspace = open();
  const std::string large(40'000, 'x');
  for (int i = 0; i < 6; ++i)
    ASSERT_TRUE(write(workspace, [&](Workspace& at) { return note(at, large); }));
  EXPECT_EQ(write_session(open().state()), write_session(workspace.state()));
  // Nothing is folded but what came after the snapshot: what is before it may be unreadable.
  constexpr Statement kSpoil[] = {
      "UPDATE alfred_workspace_changes SET changes = 'x' WHERE place <= 3"};
  ASSERT_TRUE(file_.tamper(kSpoil));
  EXPECT_EQ(write_session(open().state()), write_session(workspace.state()));
}

TEST_F(WorkspaceTest, R7_a_state_that_a_failed_write_spoilt_is_loaded_again) {
  Workspace workspace = open();
  ASSERT_TRUE(write(workspace, [&](Workspace& at) { return note(at, "kept"); }));
  const std::string before = write_session(workspace.state());
  EXPECT_FALSE(write(
      workspace, [&](Workspace& at) { return note(at, "lost"); }, true));
  EXPECT_TRUE(workspace.is_spoilt());
  read_row(workspace, 1);
  EXPECT_FALSE(workspace.is_spoilt());
  EXPECT_EQ(workspace.state().facts.constraints.permanent.at(0).value, Json("kept"));
  EXPECT_EQ(write_session(open().state()), write_session(workspace.state()));
  EXPECT_NE(write_session(workspace.state()), before);
}

// Two in one process may be written in one transaction; the second has then folded in what the
// first wrote, and both are gone.
TEST_F(WorkspaceTest, R7_what_was_folded_in_from_a_write_that_failed_is_gone_too) {
  Workspace one = open();
  Workspace other = open();
  read_row(one, 1);
  const auto nothing = [](Workspace&) -> Changes { return {}; };
  EXPECT_FALSE(write(other, nothing, true));
  EXPECT_TRUE(other.is_spoilt());
  EXPECT_TRUE(write(other, nothing));
  EXPECT_EQ(other.registry().size(), 1U);
}

TEST_F(WorkspaceTest, the_journal_tells_whether_what_was_appended_is_there) {
  Workspace workspace = open();
  const auto is_there = [&] {
    bool out = false;
    EXPECT_TRUE(file_.store().read({}, [&](Tx& tx) -> Result<void> {
      out = workspace.has_appended(tx).value();
      return {};
    }));
    return out;
  };
  const auto append = [&](bool is_failing) {
    const auto closure = [&](Tx& tx) -> Result<std::string> {
      EXPECT_TRUE(workspace.start_write(tx));
      EXPECT_TRUE(workspace.append(tx, note(workspace, "ours"), clock_));
      if (is_failing) return fail(ErrorCode::storage, "the disk is gone");
      return std::string();
    };
    return file_.store().write({std::nullopt, "", {}}, closure).has_value();
  };
  EXPECT_TRUE(is_there());  // nothing was to be appended
  EXPECT_FALSE(append(true));
  EXPECT_FALSE(is_there());
  // Another entry stands in its place.
  Workspace other = open();
  ASSERT_TRUE(write(other, [&](Workspace& at) { return note(at, "theirs"); }));
  EXPECT_FALSE(is_there());
  EXPECT_TRUE(append(false));
  EXPECT_TRUE(is_there());
}

TEST_F(WorkspaceTest, changes_that_cannot_be_read_are_said_and_left) {
  const Result<Changes> changes = read_changes(R"([{"change":"refs_changed","refs":[{"x":1}]}])");
  ASSERT_FALSE(changes);
  EXPECT_EQ(changes.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace alfred
