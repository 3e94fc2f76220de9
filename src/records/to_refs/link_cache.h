// LinkCache: the refs of links that a column showed lately, by the exact text of their uuids. Many
// rows share few targets: what was registered once need not be read, looked up or registered again.
//
// R1 it holds canonical uuids only, so a text that is found needs no more checking.
// R2 it forgets: what is not found may all the same have been put.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "records/to_refs/ref_text.h"
#include "refs/keys/canonical_uuid.h"

namespace alfred {

class LinkCache {
 public:
  // How its ref ends, null when it is not here. Good until the next put().
  [[gnu::always_inline]] const RefEnd* find(const char* text36) const {
    if (slots_.empty()) return nullptr;
    const Slot* const slot = &slots_[place_of(text36)];
    if (slot->is_of(text36)) [[likely]]
      return &slot->end;
    return slot[1].is_of(text36) ? &slot[1].end : nullptr;
  }
  void put(const char* text36, const RefEnd& end) {
    if (++put_count_ >= most_put_) grow();
    if (slots_.empty()) return;
    Slot* const slot = &slots_[place_of(text36)];
    slot[1] = slot[0];  // who came last is found first
    std::memcpy(slot->text.data(), text36, slot->text.size());
    slot->end = end;
  }

 private:
  struct alignas(64) Slot {
    std::array<char, 36> text{};
    RefEnd end;  // of no size: free

    [[gnu::always_inline]] bool is_of(const char* text36) const {
      return is_same_uuid_text(text.data(), text36) && end.size() != 0;
    }
  };
  static constexpr int kFirstBits = 7;
  static constexpr int kMostBits = 12;

  // The first of the two slots where a text may stand: with one, two links that share it would take
  // it from each other row by row.
  // Of some kinds of uuid the first bytes are all alike, of others the last.
  std::size_t place_of(const char* text36) const {
    std::uint64_t first;
    std::uint64_t last;
    std::memcpy(&first, text36, 8);
    std::memcpy(&last, text36 + 28, 8);
    return static_cast<std::size_t>(((first ^ last << 3) * 0x9e3779b97f4a7c15ULL) >> shift_) &
           ~std::size_t{1};
  }
  // A few links are not worth the memory, and what is lost by growing soon comes again.
  [[gnu::noinline]] void grow() {
    if (shift_ == 64 - kMostBits) return;
    shift_ = slots_.empty() ? 64 - kFirstBits : shift_ - 1;
    slots_.assign(std::size_t{1} << (64 - shift_), {});
    most_put_ = put_count_ + slots_.size();
  }

  std::vector<Slot> slots_;
  int shift_ = 64;
  std::size_t put_count_ = 0;
  std::size_t most_put_ = 16;
};

}  // namespace alfred
