#include "inbox/handle.h"

#include <fmt/format.h>

namespace alfred::inbox {

Json read_handle(Fields& fields, std::string_view name) {
  Json handle = fields.object(name);
  for (const char* const part : kHandleParts) {
    const Json* const value = handle.as_object().if_contains(part);
    if (value == nullptr || !value->is_string())
      fields.refuse(ErrorCode::schema, fmt::format("The handle has no {}.", part), name);
  }
  return handle;
}

std::string handle_part(const Json& handle, std::string_view part) {
  const JsonObject* const object = handle.if_object();
  const Json* const value = object == nullptr ? nullptr : object->if_contains(part);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

}  // namespace alfred::inbox
