// A registry's changes as JSON, for the journal: {"declared":…}, {"registered":…}, {"changed":…},
// {"literal":…}, {"turn":…}.
#include <fmt/format.h>

#include "refs/registry_json.h"
#include "refs/registry_members.h"

namespace alfred {
namespace {

Result<RefChange> read_declared(const Json& json, const std::string& path) {
  Result<TypeDeclared> declared = read_type_declared(json, path);
  if (!declared) return Unexpected(declared.error());
  return std::move(*declared);
}

Result<RefChange> read_registered(const Json& json, const std::string& path) {
  Result<RefEntry> entry = read_ref_entry(json, path);
  if (!entry) return Unexpected(entry.error());
  return EntityRegistered{std::move(*entry)};
}

Result<RefChange> read_changed(const Json& json, const std::string& path) {
  RegistryMembers members(json, path);
  const Result<Ref> was = Ref::parse(members.text("was", true));
  const Json* now = members.find("entry", true, "an entry");
  if (const auto fault = members.fault()) return Unexpected(*fault);
  if (!was) return registry_misfit("a change names the ref it was", path + ".was");
  Result<RefEntry> entry = read_ref_entry(*now, path + ".entry");
  if (!entry) return Unexpected(entry.error());
  return EntityChanged{*was, std::move(*entry)};
}

Result<RefChange> read_change(const Json& json, const std::string& path) {
  const JsonObject* object = json.if_object();
  if (object != nullptr && object->size() == 1) {
    const std::string_view kind = object->begin()->key();
    const Json& value = object->begin()->value();
    if (kind == "declared") return read_declared(value, path);
    if (kind == "registered") return read_registered(value, path);
    if (kind == "changed") return read_changed(value, path);
    if (kind == "literal" && value.is_string())
      return LiteralAdded{std::string(value.get_string())};
    if (kind == "turn" && value.is_int64() && value.get_int64() >= 0)
      return TurnBegun{static_cast<std::uint32_t>(value.get_int64())};
  }
  return registry_misfit(
      "a change is an object with one of declared, registered, changed, literal, turn", path);
}

}  // namespace

std::string RegistryJson::write_changes(const RefChanges& changes) {
  constexpr std::size_t kBytesOfMost = 256;
  std::string out = "[";
  out.reserve(changes.size() * kBytesOfMost);
  for (const RefChange& change : changes) {
    if (out.size() > 1) out += ',';
    if (const auto* declared = std::get_if<TypeDeclared>(&change)) {
      out += "{\"declared\":";
      append_type(out, *declared);
      out += '}';
    } else if (const auto* registered = std::get_if<EntityRegistered>(&change)) {
      out += "{\"registered\":";
      append_entry(out, registered->entry);
      out += '}';
    } else if (const auto* changed = std::get_if<EntityChanged>(&change)) {
      out += fmt::format("{{\"changed\":{{\"was\":\"{}\",\"entry\":", changed->was.text());
      append_entry(out, changed->entry);
      out += "}}";
    } else if (const auto* literal = std::get_if<LiteralAdded>(&change)) {
      out += "{\"literal\":";
      append_json_string(out, literal->text);
      out += '}';
    } else {
      out += fmt::format("{{\"turn\":{}}}", std::get<TurnBegun>(change).turn);
    }
  }
  return out + "]";
}

Result<RefChanges> RegistryJson::read_changes(const Json& json) {
  const JsonArray* array = json.if_array();
  if (array == nullptr) return registry_misfit("changes are an array", "");
  RefChanges changes;
  for (std::size_t i = 0; i < array->size(); ++i) {
    Result<RefChange> change = read_change((*array)[i], fmt::format("changes[{}]", i));
    if (!change) return Unexpected(change.error());
    changes.push_back(std::move(*change));
  }
  return changes;
}

}  // namespace alfred
