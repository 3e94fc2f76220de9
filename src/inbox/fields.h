// Fields: a request as JSON, read strictly.
//
// R1 a field that the request does not have is refused, with those it has, not dropped.
// R2 the first thing that is wrong is kept and comes from check(); what is read meanwhile is empty.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/ids.h"
#include "base/json/json.h"

namespace alfred::inbox {

class Fields {
 public:
  Fields(const Json& request, std::initializer_list<std::string_view> known);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string text(std::string_view name);  // needed, not blank
  std::optional<std::string> maybe_text(std::string_view name);
  std::optional<std::int64_t> maybe_number(std::string_view name, std::int64_t least,
                                           std::int64_t most);
  std::optional<bool> maybe_flag(std::string_view name);
  std::optional<std::int64_t> maybe_instant(std::string_view name);  // RFC 3339
  // An object; an empty one when it is not there.
  Json object(std::string_view name);
  const Json* find(std::string_view name) const;  // null: not there, or null
  std::string choice(std::string_view name, std::initializer_list<std::string_view> of);

  void refuse(ErrorCode code, std::string message, std::string_view name,
              std::vector<std::string> allowed = {});
  Result<void> check() const;

 private:
  const JsonObject* object_ = nullptr;
  std::optional<Error> error_;
};

// An id of one kind that came in; the error shows the expected form.
template <IdKind K>
Result<std::string> id_text(std::string_view text) {
  const Result<ShortId<K>> id = ShortId<K>::parse(text);
  if (!id) return Unexpected(id.error());
  return std::string(id->view());
}

// No such record, in words that do not tell whether somebody else has it.
Unexpected no_record(std::string_view what, std::string_view id, std::string_view how_to_list);

}  // namespace alfred::inbox
