#include "base/memory/kept_pieces.h"

#include <malloc.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace alfred {
namespace {

// malloc() gives pieces of 24, 40, 56… bytes. A list for each of these sizes up to 1,032 bytes;
// beyond, four for each doubling, and who asks for less gets as much.
constexpr std::size_t kStep = 16;
constexpr std::size_t kSmallest = 24;
constexpr std::size_t kLargestSmall = 1032;
constexpr std::size_t kSmallLists = (kLargestSmall - kSmallest) / kStep + 1;
constexpr std::size_t kOver = 8;  // a text that doubles its room wants one byte more than that
constexpr unsigned kFirstDoubling = 10;
constexpr unsigned kLastDoubling = 14;
constexpr std::size_t kLargest = (std::size_t{1} << kLastDoubling) + kOver;
constexpr std::size_t kLists = kSmallLists + std::size_t{4} * (kLastDoubling - kFirstDoubling);
constexpr std::size_t kShare = std::size_t{64}
                               << 10;  // what a thread takes of all's room at a time

struct Piece {
  Piece* next;
};

// Of one thread. Without a destructor, since others' may come after it.
struct Lists {
  Piece* first[kLists];
  std::size_t bytes;
  std::size_t room;        // its share
  std::size_t next;        // the list that is to give way next (R4)
  bool is_wanted[kLists];  // asked for since it was last spared
  bool is_begun;
  bool is_over;
};
constinit thread_local Lists lists{};
constinit std::atomic<std::size_t> shared_out{0};

// The list of the smallest pieces that have room for so many bytes.
constexpr std::size_t list_for(std::size_t bytes) {
  if (bytes <= kSmallest) return 0;
  if (bytes <= kLargestSmall) return (bytes - kSmallest + kStep - 1) / kStep;
  const std::size_t whole = bytes - kOver;
  const auto doubling = static_cast<unsigned>(std::bit_width(whole - 1)) - 1;
  const std::size_t quarter = (whole - 1 - (std::size_t{1} << doubling)) >> (doubling - 2);
  return kSmallLists + std::size_t{4} * (doubling - kFirstDoubling) + quarter;
}

// The list of the largest pieces that are no larger than so many bytes.
constexpr std::size_t list_of(std::size_t bytes) {
  if (bytes < kLargestSmall + kStep) return (bytes - kSmallest) / kStep;
  const std::size_t whole = bytes - kOver;
  const auto doubling = static_cast<unsigned>(std::bit_width(whole)) - 1;
  const std::size_t quarter = (whole - (std::size_t{1} << doubling)) >> (doubling - 2);
  return kSmallLists + std::size_t{4} * (doubling - kFirstDoubling) + quarter - 1;
}

constexpr std::size_t bytes_of(std::size_t list) {
  if (list < kSmallLists) return kSmallest + list * kStep;
  const std::size_t doubling = kFirstDoubling + (list - kSmallLists) / 4;
  const std::size_t quarter = (list - kSmallLists) % 4 + 1;
  return (std::size_t{1} << doubling) + (quarter << (doubling - 2)) + kOver;
}

constexpr bool fits_itself(std::size_t list) {
  return list_for(bytes_of(list)) == list && list_of(bytes_of(list)) == list &&
         list_for(bytes_of(list) + 1) == list + 1 && list_of(bytes_of(list + 1) - 1) == list;
}
constexpr bool fit_themselves() {
  for (std::size_t list = 0; list + 1 < kLists; ++list)
    if (!fits_itself(list)) return false;
  return bytes_of(kLists - 1) == kLargest;
}
static_assert(fit_themselves());

constexpr std::array<std::uint32_t, kLists> kBytesOf = [] {
  std::array<std::uint32_t, kLists> bytes{};
  for (std::size_t list = 0; list < kLists; ++list)
    bytes[list] = static_cast<std::uint32_t>(bytes_of(list));
  return bytes;
}();

void give_all_back() {
  for (Piece*& first : lists.first) {
    while (first != nullptr) {
      Piece* const piece = first;
      first = piece->next;
      std::free(piece);
    }
  }
  shared_out.fetch_sub(lists.room, std::memory_order_relaxed);
  lists.bytes = 0;
  lists.room = 0;
}

struct AtTheEnd {
  AtTheEnd() = default;
  AtTheEnd(const AtTheEnd&) = delete;
  AtTheEnd& operator=(const AtTheEnd&) = delete;
  ~AtTheEnd() {
    lists.is_over = true;
    give_all_back();
  }
};

// Whether this thread may keep so much more.
bool find_room(std::size_t bytes) {
  if (lists.is_over || lists.bytes + bytes > KeptPieces::kMostBytes) return false;
  if (!lists.is_begun) {
    lists.is_begun = true;
    static thread_local const AtTheEnd at_the_end;
    static_cast<void>(&at_the_end);
  }
  // Looked at first: once all is shared out, threads that give pieces back do not fight for the
  // count.
  if (shared_out.load(std::memory_order_relaxed) + kShare > KeptPieces::kMostBytesOfAll)
    return false;
  if (shared_out.fetch_add(kShare, std::memory_order_relaxed) + kShare >
      KeptPieces::kMostBytesOfAll) {
    shared_out.fetch_sub(kShare, std::memory_order_relaxed);
    return false;
  }
  lists.room += kShare;
  return true;
}

// R4: a piece of each list in its turn, but of one that is wanted only the next time.
bool make_room(std::size_t bytes) {
  constexpr std::size_t kMostLooks = 2 * kLists;
  if (bytes > lists.room) return false;
  for (std::size_t looks = 0; looks < kMostLooks; ++looks) {
    if (lists.bytes + bytes <= lists.room) return true;
    const std::size_t at = lists.next;
    lists.next = (at + 1) % kLists;
    Piece* const piece = lists.first[at];
    if (piece == nullptr || std::exchange(lists.is_wanted[at], false)) continue;
    lists.first[at] = piece->next;
    lists.bytes -= bytes_of(at);
    std::free(piece);
  }
  return lists.bytes + bytes <= lists.room;
}

void put(Lists& here, void* piece, std::size_t list) {
  here.first[list] = new (piece) Piece{here.first[list]};
  here.bytes += kBytesOf[list];
}

// Apart, so that what happens nearly always need not save registers for it.
[[gnu::noinline]] void keep_with_more_room(void* piece, std::size_t list) {
  const std::size_t bytes = kBytesOf[list];
  if (!find_room(bytes) && !make_room(bytes)) return std::free(piece);
  put(lists, piece, list);
}

[[gnu::always_inline]] inline void keep(void* piece, std::size_t list) {
  Lists& here = lists;
  if (here.bytes + kBytesOf[list] > here.room) [[unlikely]]
    return keep_with_more_room(piece, list);
  put(here, piece, list);
}

}  // namespace

void* KeptPieces::take(std::size_t bytes) noexcept {
  if (bytes > kLargest) return std::malloc(bytes);
  const std::size_t list = list_for(bytes);
  Lists& here = lists;
  here.is_wanted[list] = true;
  Piece* const piece = here.first[list];
  if (piece == nullptr) return std::malloc(kBytesOf[list]);
  here.first[list] = piece->next;
  // Who asks next for as much would wait for this one to come from memory.
  __builtin_prefetch(piece->next, 1);
  here.bytes -= kBytesOf[list];
  return piece;
}

void KeptPieces::give(void* piece) noexcept {
  if (piece == nullptr) return;
  const std::size_t usable = ::malloc_usable_size(piece);
  if (usable < kSmallest || usable > kLargest) return std::free(piece);
  keep(piece, list_of(usable));
}

void KeptPieces::give(void* piece, std::size_t bytes) noexcept {
  if (piece == nullptr) return;
  if (bytes > kLargest) return std::free(piece);
  keep(piece, list_for(bytes));
}

std::size_t KeptPieces::kept_bytes() noexcept { return lists.bytes; }

}  // namespace alfred
