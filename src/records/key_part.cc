#include "records/key_part.h"

#include <algorithm>

#include "base/json/json.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

constexpr std::size_t kLeastDigits = 8;

// Digits behind a point are no part of a key.
bool is_long_whole(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return std::min(number.find_first_not_of("0123456789"), number.size()) >= kLeastDigits;
}

Result<std::optional<std::string>> name_of(const Result<std::uint32_t>& literal) {
  if (!literal) return Unexpected(literal.error());
  return std::optional(LiteralMask::name(*literal));
}

}  // namespace

Result<std::optional<std::string>> literal_of_part_text(RefRegistry& registry,
                                                        std::string_view text) {
  if (!looks_like_key(text)) return std::optional<std::string>();
  return name_of(registry.register_literal(text));
}

Result<std::optional<std::string>> literal_of_part_number(RefRegistry& registry,
                                                          std::string_view number) {
  if (!is_long_whole(number)) return std::optional<std::string>();
  return name_of(registry.register_hidden_number(number));
}

bool hides_part(std::string_view json_value) {
  if (!json_value.starts_with('"')) return is_long_whole(json_value);
  const Result<Json> text = parse_json(json_value, JsonLimits::none());
  return !text || (text->is_string() && looks_like_key(text->get_string()));
}

}  // namespace alfred
