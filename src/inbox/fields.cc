#include "inbox/fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/near_name.h"
#include "base/quoted_text.h"
#include "base/time/iso_time.h"

namespace alfred::inbox {
namespace {

// RFC 3339 sets no end to the digits of a second. We keep milliseconds.
std::string without_nanoseconds(std::string text) {
  constexpr std::size_t kMostDigits = 6;
  const std::size_t from = text.find('.');
  const std::size_t end = from == std::string::npos
                              ? std::string::npos
                              : text.find_first_not_of("0123456789", from + 1);
  if (end != std::string::npos && end - from - 1 > kMostDigits)
    text.erase(from + 1 + kMostDigits, end - from - 1 - kMostDigits);
  return text;
}

}  // namespace

Fields::Fields(const Json& request, std::initializer_list<std::string_view> known) {
  object_ = request.if_object();
  const std::vector<std::string> names(known.begin(), known.end());
  if (object_ == nullptr) {
    refuse(ErrorCode::schema,
           fmt::format("The request is an object with {}.", fmt::join(names, ", ")), "", names);
    return;
  }
  for (const auto& member : *object_)
    if (std::find(known.begin(), known.end(), std::string_view(member.key())) == known.end())
      refuse(ErrorCode::schema,
             fmt::format("There is no field {}. Known are: {}.", quoted_text(member.key()),
                         fmt::join(names, ", ")),
             member.key(), names);
}

const Json* Fields::find(std::string_view name) const {
  const Json* const value = object_ == nullptr ? nullptr : object_->if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string Fields::text(std::string_view name) {
  std::optional<std::string> value = maybe_text(name);
  const bool is_blank = !value || value->find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank) refuse(ErrorCode::schema, fmt::format("{} needs a text. Give one.", name), name);
  return is_blank ? std::string() : std::move(*value);
}

std::optional<std::string> Fields::maybe_text(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const JsonString* const text = value->if_string()) {
    if (text->find('\0') == JsonString::npos) return std::string(*text);
    refuse(ErrorCode::value, fmt::format("{} holds a zero byte. Leave it out.", name), name);
    return std::nullopt;
  }
  refuse(ErrorCode::schema, fmt::format("{} is a text.", name), name);
  return std::nullopt;
}

std::optional<std::int64_t> Fields::maybe_number(std::string_view name, std::int64_t least,
                                                 std::int64_t most) {
  const Json* const value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::int64_t* const number = value->if_int64();
  if (number != nullptr && *number >= least && *number <= most) return *number;
  refuse(ErrorCode::value, fmt::format("{} is a whole number from {} to {}.", name, least, most),
         name);
  return std::nullopt;
}

std::optional<bool> Fields::maybe_flag(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const bool* const flag = value->if_bool()) return *flag;
  refuse(ErrorCode::schema, fmt::format("{} is true or false.", name), name);
  return std::nullopt;
}

std::optional<std::int64_t> Fields::maybe_instant(std::string_view name) {
  const std::optional<std::string> text = maybe_text(name);
  if (!text) return std::nullopt;
  if (const std::optional<std::int64_t> ms = iso_instant_ms(without_nanoseconds(*text))) return ms;
  refuse(ErrorCode::value,
         fmt::format("{} is an instant such as 2026-03-01T09:30:00Z, with its zone.", name), name);
  return std::nullopt;
}

Json Fields::object(std::string_view name) {
  const Json* const value = find(name);
  if (value == nullptr) return JsonObject();
  if (value->is_object()) return *value;
  refuse(ErrorCode::schema, fmt::format("{} is an object.", name), name);
  return JsonObject();
}

std::string Fields::choice(std::string_view name, std::initializer_list<std::string_view> of) {
  const std::optional<std::string> value = maybe_text(name);
  if (!value) return {};
  if (std::find(of.begin(), of.end(), *value) != of.end()) return *value;
  const std::vector<std::string> allowed(of.begin(), of.end());
  refuse(ErrorCode::enum_value,
         fmt::format("{} is one of {}.{}", name, fmt::join(allowed, ", "),
                     did_you_mean(*value, allowed)),
         name, allowed);
  return {};
}

void Fields::refuse(ErrorCode code, std::string message, std::string_view name,
                    std::vector<std::string> allowed) {
  if (!error_) error_ = Error{code, std::move(message), std::string(name), std::move(allowed), {}};
}

Result<void> Fields::check() const {
  if (error_) return Unexpected(*error_);
  return {};
}

Unexpected no_record(std::string_view what, std::string_view id, std::string_view how_to_list) {
  return fail(ErrorCode::record,
              fmt::format("There is no {} {}. {}", what, quoted_text(id), how_to_list));
}

}  // namespace alfred::inbox
