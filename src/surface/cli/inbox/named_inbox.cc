#include "surface/cli/inbox/named_inbox.h"

#include <ostream>

namespace alfred::cli {

Result<std::unique_ptr<NamedInbox>> NamedInbox::open(const std::string& database,
                                                     const Streams& streams, IfAbsent if_absent) {
  std::unique_ptr<NamedInbox> out(new NamedInbox());
  Ports& ports = out->ports_;
  if (database.empty()) {
    Result<RecordPlace> place = open_named_place(Arguments(), streams, ports);
    if (!place) return Unexpected(std::move(place).error());
    out->place_ = std::move(*place);
    out->of_place_ = std::make_unique<Inbox>(out->place_.state(), ports.clock, ports.random);
    return out;
  }
  std::vector<std::string> warnings;
  Result<OpenInbox> opened =
      OpenInbox::open(database, ports.clock, ports.random, &warnings, if_absent);
  for (const std::string& warning : warnings) streams.err << "alfred: " << warning << "\n";
  if (!opened) return Unexpected(std::move(opened).error());
  out->named_ = std::move(*opened);
  return out;
}

}  // namespace alfred::cli
