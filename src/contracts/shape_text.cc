#include "contracts/shape_text.h"

#include <cstring>

#include "base/json/json_number.h"
#include "base/json/json_text.h"

namespace alfred {
namespace {

void append_one(std::string& out, const Shape& shape, const void* value) {
  switch (shape.kind) {
    case ShapeKind::text: return append_json_string(out, *static_cast<const std::string*>(value));
    case ShapeKind::integer:
      if (shape.is_wide) return append_json_number(out, *static_cast<const std::int64_t*>(value));
      return append_json_number(
          out, static_cast<std::int64_t>(*static_cast<const std::uint32_t*>(value)));
    case ShapeKind::number: return append_json_number(out, *static_cast<const double*>(value));
    case ShapeKind::boolean: out += *static_cast<const bool*>(value) ? "true" : "false"; return;
    case ShapeKind::choice: {
      std::uint8_t index = 0;
      std::memcpy(&index, value, 1);
      return append_json_string(out, shape.choices[index]);
    }
    case ShapeKind::object: return append_encoded(out, shape, value);
    case ShapeKind::any: return append_json(out, *static_cast<const Json*>(value));
  }
}

void append_member(std::string& out, const ShapeField& field, const void* member) {
  const bool is_one = field.size == nullptr;
  const std::size_t size = is_one ? 1 : field.size(member);
  if (size == 0) return;
  append_json_name(out, field.name);
  if (is_one) return append_one(out, *field.shape, member);
  if (field.is_optional) return append_one(out, *field.shape, field.at(member, 0));
  for (std::size_t i = 0; i < size; ++i) {
    out += i == 0 ? '[' : ',';
    append_one(out, *field.shape, field.at(member, i));
  }
  out += ']';
}

}  // namespace

void append_encoded(std::string& out, const Shape& shape, const void* value) {
  if (shape.kind != ShapeKind::object) return append_one(out, shape, value);
  out += '{';
  for (const ShapeField& field : shape.fields)
    append_member(out, field, field.member(const_cast<void*>(value)));
  out += '}';
}

}  // namespace alfred
