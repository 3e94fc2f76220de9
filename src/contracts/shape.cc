#include "contracts/shape.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/quoted_text.h"
#include "base/utf8.h"

namespace alfred {
namespace {

std::string_view kind_name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::text: return "a text";
    case ShapeKind::integer: return "a whole number";
    case ShapeKind::number: return "a number";
    case ShapeKind::boolean: return "true or false";
    case ShapeKind::choice: return "one of the allowed words";
    case ShapeKind::object: return "an object";
    case ShapeKind::any: return "JSON";
  }
  return "";
}

std::string_view json_kind(const Json& json) {
  switch (json.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return json.get_bool() ? "true" : "false";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_: return "a number";
    case boost::json::kind::string: return "a text";
    case boost::json::kind::array: return "a list";
    case boost::json::kind::object: return "an object";
  }
  return "";
}

std::vector<std::string> first_ten(std::span<const std::string_view> names) {
  std::vector<std::string> out;
  for (const std::string_view name : names.first(std::min<std::size_t>(names.size(), 10)))
    out.emplace_back(name);
  return out;
}

std::string joined(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

Unexpected wrong_type(const Json& json, std::string_view wanted, const std::string& path) {
  const std::string place = path.empty() ? "The answer" : path;
  return fail(
      ErrorCode::schema,
      place + " is " + std::string(json_kind(json)) + "; it has to be " + std::string(wanted) + ".",
      path);
}

class Decoder {
 public:
  explicit Decoder(DecodeNotes& notes) : notes_(notes) {}

  Result<void> value(const Shape& shape, const Json& json, void* into, const std::string& path) {
    static const ShapeField kPlain{};
    return one(shape, kPlain, json, into, path);
  }

 private:
  Result<void> object(const Shape& shape, const JsonObject& json, void* into,
                      const std::string& path) {
    for (const ShapeField& field : shape.fields) {
      const Json* found = json.if_contains(field.name);
      const std::string at = joined(path, field.name);
      if (Result<void> read = member(field, found, field.member(into), at); !read) return read;
    }
    for (const auto& entry : json) {
      const bool is_known = std::any_of(
          shape.fields.begin(), shape.fields.end(),
          [&](const ShapeField& field) { return field.name == std::string_view(entry.key()); });
      if (!is_known) notes_.unknown_fields.push_back(joined(path, entry.key()));
    }
    return {};
  }

  Result<void> member(const ShapeField& field, const Json* json, void* into,
                      const std::string& path) {
    const bool is_absent = json == nullptr || json->is_null();
    if (field.is_list) return list(field, is_absent ? nullptr : json, into, path);
    if (is_absent && field.is_optional) return {};
    if (json == nullptr)
      return fail(ErrorCode::schema,
                  path + " is missing; it has to be " + std::string(kind_name(field.shape->kind)) +
                      ": " + std::string(field.says),
                  path);
    return one(*field.shape, field, *json, field.is_optional ? field.add(into) : into, path);
  }

  Result<void> list(const ShapeField& field, const Json* json, void* into,
                    const std::string& path) {
    if (json == nullptr) return {};
    if (json->is_object() && json->get_object().empty()) {
      notes_.repaired.push_back(path);
      return {};
    }
    if (!json->is_array()) return wrong_type(*json, "a list", path);
    const JsonArray& elements = json->get_array();
    if (elements.size() > field.max_items)
      return fail(ErrorCode::limit,
                  path + " has " + std::to_string(elements.size()) + " elements; at most " +
                      std::to_string(field.max_items) + " are allowed.",
                  path);
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (Result<void> read = one(*field.shape, field, elements[i], field.add(into),
                                  path + "[" + std::to_string(i) + "]");
          !read)
        return read;
    return {};
  }

  Result<void> one(const Shape& shape, const ShapeField& field, const Json& json, void* into,
                   const std::string& path) {
    switch (shape.kind) {
      case ShapeKind::text: return text(field, json, *static_cast<std::string*>(into), path);
      case ShapeKind::integer: return integer(shape, field, json, into, path);
      case ShapeKind::number: return number(field, json, *static_cast<double*>(into), path);
      case ShapeKind::boolean:
        if (!json.is_bool()) return wrong_type(json, kind_name(shape.kind), path);
        *static_cast<bool*>(into) = json.get_bool();
        return {};
      case ShapeKind::choice: return choice(shape, json, into, path);
      case ShapeKind::object:
        if (!json.is_object()) return wrong_type(json, kind_name(shape.kind), path);
        return object(shape, json.get_object(), into, path);
      case ShapeKind::any: *static_cast<Json*>(into) = json; return {};
    }
    return {};
  }

  Result<void> text(const ShapeField& field, const Json& json, std::string& into,
                    const std::string& path) {
    if (!json.is_string()) return wrong_type(json, kind_name(ShapeKind::text), path);
    into = std::string(json.get_string());
    const std::string_view fitting = cut_code_points(into, field.max_chars);
    if (fitting.size() == into.size()) return {};
    if (field.is_cut) {
      into.resize(fitting.size());
      notes_.cut_fields.push_back(path);
      return {};
    }
    return fail(ErrorCode::limit,
                path + " has " + std::to_string(count_code_points(into)) + " characters; at most " +
                    std::to_string(field.max_chars) + " are allowed.",
                path);
  }

  static Result<void> check_range(const ShapeField& field, double value, const std::string& path) {
    if (value >= field.min && value <= field.max) return {};
    const auto shown = [](double bound) { return write_json(Json(bound)); };
    return fail(ErrorCode::schema,
                path + " is out of range; it has to be from " + shown(field.min) + " to " +
                    shown(field.max) + ".",
                path);
  }

  static Result<void> integer(const Shape& shape, const ShapeField& field, const Json& json,
                              void* into, const std::string& path) {
    if (!json.is_int64()) return wrong_type(json, kind_name(ShapeKind::integer), path);
    const std::int64_t value = json.get_int64();
    if (std::isfinite(field.min) || std::isfinite(field.max))
      if (Result<void> fits = check_range(field, static_cast<double>(value), path); !fits)
        return fits;
    if (shape.is_wide) {
      *static_cast<std::int64_t*>(into) = value;
      return {};
    }
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
      return fail(ErrorCode::schema, path + " is out of range; it has to be 0 or more.", path);
    *static_cast<std::uint32_t*>(into) = static_cast<std::uint32_t>(value);
    return {};
  }

  static Result<void> number(const ShapeField& field, const Json& json, double& into,
                             const std::string& path) {
    if (!json.is_number()) return wrong_type(json, kind_name(ShapeKind::number), path);
    into = json.to_number<double>();
    if (!std::isfinite(field.min) && !std::isfinite(field.max)) return {};
    return check_range(field, into, path);
  }

  static Result<void> choice(const Shape& shape, const Json& json, void* into,
                             const std::string& path) {
    if (!json.is_string()) return wrong_type(json, kind_name(shape.kind), path);
    for (std::size_t i = 0; i < shape.choices.size(); ++i) {
      if (shape.choices[i] != std::string_view(json.get_string())) continue;
      const auto value = static_cast<std::uint8_t>(i);
      std::memcpy(into, &value, 1);
      return {};
    }
    return fail(
        ErrorCode::schema,
        path + " is " + quoted_text(json.get_string()) + "; it has to be one of the allowed words.",
        path, first_ten(shape.choices));
  }

  DecodeNotes& notes_;
};

Json encode_one(const Shape& shape, const void* value) {
  switch (shape.kind) {
    case ShapeKind::text: return Json(*static_cast<const std::string*>(value));
    case ShapeKind::integer:
      if (shape.is_wide) return Json(*static_cast<const std::int64_t*>(value));
      return Json(static_cast<std::int64_t>(*static_cast<const std::uint32_t*>(value)));
    case ShapeKind::number: return Json(*static_cast<const double*>(value));
    case ShapeKind::boolean: return Json(*static_cast<const bool*>(value));
    case ShapeKind::choice: {
      std::uint8_t index = 0;
      std::memcpy(&index, value, 1);
      return Json(shape.choices[index]);
    }
    case ShapeKind::object: return encode(shape, value);
    case ShapeKind::any: return *static_cast<const Json*>(value);
  }
  return nullptr;
}

void encode_member(const ShapeField& field, const void* member, JsonObject& out) {
  if (field.size == nullptr) {
    out[field.name] = encode_one(*field.shape, member);
    return;
  }
  const std::size_t size = field.size(member);
  if (size == 0) return;
  if (field.is_optional) {
    out[field.name] = encode_one(*field.shape, field.at(member, 0));
    return;
  }
  JsonArray elements;
  elements.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    elements.push_back(encode_one(*field.shape, field.at(member, i)));
  out[field.name] = std::move(elements);
}

}  // namespace

ShapeField ShapeField::longest(std::size_t chars) const {
  ShapeField out = *this;
  out.max_chars = chars;
  return out;
}
ShapeField ShapeField::cut_to(std::size_t chars) const {
  ShapeField out = longest(chars);
  out.is_cut = true;
  return out;
}
ShapeField ShapeField::as_ref() const {
  ShapeField out = *this;
  out.is_ref = true;
  return out;
}
ShapeField ShapeField::between(double least, double most) const {
  ShapeField out = *this;
  out.min = least;
  out.max = most;
  return out;
}
ShapeField ShapeField::most(std::size_t items) const {
  ShapeField out = *this;
  out.max_items = items;
  return out;
}

Json encode(const Shape& shape, const void* value) {
  if (shape.kind != ShapeKind::object) return encode_one(shape, value);
  JsonObject out;
  for (const ShapeField& field : shape.fields)
    encode_member(field, field.member(const_cast<void*>(value)), out);
  return out;
}

Result<void> decode(const Shape& shape, const Json& json, void* value, DecodeNotes& notes,
                    const std::string& path) {
  return Decoder(notes).value(shape, json, value, path);
}

}  // namespace alfred
