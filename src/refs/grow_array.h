// GrowArray: a growing array of plain values on realloc. Large blocks move by remapping pages
// instead of copying, and grow by a quarter, so a big registry wastes little; they also ask for
// huge pages, which saves most TLB misses of random access.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

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
  ~GrowArray() { std::free(items_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t memory_bytes() const { return capacity_ * sizeof(T); }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }

  void push_back(const T& item) {
    const T copy = item;
    if (size_ == capacity_) set_capacity(next_capacity());
    items_[size_++] = copy;
  }
  void pop_back() { --size_; }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) set_capacity(capacity);
  }
  // Drops the content and holds count copies of T{} made of zero bytes.
  void reset_zeroed(std::size_t count) {
    GrowArray fresh;
    fresh.items_ = static_cast<T*>(std::calloc(count, sizeof(T)));
    if (fresh.items_ == nullptr) throw std::bad_alloc();
    fresh.size_ = fresh.capacity_ = count;
    fresh.advise();
    swap(fresh);
  }

 private:
  static constexpr std::size_t kLargeBytes = std::size_t{4} << 20;

  std::size_t next_capacity() const {
    if (capacity_ < 8) return 8;
    const bool is_large = memory_bytes() >= kLargeBytes;
    return capacity_ + (is_large ? capacity_ / 4 : capacity_ / 2);
  }
  void set_capacity(std::size_t capacity) {
    void* moved = std::realloc(items_, capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    items_ = static_cast<T*>(moved);
    capacity_ = capacity;
    advise();
  }
  void advise() {
    if (memory_bytes() < kLargeBytes) return;
    constexpr std::size_t kPage = 4096;
    const auto from = (reinterpret_cast<std::size_t>(items_) + kPage - 1) / kPage * kPage;
    const auto upto = (reinterpret_cast<std::size_t>(items_) + memory_bytes()) / kPage * kPage;
    // Advice only: a kernel without huge pages says no, and nothing changes.
    static_cast<void>(::madvise(reinterpret_cast<void*>(from), upto - from, MADV_HUGEPAGE));
  }
  void assign(const GrowArray& other) {
    if (other.size_ == 0) return;
    set_capacity(other.size_);
    std::memcpy(items_, other.items_, other.size_ * sizeof(T));
    size_ = other.size_;
  }
  void swap(GrowArray& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace alfred
