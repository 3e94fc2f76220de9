// What a generate step made: kept whole under gen_ refs, edited in place where it names one.
//
// R1 all of an answer's artifacts are kept or none: at least one, exactly as many as the step asks for, each of a type
//    that exists, with an object's content.
// R2 one that names a gen_ ref that is not saved replaces its content; nothing else is named, and nothing twice.
// R3 they are held against the constraints first (D12a).
#pragma once

#include <span>

#include "contracts/act_answer.h"
#include "turn/scene.h"

namespace alfred {

Result<void> keep_artifacts(Scene& scene, std::uint32_t step, std::span<const Artifact> artifacts);

// What content of a type is held against: what always holds, and the goal's when it is about such
// things.
SessionConstraints constraints_on(const Scene& scene, std::string_view type);

}  // namespace alfred
