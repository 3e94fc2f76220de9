#include "base/files/file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <istream>
#include <optional>

#include <fmt/format.h>

namespace alfred {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Random, so that nobody can lay a file or link in its way; without the target's name, which may
// already be as long as a name can be.
std::optional<std::string> temporary_name(const std::string& directory) {
  std::array<std::uint64_t, 2> random{};
  if (::getrandom(random.data(), sizeof random, 0) != static_cast<ssize_t>(sizeof random))
    return std::nullopt;
  return fmt::format("{}/.alfred-{:016x}{:016x}.tmp", directory, random[0], random[1]);
}

// A file of this directory that has no name yet: when its writer is killed, nothing of it is left.
// Not open where the system has no such files, or no way to name them.
OpenFile open_unnamed(const std::string& directory) {
  if (::access("/proc/self/fd", X_OK) != 0) return OpenFile();
  return open_file(directory, O_TMPFILE | O_WRONLY, 0600);
}
bool give_name(const OpenFile& file, const std::string& name) {
  const std::string itself = fmt::format("/proc/self/fd/{}", file.descriptor());
  return ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Removes the file again, if it has its name already, unless it was renamed to its final one.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  bool rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
};

// What the new file takes over from the one it replaces.
bool take_over(const OpenFile& file, const std::optional<struct stat>& old, mode_t mode) {
  if (!old) return ::fchmod(file.descriptor(), mode) == 0;
  // Only a privileged user may give files away; for others the file becomes their own, as with any
  // editor that replaces files. Bits for a group are kept only with the group they were meant for.
  const bool has_group = ::fchown(file.descriptor(), old->st_uid, old->st_gid) == 0 ||
                         ::fchown(file.descriptor(), static_cast<uid_t>(-1), old->st_gid) == 0;
  const mode_t kept = has_group ? 0777 : 0700;
  return ::fchmod(file.descriptor(), old->st_mode & kept) == 0;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const OpenFile file = open_file(path, O_RDONLY);
  std::string text;
  if (!file.is_open() || !file.read_all(text)) return fail_file("read", path, errno);
  return text;
}

Result<std::string> read_stream(std::istream& in) {
  if (in.fail()) return fail_file("read", "the input stream", EIO);
  std::string text;
  std::array<char, 65536> room;
  try {
    // From the buffer itself: the stream would hide a failed read, or throw at the end.
    while (const std::streamsize got = in.rdbuf()->sgetn(room.data(), room.size()))
      text.append(room.data(), static_cast<std::size_t>(got));
  } catch (const std::exception& error) {
    Unexpected failure = fail_file("read", "the input stream", EIO);
    failure.value().detail = error.what();
    return failure;
  }
  return text;
}

Result<void> write_file_atomically(const std::string& path, std::string_view text, mode_t mode) {
  const std::string target = follow_links(path);
  std::optional<struct stat> old(std::in_place);
  if (::stat(target.c_str(), &*old) != 0) old.reset();
  if (old && !S_ISREG(old->st_mode))
    return fail_file("replace", path, S_ISDIR(old->st_mode) ? EISDIR : EINVAL);

  const std::string directory_path = directory_of(target);
  const OpenFile directory = open_file(directory_path, O_RDONLY | O_DIRECTORY);
  if (!directory.is_open()) return fail_file("write", path, errno);
  const std::optional<std::string> name = temporary_name(directory_path);
  if (!name) return fail_file("write", path, errno);
  OpenFile file = open_unnamed(directory_path);
  const bool is_unnamed = file.is_open();
  if (!is_unnamed) file = open_file(*name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file.is_open()) return fail_file("write", path, errno);

  Temporary temporary(*name);
  if (!file.write_all(text) || !take_over(file, old, mode) || ::fsync(file.descriptor()) != 0 ||
      (is_unnamed && !give_name(file, *name)) || !temporary.rename_to(target))
    return fail_file("write", path, errno);
  // Some file systems cannot sync a directory and say EINVAL; they have nothing to sync either.
  if (::fsync(directory.descriptor()) != 0 && errno != EINVAL)
    return fail_file("make durable the change of", path, errno);
  return {};
}

}  // namespace alfred
