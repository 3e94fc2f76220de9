// ByteBuffer: where a translation writes. Growing does not clear memory, and a buffer that is used
// again keeps its memory, so a long run of translations touches no fresh pages.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

namespace alfred {

class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ~ByteBuffer() { std::free(bytes_); }

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
    void* moved = std::realloc(bytes_, capacity);
    if (moved == nullptr) throw std::bad_alloc();
    bytes_ = static_cast<char*>(moved);
    capacity_ = capacity;
  }

  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace alfred
