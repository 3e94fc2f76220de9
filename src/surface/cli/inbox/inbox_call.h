// What the inbox's commands share: opening it, reading arguments into a request, printing an
// answer.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/json/json.h"
#include "inbox/inbox.h"
#include "inbox/open_inbox.h"
#include "surface/cli/command.h"

namespace alfred::cli {

using InboxCall = Result<Json> (*)(Inbox&, const Arguments&, const Streams&);

// Runs a call on the inbox that the arguments name and prints its answer; null: nothing.
int call_inbox(InboxCall call, const Arguments& arguments, const Streams& streams,
               IfAbsent if_absent);

template <InboxCall Call>
int run_inbox(const Arguments& arguments, const Streams& streams) {
  return call_inbox(Call, arguments, streams, IfAbsent::make);
}
// The same for a call that has nothing to do without records: it makes no file.
template <InboxCall Call>
int look_inbox(const Arguments& arguments, const Streams& streams) {
  return call_inbox(Call, arguments, streams, IfAbsent::refuse);
}

// Parameters with --db and --json behind them.
std::vector<Parameter> with_inbox(std::vector<Parameter> parameters);
// Those of a list: these, and what page_of() reads.
std::vector<Parameter> with_page(std::vector<Parameter> parameters = {});

// {field: text} for the arguments that were given.
JsonObject texts_of(const Arguments& arguments,
                    std::initializer_list<std::pair<const char*, const char*>> names);
// Adds a member that is JSON or a number on the command line.
Result<void> add_json(JsonObject& request, const char* field, const std::string& text,
                      const JsonLimits& limits = JsonLimits::none());
Result<void> add_number(JsonObject& request, const char* field, const Arguments& arguments,
                        const char* name);
std::int64_t limit_of(const Arguments& arguments);
// Of a list that has --limit and --after.
inbox::ListPage page_of(const Arguments& arguments);

// An answer as people read it (R2).
std::string shown_answer(const Json& answer);

}  // namespace alfred::cli
