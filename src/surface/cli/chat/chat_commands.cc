#include "surface/cli/chat/chat_commands.h"

#include <filesystem>

#include "base/files/file.h"
#include "surface/cli/chat/dialogue.h"
#include "surface/cli/chat/greeting.h"
#include "surface/cli/chat/prompt_reminders.h"
#include "surface/cli/chat/slash_commands.h"
#include "surface/cli/config/session_tuning.h"
#include "surface/cli/terminal/line_source.h"
#include "surface/cli/terminal/signals.h"
#include "surface/cli/terminal/terminal.h"

namespace alfred::cli {
namespace {

constexpr int kInterrupted = 130;

Result<void> check_usage(const Arguments& arguments) {
  if (arguments.has("--new") && arguments.has("--session"))
    return fail(ErrorCode::usage, "Either a new session or one that there is.", "--session");
  if (arguments.has("--once") &&
      arguments.text("--once").find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorCode::usage, "The message is empty. Give one, such as --once \"help\".",
                "--once");
  std::error_code none;
  const std::string record = arguments.text("--record");
  if (!record.empty() && std::filesystem::file_size(record, none) > 0 && !none)
    return fail(ErrorCode::usage, "There is such a file already. Name a new one.", "--record");
  // Better now than after the first turn.
  return record.empty() ? Result<void>() : write_file_atomically(record, "", 0600);
}

// How one run of the command is talked to and answers.
struct Manner {
  TerminalFacts terminal;
  bool is_interactive = false;
  std::unique_ptr<Screen> screen;
};

Manner manner_of(const Arguments& arguments, const Config& config, const Streams& streams) {
  Manner manner;
  manner.terminal = look_at_terminal(system_environment);
  manner.is_interactive =
      manner.terminal.is_interactive && !arguments.has("--once") && !arguments.has("--json");
  if (arguments.has("--json")) {
    manner.screen = event_screen(streams);
  } else if (manner.terminal.is_output) {
    ScreenOptions options;
    options.columns = [] { return look_at_terminal(system_environment).columns; };
    options.colours = colours_for(config.text("chat.colour"), manner.terminal);
    options.has_progress = manner.terminal.is_capable && config.is_true("chat.progress");
    manner.screen = terminal_screen(streams, std::move(options));
  } else {
    manner.screen = plain_screen(streams);
  }
  return manner;
}

// Reads lines and has them answered until the end.
class ChatLoop {
 public:
  ChatLoop(Dialogue& dialogue, LineSource& lines, PromptReminders* reminders, bool is_interactive)
      : dialogue_(dialogue),
        lines_(lines),
        reminders_(reminders),
        is_interactive_(is_interactive) {}

  int run() {
    alone([&] { note(dialogue_.finish_open_turn()); });
    while (!is_over_ && !is_end_wanted()) {
      const LineRead read = lines_.next();
      if (read.kind == LineRead::Kind::end) break;
      if (read.kind == LineRead::Kind::line)
        alone([&] { take(read.text); });
      else if (!is_interactive_)
        return kInterrupted;
    }
    if (reminders_ != nullptr && !is_interactive_) reminders_->finish();
    return code_;
  }

  void note(TurnEnd end) {
    clear_interrupt();
    if (is_interactive_) return;  // a person has seen it
    if (end == TurnEnd::failed) code_ = std::max<int>(code_, kBadInput);
    if (end != TurnEnd::interrupted) return;
    code_ = kInterrupted;
    is_over_ = true;
  }

 private:
  // While nobody else moves the session; what came before is shown before.
  void alone(const std::function<void()>& step) {
    if (reminders_ == nullptr) return step();
    const auto held = reminders_->hold();
    reminders_->show();
    step();
  }

  void take(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) {
      if (is_interactive_ && dialogue_.has_open_turn()) note(dialogue_.finish_open_turn());
    } else if (is_slash_command(line)) {
      const SlashEnd end = run_slash_command(line, dialogue_);
      is_over_ = end == SlashEnd::quit;
      if (end == SlashEnd::failed && !is_interactive_) code_ = std::max<int>(code_, kBadInput);
    } else {
      note(dialogue_.say(line));
    }
  }

  Dialogue& dialogue_;
  LineSource& lines_;
  PromptReminders* reminders_;
  bool is_interactive_;
  bool is_over_ = false;
  int code_ = kDone;
};

// One message instead of a stream of them.
class OneLine final : public LineSource {
 public:
  explicit OneLine(std::string text) : text_(std::move(text)) {}
  LineRead next() override {
    if (is_taken_) return {};
    is_taken_ = true;
    return {LineRead::Kind::line, text_};
  }

