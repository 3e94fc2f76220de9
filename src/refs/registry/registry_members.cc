#include "refs/registry/registry_members.h"

#include <fmt/format.h>

#include "refs/registry/ref_registry.h"

namespace alfred {
namespace {

constexpr std::string_view kShortText = "a text of 1 to 200 bytes";
static_assert(RefRegistry::kMaxLabelBytes == 200);

Result<RecordKey> read_key(const Json& json, const std::string& path) {
  const JsonObject* object = json.if_object();
  if (object == nullptr || object->size() != 1)
    return registry_misfit("a key is an object with one of uuid, integer, text, composite", path);
  const std::string_view kind = object->begin()->key();
  const Json& value = object->begin()->value();
  if (kind == "integer" && value.is_int64()) return RecordKey::integer(value.get_int64());
  if ((kind == "text" || kind == "uuid") && value.is_string()) {
    // A text that is a uuid would be a second key for the same row.
    const RecordKey key = RecordKey::from_text(std::string_view(value.get_string()));
    if (key.kind() == (kind == "uuid" ? KeyKind::uuid : KeyKind::text)) return key;
    return registry_misfit("a key is a uuid when it is one in lower case with dashes, else a text",
                           path);
  }
  if (kind == "composite" && value.is_array() && value.get_array().size() > 1) {
    std::vector<RecordKey> parts;
    for (const Json& item : value.get_array()) {
      Result<RecordKey> part = read_key(item, path);
      if (!part) return part;
      if (part->kind() == KeyKind::composite)
        return registry_misfit("a composite key holds another", path);
      parts.push_back(std::move(*part));
    }
    return RecordKey::composite(parts);
  }
  return registry_misfit("a key is an object with one of uuid, integer, text, composite", path);
}

}  // namespace

RegistryMembers::RegistryMembers(const Json& json, std::string path) : path_(std::move(path)) {
  object_ = json.if_object();
  if (object_ == nullptr) blame("", "an object");
}

std::string RegistryMembers::text(std::string_view name, bool is_required) {
  const Json* value = find(name, is_required, "a text");
  if (value == nullptr) return {};
  if (const JsonString* string = value->if_string()) return std::string(*string);
  blame(name, "a text");
  return {};
}

std::string RegistryMembers::short_text(std::string_view name) {
  std::string value = text(name, false);
  if (has(name) && (value.empty() || value.size() > RefRegistry::kMaxLabelBytes))
    blame(name, kShortText);
  return value;
}

std::optional<std::uint32_t> RegistryMembers::number(std::string_view name, bool is_required) {
  const Json* value = find(name, is_required, "a number");
  if (value == nullptr) return std::nullopt;
  const std::int64_t* integer = value->if_int64();
  if (integer != nullptr && *integer >= 0 && *integer <= 0xffffffff)
    return static_cast<std::uint32_t>(*integer);
  blame(name, "a number from 0 to 4294967295");
  return std::nullopt;
}

const Json* RegistryMembers::find(std::string_view name, bool is_required, std::string_view kind) {
  ++asked_;
  const Json* value = object_ == nullptr ? nullptr : object_->if_contains(name);
  if (value == nullptr) {
    if (is_required) blame(name, kind);
    --asked_;
  }
  return value;
}

const JsonArray* RegistryMembers::array(std::string_view name) {
  const Json* value = find(name, true, "an array");
  const JsonArray* array = value == nullptr ? nullptr : value->if_array();
  if (array == nullptr) blame(name, "an array");
  return array;
}

std::vector<std::string> RegistryMembers::texts(std::string_view name) {
  constexpr std::string_view kTexts = "an array of one text or more";
  const JsonArray* items = array(name);
  std::vector<std::string> found;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const JsonString* text = (*items)[i].if_string();
    if (text == nullptr)
      blame(name, kTexts);
    else
      found.emplace_back(*text);
  }
  if (found.empty()) blame(name, kTexts);
  return found;
}

void RegistryMembers::blame(std::string_view name, std::string_view wanted) {
  if (fault_) return;
  const std::string path = path_.empty() || name.empty() ? fmt::format("{}{}", path_, name)
                                                         : fmt::format("{}.{}", path_, name);
  fault_ =
      Error{ErrorCode::schema, fmt::format("the registry needs {} here", wanted), path, {}, {}};
}

std::optional<Error> RegistryMembers::fault() {
  if (!fault_ && object_ != nullptr && object_->size() != asked_)
    fault_ =
        Error{ErrorCode::schema, "the registry has a member here that is not known", path_, {}, {}};
  return fault_;
}

Unexpected registry_misfit(std::string message, std::string path) {
  return fail(ErrorCode::schema, std::move(message), std::move(path));
}

