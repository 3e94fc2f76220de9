#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/files/file.h"
#include "base/files/kept_lock.h"

namespace alfred {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

enum class Attempt : std::uint8_t { locked, held_by_other, failed };

Attempt try_lock(const OpenFile& file) {
  while (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Attempt::held_by_other;
    if (errno != EINTR) return Attempt::failed;
  }
  return Attempt::locked;
}

// Behind the holder's line: that somebody waits. Who holds the lock again and again reads it, and
// stands back once for longer than those who wait rest.
constexpr std::size_t kMarkAt = 11;
constexpr char kWaits = 'w';
constexpr milliseconds kLongestRest{4};
constexpr milliseconds kStandsBack{6};

void mark(const OpenFile& file, char sign) {
  if (::pwrite(file.descriptor(), &sign, 1, kMarkAt) < 0) return;  // then they have to be lucky
}

struct Waited {
  Attempt attempt;
  bool has_waited;
};

// flock has no time limit of its own, so it is asked again and again.
Waited lock_before(const OpenFile& file, steady_clock::time_point deadline) {
  milliseconds rest{1};
  for (bool has_waited = false;; has_waited = true) {
    const Attempt attempt = try_lock(file);
    const auto now = steady_clock::now();
    if (attempt != Attempt::held_by_other || now >= deadline) return {attempt, has_waited};
    mark(file, kWaits);
    const auto left = std::chrono::ceil<milliseconds>(deadline - now);
    std::this_thread::sleep_for(std::min(rest, left));
    rest = std::min(rest * 2, kLongestRest);
  }
}

// The holder writes its process id into the lock file, for the waiter's error only. That it could
// not is no reason to refuse the lock. Always as many bytes, and only where it is not there yet: a
// file that is cut and written again makes some file systems wait for the disk. Whether somebody
// waits.
bool sign(const OpenFile& file) {
  const std::string line = fmt::format("{:<10}\n", ::getpid());
  std::array<char, 16> there{};
  const ssize_t size = ::pread(file.descriptor(), there.data(), there.size(), 0);
  const std::string_view text(there.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (!text.starts_with(line) && ::pwrite(file.descriptor(), line.data(), line.size(), 0) < 0)
    return false;
  const bool is_marked = text.size() > kMarkAt && text[kMarkAt] == kWaits;
  if (is_marked) mark(file, ' ');
  return is_marked;
}

std::string holder(const OpenFile& file) {
  std::string line;
  if (::lseek(file.descriptor(), 0, SEEK_SET) != 0 || !file.read_all(line))
    return "another process";
  const std::string digits = line.substr(0, line.find_first_not_of("0123456789"));
  return digits.empty() ? "another process" : "process " + digits;
}

// Waits for the lock of `path`, of whose lock file `file` is. Whether others wait for it who came
// before this one.
Result<bool> lock_open(const std::string& path, const std::string& lock_path, const OpenFile& file,
                       int timeout_ms) {
  const Waited waited = lock_before(file, steady_clock::now() + milliseconds{timeout_ms});
  switch (waited.attempt) {
    case Attempt::locked: break;
    case Attempt::failed: return fail_file("lock", lock_path, errno);
    case Attempt::held_by_other:
      return fail(ErrorCode::busy,
                  fmt::format("{} is in use by {}; waited {} ms. Try again when it is done.", path,
                              holder(file), timeout_ms));
  }
  // Who waited itself finds its own mark. Others make theirs again.
  return sign(file) && !waited.has_waited;
}

OpenFile open_lock(const std::string& lock_path) {
  return open_file(lock_path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
}

bool has_name(const OpenFile& file) {
  struct stat now {};
  return ::fstat(file.descriptor(), &now) == 0 && now.st_nlink > 0;
}

}  // namespace

Result<FileLock> lock_file(const std::string& path, int timeout_ms) {
  const std::string lock_path = follow_links(path) + ".lock";
  OpenFile file = open_lock(lock_path);
  if (!file.is_open()) return fail_file("lock", lock_path, errno);
  if (Result<bool> locked = lock_open(path, lock_path, file, timeout_ms); !locked)
    return Unexpected(std::move(locked).error());
  return FileLock(std::move(file));
}

Result<KeptLock::Held> KeptLock::hold(int timeout_ms) {
  if (std::exchange(stands_back_, false)) std::this_thread::sleep_for(kStandsBack);
  for (;;) {
    if (!file_.is_open()) {
      lock_path_ = follow_links(path_) + ".lock";
      file_ = open_lock(lock_path_);
    }
    if (!file_.is_open()) return fail_file("lock", lock_path_, errno);
    const Result<bool> do_others_wait = lock_open(path_, lock_path_, file_, timeout_ms);
    if (!do_others_wait) return Unexpected(do_others_wait.error());
    stands_back_ = *do_others_wait;
    if (has_name(file_)) return Held(&file_);
    file_ = OpenFile();  // somebody took the file away: others lock the one in its place
  }
}

KeptLock::Held::~Held() {
  if (file_ == nullptr) return;
  while (::flock(file_->descriptor(), LOCK_UN) != 0 && errno == EINTR) {
  }
}

}  // namespace alfred
