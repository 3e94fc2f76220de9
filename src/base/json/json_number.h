// Numbers between JSON text and machine, exact in both directions and free of any locale.
//
// R1 An integer fits int64, else uint64, else it is a fault; it never becomes a double unasked.
// R2 A double is the nearest to the decimal; too large is a fault, too small is a signed zero.
// R3 The shortest digits that read back as the same bits, and no others; a double keeps a `.` or an
//    `e`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace alfred {

enum class NumberFault : std::uint8_t { integer_too_large, double_too_large };

using JsonNumber = std::variant<std::int64_t, std::uint64_t, double, NumberFault>;

// `text` is a number by JSON's grammar.
JsonNumber read_json_number(std::string_view text);
// The same for who would rather have the nearest double than R1's fault.
JsonNumber read_rounded_json_number(std::string_view text);

void append_json_number(std::string& out, std::int64_t value);
void append_json_number(std::string& out, std::uint64_t value);
void append_json_number(std::string& out, double value);  // finite, or the program stops

}  // namespace alfred
