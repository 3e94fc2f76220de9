// Text that somebody typed, for where nobody restores a literal (literal_mask.h).
//
// R1 every key in it, by its shape or because it is known, is [key]; literals and refs that were given
//    stay.
#pragma once

#include <string>
#include <string_view>

#include "refs/registry/ref_registry.h"

namespace alfred {

std::string text_without_keys(const RefRegistry& registry, std::string_view text);

}  // namespace alfred
