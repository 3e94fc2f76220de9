// The one place that reads TOML; nothing of toml++ leaves it.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "pack/entity_types.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 6> kMembers{"table", "ref",   "key",
                                                   "label", "links", "nested"};

class Reader {
 public:
  explicit Reader(std::string_view file_name) : file_name_(file_name) {}

  Result<EntityTypes> read(const toml::table& document) {
    for (const auto& [name, node] : document)
      if (name != "entity")
        return wrong(
            name.source(),
            fmt::format("Unknown key \"{}\"; only [[entity]] tables belong here.", name.str()),
            {"entity"});
    std::vector<EntityType> types;
    if (const toml::node* node = document.get("entity")) {
      const toml::array* entities = node->as_array();
      if (entities == nullptr || !entities->is_homogeneous(toml::node_type::table))
        return wrong(node->source(),
                     "\"entity\" is a list of tables; write [[entity]] above each.");
      for (const toml::node& entity : *entities) {
        Result<EntityType> type = read_entity(*entity.as_table(), types.size());
        if (!type) return Unexpected(type.error());
        types.push_back(std::move(*type));
      }
    }
    Result<EntityTypes> made = EntityTypes::make(std::move(types));
    if (made) return made;
    Error error = std::move(made.error());
    error.path = locate(error.path);
    return Unexpected(std::move(error));
  }

  Unexpected wrong(const toml::source_region& where, std::string message,
                   std::vector<std::string> allowed = {}) const {
    return fail(ErrorCode::schema, std::move(message), text_of(where), std::move(allowed));
  }

 private:
  Result<EntityType> read_entity(const toml::table& table, std::size_t position) {
    const std::string path = fmt::format("entity[{}]", position);
    places_[path] = text_of(table.source());
    EntityType type;
    type.key = {"id"};
    for (const auto& [name, node] : table) {
      places_[fmt::format("{}.{}", path, name.str())] = text_of(node.source());
      if (Result<void> ok = read_member(name, node, path, type); !ok) return Unexpected(ok.error());
    }
    if (!table.contains("table"))
      return wrong(table.source(), "This [[entity]] has no table; add table = \"…\".");
    return type;
  }

  Result<void> read_member(const toml::key& name, const toml::node& node, const std::string& path,
                           EntityType& type) {
    if (name == "table") return read_text(name, node, type.table);
    if (name == "ref") return read_text(name, node, type.ref);
    if (name == "label") return read_text(name, node, type.label);
    if (name == "key") return read_key(node, type.key);
    if (name == "links")
      return read_pairs(name, node, path, [&](std::string column, std::string table) {
        type.links.push_back({std::move(column), std::move(table)});
      });
    if (name == "nested")
      return read_pairs(name, node, path, [&](std::string member, std::string table) {
        type.nested.push_back({std::move(member), std::move(table)});
      });
    return wrong(name.source(),
                 fmt::format("Unknown key \"{}\" in [[entity]]; known: {}.", name.str(),
                             fmt::join(kMembers, ", ")),
                 {kMembers.begin(), kMembers.end()});
  }

  Result<void> read_text(const toml::key& name, const toml::node& node, std::string& out) const {
    const toml::value<std::string>* text = node.as_string();
    if (text == nullptr || text->get().empty())
      return wrong(node.source(),
                   fmt::format("\"{}\" is a text in quotes, not empty.", name.str()));
    out = text->get();
    return {};
  }

  Result<void> read_key(const toml::node& node, std::vector<std::string>& out) const {
    const toml::array* columns = node.as_array();
    if (columns == nullptr)
      return wrong(
          node.source(),
          "\"key\" is a list of column names: key = [\"id\"], or [] for rows without refs.");
    out.clear();
    for (const toml::node& column : *columns) {
      if (!column.is_string())
        return wrong(column.source(), "A column of \"key\" is a text in quotes.");
      out.push_back(column.as_string()->get());
    }
    return {};
  }

  // toml++ keeps the members of a table in alphabetical order, so what is read does not depend on
  // how the file was laid out.
  template <class Add>
  Result<void> read_pairs(const toml::key& name, const toml::node& node, const std::string& path,
                          Add add) {
    const toml::table* pairs = node.as_table();
    if (pairs == nullptr)
      return wrong(node.source(),
                   fmt::format("\"{0}\" names tables: {0} = {{ name = \"table\" }}.", name.str()));
    for (const auto& [column, table] : *pairs) {
      if (!table.is_string())
        return wrong(table.source(), fmt::format("\"{}.{}\" is the name of a table, in quotes.",
                                                 name.str(), column.str()));
      places_[fmt::format("{}.{}.{}", path, name.str(), column.str())] = text_of(table.source());
      add(std::string(column.str()), table.as_string()->get());
    }
    return {};
  }

  std::string text_of(const toml::source_region& where) const {
    return fmt::format("{}:{}:{}", file_name_, where.begin.line, where.begin.column);
  }

  // The place of a path that EntityTypes::make gave, or of the entity it is in.
  std::string locate(const std::string& path) const {
    if (const auto exact = places_.find(path); exact != places_.end()) return exact->second;
    const auto entity = places_.find(path.substr(0, path.find('.')));
    return entity == places_.end() ? path : entity->second;
  }

  std::string file_name_;
  std::map<std::string, std::string> places_;
};

}  // namespace

Result<EntityTypes> read_entity_types(std::string_view toml, std::string_view file_name) {
  Reader reader(file_name);
  try {
    return reader.read(toml::parse(toml, file_name));
  } catch (const toml::parse_error& error) {
    return reader.wrong(error.source(), fmt::format("Not TOML: {}.", error.description()));
  }
}

}  // namespace alfred
