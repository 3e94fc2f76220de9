#include "surface/cli/chat/choose_interpreter.h"

#include <fmt/format.h>

#include "base/files/file.h"
#include "interpreter/chat_http/chat_http.h"
#include "interpreter/rules/rules_interpreter.h"

namespace alfred::cli {
namespace {

std::function<bool()> cancelling(const SpeakerWorld& world) {
  if (world.is_cancelled == nullptr) return {};
  return [flag = world.is_cancelled] { return flag->load(); };
}

Result<Speaker> recorded(const SpeakerWorld& world) {
  Result<std::vector<RecordedAnswer>> answers = read_recording_file(world.replay);
  if (!answers) return Unexpected(std::move(answers).error());
  Speaker speaker;
  speaker.interpreter = std::make_unique<RecordedAnswers>(
      std::move(*answers), cancelling(world), [warn = world.warn](const std::string& message) {
        if (warn)
          warn("The recording answers another message, “" + message +
               "”. Say that one, or record anew with --record.");
      });
  speaker.name = "a recording";
  speaker.about = "Answers are played as they were given before; nobody thinks.";
  return speaker;
}

// The model that is set, with the key from wherever it is kept.
Result<ChatSettings> model_settings(const Config& config, const Environment& environment) {
  JsonObject table = model_table(config);
  const Result<std::optional<ModelKey>> key = model_key(config, environment);
  if (!key) return Unexpected(key.error());
  if (*key) table["key"] = (*key)->value;
  Result<std::optional<ChatSettings>> settings = ChatSettings::from(chat_variables(), table);
  if (!settings) return Unexpected(std::move(settings).error());
  if (!*settings)
    return fail(
        ErrorCode::usage,
        "No model is set. Set ALFRED_MODEL_URL and ALFRED_MODEL, or url and model in the [model] table "
        "of the configuration.",
        "model.model");
  return std::move(**settings);
}

struct SystemPorts {
  SystemClock clock{};
  OsRandom random{};
};

// Owns the ports that its model uses.
class OwnModel final : public Interpreter {
 public:
  OwnModel(ChatSettings settings, ChatWatch watch)
      : model_(std::move(settings), {ports_.clock, ports_.random, {}}, std::move(watch)) {}
  std::string_view name() const override { return model_.name(); }
  std::size_t most_at_once() const override { return model_.most_at_once(); }
  Result<Answer> answer(const Ask& ask) override { return model_.answer(ask); }
  const ChatHttp& model() const { return model_; }

 private:
  SystemPorts ports_;
  ChatHttp model_;
};

std::string cost_text(const ModelUsage& used) {
  std::string out =
      fmt::format("{} answers, {} tokens read ({} of them cached), {} written", used.answers,
                  used.input_tokens, used.cached_tokens, used.output_tokens);
  if (used.unpriced < used.answers) out += fmt::format(", cost {:.4f}", used.cost);
  if (used.unpriced > 0) out += fmt::format("; {} answers without a price", used.unpriced);
  return out;
}

Result<Speaker> model(const SpeakerWorld& world) {
  Result<ChatSettings> settings = model_settings(world.config, world.environment);
  if (!settings) return Unexpected(std::move(settings).error());
  ChatWatch watch;
  watch.on_token = world.on_token;
  watch.is_cancelled = cancelling(world);
  Speaker speaker;
  speaker.name = "the model " + settings->model;
  speaker.about = fmt::format("It is asked at {}.", settings->url);
  auto own = std::make_unique<OwnModel>(std::move(*settings), std::move(watch));
  speaker.cost = [&used = own->model()] { return cost_text(used.total()); };
  speaker.interpreter = std::move(own);
  return speaker;
}

Result<std::unique_ptr<RulesInterpreter>> rules_for(const SpeakerWorld& world) {
  const RecordPlace& place = world.place;
  // Faults of somebody's own pack are told at the start; the program's packs have none, and nobody
  // has to wait for them.
  if (world.config.is_set("pack")) return RulesInterpreter::make(*place.pack, *place.schema);
  return RulesInterpreter::learning(*place.pack, *place.schema);
}

Result<Speaker> built_in(const SpeakerWorld& world) {
  Result<std::unique_ptr<RulesInterpreter>> rules = rules_for(world);
  if (!rules) return Unexpected(std::move(rules).error());
  Speaker speaker;
  speaker.interpreter = std::move(*rules);
  speaker.name = "the built-in rules";
  speaker.about =
      "No model is set, so Alfred goes by fixed rules: they know everyday sentences, need no key and no network, and "
      "say so when they do not understand.";
  return speaker;
}

}  // namespace

Result<std::vector<RecordedAnswer>> read_recording_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return Unexpected(text.error());
  Result<std::vector<RecordedAnswer>> answers = read_recording(*text);
  if (answers) return answers;
  Error error = std::move(answers).error();
  error.path = path + (error.path.empty() ? "" : ", " + error.path);
  return Unexpected(std::move(error));
}

std::string interpreter_name(const Config& config, const Environment& environment) {
  if (config.is_set("interpreter")) return config.text("interpreter");
  const bool has_model = config.is_set("model.url") || config.is_set("model.model") ||
                         !environment("OPENAI_MODEL").empty() ||
                         !environment("ANTHROPIC_MODEL").empty();
  return has_model ? "chat_http" : "rules";
}

Result<Speaker> choose_interpreter(const SpeakerWorld& world) {
  if (!world.replay.empty()) return recorded(world);
  return interpreter_name(world.config, world.environment) == "rules" ? built_in(world)
                                                                      : model(world);
}

Result<std::string> ask_model(const Config& config, const Environment& environment) {
  Result<ChatSettings> settings = model_settings(config, environment);
  if (!settings) return Unexpected(std::move(settings).error());
  settings->max_tokens = 64;
  settings->retries = 0;
  const std::string name = settings->model;
  OwnModel own(std::move(*settings), {});
  const Ask ask{
      .id = 1, .node = Node::reply, .system = "Answer with one word.", .user = "Are you there?"};
  const Result<Answer> answer = own.answer(ask);
  if (!answer) return Unexpected(answer.error());
  return name;
}

}  // namespace alfred::cli
