// What was only found by search is not changed before the user said that it is meant (think.h R4),
// whatever the plan calls the step: the call itself is held against it.
#pragma once

#include <string_view>

#include "turn/scene.h"

namespace alfred {

// `params` of a db_update or db_delete. Error: plan.
Result<void> check_call_asked_first(const Scene& scene, std::uint32_t step,
                                    const JsonObject& params);

}  // namespace alfred
