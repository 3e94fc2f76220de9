// The files of a pack: read by name from a folder, or from the program itself.
//
// R1 a name is relative, of words [a-z0-9_-]+ with one / or . between two of them, and ends in .md, .toml,
//    .sql or .json; nothing else is opened.
// R2 no name leads out of the folder and no symbolic link is followed below it.
// R3 only plain files of at most 1 MiB in UTF-8 are read.
// R4 whoever asks says where the name stands ("pack.toml:7:9"); errors name that place.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "alfred/error.h"
#include "base/files/embedded_file.h"
#include "base/files/open_file.h"

namespace alfred {

inline constexpr std::size_t kMaxPackFileBytes = std::size_t{1} << 20;

class PackFiles {
 public:
  virtual ~PackFiles() = default;
  Result<std::string> read(std::string_view name, const std::string& place) const;

 private:
  virtual Result<std::string> read_named(const std::string& name,
                                         const std::string& place) const = 0;
};

// How names below a folder are opened: by openat2(2), or one component at a time where the kernel
// has no such call.
enum class NameOpener : std::uint8_t { kernel, by_component };

class FolderFiles final : public PackFiles {
 public:
  static Result<FolderFiles> open(const std::string& folder,
                                  NameOpener opener = NameOpener::kernel);

 private:
  FolderFiles(OpenFile folder, NameOpener opener) : folder_(std::move(folder)), opener_(opener) {}
  Result<std::string> read_named(const std::string& name, const std::string& place) const override;
  OpenFile open_name(const std::string& name) const;

  OpenFile folder_;
  NameOpener opener_;
};

// The packs that are part of the program, by name.
std::span<const EmbeddedFile> embedded_files();

class MemoryFiles final : public PackFiles {
 public:
  // Files whose names begin with `head` ("bookshelf/"); the bytes must outlive this object.
  MemoryFiles(std::span<const EmbeddedFile> files, std::string head)
      : files_(files), head_(std::move(head)) {}

 private:
  Result<std::string> read_named(const std::string& name, const std::string& place) const override;

  std::span<const EmbeddedFile> files_;
  std::string head_;
};

}  // namespace alfred
