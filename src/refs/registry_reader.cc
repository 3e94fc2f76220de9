#include "refs/registry_reader.h"

#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr std::string_view kShortText = "a text of 1 to 200 bytes";
static_assert(RefRegistry::kMaxLabelBytes == 200);

// Reads the members of one object; the first that is missing or of the wrong kind is kept as the
// fault.
class Members {
 public:
  Members(const Json& json, std::string path) : path_(std::move(path)) {
    object_ = json.if_object();
    if (object_ == nullptr) blame("", "an object");
  }

  std::string text(std::string_view name, bool is_required) {
    const Json* value = find(name, is_required, "a text");
    if (value == nullptr) return {};
    if (const JsonString* string = value->if_string()) return std::string(*string);
    blame(name, "a text");
    return {};
  }
  // A text that is written only when there is one, and that is at most a label long.
  std::string short_text(std::string_view name) {
    std::string value = text(name, false);
    if (has(name) && (value.empty() || value.size() > RefRegistry::kMaxLabelBytes))
      blame(name, kShortText);
    return value;
  }
  std::optional<std::uint32_t> number(std::string_view name, bool is_required) {
    const Json* value = find(name, is_required, "a number");
    if (value == nullptr) return std::nullopt;
    const std::int64_t* integer = value->if_int64();
    if (integer != nullptr && *integer >= 0 && *integer <= 0xffffffff)
      return static_cast<std::uint32_t>(*integer);
    blame(name, "a number from 0 to 4294967295");
    return std::nullopt;
  }
  const Json* find(std::string_view name, bool is_required, std::string_view kind) {
    ++asked_;
    const Json* value = object_ == nullptr ? nullptr : object_->if_contains(name);
    if (value == nullptr) {
      if (is_required) blame(name, kind);
      --asked_;
    }
    return value;
  }
  const JsonArray* array(std::string_view name) {
    const Json* value = find(name, true, "an array");
    const JsonArray* array = value == nullptr ? nullptr : value->if_array();
    if (array == nullptr) blame(name, "an array");
    return array;
  }
  bool has(std::string_view name) const { return object_ != nullptr && object_->contains(name); }
  // One text or more.
  std::vector<std::string> texts(std::string_view name) {
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
  void blame(std::string_view name, std::string_view wanted) {
    if (fault_) return;
    const std::string path = path_.empty() || name.empty() ? fmt::format("{}{}", path_, name)
                                                           : fmt::format("{}.{}", path_, name);
    fault_ =
        Error{ErrorCode::schema, fmt::format("the registry needs {} here", wanted), path, {}, {}};
  }
  // The fault, if any; a member nobody asked for is one too.
  std::optional<Error> fault() {
    if (!fault_ && object_ != nullptr && object_->size() != asked_)
      fault_ = Error{
          ErrorCode::schema, "the registry has a member here that is not known", path_, {}, {}};
    return fault_;
  }

 private:
  const JsonObject* object_ = nullptr;
  std::string path_;
  std::size_t asked_ = 0;
  std::optional<Error> fault_;
};

Unexpected misfit(std::string message, std::string path) {
  return fail(ErrorCode::schema, std::move(message), std::move(path));
}

Result<RecordKey> read_key(const Json& json, const std::string& path) {
  const JsonObject* object = json.if_object();
  if (object == nullptr || object->size() != 1)
    return misfit("a key is an object with one of uuid, integer, text, composite", path);
  const std::string_view kind = object->begin()->key();
  const Json& value = object->begin()->value();
  if (kind == "integer" && value.is_int64()) return RecordKey::integer(value.get_int64());
  if ((kind == "text" || kind == "uuid") && value.is_string()) {
    // A text that is a uuid would be a second key for the same row.
    const RecordKey key = RecordKey::from_text(std::string_view(value.get_string()));
    if (key.kind() == (kind == "uuid" ? KeyKind::uuid : KeyKind::text)) return key;
    return misfit("a key is a uuid when it is one in lower case with dashes, else a text", path);
  }
  if (kind == "composite" && value.is_array() && value.get_array().size() > 1) {
    std::vector<RecordKey> parts;
    for (const Json& item : value.get_array()) {
      Result<RecordKey> part = read_key(item, path);
      if (!part) return part;
      if (part->kind() == KeyKind::composite) return misfit("a composite key holds another", path);
      parts.push_back(std::move(*part));
    }
    return RecordKey::composite(parts);
  }
  return misfit("a key is an object with one of uuid, integer, text, composite", path);
}

Result<RefEntry> read_entry(const Json& json, const std::string& path) {
  Members members(json, path);
  const Result<Ref> ref = Ref::parse(members.text("ref", true));
  if (!ref) return misfit("an entity needs its ref", path + ".ref");
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
      return misfit("an alias is a gen_ ref", path + ".alias");
    entry.alias = *parsed;
  }
  if (const Json* key = members.find("key", false, "a key")) {
    Result<RecordKey> read = read_key(*key, path + ".key");
    if (!read) return Unexpected(read.error());
    entry.key = std::move(*read);
  }
  if (const Json* place = members.find("place", false, "a place")) {
    Members where(*place, path + ".place");
    entry.place = ArtifactPlace{where.number("step", true).value_or(0),
                                where.number("artifact", true).value_or(0)};
    if (const auto fault = where.fault()) return Unexpected(*fault);
  }
  const std::optional<RefStatus> status = status_named(members.text("status", true));
  const std::optional<RefOrigin> origin = origin_named(members.text("origin", true));
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (!status) return misfit("this status is not known", path + ".status");
  if (!origin) return misfit("this origin is not known", path + ".origin");
  entry.status = *status;
  entry.origin = *origin;
  return entry;
}

