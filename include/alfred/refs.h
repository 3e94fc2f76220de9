// Ref: the only kind of id a model sees. `type_n` names a row of the database, `gen_type_n`
// something generated that may not be saved yet.
//
// R1 ASCII only; a type is [a-z][a-z0-9]*(_[a-z0-9]+)*, at most 40 bytes, and its first word is none of
//    gen, ref, lit; a number is 1 to 999999999 without leading zero.
// R2 `ref_type_n` is accepted on input, means `type_n`, and is never shown.
// R3 nothing is corrected silently: what is nearly a ref is refused, with the ref it may have meant.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "alfred/api.h"
#include "alfred/error.h"

namespace alfred {

class Ref {
 public:
  static constexpr std::size_t kMaxTypeBytes = 40;
  static constexpr std::uint32_t kMaxNumber = 999'999'999;
  static constexpr std::size_t kMaxBytes = 4 + kMaxTypeBytes + 1 + 9;  // gen_ type _ number

  // The strict parser. Its errors are ref_syntax; they never repeat text that looks like a key.
  ALFRED_API static Result<Ref> parse(std::string_view text);

  // For who has a type and a number already. Precondition: both keep R1; the program stops if not.
  ALFRED_API static Ref make(std::string_view type, std::uint32_t number,
                             bool is_generated = false);

  std::string_view text() const { return {text_.data(), size_}; }
  std::string_view type() const { return text().substr(is_generated_ ? 4 : 0, type_size_); }
  std::uint32_t number() const { return number_; }
  bool is_generated() const { return is_generated_; }

  friend bool operator==(const Ref& a, const Ref& b) { return a.text() == b.text(); }
  friend std::strong_ordering operator<=>(const Ref& a, const Ref& b) {
    if (const auto by_type = a.type() <=> b.type(); std::is_neq(by_type)) return by_type;
    if (a.is_generated_ != b.is_generated_) return a.is_generated_ <=> b.is_generated_;
    return a.number_ <=> b.number_;
  }

 private:
  Ref() = default;

  std::array<char, kMaxBytes + 2> text_{};
  std::uint8_t size_ = 0;
  std::uint8_t type_size_ = 0;
  bool is_generated_ = false;
  std::uint32_t number_ = 0;
};

}  // namespace alfred
