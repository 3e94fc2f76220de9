// What a translation must never show, asked of its input and output alone: nothing here knows how
// the translator or its oracle look for keys.
//
// R1 no uuid of the input, in any case, with or without its dashes, and no eight characters from
//    either end of one, unless they stand in the input apart from it. Nor does a type show one.
// R2 no key of eight characters or more that the registry knows, and none of its ends. Refs apart,
//    literals inside a text too, and names of columns that are plain words: a key customer-17 hides
//    no customer_id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "refs/registry/ref_registry.h"

namespace alfred::oracle {

// What the output shows and must not; empty when there is nothing.
std::string leak(const RefRegistry& registry, std::string_view input, std::string_view output);

}  // namespace alfred::oracle
