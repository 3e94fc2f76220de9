// A batch of rows whose parts are changed: "add salt to both" writes nested rows, not the two
// themselves.
//
// R1 an item of the step's batch is complete when a call that is not of the batch's table changed a row that leads to
//    it: by a link in the row written or in the filter, or by what a read of the window says of the
//    row.
// R2 an item that failed stays failed; what is generated and not saved is complete when it is saved, not before.
#pragma once

#include "turn/scene.h"

namespace alfred {

// After a call of this step was told.
void complete_parents(Scene& scene, std::uint32_t step);

}  // namespace alfred
