// A handle: what a reply goes out through, {provider, surface, targetRef} and whatever else its
// provider keeps in it. Events bring it along, deliveries take it back as it is.
#pragma once

#include "inbox/fields.h"

namespace alfred::inbox {

inline constexpr const char* kHandleParts[] = {"provider", "surface", "targetRef"};

// The handle in this field, each of whose parts is a text; else `fields` keeps what is wrong.
Json read_handle(Fields& fields, std::string_view name);
// A part of a handle; empty: it has none.
std::string handle_part(const Json& handle, std::string_view part);

}  // namespace alfred::inbox
