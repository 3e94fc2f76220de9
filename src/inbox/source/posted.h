// What outside systems POST to a source.
//
// R1 where a source has a secret, what comes is signed with it: X-Hub-Signature-256 as GitHub sends it, or
//    Stripe-Signature, at most five minutes old. Compared in constant time.
// R2 the event's id is where the config says, else in a header that says so, else the digest of the body, so that
//    what is sent again is deduped.
// R3 headers that say something of the event are in metadata.headers; credentials and signatures are not.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace alfred::inbox {

struct Posted {
  const std::vector<std::pair<std::string, std::string>>& headers;  // names in lower case
  const std::string& body;                                          // as it came, for its signature
  const Json& json;                                                 // the same, read
  std::int64_t at_ms = 0;
};

// R1. Errors: access.
Result<void> check_signature(const Json& config, const Posted& posted);
// The event as an append takes it, by the type of its host. Errors: schema.
Result<Json> posted_event(std::string_view host_type, const Json& config, const Posted& posted);

}  // namespace alfred::inbox
