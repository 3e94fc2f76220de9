#include "pack/load/pack_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "pack/load/folder_for_tests.h"

namespace alfred {
namespace {

class PackFilesTest : public testing::TestWithParam<NameOpener> {
 protected:
  PackFilesTest() : folder_({{"pack.toml", "x"}, {"texts/one.md", "hello"}}) {}

  Result<std::string> read(const std::string& name) const {
    Result<FolderFiles> files = FolderFiles::open(folder_.path(), GetParam());
    EXPECT_TRUE(files.has_value());
    return files->read(name, "pack.toml:7:1");
  }
  Error error_of(const std::string& name) const {
    const Result<std::string> text = read(name);
    EXPECT_FALSE(text.has_value()) << name;
    return text ? Error{} : text.error();
  }

  FolderForTests folder_;
};

TEST_P(PackFilesTest, R1_plain_names_are_read) {
  EXPECT_EQ(read("pack.toml").value(), "x");
  EXPECT_EQ(read("texts/one.md").value(), "hello");
  folder_.write("texts/one.more.md", "again");
  EXPECT_EQ(read("texts/one.more.md").value(), "again");
}

TEST_P(PackFilesTest, F14_names_that_lead_out_are_refused) {
  for (const char* name : {"../../etc/passwd",
                           "../pack.toml",
                           "texts/../pack.toml",
                           "/etc/passwd",
                           "/etc/x.md",
                           "./pack.toml",
                           "texts//one.md",
                           "pack.yaml",
                           "pack",
                           "",
                           ".md",
                           "texts/.md",
                           "Pack.toml",
                           "pack.toml\n",
                           "pack.toml/",
                           "texts\\one.md",
                           "a b.md",
                           "pack.toml.sh",
                           "a..b.md",
                           "texts/.one.md",
                           "texts./one.md",
                           "-/../x.md",
                           "a.b/.c.md",
                           "one..md"}) {
    const Error error = error_of(name);
    EXPECT_EQ(error.code, ErrorCode::pack) << name;
    EXPECT_EQ(error.path, "pack.toml:7:1") << name;
  }
  EXPECT_EQ(error_of(std::string("pack\0.toml", 10)).code, ErrorCode::pack);
}

TEST_P(PackFilesTest, F14_symbolic_links_are_refused_wherever_they_stand) {
  const FolderForTests outside({{"secret.md", "secret"}});
  std::filesystem::create_symlink(outside.path() + "/secret.md", folder_.path() + "/out.md");
  std::filesystem::create_symlink("pack.toml", folder_.path() + "/in.toml");
  std::filesystem::create_directory_symlink(outside.path(), folder_.path() + "/away");
  for (const char* name : {"out.md", "in.toml", "away/secret.md"}) {
    const Error error = error_of(name);
    EXPECT_EQ(error.code, ErrorCode::pack) << name;
    EXPECT_EQ(error.message.find("secret\n"), std::string::npos);
  }
}

TEST_P(PackFilesTest, F14_large_files_and_things_that_are_no_files_are_refused) {
  folder_.write("fits.md", std::string(kMaxPackFileBytes, 'a'));
  folder_.write("large.md", std::string(kMaxPackFileBytes + 1, 'a'));
  EXPECT_EQ(read("fits.md")->size(), kMaxPackFileBytes);
  EXPECT_NE(error_of("large.md").message.find("more than"), std::string::npos);
  // A file of 2 GB that takes no room: its size alone refuses it.
  folder_.write("huge.md", "");
  std::filesystem::resize_file(folder_.path() + "/huge.md", std::uintmax_t{2} << 30U);
  EXPECT_NE(error_of("huge.md").message.find("more than"), std::string::npos);
  std::filesystem::create_directory(folder_.path() + "/folder.md");
  EXPECT_FALSE(read("folder.md").has_value());
  ASSERT_EQ(::mkfifo((folder_.path() + "/pipe.md").c_str(), 0600), 0);
  EXPECT_FALSE(read("pipe.md").has_value());
}

TEST_P(PackFilesTest, R3_only_utf8_is_read) {
  folder_.write("bytes.md", "\xff\xfe");
  EXPECT_NE(error_of("bytes.md").message.find("UTF-8"), std::string::npos);
}

TEST_P(PackFilesTest, R4_a_file_that_is_not_there_is_named_with_its_place) {
  const Error error = error_of("none.md");
  EXPECT_NE(error.message.find("none.md"), std::string::npos);
  EXPECT_EQ(error.path, "pack.toml:7:1");
}

INSTANTIATE_TEST_SUITE_P(Openers, PackFilesTest,
                         testing::Values(NameOpener::kernel, NameOpener::by_component));

TEST(PackFolder, that_is_not_there_is_an_error_of_the_file) {
  const Result<FolderFiles> files = FolderFiles::open("/nowhere/at/all");
  ASSERT_FALSE(files.has_value());
  EXPECT_EQ(files.error().code, ErrorCode::file);
}

TEST(MemoryFiles, R1_names_are_checked_as_in_a_folder) {
  constexpr std::string_view kText = "hello";
  const std::array<EmbeddedFile, 1> table{
      EmbeddedFile{"shop/one.md", kText.data(), kText.data() + kText.size()}};
  const MemoryFiles files(table, "shop/");
  EXPECT_EQ(files.read("one.md", "p").value(), "hello");
  EXPECT_FALSE(files.read("two.md", "p").has_value());
  EXPECT_FALSE(files.read("../shop/one.md", "p").has_value());
}

}  // namespace
}  // namespace alfred
