// From what a model wrote to the entity it means, or to the error that says what to do (B1–B13).
#include <fmt/format.h>

#include "refs/literal_mask.h"
#include "refs/ref_registry.h"

namespace alfred {
namespace {

constexpr std::size_t kMaxSuggestions = 10;

}  // namespace

std::vector<std::string> RefRegistry::known_refs(std::string_view type) const {
  std::vector<std::string> refs;
  for (EntityNo entity = size(); entity-- > 0 && refs.size() < kMaxSuggestions;) {
    const bool is_usable = has_key(entity) && status(entity) != RefStatus::deleted;
    if (is_usable && (type.empty() || type_of(entity) == type))
      refs.emplace_back(ref(entity).text());
  }
  return refs;  // the newest first
}

Result<EntityNo> RefRegistry::resolve(std::string_view ref_text,
                                      std::string_view wanted_type) const {
  const Result<Ref> parsed = Ref::parse(ref_text);
  if (!parsed) {
    Error error = parsed.error();
    if (error.allowed.empty()) error.allowed = known_refs(wanted_type);
    return Unexpected(std::move(error));
  }
  const std::string_view shown = parsed->text();
  const EntityNo entity = find(shown);
  if (entity == kNoEntity) {
    // What was never issued may be a piece of a key that happens to read like a ref.
    return fail(ErrorCode::ref_unknown,
                fmt::format("{} was not issued here. Use a ref that was shown, or read first.",
                            has_key_shape(shown) ? "this value" : shown),
                {}, known_refs(wanted_type.empty() ? parsed->type() : wanted_type));
  }
  if (!wanted_type.empty() && type_of(entity) != wanted_type)
    return fail(ErrorCode::ref_type,
                fmt::format("{} is of type {}; this column takes type {}.", shown, type_of(entity),
                            wanted_type),
                {}, known_refs(wanted_type));
  const bool is_deleted = status(entity) == RefStatus::deleted;
  if (!is_deleted && has_key(entity)) return entity;
  KeyPieces pieces(keys_);
  const std::string name =
      label(entity).empty() ? "" : fmt::format(" (\"{}\")", shown_label(*this, entity, pieces));
  if (is_deleted)
    return fail(ErrorCode::ref_deleted,
                fmt::format("{}{} was deleted. It cannot be read, changed or linked any more.",
                            shown, name),
                {}, known_refs(wanted_type));
  return fail(ErrorCode::ref_pending,
              fmt::format("{}{} is generated but not saved yet, so it has no row. Save it first.",
                          shown, name));
}

}  // namespace alfred
