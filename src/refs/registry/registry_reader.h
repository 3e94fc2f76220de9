// From a registry's JSON back to the registry: every member checked, every change folded in.
#pragma once

#include "base/json/json.h"
#include "refs/registry/ref_registry.h"

namespace alfred {

inline constexpr std::string_view kRegistryFormat = "alfred-registry";
inline constexpr int kRegistryVersion = 1;

Result<RefRegistry> read_registry(const Json& json, RefLimits limits);

}  // namespace alfred
