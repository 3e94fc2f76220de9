// Any bytes as an id. Holds: nothing crashes; what is accepted is exactly what came; identifying
// agrees with parsing for every kind; normalizing twice is normalizing once.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "alfred/ids.h"

namespace {

using namespace alfred;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_agent(std::string_view text) {
  const Result<AgentId> parsed = parse_agent_id(text);
  if (parsed)
    require(parsed->view() == text);
  else
    require(!parsed.error().message.empty());
}

void check_kinds(std::string_view text) {
  const Result<IdKind> identified = identify_id(text);
  if (!identified) require(identified.error().code == ErrorCode::id_syntax);
  for (const IdKindRow& row : id_kinds()) {
    if (row.kind == IdKind::agent) continue;
    const Result<ShortIdText> parsed = parse_short_id_text(row.kind, text);
    require(parsed.has_value() == (identified && *identified == row.kind));
    if (parsed) require(std::string_view(parsed->data(), parsed->size()) == text);
  }
  // A generated name is also a name that an owner could have chosen.
  if (identified && *identified == IdKind::agent) require(parse_agent_id(text).has_value());
}

void check_normalize(std::string_view text) {
  const std::string once = normalize_typed_id(text);
  require(normalize_typed_id(once) == once);
  require(once.size() <= text.size());
  if (identify_id(text)) require(once == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check_agent(text);
  check_kinds(text);
  check_normalize(text);
  return 0;
}
