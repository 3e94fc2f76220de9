#include "pack/load/pack_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 4> kEndings{".md", ".toml", ".sql", ".json"};
// Not waiting for a writer: a pipe in the place of a file is refused, not read.
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_file_of_a_pack(std::string_view name) {
  const auto ending = std::find_if(kEndings.begin(), kEndings.end(),
                                   [&](std::string_view end) { return name.ends_with(end); });
  if (ending == kEndings.end()) return false;
  const std::string_view stem = name.substr(0, name.size() - ending->size());
  // A point or a slash stands between two other characters.
  for (std::size_t i = 0; i < stem.size(); ++i) {
    if (is_plain(stem[i])) continue;
    const bool is_between =
        i > 0 && i + 1 < stem.size() && is_plain(stem[i - 1]) && is_plain(stem[i + 1]);
    if ((stem[i] != '/' && stem[i] != '.') || !is_between) return false;
  }
  return !stem.empty();
}

Unexpected cannot_read(const std::string& name, const std::string& place, std::string_view why) {
  return fail(ErrorCode::pack, fmt::format("Cannot read \"{}\" of the pack: {}.", name, why),
              place);
}

std::string system_reason(int error_number) {
  if (error_number == ELOOP) return "a symbolic link is on the way, and packs have none";
  if (error_number == EXDEV) return "the name leads out of the pack's folder";
  return std::generic_category().message(error_number);
}

template <class Open>
OpenFile retried(Open open) {
  int descriptor = -1;
  do descriptor = open();
  while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  return OpenFile(descriptor);
}

OpenFile open_one(int folder, const std::string& name, int flags) {
  return retried([&] { return ::openat(folder, name.c_str(), flags); });
}

OpenFile open_by_component(int folder, std::string_view name) {
  OpenFile at;
  int current = folder;
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/')) {
    OpenFile next = open_one(current, std::string(name.substr(0, slash)),
                             O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!next.is_open()) return next;
    at = std::move(next);
    current = at.descriptor();
    name.remove_prefix(slash + 1);
  }
  return open_one(current, std::string(name), kFileFlags);
}

// Up to one byte more than is allowed, so that a file that grows meanwhile is noticed.
bool read_bounded(int descriptor, std::string& out) {
  std::array<char, 65536> part;
  while (out.size() <= kMaxPackFileBytes) {
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    out.append(part.data(), static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace

Result<std::string> PackFiles::read(std::string_view name, const std::string& place) const {
  const std::string wanted(name);
  if (!is_file_of_a_pack(name))
    return fail(ErrorCode::pack,
                fmt::format("\"{}\" cannot be the name of a file in a pack: names are relative, of "
                            "lower-case letters, digits, _ - . and /, and end in .md, .toml, .sql "
                            "or .json.",
                            wanted),
                place);
  Result<std::string> text = read_named(wanted, place);
  if (!text) return text;
  if (text->size() > kMaxPackFileBytes)
    return cannot_read(wanted, place, fmt::format("it has more than {} bytes", kMaxPackFileBytes));
  if (!is_utf8(*text)) return cannot_read(wanted, place, "it is not UTF-8");
  return text;
}

Result<FolderFiles> FolderFiles::open(const std::string& folder, NameOpener opener) {
  OpenFile opened = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open()) return fail_file("open the pack", folder, errno);
  return FolderFiles(std::move(opened), opener);
}

OpenFile FolderFiles::open_name(const std::string& name) const {
  if (opener_ == NameOpener::kernel) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(kFileFlags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    OpenFile opened = retried([&] {
      return static_cast<int>(
          ::syscall(SYS_openat2, folder_.descriptor(), name.c_str(), &how, sizeof(how)));
    });
    // An old kernel, or a sandbox that does not know the call.
    if (opened.is_open() || (errno != ENOSYS && errno != EPERM)) return opened;
  }
  return open_by_component(folder_.descriptor(), name);
}

Result<std::string> FolderFiles::read_named(const std::string& name,
                                            const std::string& place) const {
  const OpenFile file = open_name(name);
  if (!file.is_open()) return cannot_read(name, place, system_reason(errno));
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0)
    return cannot_read(name, place, system_reason(errno));
  if (!S_ISREG(status.st_mode)) return cannot_read(name, place, "it is no plain file");
  if (status.st_size > static_cast<off_t>(kMaxPackFileBytes))
    return cannot_read(name, place, fmt::format("it has more than {} bytes", kMaxPackFileBytes));
  std::string text;
  if (!read_bounded(file.descriptor(), text)) return cannot_read(name, place, system_reason(errno));
  return text;
}

Result<std::string> MemoryFiles::read_named(const std::string& name,
                                            const std::string& place) const {
  const std::string wanted = head_ + name;
  for (const EmbeddedFile& file : files_)
    if (file.name == wanted) return std::string(file.begin, file.end);
  return cannot_read(name, place, "there is no such file in it");
}

}  // namespace alfred
