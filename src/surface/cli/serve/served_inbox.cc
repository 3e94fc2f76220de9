#include "surface/cli/serve/served_inbox.h"

#include <ostream>

#include "base/error_table.h"
#include "surface/cli/inbox/inbox_call.h"

namespace alfred::cli {

Result<std::unique_ptr<ServedInbox>> ServedInbox::open(const Arguments& arguments,
                                                       const Streams& streams, const Clock& clock,
                                                       Random& random) {
  const Result<std::string> database = inbox_database(arguments.text("--inbox-db"));
  if (!database) return Unexpected(database.error());
  std::vector<std::string> warnings;
  Result<OpenInbox> opened = OpenInbox::open(*database, clock, random, &warnings);
  for (const std::string& warning : warnings) streams.err << "alfred: " << warning << "\n";
  if (!opened) return Unexpected(std::move(opened).error());
  return std::unique_ptr<ServedInbox>(new ServedInbox(std::move(*opened), clock));
}

http::InboxDoor* ServedInbox::start(http::JsonLog& log, std::function<bool()> is_ending,
                                    bool runs_programs) {
  door_.emplace(opened_.inbox(), std::move(is_ending));
  const auto on_error = [&log](const Error& error) {
    log.write("error",
              JsonObject{{"event", "inbox"},
                         {"code", error_name(error.code)},
                         {"message", error.message},
                         {"path", error.path},
                         {"detail", error.detail}},
              "");
  };
  InboxRunner::Options options;
  options.on_error = on_error;
  runner_.emplace(opened_.inbox(), clock_, std::move(options));
  if (runs_programs) {
    ExecRunner::Options programs;
    programs.on_error = on_error;
    programs_.emplace(opened_.inbox(), clock_, std::move(programs));
  }
  return &*door_;
}

}  // namespace alfred::cli
