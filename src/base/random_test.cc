#include "alfred/random.h"

#include <cstddef>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alfred/ids.h"

namespace alfred {
namespace {

std::vector<std::uint64_t> draw(Random& random, std::size_t count) {
  std::vector<std::uint64_t> drawn(count);
  for (std::uint64_t& value : drawn) value = random.next_u64();
  return drawn;
}

TEST(SeededRandom, R4_gives_the_same_for_the_same_seed) {
  SeededRandom a(42), b(42), c(43);
  EXPECT_EQ(draw(a, 100), draw(b, 100));
  EXPECT_NE(draw(a, 100), draw(c, 100));
}

TEST(SeededRandom, R4_fill_gives_the_bytes_of_next_u64_least_significant_first) {
  SeededRandom words(42), bytes(42);
  std::array<std::byte, 19> filled{};
  bytes.fill(filled);
  for (std::size_t i = 0, word = 0; i < filled.size(); ++i) {
    if (i % 8 == 0) word = words.next_u64();
    EXPECT_EQ(std::to_integer<std::uint64_t>(filled[i]), word >> (i % 8 * 8) & 255) << i;
  }
}

// From an independent implementation of splitmix64 and xoshiro256**.
TEST(SeededRandom, R4_matches_values_computed_elsewhere) {
  SeededRandom random(0);
  EXPECT_EQ(random.next_u64(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random.next_u64(), 0xbf6e1f784956452au);
  EXPECT_EQ(random.next_u64(), 0x1a5f849d4933e6e0u);
}

TEST(OsRandom, R1_fills_any_size_and_only_that) {
  OsRandom random;
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 4087u, 4088u, 4089u, 70000u}) {
    std::vector<std::byte> bytes(size + 16, std::byte{0x5a});
    random.fill(std::span(bytes).first(size));
    for (std::size_t i = size; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], std::byte{0x5a});
    std::array<std::size_t, 256> seen{};
    for (std::size_t i = 0; i < size; ++i) ++seen[std::to_integer<std::size_t>(bytes[i])];
    if (size < 4000) continue;
    for (const std::size_t n : seen) EXPECT_LT(n, size / 256 * 3 + 50) << size;
  }
}

TEST(OsRandom, R1_never_gives_a_byte_twice_nor_one_that_was_erased) {
  OsRandom random;
  std::set<std::uint64_t> seen;
  std::array<std::byte, 3> odd{};
  for (int i = 0; i < 20000; ++i) {
    if (i % 7 == 0) random.fill(odd);
    EXPECT_TRUE(seen.insert(random.next_u64()).second);
  }
  EXPECT_FALSE(seen.contains(0));
}

// A child of fork() that writes `count` draws into a pipe.
std::vector<std::uint64_t> draw_in_child(std::size_t count) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    OsRandom random;
    const std::vector<std::uint64_t> drawn = draw(random, count);
    const auto size = static_cast<ssize_t>(count * sizeof(std::uint64_t));
    _exit(write(ends[1], drawn.data(), static_cast<std::size_t>(size)) == size ? 0 : 1);
  }
  close(ends[1]);
  std::vector<std::uint64_t> drawn(count);
  std::size_t got = 0;
  char* into = reinterpret_cast<char*>(drawn.data());
  while (got < count * sizeof(std::uint64_t)) {
    const ssize_t n = read(ends[0], into + got, count * sizeof(std::uint64_t) - got);
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  close(ends[0]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(got, count * sizeof(std::uint64_t));
  return drawn;
}

TEST(OsRandom, R2_forked_children_repeat_neither_their_parent_nor_each_other) {
  OsRandom random;
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  const auto add = [&](const std::vector<std::uint64_t>& values) {
    seen.insert(values.begin(), values.end());
    drawn += values.size();
  };
  add(draw(random, 1));  // the buffer now holds what a child could repeat
  add(draw_in_child(1000));
  add(draw_in_child(1000));
  add(draw(random, 1000));
  EXPECT_EQ(seen.size(), drawn);
}

TEST(RandomDeathTest, R3_a_kernel_without_random_bytes_ends_the_process) {
  const auto without_getrandom = [] {
    std::array<sock_filter, 4> filter{
        sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program{filter.size(), filter.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(3);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(4);
    OsRandom random;
    draw(random, 1);
  };
  EXPECT_DEATH(without_getrandom(), "the kernel gives no random bytes");
}

TEST(OsRandomThreads, R1_threads_never_draw_the_same) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kDraws = 5000;
  std::array<std::vector<std::uint64_t>, kThreads> drawn;
  OsRandom shared;
  std::vector<std::thread> threads;
  for (auto& mine : drawn) threads.emplace_back([&] { mine = draw(shared, kDraws); });
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> seen;
  for (const auto& mine : drawn) seen.insert(mine.begin(), mine.end());
  EXPECT_EQ(seen.size(), kThreads * kDraws);
}

TEST(OsRandomThreads, R1_threads_that_end_and_start_again_draw_anew) {
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i)
    std::thread([&] { ids.emplace(new_short_id<IdKind::turn>().view()); }).join();
  EXPECT_EQ(ids.size(), 50u);
}

}  // namespace
}  // namespace alfred