 private:
  std::string text_;
  bool is_taken_ = false;
};

std::unique_ptr<LineSource> lines_for(const Arguments& arguments, const Streams& streams,
                                      const Manner& manner, const Config& config,
                                      PromptReminders* reminders) {
  if (arguments.has("--once")) return std::make_unique<OneLine>(arguments.text("--once"));
  if (!manner.is_interactive) return stream_lines(streams.in);
  EditorOptions options;
  options.is_coloured = colours_for(config.text("chat.colour"), manner.terminal) == Colours::on;
  options.history_path = history_path(system_environment);
  options.completions = slash_command_names();
  options.is_capable = manner.terminal.is_capable;
  if (reminders != nullptr) {
    options.has_news = [reminders] { return reminders->has_news(); };
    options.show_news = [reminders] { reminders->show(); };
  }
  return edited_lines(std::move(options));
}

void greet(Dialogue& dialogue) {
  const DialogueWorld& world = dialogue.world();
  if (dialogue.is_first())
    world.screen.page(first_greeting(*world.place.pack, world.speaker));
  else
    world.screen.note(short_greeting(dialogue.session(), world.speaker));
}

Result<int> talk(const Arguments& arguments, const Streams& streams) {
  if (Result<void> ok = check_usage(arguments); !ok) return Unexpected(std::move(ok).error());
  const Result<Config> config = Config::load(arguments, system_environment);
  if (!config) return Unexpected(config.error());
  const SignalWatch signals;
  const Manner manner = manner_of(arguments, *config, streams);
  const Environment environment = system_environment;
  const Result<std::optional<ModelKey>> key = model_key(*config, system_environment);
  if (!key) return Unexpected(key.error());
  Result<SessionTuning> tuning = session_tuning(*config);
  if (!tuning) return Unexpected(std::move(tuning).error());
  Ports ports;
  const Result<RecordPlace> place = open_named_place(arguments, streams, ports);
  if (!place) return Unexpected(place.error());
  Result<Speaker> speaker =
      choose_interpreter({*config, environment, *place, arguments.text("--replay"),
                          &interrupt_flag(), reply_preview(*manner.screen),
                          [&](const std::string& text) { streams.err << text << "\n"; }});
  if (!speaker) return Unexpected(std::move(speaker).error());
  DialogueWorld world{*place, ports, *speaker, *manner.screen, arguments.text("--record")};
  world.is_attended = manner.is_interactive;
  world.tuning = std::move(*tuning);
  if (*key) world.secrets.push_back((*key)->value);
  const WantedSession wanted{arguments.text("--session"), arguments.has("--new")};
  const Result<std::unique_ptr<Dialogue>> dialogue = Dialogue::open(world, wanted);
  if (!dialogue) return Unexpected(dialogue.error());
  if (manner.is_interactive) greet(**dialogue);
  // A recording answers what was recorded, and nothing that comes in meanwhile.
  std::unique_ptr<PromptReminders> reminders;
  const bool may_show = !arguments.has("--replay") && !arguments.has("--json");
  if (may_show && (manner.is_interactive || has_due_reminders(*place, ports)))
    reminders = std::make_unique<PromptReminders>(**dialogue, *config, environment);
  const std::unique_ptr<LineSource> lines =
      lines_for(arguments, streams, manner, *config, reminders.get());
  return ChatLoop(**dialogue, *lines, reminders.get(), manner.is_interactive).run();
}

}  // namespace

int run_chat(const Arguments& arguments, const Streams& streams) {
  const Result<int> code = talk(arguments, streams);
  if (!code) return report(code.error(), streams.err);
  return streams.out ? *code : static_cast<int>(kUnavailable);
}

std::vector<Command> chat_commands() {
  return {{"",
           "chat",
           "Talk to Alfred; not at a terminal, read one message a line from standard input",
           {{"--new", "", "Begin a new session instead of going on with the last"},
            {"--session", "SESSION", "Go on with this session"},
            {"--once", "MESSAGE", "Say this, print the reply and leave"},
            {"--json", "", "Print what happens as events, one JSON object a line"},
            {"--interpreter", "NAME", "Who answers: rules or chat_http"},
            {"--record", "FILE", "Keep all answers in this new file"},
            {"--replay", "FILE", "Answer from such a file; nobody else is asked"},
            {"--prompts", "DIR", "A folder with prompts of your own"},
            {"--db", "URL", "The database; when not given, the embedded pack"},
            {"--pack", "DIR", "The pack that describes it"},
            {"--user", "NAME", "Whose sessions and rows; me when not given"}},
           run_chat,
           false,
           true}};
}

}  // namespace alfred::cli
