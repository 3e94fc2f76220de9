#include "engine/workspace.h"

#include "engine/place_for_tests.h"
#include "refs/registry_json.h"

namespace alfred {
namespace {

class WorkspaceTest : public ::testing::Test {
 protected:
  WorkspaceTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "alfred-wsp-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    const StateTables tables[] = {workspace_tables()};
    StoreOptions options;
    options.is_ours = true;
    options.tables = tables;
    store_ = open_state(folder_ + "/state.db", options).value();
  }
  ~WorkspaceTest() override { std::filesystem::remove_all(folder_); }

  Workspace open(const std::string& name = "default", const std::string& user = "") {
    return Workspace::open(*store_, {name, "a database", user}, clock_).value();
  }
  // Registers a row and keeps it.
  void read_row(Workspace& workspace, std::int64_t key) {
    workspace.begin();
    const auto write = [&](Tx& tx) -> Result<std::string> {
      workspace.rollback();
      if (const auto caught_up = workspace.catch_up(tx); !caught_up)
        return Unexpected(caught_up.error());
      const TypeNo type = workspace.registry().type_named("book", "books").value();
      const RecordKey row = RecordKey::integer(key);
      workspace.registry().register_read(type, row.view()).value();
      const WorkspaceChanges changes{.refs = workspace.registry().changes()};
      if (Result<void> kept = workspace.append(tx, changes, clock_); !kept)
        return Unexpected(kept.error());
      return std::string();
    };
    ASSERT_TRUE(store_->write({std::nullopt, "", {}}, write));
    workspace.settle();
  }

  std::string folder_;
  SystemClock clock_;
  std::unique_ptr<StateStore> store_;
};

TEST_F(WorkspaceTest, R1_its_state_is_the_snapshot_and_the_changes_after_it) {
  Workspace workspace = open();
  for (std::int64_t key = 1; key <= 300; ++key) read_row(workspace, key);  // two snapshots
  const Workspace again = open();
  EXPECT_EQ(RegistryJson::write(again.registry()), RegistryJson::write(workspace.registry()));
  EXPECT_EQ(again.registry().size(), 300U);
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

TEST_F(WorkspaceTest, changes_that_cannot_be_read_are_said_and_left) {
  const Result<WorkspaceChanges> changes = read_workspace_changes("{\"refs\":[{\"x\":1}]}");
  ASSERT_FALSE(changes);
  EXPECT_EQ(changes.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace alfred
