// GrowArray: a growing array of plain values. Small ones live on the heap; from two megabytes on
// they live in huge pages (huge_block.h) and grow by a quarter, so a big registry wastes little.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "base/huge_block.h"

namespace alfred {

template <class T>
class GrowArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowArray() = default;
  GrowArray(const GrowArray& other) { assign(other); }
  GrowArray(GrowArray&& other) noexcept { swap(other); }
  GrowArray& operator=(GrowArray other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowArray() { release(items_, bytes_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t memory_bytes() const { return bytes_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  const T* begin() const { return items_; }

  [[gnu::always_inline]] void push_back(T item) {
    *room(1) = item;
    ++size_;
  }
  void pop_back() { --size_; }
  void cut(std::size_t size) { size_ = size; }
  void reserve(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > bytes_) move_to(bytes < kHugePage ? bytes : round_up(bytes, kHugePage));
  }
  // Room for count items at the end; the caller writes there and says added() how many it used.
  [[gnu::always_inline]] T* room(std::size_t count) {
    while ((size_ + count) * sizeof(T) > bytes_) [[unlikely]]
      grow();
    return items_ + size_;
  }
  void added(std::size_t count) { size_ += count; }
  // Drops the content and holds count copies of T{} made of zero bytes.
  void reset_zeroed(std::size_t count) {
    GrowArray fresh;
    const std::size_t bytes = count * sizeof(T);
    fresh.take(is_huge(bytes) ? round_up(bytes, kPage) : bytes);
    if (!is_huge(fresh.bytes_)) std::memset(static_cast<void*>(fresh.items_), 0, fresh.bytes_);
    fresh.size_ = count;
    swap(fresh);
  }

 private:
  static bool is_huge(std::size_t bytes) { return bytes >= kHugePage; }
  static void release(T* items, std::size_t bytes) {
    if (is_huge(bytes))
      free_huge(items, bytes);
    else
      std::free(items);
  }
  static constexpr bool kIsPlain = alignof(T) <= alignof(std::max_align_t);
  static void* allocate(std::size_t bytes) {
    return kIsPlain ? std::malloc(bytes)
                    : std::aligned_alloc(alignof(T), round_up(bytes, alignof(T)));
  }
  // Replaces items_ by a new block of at least this size; the old one is the caller's.
  void take(std::size_t bytes) {
    void* block = is_huge(bytes) ? allocate_huge(bytes) : allocate(bytes);
    if (block == nullptr) throw std::bad_alloc();
    items_ = static_cast<T*>(block);
    bytes_ = bytes;
  }
  std::size_t next_bytes() const {
    if (bytes_ == 0) return 8 * sizeof(T);
    const std::size_t more = bytes_ + bytes_ / (bytes_ < kHugePage ? 2 : 4);
    if (more < kHugePage) return more;
    return round_up(more, more < 8 * kHugePage ? kPage : kHugePage);
  }
  [[gnu::noinline]] void grow() {
    if (kIsPlain && !is_huge(bytes_) && !is_huge(next_bytes())) {  // the heap may grow in place
      bytes_ = next_bytes();
      void* const moved = std::realloc(static_cast<void*>(items_), bytes_);
      if (moved == nullptr) throw std::bad_alloc();
      items_ = static_cast<T*>(moved);
      return;
    }
    move_to(next_bytes());
  }
  void move_to(std::size_t bytes) {
    if (is_huge(bytes_)) {
      items_ = static_cast<T*>(grow_huge(items_, bytes_, bytes));
      bytes_ = bytes;
      return;
    }
    T* const old = items_;
    const std::size_t old_bytes = bytes_;
    take(bytes);
    if (size_ != 0) std::memcpy(static_cast<void*>(items_), old, size_ * sizeof(T));
    release(old, old_bytes);
  }
  void assign(const GrowArray& other) {
    if (other.bytes_ == 0) return;
    take(other.bytes_);
    std::memcpy(static_cast<void*>(items_), other.items_, other.size_ * sizeof(T));
    size_ = other.size_;
  }
  void swap(GrowArray& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace alfred
