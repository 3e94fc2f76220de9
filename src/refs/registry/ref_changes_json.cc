// A registry's changes as JSON, for the journal: {"declared":…}, {"registered":…}, {"changed":…},
// {"literal":…}, {"turn":…}. Rows that came one after the other and differ in ref, key and label
// only stand together in one {"alike":…}: a batch has a thousand of them.
#include <fmt/format.h>

#include "refs/registry/registry_json.h"
#include "refs/registry/registry_members.h"

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
      "a change is an object with one of declared, registered, alike, changed, literal, turn",
      path);
}

}  // namespace

void RegistryJson::append_change(std::string& out, const RefChange& change) {
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

std::string RegistryJson::write_changes(const RefChanges& changes) {
  constexpr std::size_t kBytesOfMost = 128;
  std::string out = "[";
  out.reserve(changes.size() * kBytesOfMost);
  AlikeRows rows(out);
  for (const RefChange& change : changes) {
    const auto* const registered = std::get_if<EntityRegistered>(&change);
    if (registered != nullptr && rows.add(registered->entry)) continue;
    rows.end();
    if (out.size() > 1) out += ',';
    append_change(out, change);
  }
  rows.end();
  out += ']';
  return out;
}

Result<RefChanges> RegistryJson::read_changes(const Json& json) {
  const JsonArray* array = json.if_array();
  if (array == nullptr) return registry_misfit("changes are an array", "");
  RefChanges changes;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string path = fmt::format("changes[{}]", i);
    const JsonObject* const object = (*array)[i].if_object();
    if (object != nullptr && object->size() == 1 && object->begin()->key() == "alike") {
      Result<std::vector<RefEntry>> rows = read_alike(object->begin()->value(), path + ".alike");
      if (!rows) return Unexpected(rows.error());
      for (RefEntry& row : *rows) changes.emplace_back(EntityRegistered{std::move(row)});
      continue;
    }
    Result<RefChange> change = read_change((*array)[i], path);
    if (!change) return Unexpected(change.error());
    changes.push_back(std::move(*change));
  }
  return changes;
}

}  // namespace alfred
