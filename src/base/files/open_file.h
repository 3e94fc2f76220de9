// A file descriptor that closes itself, and the two loops around read(2) and write(2).
// For the files of this folder that talk to the system.
#pragma once

#include <string>
#include <string_view>

#include "alfred/error.h"

namespace alfred {

class OpenFile {
 public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(other.release()) {}
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  int release();

  bool read_all(std::string& text) const;       // false with errno set
  bool write_all(std::string_view text) const;  // false with errno set

 private:
  int descriptor_;
};

// open(2), tried again when a signal interrupts it, never inherited by a child program.
OpenFile open_file(const std::string& path, int flags, unsigned mode = 0);

// ErrorCode::file: "Cannot <verb> <path>: <text of error_number>."
Unexpected fail_file(std::string_view verb, const std::string& path, int error_number);

// `path` with its symbolic links followed, as far as it exists.
std::string follow_links(const std::string& path);

}  // namespace alfred
