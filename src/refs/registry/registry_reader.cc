#include "refs/registry/registry_reader.h"

#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "refs/registry/registry_members.h"

namespace alfred {
namespace {

constexpr std::string_view kGap = "a ref below this one is missing; refs are numbered 1, 2, 3…";

Result<void> placed(Result<void> fault, const std::string& path) {
  fault.error().path = path;
  return fault;
}

Result<void> read_types(RefRegistry& registry, const JsonArray& types) {
  std::set<std::string> tables;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string path = fmt::format("types[{}]", i);
    const Result<TypeDeclared> declared = read_type_declared(types[i], path);
    if (!declared) return Unexpected(declared.error());
    if (registry.find_type(declared->type))
      return registry_misfit("this type is declared twice", path);
    if (!declared->table.empty() && !tables.insert(declared->table).second)
      return registry_misfit("this table has a type already", path);
    if (Result<void> folded = registry.fold(*declared); !folded) return placed(folded, path);
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

// What stands in an {"alike":…}, or null.
const Json* alike_in(const Json& json) {
  const JsonObject* const object = json.if_object();
  const bool is_alike = object != nullptr && object->size() == 1;
  return is_alike ? object->if_contains("alike") : nullptr;
}

// How many entities a list names, for who has to know before they are read.
std::size_t entities_in(const JsonArray& list) {
  std::size_t count = 0;
  for (const Json& element : list) {
    const Json* const alike = alike_in(element);
    const JsonObject* const object = alike == nullptr ? nullptr : alike->if_object();
    const Json* const rows = object == nullptr ? nullptr : object->if_contains("rows");
    count += rows != nullptr && rows->is_array() ? rows->get_array().size() : 1;
  }
  return count;
}

Result<std::vector<RefEntry>> read_element(const Json& json, const std::string& path) {
  if (const Json* const alike = alike_in(json)) return read_alike(*alike, path + ".alike");
  Result<RefEntry> entry = read_ref_entry(json, path);
  if (!entry) return Unexpected(entry.error());
  return std::vector<RefEntry>{std::move(*entry)};
}

Result<void> read_entity(RefRegistry& registry, Numbers& numbers, RefEntry entry,
                         const std::string& path) {
  if (!registry.find_type(entry.ref.type()))
    return registry_misfit("its type is not among the types", path + ".ref");
  const bool is_near = numbers.add(entry.ref) && (!entry.alias || numbers.add(*entry.alias));
  if (!is_near) return registry_misfit(std::string(kGap), path + ".ref");
  Result<void> folded = registry.fold(EntityRegistered{std::move(entry)});
  return folded ? folded : placed(folded, path);
}

Result<void> read_entities(RefRegistry& registry, const JsonArray& entities) {
  Numbers numbers(entities_in(entities));
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const std::string path = fmt::format("entities[{}]", i);
    Result<std::vector<RefEntry>> entries = read_element(entities[i], path);
    if (!entries) return Unexpected(entries.error());
    for (RefEntry& entry : *entries)
      if (Result<void> read = read_entity(registry, numbers, std::move(entry), path); !read)
        return read;
  }
  if (numbers.have_gaps(registry)) return registry_misfit(std::string(kGap), "entities");
  return {};
}

Result<void> read_literals(RefRegistry& registry, const JsonArray& literals) {
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const JsonString* text = literals[i].if_string();
    const std::string path = fmt::format("literals[{}]", i);
    if (text == nullptr) return registry_misfit("a literal is a text", path);
    if (registry.literals().find(*text) != 0)
      return registry_misfit("this literal stands here twice", path);
    if (Result<void> folded = registry.fold(LiteralAdded{std::string(*text)}); !folded)
      return placed(folded, path);
  }
  return {};
}

}  // namespace

Result<RefRegistry> read_registry(const Json& json, RefLimits limits) {
  RegistryMembers members(json, "");
  const std::string format = members.text("format", true);
  const std::optional<std::uint32_t> version = members.number("version", true);
  const std::optional<std::uint32_t> turn = members.number("turn", true);
  const JsonArray* types = members.array("types");
  const JsonArray* entities = members.array("entities");
  const JsonArray* literals = members.array("literals");
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (format != kRegistryFormat)
    return registry_misfit(
        fmt::format("this is no registry: its format must be \"{}\"", kRegistryFormat), "format");
  if (version != kRegistryVersion)
    return registry_misfit(
        fmt::format("this registry is of version {}; this alfred reads version {}", *version,
                    kRegistryVersion),
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
