// Scenario pages as files: run, or brought up to what really happens.
//
// R1 every run has a stage of its own; nothing of it is left.
// R2 an update changes what the page expects and nothing else: not what the user says, not what the model answers.
//    What did not differ stays as it was written.
// R3 an updated page passes: it was run again, and what differed from run to run, or would on another day, is "$any" in
//    it. A page that fails otherwise than by what it expects is left as it is.
#pragma once

#include <cstddef>
#include <string>

#include "engine/scenario/scenario_runner.h"
#include "engine/scenario_pages/temporary_stage.h"

namespace alfred {

struct PageOutcome {
  std::string title{};
  std::string failure{};    // "file:line: …"; empty: it passes
  std::size_t updated = 0;  // blocks that were written anew
};

// Errors: of a file that cannot be read or is no scenario, or of a stage that cannot be made.
Result<PageOutcome> run_page(const std::string& path, const StageOptions& options,
                             const RunnerOptions& runner = {});
Result<PageOutcome> update_page(const std::string& path, const StageOptions& options);

}  // namespace alfred
