// A folder with files that is gone when the test is over.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

namespace alfred {

class FolderForTests {
 public:
  FolderForTests(std::initializer_list<std::pair<const std::string, std::string>> files)
      : FolderForTests(std::map<std::string, std::string>(files)) {}
  explicit FolderForTests(const std::map<std::string, std::string>& files) {
    std::string name = (std::filesystem::temp_directory_path() / "alfred-pack-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
    for (const auto& [file, text] : files) write(file, text);
  }
  ~FolderForTests() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FolderForTests(const FolderForTests&) = delete;
  FolderForTests& operator=(const FolderForTests&) = delete;

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(path_) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace alfred
