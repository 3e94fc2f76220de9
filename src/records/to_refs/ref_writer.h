// RefWriter: copies a text to a buffer while pieces of it are replaced. Pieces must come in order;
// what lies between them is copied in one go.
#pragma once

#include <cstring>
#include <string_view>

#include "base/byte_buffer.h"
#include "records/to_refs/ref_text.h"

namespace alfred {

class RefWriter {
 public:
  RefWriter(std::string_view text, ByteBuffer& out)
      : copied_(text.data()), end_(text.data() + text.size()), out_(out) {
    out_.room(text.size() + text.size() / 8 + 64);
  }

  void copy_upto(const char* at) {
    out_.append(copied_, static_cast<std::size_t>(at - copied_));
    copied_ = at;
  }
  void replace(const char* from, const char* upto, std::string_view with) {
    copy_upto(from);
    out_.append(with);
    copied_ = upto;
  }
  void insert(std::size_t out_at, std::string_view text) { out_.insert(out_at, text); }
  void finish() { copy_upto(end_); }
  std::size_t out_size() const { return out_.size(); }
  const char* end() const { return end_; }

  // Some replacements in a row, for which there is room already. Nothing else may write meanwhile.
  class Run {
   public:
    [[gnu::always_inline]] void copy_upto(const char* at) {
      const auto count = static_cast<std::size_t>(at - copied_);
      // Most pieces are short: a copy of fixed size, of which only the first bytes count, costs
      // less than finding out how long they are.
      if (count <= kShort && is_inside_)
        std::memcpy(to_, copied_, kShort);
      else if (count <= kMedium && is_inside_)
        copy_medium();
      else
        std::memcpy(to_, copied_, count);
      to_ += count;
    }
    [[gnu::always_inline]] void put(const RefStart& start, const RefEnd& end) {
      expect_room(to_);
      to_ = write_ref(to_, start, end);
    }
    void go_on_at(const char* at) { copied_ = at; }

   private:
    friend class RefWriter;
    Run(char* to, const char* copied, bool is_inside)
        : to_(to), copied_(copied), is_inside_(is_inside) {}
    // Asks for the memory that will be written some pieces later: what the processor has not seen
    // lately it would fetch, and wait for, before it writes.
    [[gnu::always_inline]] static void expect_room(const char* at) {
      constexpr int kAhead = 2048;
      __builtin_prefetch(at + kAhead, 1);
      __builtin_prefetch(at + kAhead + 64, 1);
    }
    [[gnu::always_inline]] void copy_medium() const {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kMedium; i += kShort) std::memcpy(to_ + i, copied_ + i, kShort);
    }

    char* to_;
    const char* copied_;
    bool is_inside_;  // what is behind a piece may be read as well
  };
  // `last` is where the last replacement begins.
  Run start_run(const char* last, std::size_t replacements) {
    const auto text = static_cast<std::size_t>(last - copied_);
    char* const to = out_.room(text + replacements * kRefSlack + kMedium + kRefSlack);
    return {to, copied_, end_ - last >= static_cast<std::ptrdiff_t>(kMedium)};
  }
  void end_run(const Run& run) {
    out_.added(static_cast<std::size_t>(run.to_ - out_.data()) - out_.size());
    copied_ = run.copied_;
  }

 private:
  static constexpr std::size_t kShort = 32;
  static constexpr std::size_t kMedium = 256;

  const char* copied_;  // everything before is in out_
  const char* end_;
  ByteBuffer& out_;
};

}  // namespace alfred