Result<void> placed(Result<void> fault, const std::string& path) {
  fault.error().path = path;
  return fault;
}

Result<void> read_types(RefRegistry& registry, const JsonArray& types) {
  std::set<std::string> tables;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string path = fmt::format("types[{}]", i);
    Members members(types[i], path);
    TypeDeclared declared{members.text("type", true), members.text("table", true), {}, {}};
    if (members.has("called")) declared.called = members.text("called", true);
    if (members.has("key")) declared.key = members.texts("key");
    if (declared.called == declared.type) members.blame("called", "another name than the type's");
    if (const auto fault = members.fault()) return Unexpected(*fault);
    if (registry.find_type(declared.type)) return misfit("this type is declared twice", path);
    if (!declared.table.empty() && !tables.insert(declared.table).second)
      return misfit("this table has a type already", path);
    if (Result<void> folded = registry.fold(declared); !folded) return placed(folded, path);
  }
  return {};
}

// How many refs of each type a file names. Numbers are given without a gap and never taken back, so
// the highest is the count.
class Numbers {
 public:
  explicit Numbers(std::size_t entities) : entities_(entities) {}

  // False: so high a number that there must be a gap below it.
  bool add(const Ref& ref) {
    ++counts_[std::string(ref.type())][ref.is_generated() ? 1 : 0];
    return ref.number() <= entities_;
  }
  bool have_gaps(const RefRegistry& registry) const {
    for (const auto& [name, counts] : counts_) {
      const TypeNo type = *registry.find_type(name);
      if (counts[0] != registry.counter(type, false) || counts[1] != registry.counter(type, true))
        return true;
    }
    return false;
  }

 private:
  std::size_t entities_;
  std::map<std::string, std::array<std::uint32_t, 2>> counts_;
};

Result<void> read_entities(RefRegistry& registry, const JsonArray& entities) {
  constexpr std::string_view kGap = "a ref below this one is missing; refs are numbered 1, 2, 3…";
  Numbers numbers(entities.size());
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const std::string path = fmt::format("entities[{}]", i);
    Result<RefEntry> entry = read_entry(entities[i], path);
    if (!entry) return Unexpected(entry.error());
    if (!registry.find_type(entry->ref.type()))
      return misfit("its type is not among the types", path + ".ref");
    const bool is_near = numbers.add(entry->ref) && (!entry->alias || numbers.add(*entry->alias));
    if (!is_near) return misfit(std::string(kGap), path + ".ref");
    if (Result<void> folded = registry.fold(EntityRegistered{std::move(*entry)}); !folded)
      return placed(folded, path);
  }
  if (numbers.have_gaps(registry)) return misfit(std::string(kGap), "entities");
  return {};
}

Result<void> read_literals(RefRegistry& registry, const JsonArray& literals) {
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const JsonString* text = literals[i].if_string();
    const std::string path = fmt::format("literals[{}]", i);
    if (text == nullptr) return misfit("a literal is a text", path);
    if (registry.literals().find(*text) != 0) return misfit("this literal stands here twice", path);
    if (Result<void> folded = registry.fold(LiteralAdded{std::string(*text)}); !folded)
      return placed(folded, path);
  }
  return {};
}

}  // namespace

Result<RefRegistry> read_registry(const Json& json, RefLimits limits) {
  Members members(json, "");
  const std::string format = members.text("format", true);
  const std::optional<std::uint32_t> version = members.number("version", true);
  const std::optional<std::uint32_t> turn = members.number("turn", true);
  const JsonArray* types = members.array("types");
  const JsonArray* entities = members.array("entities");
  const JsonArray* literals = members.array("literals");
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (format != kRegistryFormat)
    return misfit(fmt::format("this is no registry: its format must be \"{}\"", kRegistryFormat),
                  "format");
  if (version != kRegistryVersion)
    return misfit(fmt::format("this registry is of version {}; this alfred reads version {}",
                              *version, kRegistryVersion),
                  "version");
  RefRegistry registry(limits);
  registry.begin_turn(*turn);
  if (Result<void> done = read_types(registry, *types); !done) return Unexpected(done.error());
  if (Result<void> done = read_entities(registry, *entities); !done)
    return Unexpected(done.error());
  if (Result<void> done = read_literals(registry, *literals); !done)
    return Unexpected(done.error());
  registry.begin();
  return registry;
}

}  // namespace alfred
