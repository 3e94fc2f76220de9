// Calls that fail because something changed elsewhere: the tables of a user's own database, or refs
// that another process gave. What they did not know is looked up, and they run once more.
#include <algorithm>

#include "engine/record_service.h"
#include "pack/derive.h"
#include "records/kept_ref_names.h"

namespace alfred {
namespace {

// Whether the database may have other tables or columns than the schema says.
bool may_be_of_schema(const Error& error) {
  switch (error.code) {
    case ErrorCode::table:
    case ErrorCode::column:
    case ErrorCode::enum_value:
    case ErrorCode::query: return true;
    default:
      return error.detail.starts_with("sqlite 1:") || error.detail.starts_with("SQLSTATE 42");
  }
}

}  // namespace

void follow_tables(RecordPlace& place) {
  if (!place.live || place.narrow) return;
  std::shared_ptr<const Schema> last = place.live->last();
  if (last == place.source) return;
  if (place.is_pack_derived) place.pack = std::make_shared<const Pack>(derive_pack(*last));
  place.source = place.schema = std::move(last);
}

Result<bool> RecordService::renew_schema() {
  if (!place_.live) return false;
  Result<std::shared_ptr<const Schema>> now = place_.live->now();
  if (!now) return Unexpected(std::move(now).error());
  if (*now == place_.source) return false;
  Result<std::shared_ptr<const Schema>> shown = place_.narrow ? place_.narrow(**now) : *now;
  if (!shown) return Unexpected(std::move(shown).error());
  shown = with_kept_ref_names(std::move(*shown), workspace_.registry());
  if (!shown) return Unexpected(std::move(shown).error());
  place_.source = std::move(*now);
  schemas_before_.push_back(std::exchange(place_.schema, std::move(*shown)));
  return true;
}

// A call that failed changed nothing, and its op was not kept.
Result<std::string> RecordService::again_if_renewed(
    const std::function<Result<std::string>()>& once) {
  Result<std::string> answer = once();
  if (answer) return answer;
  if (answer.error().code == ErrorCode::ref_unknown) {
    const std::int64_t before = workspace_.place();
    if (!catch_up() || workspace_.place() == before) return answer;
    return once();
  }
  if (!may_be_of_schema(answer.error())) return answer;
  const Result<bool> renewed = renew_schema();
  return renewed && *renewed ? once() : answer;
}

}  // namespace alfred
