#include "base/json/json_builder.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/json/json_fault.h"
#include "base/json/json_number.h"
#include "base/utf8.h"

namespace alfred {
namespace {

constexpr std::size_t kFewNames = 16;
constexpr std::size_t kUsualDepth = 8;
constexpr std::size_t kShownName = 64;
constexpr std::size_t kShownPlace = 160;

std::string_view to_std(boost::json::string_view view) { return {view.data(), view.size()}; }

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// Does `part` view the memory of `whole`? std::less orders pointers even into unrelated memory.
bool is_inside(std::string_view whole, std::string_view part) {
  const std::less<const char*> is_before;
  return !is_before(part.data(), whole.data()) &&
         !is_before(whole.data() + whole.size(), part.data() + part.size());
}

// The opening quote of the string or key that the parser had reached `offset` in.
std::size_t string_begin(std::string_view text, std::size_t offset) {
  std::size_t quote = offset;
  while (quote > 0) {
    quote = text.rfind('"', quote - 1);
    if (quote == std::string_view::npos) return offset;
    std::size_t backslashes = 0;
    while (backslashes < quote && text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote;
  }
  return offset;
}

}  // namespace

void MemberNames::clear() {
  few_.clear();
  many_.clear();
}

bool MemberNames::insert(std::string_view name) {
  if (few_.size() < kFewNames) {
    if (std::find(few_.begin(), few_.end(), name) != few_.end()) return false;
    if (few_.empty()) few_.reserve(kFewNames / 2);
    few_.push_back(name);
    return true;
  }
  if (many_.empty()) many_.insert(few_.begin(), few_.end());
  return many_.insert(name).second;
}

bool JsonBuilder::on_document_begin(Code&) {
  stack_.reset();
  return true;
}

bool JsonBuilder::on_object_begin(Code& code) { return open_level(true, code); }

bool JsonBuilder::on_object_end(std::size_t members, Code&) {
  --depth_;
  stack_.push_object(members);
  return true;
}

bool JsonBuilder::on_array_begin(Code& code) { return open_level(false, code); }

bool JsonBuilder::on_array_end(std::size_t elements, Code&) {
  --depth_;
  stack_.push_array(elements);
  return true;
}

bool JsonBuilder::on_key_part(View part, std::size_t size, Code& code) {
  if (!fits(size, limits_.max_key_bytes, "A member name", code)) return false;
  name_parts_ += to_std(part);
  return true;
}

bool JsonBuilder::on_key(View rest, std::size_t size, Code& code) {
  if (!fits(size, limits_.max_key_bytes, "A member name", code)) return false;
  std::string_view name = to_std(rest);
  // Only a name without escapes comes in one piece out of the text itself.
  if (name.size() != size || !is_inside(text_, name)) {
    name_parts_ += name;
    name = escaped_names_.emplace_back(std::move(name_parts_));
    name_parts_.clear();
  }
  Level& level = levels_[depth_ - 1];
  level.name = name;
  if (!level.names.insert(name))
    return refuse(code, Place::string_begin, ErrorCode::json_dupkey,
                  fmt::format("{} is given twice in {}; give each member once.",
                              quoted(cut_utf8(name, kShownName)), place_of_object()));
  stack_.push_key({name.data(), name.size()});
  return true;
}

bool JsonBuilder::on_string_part(View part, std::size_t size, Code& code) {
  if (!fits(size, limits_.max_string_bytes, "A string", code)) return false;
  stack_.push_chars(part);
  return true;
}

bool JsonBuilder::on_string(View rest, std::size_t size, Code& code) {
  if (!fits(size, limits_.max_string_bytes, "A string", code) || !begin_value(code)) return false;
  stack_.push_string(rest);
  return true;
}

bool JsonBuilder::on_bool(bool value, Code& code) {
  if (!begin_value(code)) return false;
  stack_.push_bool(value);
  return true;
}

bool JsonBuilder::on_null(Code& code) {
  if (!begin_value(code)) return false;
  stack_.push_null();
  return true;
}

bool JsonBuilder::on_number(View digits, Code& code) {
  if (!begin_value(code)) return false;
  number_begin_ = static_cast<std::size_t>(digits.data() - text_.data());
  const JsonNumber number = limits_.rounds_wide_integers ? read_rounded_json_number(to_std(digits))
                                                         : read_json_number(to_std(digits));
  if (const auto* with_sign = std::get_if<std::int64_t>(&number)) {
    stack_.push_int64(*with_sign);
  } else if (const auto* without_sign = std::get_if<std::uint64_t>(&number)) {
    stack_.push_uint64(*without_sign);
  } else if (const auto* real = std::get_if<double>(&number)) {
    stack_.push_double(*real);
  } else if (std::get<NumberFault>(number) == NumberFault::integer_too_large) {
    return refuse(code, Place::number_begin, ErrorCode::json,
                  "An integer must fit 64 bits: -9223372036854775808 to 18446744073709551615.");
  } else {
    return refuse(code, Place::number_begin, ErrorCode::json,
                  "The number is too large for a double; write one below 1.8e308.");
  }
  return true;
}

std::optional<Error> JsonBuilder::refusal(std::size_t offset) const {
  if (!refusal_) return std::nullopt;
  std::size_t place = offset;
  if (refusal_place_ == Place::string_begin) place = string_begin(text_, offset);
  if (refusal_place_ == Place::number_begin) place = number_begin_;
  Error error = *refusal_;
  error.path = byte_path(place);
  return error;
}

bool JsonBuilder::begin_value(Code& code) {
  if (depth_ > 0) ++levels_[depth_ - 1].elements;
  if (++values_ <= limits_.max_values) return true;
  return refuse(code, Place::here, ErrorCode::limit,
                fmt::format("More than {} values; send fewer at a time.", limits_.max_values));
}

bool JsonBuilder::open_level(bool is_object, Code& code) {
  if (depth_ == limits_.max_depth)
    return refuse(code, Place::here, ErrorCode::limit,
                  fmt::format("More than {} levels of arrays and objects; make it flatter.",
                              limits_.max_depth));
  if (!begin_value(code)) return false;
  if (levels_.empty()) levels_.reserve(kUsualDepth);
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.is_object = is_object;
  level.elements = 0;
  level.names.clear();
  return true;
}

bool JsonBuilder::fits(std::size_t size, std::size_t limit, std::string_view what, Code& code) {
  if (size <= limit) return true;
  return refuse(code, Place::string_begin, ErrorCode::limit,
                fmt::format("{} has more than {} bytes; make it shorter.", what, limit));
}

bool JsonBuilder::refuse(Code& code, Place place, ErrorCode reason, std::string message) {
  refusal_ = Error{reason, std::move(message), {}, {}, {}};
  refusal_place_ = place;
  code = boost::json::error::exception;
  return false;
}

// Where the innermost open object stands: "the outermost object" or `steps[2].params`.
std::string JsonBuilder::place_of_object() const {
  std::string place;
  for (std::size_t i = 0; i + 1 < depth_ && place.size() < kShownPlace; ++i) {
    const Level& level = levels_[i];
    if (level.is_object && !place.empty()) place += '.';
    if (level.is_object)
      place += cut_utf8(level.name, kShownName);
    else
      place += fmt::format("[{}]", level.elements - 1);
  }
  return depth_ <= 1 ? "the outermost object" : alfred::quoted(place);
}

}  // namespace alfred
