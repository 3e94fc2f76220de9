#include "alfred/refs.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"
#include "base/quoted_text.h"
#include "pack/ref_names.h"
#include "refs/hiding/key_shapes.h"
#include "refs/ref_grammar.h"

namespace alfred {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

static_assert(Ref::kMaxTypeBytes == kMaxRefTypeBytes);

// What text may have meant: without the case, quotes, spaces and full stops people and models add.
std::optional<std::string> nearest_ref(std::string_view text) {
  constexpr std::string_view kWrapping = " \t\r\n\"'`.,;:()[]<>#@";
  const std::size_t first = text.find_first_not_of(kWrapping);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kWrapping) - first + 1);
  if (text.size() > Ref::kMaxBytes) return std::nullopt;
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  RefParts parts;
  if (!split_ref(lower, parts) || has_key_shape(lower)) return std::nullopt;
  return std::string(Ref::make(parts.type, parts.number, parts.is_generated).text());
}

// The text as an error may repeat it: nothing that looks like a key, not even by its escapes.
std::string quoted(std::string_view text) {
  std::string shown = quoted_text(text);
  return has_key_shape(text) || has_key_shape(shown) ? "this value" : shown;
}

}  // namespace

bool split_ref(std::string_view text, RefParts& parts) {
  if (text.size() > Ref::kMaxBytes) return false;
  const std::size_t underscore = text.rfind('_');
  if (underscore == std::string_view::npos) return false;
  const std::string_view digits = text.substr(underscore + 1);
  if (digits.empty() || digits.size() > 9 || digits.front() == '0') return false;
  std::uint32_t number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return false;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  std::string_view type = text.substr(0, underscore);
  parts.is_generated = type.starts_with("gen_");
  if (parts.is_generated || type.starts_with("ref_")) type.remove_prefix(4);
  if (!is_ref_type(type)) return false;
  parts.type = type;
  parts.number = number;
  return true;
}

Ref Ref::make(std::string_view type, std::uint32_t number, bool is_generated) {
  ALFRED_CHECK(is_ref_type(type) && number >= 1 && number <= kMaxNumber,
               "a ref is made of a type and a number that keep to its grammar");
  Ref ref;
  char* out = ref.text_.data();
  if (is_generated) out = std::copy_n("gen_", 4, out);
  out = std::copy(type.begin(), type.end(), out);
  *out++ = '_';
  out = std::to_chars(out, ref.text_.data() + ref.text_.size(), number).ptr;
  ref.size_ = static_cast<std::uint8_t>(out - ref.text_.data());
  ref.type_size_ = static_cast<std::uint8_t>(type.size());
  ref.is_generated_ = is_generated;
  ref.number_ = number;
  return ref;
}

Result<Ref> Ref::parse(std::string_view text) {
  RefParts parts;
  if (split_ref(text, parts)) return make(parts.type, parts.number, parts.is_generated);
  if (const std::optional<std::string> meant = nearest_ref(text))
    return fail(ErrorCode::ref_syntax,
                fmt::format("{} is not a ref; did you mean {}? Use refs exactly as shown.",
                            quoted(text), *meant),
                {}, {*meant});
  return fail(ErrorCode::ref_syntax,
              fmt::format("{} is not a ref. Use a ref exactly as it was shown, such as type_1 or "
                          "gen_type_1; database keys and other ids are not accepted.",
                          quoted(text)));
}

}  // namespace alfred
