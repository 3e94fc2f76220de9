// What a generate step made: kept whole under gen_ refs, edited in place where it names one.
//
// R1 all of an answer's artifacts are kept or none, and exactly as many as the step asks for; each is of a type that exists, with an object's content.
// R2 one that names a gen_ ref that is not saved replaces its content; nothing else is named.
// R3 they are held against the constraints first (D12a).
#pragma once

#include <span>

#include "contracts/act_answer.h"
#include "turn/scene.h"

namespace alfred {

Result<void> keep_artifacts(Scene& scene, std::uint32_t step, std::span<const Artifact> artifacts);

}  // namespace alfred
