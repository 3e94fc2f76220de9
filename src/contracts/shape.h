// Shape: what a value of ours looks like as JSON, declared once for each struct. From the one
// declaration come the decoder with path-precise errors, the canonical encoder, the JSON Schema
// that providers get and docs/contracts.md.
//
// R1 a struct is described by its fields, each a name, a member and a sentence; a type that is
//    described is decoded, encoded, sent and documented the same everywhere.
// R2 nothing is coerced: a value of another type is an error at its path (A14, A15).
// R3 std::optional and std::vector fields may be absent; everything else is required (A13).
// R4 the order of fields is the order of their declaration, in every output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json/json.h"

namespace alfred {

enum class ShapeKind : std::uint8_t {
  text,
  integer,  // std::int64_t or std::uint32_t
  number,   // a double
  boolean,
  choice,  // an enum class of std::uint8_t, by its names
  object,  // a described struct
  any,     // JSON that something else reads
};

struct Shape;

struct ShapeField {
  std::string_view name;
  std::string_view says;  // one sentence for whoever fills it in
  const Shape* shape = nullptr;
  bool is_optional = false;
  bool is_list = false;
  std::size_t max_chars = JsonLimits::kNone;  // of a text
  bool is_cut = false;                        // a longer text is cut and noted, not refused (A28)
  bool is_ref = false;                        // a text that names an entity of the working set
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::size_t max_items = JsonLimits::kNone;

  // Into the struct, and into the list or optional that the member is.
  void* (*member)(void* object) = nullptr;
  void* (*add)(void* member) = nullptr;  // makes an element, or the optional's value
  std::size_t (*size)(const void* member) = nullptr;
  const void* (*at)(const void* member, std::size_t index) = nullptr;

  // Said when a field is declared: field<&Step::group>("group", "…").at_least(1).
  ShapeField longest(std::size_t chars) const;
  ShapeField cut_to(std::size_t chars) const;
  ShapeField as_ref() const;
  ShapeField between(double least, double most) const;
  ShapeField most(std::size_t items) const;
};

struct Shape {
  ShapeKind kind = ShapeKind::any;
  std::string_view name{};                      // of an object or a choice
  std::vector<ShapeField> fields{};             // of an object
  std::span<const std::string_view> choices{};  // of a choice, by value
  bool is_wide = false;                         // an integer of 64 bits
};

// Specialised for every struct that is described: static Shape make().
template <class T>
struct Described;

// Specialised for every enum class that is shown: static constexpr name, and names by value.
template <class E>
struct Named;

template <class T>
const Shape& shape_of();

namespace shape {

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
};
template <class T>
struct Unwrapped<std::vector<T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class>
struct MemberOf;
template <class C, class M>
struct MemberOf<M C::*> {
  using Owner = C;
  using Type = M;
};

template <class T>
Shape make() {
  if constexpr (std::is_same_v<T, std::string>) {
    return {.kind = ShapeKind::text};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {.kind = ShapeKind::boolean};
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return {.kind = ShapeKind::integer, .is_wide = true};
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return {.kind = ShapeKind::integer};
  } else if constexpr (std::is_same_v<T, double>) {
    return {.kind = ShapeKind::number};
  } else if constexpr (std::is_same_v<T, Json>) {
    return {.kind = ShapeKind::any};
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(sizeof(T) == 1);
    return {.kind = ShapeKind::choice, .name = Named<T>::name, .choices = Named<T>::names};
  } else {
    return Described<T>::make();
  }
}

}  // namespace shape

template <class T>
const Shape& shape_of() {
  static const Shape made = shape::make<T>();
  return made;
}

template <auto Member>
ShapeField field(std::string_view name, std::string_view says) {
  using Owner = typename shape::MemberOf<decltype(Member)>::Owner;
  using Type = typename shape::MemberOf<decltype(Member)>::Type;
  using Held = typename shape::Unwrapped<Type>::type;
  ShapeField out{.name = name, .says = says, .shape = &shape_of<Held>()};
  out.member = [](void* object) -> void* { return &(static_cast<Owner*>(object)->*Member); };
  if constexpr (shape::is_optional<Type>) {
    out.is_optional = true;
    out.add = [](void* member) -> void* { return &static_cast<Type*>(member)->emplace(); };
    out.size = [](const void* member) {
      return static_cast<std::size_t>(static_cast<const Type*>(member)->has_value());
    };
    out.at = [](const void* member, std::size_t) -> const void* {
      return &**static_cast<const Type*>(member);
    };
  } else if constexpr (shape::is_list<Type>) {
    static_assert(!std::is_same_v<Held, bool>, "a list of bool has no elements to point at");
    out.is_list = true;
    out.add = [](void* member) -> void* { return &static_cast<Type*>(member)->emplace_back(); };
    out.size = [](const void* member) { return static_cast<const Type*>(member)->size(); };
    out.at = [](const void* member, std::size_t index) -> const void* {
      return &(*static_cast<const Type*>(member))[index];
    };
  }
  return out;
}

inline Shape object(std::string_view name, std::vector<ShapeField> fields) {
  return {.kind = ShapeKind::object, .name = name, .fields = std::move(fields)};
}

// The canonical JSON of a described value; what is absent is left out.
Json encode(const Shape& shape, const void* value);
template <class T>
Json to_json(const T& value) {
  return encode(shape_of<T>(), &value);
}

// What decoding came upon beside the value.
struct DecodeNotes {
  std::vector<std::string> unknown_fields;  // paths, ignored (A13)
  std::vector<std::string> cut_fields;      // paths of texts that were too long (A28)
  std::vector<std::string> repaired;        // paths of an empty {} taken for an empty list (A14)
};
// Into `value`, which is as its type makes it. Errors: schema, limit; their path begins with
// `path`.
Result<void> decode(const Shape& shape, const Json& json, void* value, DecodeNotes& notes,
                    const std::string& path = {});
template <class T>
Result<T> from_json(const Json& json, DecodeNotes& notes) {
  T value{};
  if (Result<void> read = decode(shape_of<T>(), json, &value, notes); !read)
    return Unexpected(std::move(read).error());
  return value;
}

}  // namespace alfred
