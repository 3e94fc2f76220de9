#include "engine/scenario_pages/live_pages.h"

#include <fmt/format.h>

#include "interpreter/chat_http/chat_http.h"

namespace alfred {

LivePages::~LivePages() = default;

Result<std::unique_ptr<LivePages>> LivePages::make() { return make(chat_variables()); }

Result<std::unique_ptr<LivePages>> LivePages::make(
    const std::map<std::string, std::string>& variables) {
  Result<std::optional<ChatSettings>> settings = ChatSettings::from(variables);
  if (!settings) return Unexpected(std::move(settings).error());
  if (!*settings)
    return fail(ErrorCode::model,
                "No model is named. Set ALFRED_MODEL_URL and ALFRED_MODEL: docs/models.md.");
  std::unique_ptr<LivePages> out(new LivePages());
  out->model_ =
      std::make_unique<ChatHttp>(**std::move(settings), ChatPorts{out->clock_, out->random_, {}});
  return out;
}

Result<PageOutcome> LivePages::run(const std::string& path, const StageOptions& options) {
  RunnerOptions live;
  live.is_live = true;
  live.model = [this](const Ask& ask, const Result<Answer>&) { return model_->answer(ask); };
  return run_page(path, options, live);
}

std::string LivePages::used() const {
  const ModelUsage total = model_->total();
  std::string out = fmt::format("{}: {} answers, {} tokens read ({} from a cache), {} written",
                                model_->settings().model, total.answers, total.input_tokens,
                                total.cached_tokens, total.output_tokens);
  if (total.retries > 0) out += fmt::format(", {} retries", total.retries);
  if (total.estimated > 0) out += fmt::format(", {} answers only estimated", total.estimated);
  return out;
}

}  // namespace alfred
