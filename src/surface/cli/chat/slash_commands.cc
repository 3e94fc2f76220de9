#include "surface/cli/chat/slash_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/file.h"
#include "base/time/iso_time.h"
#include "engine/session/audit.h"
#include "surface/cli/chat/state_pages.h"
#include "surface/cli/chat/turn_story.h"

namespace alfred::cli {
namespace {

constexpr std::int64_t kSessionsShown = 20;

using Page = Result<std::string>;

struct SlashCommand {
  std::string_view name;
  std::string_view argument;
  std::string_view help;
  Page (*page)(Dialogue&, const std::string& argument);
  bool is_exact = false;  // shown as it is, not as Markdown
};

Page page_of_cost(Dialogue& dialogue, const std::string& /*argument*/) {
  const Result<PromptsShown> shown = prompts_of_last_turn(dialogue.session());
  if (!shown) return Unexpected(shown.error());
  const Speaker& speaker = dialogue.world().speaker;
  return fmt::format(
      "The last turn showed {} prompts, about {} tokens.\n{}\n", shown->prompts, shown->tokens,
      speaker.cost
          ? speaker.cost()
          : fmt::format("Nothing is paid for {}.", markdown_line(speaker.interpreter->name())));
}

Page page_of_sessions(Dialogue& dialogue, const std::string& /*argument*/) {
  RecordPlace place = dialogue.world().place;
  const Result<SessionPage> page = sessions_of(place, kSessionsShown, "");
  if (!page) return Unexpected(page.error());
  std::string out = "| session | last used | begins with |\n|---|---|---|\n";
  for (const SessionRecord& one : page->sessions)
    out += fmt::format("| {}{} | {} | {} |\n", one.id.view(),
                       one.id.view() == dialogue.session().id() ? " (this)" : "",
                       iso_date_of(one.updated_ms), markdown_line(one.title));
  return out + "\nGo on with one: `alfred chat --session ID`\n";
}

Page page_of_new(Dialogue& dialogue, const std::string& /*argument*/) {
  if (Result<void> begun = dialogue.begin_anew(); !begun) return Unexpected(begun.error());
  return fmt::format("This is a new session, {}.\n", dialogue.session().id());
}

Page exported(Dialogue& dialogue, const std::string& path) {
  Page page = conversation_page(dialogue.session());
  if (!page || path.empty()) return page;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    return fail(ErrorCode::file, "There is a file " + path + " already. Name another.", "/export");
  if (Result<void> written = write_file_atomically(path, *page, 0600); !written)
    return Unexpected(written.error());
  return "Written to " + path + "\n";
}

const std::vector<SlashCommand>& table() {
  static const std::vector<SlashCommand> commands{
      {"/help", "", "What there is to type",
       [](Dialogue&, const std::string&) -> Page { return slash_help_page(); }},
      {"/working-set", "", "What is in play: refs, labels, and how",
       [](Dialogue& d, const std::string&) -> Page { return working_set_page(d.session()); }},
      {"/plan", "", "The steps of the last turn, or those that wait for your word",
       [](Dialogue& d, const std::string&) -> Page { return plan_page(d.session()); }},
      {"/batch", "", "Operations on several, item by item",
       [](Dialogue& d, const std::string&) -> Page { return batch_page(d.session()); }},
      {"/constraints", "", "What is kept to, always and for now",
       [](Dialogue& d, const std::string&) -> Page { return constraints_page(d.session()); }},
      {"/why", "", "How the last turn came out as it did",
       [](Dialogue& d, const std::string&) -> Page {
         return why_page(d.session(), d.world().speaker.interpreter.get());
       }},
      {"/prompt", "[NODE]", "Exactly what the model saw in the last turn",
       [](Dialogue& d, const std::string& node) { return prompt_text(d.session(), node); }, true},
      {"/cost", "", "How much the last turn showed, and what it cost", page_of_cost},
      {"/sessions", "", "Your sessions, the last used first", page_of_sessions},
      {"/new", "", "Begin a new session", page_of_new},
      {"/export", "[FILE]", "The conversation as Markdown, here or into a file", exported, true},
      {"/quit", "", "Leave; so does Ctrl-D", nullptr},
  };
  return commands;
}

}  // namespace

bool is_slash_command(std::string_view line) { return line.starts_with('/'); }

SlashEnd run_slash_command(std::string_view line, Dialogue& dialogue) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view name = line.substr(0, end);
  std::string argument(line.substr(end));
  argument.erase(0, argument.find_first_not_of(' '));
  while (argument.ends_with(' ')) argument.pop_back();
  Screen& screen = dialogue.world().screen;
  const auto found = std::find_if(table().begin(), table().end(),
                                  [&](const SlashCommand& one) { return one.name == name; });
  if (found == table().end()) {
    screen.error(fail(ErrorCode::usage, "There is no such command.", std::string(name),
                      slash_command_names())
                     .value());
    return SlashEnd::failed;
  }
  if (found->page == nullptr) return SlashEnd::quit;
  const Page page = found->page(dialogue, argument);
  if (!page) {
    screen.error(page.error());
    return SlashEnd::failed;
  }
  if (found->is_exact)
    screen.exact(*page);
  else
    screen.page(*page);
  return SlashEnd::done;
}

std::vector<std::string> slash_command_names() {
  std::vector<std::string> names;
  for (const SlashCommand& one : table()) names.emplace_back(one.name);
  return names;
}

std::string slash_help_page() {
  std::string page =
      "Say what you want in your own words; `help` says what is understood. Lines that begin with / "
      "are for you:\n\n";
  page += "| command | what it shows or does |\n|---|---|\n";
  for (const SlashCommand& one : table())
    page += fmt::format("| {}{}{} | {} |\n", one.name, one.argument.empty() ? "" : " ",
                        markdown_line(one.argument), one.help);
  return page + "\nCtrl-C stops a turn and keeps the session. A line that ends in \\\\ goes on.\n";
}

}  // namespace alfred::cli
