// RefWriter: copies a text to a buffer while pieces of it are replaced. Pieces must come in order;
// what lies between them is copied in one go.
#pragma once

#include <charconv>
#include <cstring>
#include <string_view>

#include "alfred/refs.h"
#include "base/byte_buffer.h"

namespace alfred {

class RefWriter {
 public:
  RefWriter(std::string_view text, ByteBuffer& out)
      : copied_(text.data()), end_(text.data() + text.size()), out_(out) {
    out_.room(text.size() + text.size() / 8 + 64);
  }

  void copy_upto(const char* at) {
    const auto count = static_cast<std::size_t>(at - copied_);
    // Most pieces are short: a copy of fixed size, of which only the first bytes count, costs less
    // than finding out how long they are.
    const auto left = static_cast<std::size_t>(end_ - copied_);
    if (count <= kShort && left >= kShort) {
      std::memcpy(out_.room(kShort), copied_, kShort);
      out_.added(count);
    } else if (count <= kMedium && left >= kMedium) {
      copy_medium(out_.room(kMedium));
      out_.added(count);
    } else {
      out_.append(copied_, count);
    }
    copied_ = at;
  }
  void replace(const char* from, const char* upto, std::string_view with) {
    copy_upto(from);
    out_.append(with);
    copied_ = upto;
  }
  // Replaces by "type_number" in quotes, and returns that, valid until more is written.
  std::string_view replace_with_ref(const char* from, const char* upto, std::string_view type,
                                    std::uint32_t number) {
    copy_upto(from);
    char* const start = out_.room(Ref::kMaxBytes + 2);
    char* at = start;
    *at++ = '"';
    std::memcpy(at, type.data(), type.size());
    at += type.size();
    *at++ = '_';
    at = std::to_chars(at, at + 10, number).ptr;
    *at++ = '"';
    const auto size = static_cast<std::size_t>(at - start);
    out_.added(size);
    copied_ = upto;
    return {start, size};
  }
  void insert(std::size_t out_at, std::string_view text) { out_.insert(out_at, text); }
  void finish() { copy_upto(end_); }
  std::size_t out_size() const { return out_.size(); }

 private:
  static constexpr std::size_t kShort = 32;
  static constexpr std::size_t kMedium = 256;

  void copy_medium(char* to) const {
    for (std::size_t i = 0; i < kMedium; i += kShort) std::memcpy(to + i, copied_ + i, kShort);
  }

  const char* copied_;  // everything before is in out_
  const char* end_;
  ByteBuffer& out_;
};

}  // namespace alfred
