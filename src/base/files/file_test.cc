#include "base/files/file.h"
#include "base/files/kept_lock.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace alfred {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "alfred-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string in_directory(const std::string& name) const { return directory_ / name; }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(directory_))
      out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }

  fs::path directory_;
};

using Names = std::vector<std::string>;

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

// The code and whether the message names the path and the reason.
void expect_file_error(const Error& error, const std::string& path, const std::string& reason,
                       ErrorCode code = ErrorCode::file) {
  EXPECT_EQ(error.code, code);
  EXPECT_NE(error.message.find(path), std::string::npos) << error.message;
  EXPECT_NE(error.message.find(reason), std::string::npos) << error.message;
}

TEST_F(Files, what_is_written_is_read) {
  const std::string path = in_directory("a.json");
  for (const std::string& text : {std::string("{}\n"), std::string(), std::string("a\0b\xFF", 4),
                                  std::string(300'000, 'x')}) {
    ASSERT_TRUE(write_file_atomically(path, text));
    EXPECT_EQ(*read_file(path), text);
  }
  EXPECT_EQ(names(), Names{"a.json"});
}

TEST_F(Files, a_pipe_is_read_to_its_end) {
  const std::string path = in_directory("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << std::string(200'000, 'p'); });
  const Result<std::string> text = read_file(path);
  writer.join();
  EXPECT_EQ(*text, std::string(200'000, 'p'));
}

TEST_F(Files, R6_reading_what_is_not_there_names_path_and_reason) {
  const std::string path = in_directory("missing.json");
  expect_file_error(read_file(path).error(), path, "No such file or directory");
  expect_file_error(read_file(directory_).error(), directory_, "Is a directory");
}

TEST_F(Files, streams_are_read_to_their_end) {
  std::istringstream empty;
  EXPECT_EQ(*read_stream(empty), "");
  std::istringstream large(std::string(200'000, 's'));
  EXPECT_EQ(read_stream(large)->size(), 200'000U);
  std::ifstream missing(in_directory("missing"));
  EXPECT_EQ(read_stream(missing).error().code, ErrorCode::file);
  std::ifstream unreadable(directory_);
  EXPECT_EQ(read_stream(unreadable).error().code, ErrorCode::file);
  std::istringstream throwing("abc");
  throwing.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
  EXPECT_EQ(*read_stream(throwing), "abc");
}

TEST_F(Files, R3_a_new_file_has_the_mode_asked_for_and_an_old_one_keeps_its_own) {
  const mode_t umask_before = ::umask(0077);
  ASSERT_TRUE(write_file_atomically(in_directory("private"), "1"));
  ASSERT_TRUE(write_file_atomically(in_directory("public"), "1", 0644));
  ::umask(umask_before);
  EXPECT_EQ(mode_of(in_directory("private")), 0600U);
  EXPECT_EQ(mode_of(in_directory("public")), 0644U);
  ASSERT_EQ(::chmod(in_directory("public").c_str(), 0640), 0);
  ASSERT_TRUE(write_file_atomically(in_directory("public"), "2", 0600));
  EXPECT_EQ(mode_of(in_directory("public")), 0640U);
}

TEST_F(Files, R4_a_symbolic_link_stays_one) {
  ASSERT_TRUE(write_file_atomically(in_directory("real"), "old"));
  fs::create_symlink("real", in_directory("link"));
  ASSERT_TRUE(write_file_atomically(in_directory("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(in_directory("link")));
  EXPECT_EQ(*read_file(in_directory("real")), "new");
}

TEST_F(Files, R1_a_reader_sees_the_old_text_or_the_new_one) {
  const std::string path = in_directory("file");
  const std::string texts[] = {std::string(100'000, 'a'), std::string(150'000, 'b')};
  ASSERT_TRUE(write_file_atomically(path, texts[0]));
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    for (int i = 0; i < 40; ++i) EXPECT_TRUE(write_file_atomically(path, texts[i % 2]));
    is_done = true;
  });
  while (!is_done) {
    const Result<std::string> seen = read_file(path);
    EXPECT_TRUE(seen && (*seen == texts[0] || *seen == texts[1]));
  }
  writer.join();
}

TEST_F(Files, R2_a_failed_write_leaves_the_old_file_and_nothing_beside_it) {
  const std::string path = in_directory("file");
  ASSERT_TRUE(write_file_atomically(path, "old"));
  // A limit on file sizes is what a full disk looks like: some bytes are written, then no more.
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {4096, before.rlim_max};
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<void> written = write_file_atomically(path, std::string(10'000, 'n'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, signal_before);
  ASSERT_FALSE(written);
  expect_file_error(written.error(), path, "File too large");
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(names(), Names{"file"});
}

TEST_F(Files, R2_who_is_killed_while_writing_leaves_nothing_beside_the_file) {
  if (!OpenFile(open_file(directory_, O_TMPFILE | O_WRONLY, 0600)).is_open())
    GTEST_SKIP() << "no files without a name on this file system";
  const std::string path = in_directory("file");
  ASSERT_TRUE(write_file_atomically(path, "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit small = {4096, 4096};
    std::signal(SIGXFSZ, SIG_DFL);
    ::setrlimit(RLIMIT_FSIZE, &small);
    static_cast<void>(write_file_atomically(path, std::string(10'000, 'n')));
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(names(), Names{"file"});
}

TEST_F(Files, R2_R6_what_cannot_be_written_is_refused_by_name) {
  const std::string lost = in_directory("no/such/file");
  expect_file_error(write_file_atomically(lost, "x").error(), lost, "No such file or directory");
  expect_file_error(write_file_atomically(directory_, "x").error(), directory_, "Is a directory");
  expect_file_error(write_file_atomically("/dev/null", "x").error(), "/dev/null",
                    "Invalid argument");
  const std::string long_name = in_directory(std::string(300, 'n'));
  expect_file_error(write_file_atomically(long_name, "x").error(), long_name, "File name too long");
  ASSERT_TRUE(write_file_atomically(in_directory(std::string(255, 'n')), "x"));
  EXPECT_EQ(names().size(), 1U);
}

TEST_F(Files, R5_a_waiter_gives_up_and_names_the_file_and_its_holder) {
  const std::string path = in_directory("file");
  std::optional<Result<FileLock>> held = lock_file(path, 0);
  ASSERT_TRUE(*held);
  for (const int timeout_ms : {0, 30}) {
    const Result<FileLock> waiter = lock_file(path, timeout_ms);
    ASSERT_FALSE(waiter);
    expect_file_error(waiter.error(), path, "process " + std::to_string(::getpid()),
                      ErrorCode::busy);
  }
  FileLock moved = std::move(**held);
  held.reset();
  EXPECT_FALSE(lock_file(path, 0));
  { const FileLock released = std::move(moved); }
  EXPECT_TRUE(lock_file(path, 0));
}

TEST_F(Files, R4_R5_a_link_and_its_file_share_one_lock) {
  ASSERT_TRUE(write_file_atomically(in_directory("real"), "x"));
  fs::create_symlink("real", in_directory("link"));
  const Result<FileLock> held = lock_file(in_directory("real"), 0);
  ASSERT_TRUE(held);
  EXPECT_FALSE(lock_file(in_directory("link"), 0));
  EXPECT_TRUE(lock_file(in_directory("other"), 0));
}

TEST_F(Files, R5_R6_a_lock_in_no_directory_is_an_error) {
  const std::string path = in_directory("no/file");
  expect_file_error(lock_file(path, 0).error(), path, "No such file or directory");
}

// Adds one to the number in the file, `times` times; true if every step worked.
bool count_up(const std::string& path, int times) {
  for (int i = 0; i < times; ++i) {
    const Result<FileLock> lock = lock_file(path, 10'000);
    const Result<std::string> text = read_file(path);
    if (!lock || !text) return false;
    if (!write_file_atomically(path, std::to_string(std::stoi(*text) + 1))) return false;
  }
  return true;
}

TEST_F(Files, R5_two_processes_do_not_lose_each_others_changes) {
  const std::string path = in_directory("count");
  ASSERT_TRUE(write_file_atomically(path, "0"));
  constexpr int kTimes = 40;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(count_up(path, kTimes) ? 0 : 1);
  ASSERT_GT(child, 0);
  EXPECT_TRUE(count_up(path, kTimes));
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*read_file(path), std::to_string(2 * kTimes));
}

TEST_F(Files, R1_R2_a_kept_lock_excludes_others_also_when_its_file_was_deleted) {
  const std::string path = in_directory("kept");
  KeptLock lock(path);
  for (int round = 0; round < 3; ++round) {
    {
      const Result<KeptLock::Held> held = lock.hold(0);
      ASSERT_TRUE(held);
      EXPECT_EQ(lock_file(path, 0).error().code, ErrorCode::busy);
    }
    {
      const Result<FileLock> other = lock_file(path, 0);
      ASSERT_TRUE(other);
      EXPECT_EQ(lock.hold(0).error().code, ErrorCode::busy);
    }
    std::filesystem::remove(path + ".lock");
  }
}

// KeptLock R3. Who is always there again leaves it for no more than a moment.
TEST_F(Files, R3_who_waits_for_a_kept_lock_has_its_turn) {
  const std::string path = in_directory("kept");
  std::atomic<bool> is_over = false;
  std::atomic<int> holds = 0;
  std::thread busy([&] {
    KeptLock lock(path);
    while (!is_over) {
      const Result<KeptLock::Held> held = lock.hold(10'000);
      EXPECT_TRUE(held);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++holds;
    }
  });
  KeptLock lock(path);
  int others = 0;  // holds of the other while this one waited
  for (int i = 0; i < 20; ++i) {
    for (const int before = holds; holds == before;) std::this_thread::yield();
    const int before = holds;
    EXPECT_TRUE(lock.hold(10'000)) << i;
    others += holds - before;
  }
  EXPECT_LT(others, 200);  // it would be a thousand
  is_over = true;
  busy.join();
}

TEST_F(Files, R5_the_end_of_the_holder_releases_its_lock) {
  const std::string path = in_directory("file");
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<FileLock> lock = lock_file(path, 0);
    ::_exit(lock ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(lock_file(path, 0));
}

TEST(ResultVoid, says_done_or_why_not) {
  const Result<void> done;
  const Result<void> failed = fail(ErrorCode::file, "no");
  EXPECT_TRUE(done.has_value());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no");
}

}  // namespace
}  // namespace alfred
