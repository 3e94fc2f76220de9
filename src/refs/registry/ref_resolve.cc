// From what a model wrote to the entity it means, or to the error that says what to do (B1–B13).
#include <algorithm>

#include <fmt/format.h>

#include "refs/hiding/model_text.h"
#include "refs/registry/ref_registry.h"

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

namespace {

bool holds_key(std::string_view text, KeyPieces& pieces) {
  std::vector<TextSpan> spans;
  find_key_spans(text, pieces, spans);
  return !spans.empty();
}

// Whether a text that was never issued as a ref is, or holds a piece of, a key. What is the name of
// a known type gives nothing away.
bool is_secret_ref(const RefRegistry& registry, const Ref& ref, KeyPieces& pieces) {
  constexpr std::size_t kShownPiece = 8;
  if (has_key_shape(ref.text())) return true;
  const std::size_t type_end = ref.text().size() - ref.text().rfind('_');
  std::size_t from = 0;
  if (registry.find_type(ref.type()))
    from = ref.text().size() - std::min(ref.text().size(), type_end + kShownPiece - 1);
  return holds_key(ref.text().substr(from), pieces);
}

}  // namespace

// A text that is no ref. What it may have meant is named only when that would be accepted.
Error RefRegistry::not_a_ref(std::string_view text, std::string_view wanted_type,
                             KeyPieces& pieces) const {
  Error error = Ref::parse(text).error();
  const bool is_secret = has_key_shape(text) || holds_key(text, pieces);
  const std::string meant = error.allowed.empty() ? "" : error.allowed.front();
  if (!meant.empty() && resolve(meant, wanted_type, pieces)) {
    if (is_secret) error.message = fmt::format("this value is not a ref; did you mean {}?", meant);
    return error;
  }
  if (!meant.empty() || is_secret)
    error.message =
        "this value is not a ref. Use a ref exactly as it was shown, such as type_1 or "
        "gen_type_1; database keys and other ids are not accepted.";
  error.allowed = known_refs(wanted_type);
  return error;
}

Result<EntityNo> RefRegistry::resolve(std::string_view ref_text,
                                      std::string_view wanted_type) const {
  KeyPieces pieces(keys_);
  return resolve(ref_text, wanted_type, pieces);
}

Result<EntityNo> RefRegistry::resolve(std::string_view ref_text, std::string_view wanted_type,
                                      KeyPieces& pieces) const {
  const Result<Ref> parsed = Ref::parse(ref_text);
  if (!parsed) return Unexpected(not_a_ref(ref_text, wanted_type, pieces));
  const std::string_view shown = parsed->text();
  const EntityNo entity = find(shown);
  if (entity == kNoEntity) {
    // What was never issued may be a key, or a piece of one, that happens to read like a ref.
    return fail(ErrorCode::ref_unknown,
                fmt::format("{} was not issued here. Use a ref that was shown, or read first.",
                            is_secret_ref(*this, *parsed, pieces) ? "this value" : shown),
                {}, known_refs(wanted_type.empty() ? parsed->type() : wanted_type));
  }
  if (!wanted_type.empty() && type_of(entity) != wanted_type)
    return fail(ErrorCode::ref_type,
                fmt::format("{} is of type {}; this column takes type {}.", shown, type_of(entity),
                            wanted_type),
                {}, known_refs(wanted_type));
  const bool is_deleted = status(entity) == RefStatus::deleted;
  if (!is_deleted && has_key(entity)) return entity;
  const std::string name = label(entity).empty() ? "" : " (" + quoted_label(entity, pieces) + ")";
  if (is_deleted)
    return fail(ErrorCode::ref_deleted,
                fmt::format("{}{} was deleted. It cannot be read, changed or linked any more.",
                            shown, name),
                {}, known_refs(wanted_type));
  return fail(ErrorCode::ref_pending,
              fmt::format("{}{} is generated but not saved yet, so it has no row. Save it first.",
                          shown, name));
}

// A label between quotes, as an error may repeat it: on one line, and nothing in it ends the
// quotes.
std::string RefRegistry::quoted_label(EntityNo entity, KeyPieces& pieces) const {
  return quoted_cell(ModelText().add_label(*this, entity, pieces).view());
}

}  // namespace alfred