Result<TypeDeclared> read_type_declared(const Json& json, const std::string& path) {
  RegistryMembers members(json, path);
  TypeDeclared declared{members.text("type", true), members.text("table", true), {}, {}};
  if (members.has("called")) declared.called = members.text("called", true);
  if (members.has("key")) declared.key = members.texts("key");
  if (declared.called == declared.type) members.blame("called", "another name than the type's");
  if (const auto fault = members.fault()) return Unexpected(*fault);
  return declared;
}

Result<RecordKey> read_row_key(const Json& json, const std::string& path) {
  if (json.is_int64()) return RecordKey::integer(json.get_int64());
  if (!json.is_string()) return read_key(json, path);
  RecordKey key = RecordKey::from_text(std::string_view(json.get_string()));
  if (key.kind() == KeyKind::uuid) return key;
  return registry_misfit("a key that is a bare text is a uuid in lower case with dashes", path);
}

namespace {

// ["book_1",<key>,"its label"]
Result<void> read_alike_row(const Json& json, const std::string& path, RefEntry& entry) {
  const JsonArray* const row = json.if_array();
  const bool fits =
      row != nullptr && row->size() == 3 && (*row)[0].is_string() && (*row)[2].is_string();
  const Result<Ref> ref = fits ? Ref::parse((*row)[0].get_string()) : Result<Ref>(entry.ref);
  if (!fits || !ref || (*row)[2].get_string().size() > RefRegistry::kMaxLabelBytes)
    return registry_misfit("a row is a list of its ref, its key and its label", path);
  Result<RecordKey> key = read_row_key((*row)[1], path);
  if (!key) return Unexpected(key.error());
  entry.ref = *ref;
  entry.key = std::move(*key);
  entry.label = std::string_view((*row)[2].get_string());
  return {};
}

}  // namespace

Result<RefEntry> read_ref_entry(const Json& json, const std::string& path) {
  RegistryMembers members(json, path);
  const Result<Ref> ref = Ref::parse(members.text("ref", true));
  if (!ref) return registry_misfit("an entity needs its ref", path + ".ref");
  RefEntry entry{.ref = *ref,
                 .alias = {},
                 .key = {},
                 .label = members.text("label", true),
                 .status = RefStatus::read,
                 .origin = RefOrigin::system,
                 .place = {},
                 .turn_created = members.number("turn_created", true).value_or(0),
                 .turn_last_referenced = members.number("turn_last_referenced", true).value_or(0),
                 .turn_promoted = members.number("turn_promoted", false),
                 .last_referenced_phrase = members.short_text("last_referenced_phrase"),
                 .retention_reason = members.short_text("retention_reason")};
  if (entry.label.size() > RefRegistry::kMaxLabelBytes)
    members.blame("label", "a text of at most 200 bytes");
  if (const std::string alias = members.short_text("alias"); !alias.empty()) {
    const Result<Ref> parsed = Ref::parse(alias);
    if (!parsed || !parsed->is_generated())
      return registry_misfit("an alias is a gen_ ref", path + ".alias");
    entry.alias = *parsed;
  }
  if (const Json* key = members.find("key", false, "a key")) {
    Result<RecordKey> read = read_key(*key, path + ".key");
    if (!read) return Unexpected(read.error());
    entry.key = std::move(*read);
  }
  if (const Json* place = members.find("place", false, "a place")) {
    RegistryMembers where(*place, path + ".place");
    entry.place = ArtifactPlace{where.number("step", true).value_or(0),
                                where.number("artifact", true).value_or(0)};
    if (const auto fault = where.fault()) return Unexpected(*fault);
  }
  const std::optional<RefStatus> status = status_named(members.text("status", true));
  const std::optional<RefOrigin> origin = origin_named(members.text("origin", true));
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (!status) return registry_misfit("this status is not known", path + ".status");
  if (!origin) return registry_misfit("this origin is not known", path + ".origin");
  entry.status = *status;
  entry.origin = *origin;
  return entry;
}

Result<std::vector<RefEntry>> read_alike(const Json& json, const std::string& path) {
  RegistryMembers members(json, path);
  RefEntry entry{.ref = Ref::make("row", 1)};
  entry.turn_created = members.number("turn_created", true).value_or(0);
  entry.turn_last_referenced = members.number("turn_last_referenced", true).value_or(0);
  const std::optional<RefStatus> status = status_named(members.text("status", true));
  const std::optional<RefOrigin> origin = origin_named(members.text("origin", true));
  const JsonArray* const rows = members.array("rows");
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (!status) return registry_misfit("this status is not known", path + ".status");
  if (!origin) return registry_misfit("this origin is not known", path + ".origin");
  entry.status = *status;
  entry.origin = *origin;
  std::vector<RefEntry> entries(rows->size(), entry);
  for (std::size_t i = 0; i < rows->size(); ++i)
    if (Result<void> read = read_alike_row((*rows)[i], path, entries[i]); !read) {
      Error error = read.error();
      error.path = fmt::format("{}.rows[{}]", path, i);
      return Unexpected(std::move(error));
    }
  return entries;
}

}  // namespace alfred
