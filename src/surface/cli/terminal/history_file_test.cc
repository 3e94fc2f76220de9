#include "surface/cli/terminal/history_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "pack/load/folder_for_tests.h"

namespace alfred::cli {
namespace {

TEST(HistoryFile, R1_lines_come_back_in_their_order_from_a_file_for_one) {
  const FolderForTests folder({});
  const std::string path = folder.path() + "/state/history";
  EXPECT_TRUE(read_history(path).empty());
  ASSERT_TRUE(append_history(path, "one"));
  ASSERT_TRUE(append_history(path, "two\nlines"));
  EXPECT_EQ(read_history(path), (std::vector<std::string>{"one", "two lines"}));
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat((folder.path() + "/state").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0700U);
}

TEST(HistoryFile, R4_it_does_not_grow_for_ever) {
  const FolderForTests folder({});
  std::string text;
  for (std::size_t i = 0; i < 2 * kHistoryLines; ++i) text += std::to_string(i) + "\n";
  folder.write("history", text);
  const std::vector<std::string> lines = read_history(folder.path() + "/history");
  ASSERT_EQ(lines.size(), kHistoryLines);
  EXPECT_EQ(lines.front(), std::to_string(kHistoryLines));
  EXPECT_LT(read_file(folder.path() + "/history").value().size(), text.size());
}

}  // namespace
}  // namespace alfred::cli
