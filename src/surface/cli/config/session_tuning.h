// What the configuration sets for all sessions: a folder of prompts (`prompts`, $ALFRED_PROMPTS,
// --prompts) and the windows and bounds of [session].
//
// R1 what is not set is as a session has it; what is set holds from its next turn on and is recorded there.
// R2 a number out of its bounds is refused, with the bounds.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/session/session.h"
#include "surface/cli/config/config.h"

namespace alfred::cli {

struct TunedSetting {
  std::string_view name;  // below [session]
  std::uint32_t SessionSettings::*setting;
  std::uint32_t least;
  std::uint32_t most;
  std::string_view help;
};
std::span<const TunedSetting> tuned_settings();

// Errors: usage, file.
Result<SessionTuning> session_tuning(const Config& config);

}  // namespace alfred::cli
