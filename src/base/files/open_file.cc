#include "base/files/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace alfred {

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  const OpenFile closed_here(std::exchange(descriptor_, other.release()));
  return *this;
}

OpenFile::~OpenFile() {
  if (is_open()) ::close(descriptor_);
}

int OpenFile::release() { return std::exchange(descriptor_, -1); }

bool OpenFile::read_all(std::string& text) const {
  constexpr std::size_t kLeastRoom = 65536;
  struct stat status = {};
  text.clear();
  // One byte more than the size, so that the end shows without growing the string. Some files have
  // no size and are not empty.
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    text.resize(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t used = 0;
  for (;;) {
    if (text.size() == used) text.resize(std::max(text.capacity(), used + kLeastRoom));
    const ssize_t got = ::read(descriptor_, text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      text.resize(used);
      return got == 0;
    }
    used += static_cast<std::size_t>(got);
  }
}

bool OpenFile::write_all(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor_, text.data(), text.size());
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

OpenFile open_file(const std::string& path, int flags, unsigned mode) {
  int descriptor = -1;
  do descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return OpenFile(descriptor);
}

Unexpected fail_file(std::string_view verb, const std::string& path, int error_number) {
  return fail(ErrorCode::file, fmt::format("Cannot {} {}: {}.", verb, path,
                                           std::generic_category().message(error_number)));
}

std::string follow_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (real) return std::string(real.get());
  // A file that is not there yet, maybe behind links that are.
  constexpr int kMostLinks = 40;
  std::filesystem::path target(path);
  std::error_code fault;
  for (int i = 0; i < kMostLinks; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, fault);
    if (fault) return target.string();
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return path;
}

}  // namespace alfred
