// inbox watch: what there is, then what comes, until Ctrl-C. It reads the database itself, beside a
// server or without one.
#include <ostream>

#include "surface/cli/inbox/inbox_call.h"
#include "surface/cli/inbox/inbox_groups.h"
#include "surface/cli/terminal/signals.h"

namespace alfred::cli {
namespace {

constexpr std::int64_t kPage = 50;
constexpr std::int64_t kLookMs = 300;

void print_entries(const Json& page, bool is_json, std::ostream& out) {
  // Whether there are more is nothing to who goes on by himself.
  if (!is_json && !page.at("entries").as_array().empty())
    out << shown_answer(JsonObject{{"entries", page.at("entries")}});
  if (is_json)
    for (const Json& entry : page.at("entries").as_array()) out << write_json(entry) << "\n";
  out << std::flush;
}

Result<Json> watch_inbox(Inbox& inbox, const Arguments& arguments, const Streams& streams) {
  const SignalWatch signals;
  const std::string agent = arguments.text("agent");
  inbox::ReadEntries read{arguments.text("--after"), arguments.has("--include-acked"), kPage};
  while (!is_interrupted() && !is_end_wanted() && streams.out) {
    const std::uint64_t seen = inbox.changes();
    Result<Json> page = inbox.entries(agent, read);
    if (!page) return page;
    print_entries(*page, arguments.has("--json"), streams.out);
    const JsonArray& entries = page->at("entries").as_array();
    if (!entries.empty()) read.after_entry = entries.back().at("entryId").as_string();
    if (std::ssize(entries) < kPage) inbox.wait_for_change(seen, kLookMs);
  }
  return Json();
}

}  // namespace

std::vector<Command> watch_commands() {
  return {{"inbox", "watch", "Print an agent's entries, then those that come, until Ctrl-C",
           with_inbox({{"agent", "AGENT", "Its id, such as agt_copper-fox", true},
                       {"--after", "ENTRY", "Those behind this one"},
                       {"--include-acked", "", "And those that are acked"}}),
           look_inbox<watch_inbox>}};
}

}  // namespace alfred::cli
