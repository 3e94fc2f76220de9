#include "inbox/filter/filter.h"

#include <new>

#include "inbox/fields.h"
#include "inbox/filter/expression.h"
#include "inbox/filter/shortcut.h"

namespace alfred::inbox {

struct Filter::Parts {
  Json metadata, payload;  // null: not there
  std::optional<Expression> expression;
};

Result<Filter> Filter::compile(const Json& filter) {
  Fields fields(filter, {"metadata", "payload", "expr"});
  auto parts = std::make_shared<Parts>();
  if (fields.has("metadata")) parts->metadata = fields.object("metadata");
  if (fields.has("payload")) parts->payload = fields.object("payload");
  const std::optional<std::string> text = fields.maybe_text("expr");
  if (Result<void> good = fields.check(); !good) return Unexpected(good.error());
  if (text) {
    Result<Expression> expression = Expression::parse(*text);
    if (!expression) return Unexpected(expression.error());
    const Json nothing = JsonObject();
    if (const auto tried = expression->holds({nothing, nothing, "", "", ""}); !tried)
      return Unexpected(tried.error());
    parts->expression = std::move(*expression);
  }
  return Filter(std::move(parts));
}

Result<bool> Filter::matches(const EventView& event) const {
  try {
    return matches_parts(event);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::limit, "The filter takes more memory on this event than there is.",
                "filter");
  }
}

Result<bool> Filter::matches_parts(const EventView& event) const {
  std::int64_t left = kMaxCompared;
  for (const auto& [expected, actual] :
       {std::pair(&parts_->metadata, &event.metadata), {&parts_->payload, &event.payload}}) {
    if (expected->is_null()) continue;
    const bool is_match = matches_shortcut(*expected, *actual, left);
    if (left < 0)
      return fail(ErrorCode::limit, "The filter compares too many values of this event.", "filter");
    if (!is_match) return false;
  }
  if (parts_->expression) return parts_->expression->holds(event);
  return true;
}

}  // namespace alfred::inbox
