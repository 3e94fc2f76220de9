#include "surface/cli/config/session_tuning.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace alfred::cli {

std::span<const TunedSetting> tuned_settings() {
  using S = SessionSettings;
  static constexpr std::array<TunedSetting, 9> kSettings{{
      {"entity_window", &S::entity_window, 0, 100, "Turns before this one whose data is shown; 2"},
      {"full_turns", &S::full_turns, 1, 100, "Turns of conversation that stay whole; 3"},
      {"goal_turns", &S::goal_turns, 0, 1000, "Turns until a goal is forgotten; 3, 0 is never"},
      {"tool_calls_per_step", &S::tool_calls_per_step, 1, 1000, "Calls a step may make; 10"},
      {"repairs_per_step", &S::repairs_per_step, 0, 100, "Answers that may be sent back; 3"},
      {"repeated_calls", &S::repeated_calls, 1, 100, "Same calls until a step is blocked; 3"},
      {"replans", &S::replans, 0, 10, "How often a turn is planned again; 1"},
      {"background_rows", &S::background_rows, 0, 1000, "Rows read before Understand; 20"},
      {"prompt_tokens", &S::prompt_tokens, 2000, 10'000'000, "The largest prompt; 60000"},
  }};
  return kSettings;
}

Result<SessionTuning> session_tuning(const Config& config) {
  SessionTuning out;
  Result<CoreTexts> texts = load_core_texts(config.text("prompts"));
  if (!texts) return Unexpected(std::move(texts).error());
  out.texts = std::move(*texts);
  for (const TunedSetting& one : tuned_settings()) {
    const std::string name = fmt::format("session.{}", one.name);
    const std::string& given = config.text(name);
    if (given.empty()) continue;
    std::uint32_t value = 0;
    const auto [end, wrong] = std::from_chars(given.data(), given.data() + given.size(), value);
    const bool is_read = wrong == std::errc() && end == given.data() + given.size();
    if (!is_read || value < one.least || value > one.most)
      return fail(
          ErrorCode::usage,
          fmt::format("{} is {}. It is a number from {} to {}.", name, given, one.least, one.most),
          config.of(name).where);
    out.settings.emplace_back(one.setting, value);
  }
  return out;
}

}  // namespace alfred::cli
