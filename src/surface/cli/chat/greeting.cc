#include "surface/cli/chat/greeting.h"

#include <fmt/format.h>

#include "surface/cli/chat/state_pages.h"

namespace alfred::cli {
namespace {

std::string about_pack(const Pack& pack) {
  if (!pack.chat.greeting.empty()) return pack.chat.greeting;
  const std::string& title = pack.title.empty() ? pack.name : pack.title;
  return pack.description.empty() ? title : title + ": " + pack.description;
}

}  // namespace

std::string first_greeting(const Pack& pack, const Speaker& speaker) {
  std::string page = "# Alfred\n\n" + markdown_line(about_pack(pack)) + "\n\n";
  page += fmt::format("You are talking to **{}**. {}\n", markdown_line(speaker.name),
                      markdown_line(speaker.about));
  if (!pack.chat.tries.empty()) page += "\nTry:\n";
  for (const std::string& one : pack.chat.tries) page += "- " + markdown_line(one) + "\n";
  page +=
      "\nA model speaks when `ALFRED_MODEL_URL`, `ALFRED_MODEL` and `ALFRED_MODEL_KEY` are set, or "
      "`[model]` in the file that `alfred config path` names.\n"
      "`/help` shows the commands, Ctrl-D leaves.\n\n";
  return page;
}

std::string short_greeting(const Session& session, const Speaker& speaker) {
  const std::uint32_t turns = session.state().facts.turn;
  const std::string which = turns == 0 ? "a new session"
                                       : fmt::format("session {}, {} {}", session.id(), turns,
                                                     turns == 1 ? "turn" : "turns");
  return fmt::format("Alfred, {}. You are talking to {}. /help shows the commands.", which,
                     speaker.name);
}

}  // namespace alfred::cli
