// What the parser calls for every piece of JSON it reads: builds the value and holds the limits.
// A handler in the sense of boost::json::basic_parser; used by json_reader.cc alone.
//
// R1 A piece beyond a limit is refused before anything is built of it.
// R2 Two equal names in one object are found with the second one, however they are escaped.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/error.hpp>
#include <boost/json/value_stack.hpp>

#include "base/json/json.h"

namespace alfred {

// The names of one object. Few are compared one by one; many are kept sorted, not hashed, so that
// no choice of names makes it slow.
class MemberNames {
 public:
  void clear();
  bool insert(std::string_view name);  // false if it was there

 private:
  std::vector<std::string_view> few_;
  std::set<std::string_view> many_;
};

class JsonBuilder {
 public:
  // Our own limits are arguments; these are the parser's, which are constants.
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  // `text` is what the parser will be given, in one piece; both outlive the builder.
  JsonBuilder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  using View = boost::json::string_view;
  using Code = boost::json::error_code;
  bool on_document_begin(Code& code);
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code& code);
  bool on_object_end(std::size_t members, Code& code);
  bool on_array_begin(Code& code);
  bool on_array_end(std::size_t elements, Code& code);
  bool on_key_part(View part, std::size_t size, Code& code);
  bool on_key(View rest, std::size_t size, Code& code);
  bool on_string_part(View part, std::size_t size, Code& code);
  bool on_string(View rest, std::size_t size, Code& code);
  bool on_number_part(View, Code&) { return true; }  // only before the text ends too early
  bool on_int64(std::int64_t, View digits, Code& code) { return on_number(digits, code); }
  bool on_uint64(std::uint64_t, View digits, Code& code) { return on_number(digits, code); }
  bool on_double(double, View digits, Code& code) { return on_number(digits, code); }
  bool on_bool(bool value, Code& code);
  bool on_null(Code& code);
  bool on_comment_part(View, Code&) { return true; }
  bool on_comment(View, Code&) { return true; }

  // Why the builder stopped the parser, which then stood at `offset`; nothing if it did not.
  std::optional<Error> refusal(std::size_t offset) const;
  Json release() { return stack_.release(); }

 private:
  enum class Place : std::uint8_t { here, string_begin, number_begin };
  struct Level {
    bool is_object = false;
    std::size_t elements = 0;
    std::string_view name;
    MemberNames names;
  };

  bool on_number(View digits, Code& code);
  bool begin_value(Code& code);
  bool open_level(bool is_object, Code& code);
  bool fits(std::size_t size, std::size_t limit, std::string_view what, Code& code);
  bool refuse(Code& code, Place place, ErrorCode reason, std::string message);
  std::string place_of_object() const;

  std::string_view text_;
  JsonLimits limits_;
  std::array<unsigned char, 2048> room_;  // of the stack, before it takes any
  boost::json::value_stack stack_{{}, room_.data(), room_.size()};
  std::vector<Level> levels_;  // grows to the deepest; the first depth_ are open
  std::size_t depth_ = 0;
  std::size_t values_ = 0;
  std::string name_parts_;
  std::deque<std::string> escaped_names_;  // what Level::name views when it is not in text_
  std::optional<Error> refusal_;
  Place refusal_place_ = Place::here;
  std::size_t number_begin_ = 0;
};

}  // namespace alfred
