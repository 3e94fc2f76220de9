// The [[entity]] tables that `alfred refs --types` takes: what refs need of a pack, and no more.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pack/entity_types.h"
#include "pack/load/toml.h"

namespace alfred {
namespace {

class Reader {
 public:
  Result<EntityTypes> read(const TomlValue& document) {
    std::vector<EntityType> types;
    TomlTable root(document, "this file");
    root.take_tables("entity", [&](const TomlValue& value) -> Result<void> {
      Result<EntityType> type = read_entity(value, fmt::format("entity[{}]", types.size()));
      if (!type) return Unexpected(type.error());
      types.push_back(std::move(*type));
      return {};
    });
    if (Result<void> ok = root.done(); !ok) return Unexpected(ok.error());
    Result<EntityTypes> made = EntityTypes::make(std::move(types));
    if (made) return made;
    Error error = std::move(made.error());
    error.path = locate(error.path);
    return Unexpected(std::move(error));
  }

 private:
  Result<EntityType> read_entity(const TomlValue& value, const std::string& path) {
    EntityType type;
    type.key = {"id"};
    TomlTable entity(value, "[[entity]]");
    for (const char* name : {"table", "ref", "key", "label"})
      places_[fmt::format("{}.{}", path, name)] = entity.place_of(name);
    places_[path] = value.place;
    entity.take("table", type.table);
    entity.take("ref", type.ref);
    entity.take("key", type.key);
    entity.take("label", type.label);
    entity.take_texts("links", [&](const std::string& column, const std::string& table) {
      type.links.push_back({column, table});
    });
    entity.take_texts("nested", [&](const std::string& member, const std::string& table) {
      type.nested.push_back({member, table});
    });
    entity.require("table");
    if (Result<void> ok = entity.done(); !ok) return Unexpected(ok.error());
    note_places(value, path);
    // What is read does not depend on how the file was laid out.
    std::sort(type.links.begin(), type.links.end(),
              [](const Link& a, const Link& b) { return a.column < b.column; });
    std::sort(type.nested.begin(), type.nested.end(),
              [](const Nested& a, const Nested& b) { return a.member < b.member; });
    return type;
  }

  void note_places(const TomlValue& entity, const std::string& path) {
    for (const TomlMember& member : *entity.table())
      if (const TomlValue::Table* pairs = member.value.table())
        for (const TomlMember& pair : *pairs)
          places_[fmt::format("{}.{}.{}", path, member.name, pair.name)] = pair.value.place;
  }

  // The place of a path that EntityTypes::make gave, or of the entity it is in.
  std::string locate(const std::string& path) const {
    if (const auto exact = places_.find(path); exact != places_.end()) return exact->second;
    const auto entity = places_.find(path.substr(0, path.find('.')));
    return entity == places_.end() ? path : entity->second;
  }

  std::map<std::string, std::string> places_;
};

}  // namespace

Result<EntityTypes> read_entity_types(std::string_view toml, std::string_view file_name) {
  Result<TomlValue> document = parse_toml(toml, file_name);
  if (!document) return Unexpected(document.error());
  return Reader().read(*document);
}

}  // namespace alfred
