// ByteBuffer: where a translation writes. Growing does not clear memory, and a buffer that is used
// again keeps its memory, so a long run of translations touches no fresh pages. A large one lives
// in huge pages.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "base/huge_block.h"

namespace alfred {

class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ~ByteBuffer() { release(); }

  std::string_view view() const { return {bytes_, size_}; }
  std::size_t size() const { return size_; }
  char* data() { return bytes_; }
  void clear() { size_ = 0; }
  void cut(std::size_t size) { size_ = size; }

  void append(const char* from, std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    if (count != 0) std::memcpy(bytes_ + size_, from, count);
    size_ += count;
  }
  void append(std::string_view text) { append(text.data(), text.size()); }
  // Room for count bytes at the end; the caller writes there and says added() how many it used.
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return bytes_ + size_;
  }
  void added(std::size_t count) { size_ += count; }
  void insert(std::size_t at, std::string_view text) {
    room(text.size());
    std::memmove(bytes_ + at + text.size(), bytes_ + at, size_ - at);
    std::memcpy(bytes_ + at, text.data(), text.size());
    size_ += text.size();
  }

 private:
  void grow(std::size_t count) {
    std::size_t capacity = capacity_ + capacity_ / 2 + 64;
    if (capacity < size_ + count) capacity = size_ + count;
    if (capacity >= kHugePage) return move_to_huge(round_up(capacity, kPage));
    void* moved = std::realloc(bytes_, capacity);
    if (moved == nullptr) throw std::bad_alloc();
    bytes_ = static_cast<char*>(moved);
    capacity_ = capacity;
  }
  void move_to_huge(std::size_t capacity) {
    auto* const moved = static_cast<char*>(allocate_huge(capacity));
    if (size_ != 0) std::memcpy(moved, bytes_, size_);
    release();
    bytes_ = moved;
    capacity_ = capacity;
  }
  void release() {
    if (capacity_ >= kHugePage)
      free_huge(bytes_, capacity_);
    else
      std::free(bytes_);
  }

  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace alfred
