#include "oracle/registry_model.h"

#include <algorithm>

namespace alfred::oracle {

ModelKey model_key(const RecordKey& key) {
  const KeyDoor door = KeyDoorForTests::door();
  const KeyView view = key.view();
  switch (key.kind()) {
    case KeyKind::uuid: return {KeyKind::uuid, uuid_text(view.bits(door), door), {}};
    case KeyKind::integer: {
      const auto value = static_cast<std::int64_t>(view.bits(door).high);
      return {KeyKind::integer, std::to_string(value), {}};
    }
    case KeyKind::text: return {KeyKind::text, std::string(view.bytes(door)), {}};
    case KeyKind::composite: break;
  }
  ModelKey composite{KeyKind::composite, {}, {}};
  for (const RecordKey& part : key.parts()) composite.parts.push_back(model_key(part));
  return composite;
}

RegistryModel::RegistryModel(const RefRegistry& registry, RefLimits limits)
    : turn(registry.turn()), limits_(limits) {
  for (std::size_t i = 0; i < registry.type_count(); ++i) {
    const auto type = static_cast<TypeNo>(i);
    types.push_back({std::string(registry.type_name(type)), std::string(registry.table_of(type)),
                     registry.counter(type, false), registry.counter(type, true),
                     std::string(registry.called(type)), registry.key_columns(type)});
  }
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    const RefEntry entry = registry.entry(entity);
    ModelEntity made{std::string(entry.ref.type()),
                     std::string(entry.ref.text()),
                     {},
                     entry.label,
                     entry.status,
                     entry.turn_created,
                     entry.turn_last_referenced};
    if (entry.key) {
      made.key = model_key(*entry.key);
      holders_[{made.type, *made.key}] = entities.size();
    }
    entities.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < registry.literals().size(); ++i)
    literals.emplace_back(KeyDoorForTests::literal(registry, static_cast<std::uint32_t>(i + 1)));
}

ModelType* RegistryModel::find_type(std::string_view name) {
  for (ModelType& type : types)
    if (type.name == name) return &type;
  return nullptr;
}

ModelType* RegistryModel::find_called(std::string_view called) {
  for (ModelType& type : types)
    if (!called.empty() && type.called == called) return &type;
  return nullptr;
}

ModelType& RegistryModel::add_type(const std::string& name, const std::string& table,
                                   const std::string& called) {
  std::string free = name;
  for (int n = 2; find_type(free) != nullptr; ++n)
    free = name.substr(0, Ref::kMaxTypeBytes - 5) + std::to_string(n);
  return types.emplace_back(ModelType{free, table, 0, 0, called, {}});
}

ModelEntity* RegistryModel::holder(const std::string& type, const ModelKey& key) {
  const auto found = holders_.find({type, key});
  return found == holders_.end() ? nullptr : &entities[found->second];
}

ModelEntity* RegistryModel::add(const std::string& type, const ModelKey& key, RefStatus status) {
  if (entities.size() >= limits_.max_entities) return nullptr;
  const std::string ref = type + "_" + std::to_string(++find_type(type)->rows);
  holders_[{type, key}] = entities.size();
  entities.push_back({type, ref, key, {}, status, turn, turn});
  return &entities.back();
}

ModelEntity* RegistryModel::read(const std::string& type, const ModelKey& key) {
  ModelEntity* known = holder(type, key);
  if (known == nullptr || known->status == RefStatus::deleted)
    return add(type, key, RefStatus::read);
  if (known->status == RefStatus::linked) known->status = RefStatus::read;
  known->turn_last_referenced = turn;
  return known;
}

ModelEntity* RegistryModel::linked(const std::string& type, const ModelKey& key) {
  ModelEntity* known = holder(type, key);
  return known != nullptr ? known : add(type, key, RefStatus::linked);
}

std::optional<std::string> RegistryModel::literal(std::string_view text) {
  auto found = std::find(literals.begin(), literals.end(), text);
  if (found == literals.end()) {
    if (literals.size() >= limits_.max_literals) return std::nullopt;
    found = literals.emplace(literals.end(), text);
  }
  return "lit_" + std::to_string(found - literals.begin() + 1);
}

std::string RegistryModel::shown() const {
  const auto key_text = [](const auto& self, const ModelKey& key) -> std::string {
    std::string text = key.text;
    for (const ModelKey& part : key.parts) text += "<" + self(self, part) + ">";
    return text;
  };
  std::string out;
  for (const ModelType& type : types)
    out += type.name + "(" + type.table + ":" + std::to_string(type.rows) + " called " +
           type.called + " key " + std::to_string(type.key.size()) + ") ";
  for (const ModelEntity& entity : entities) {
    out += "\n  " + entity.ref + " " + std::string(status_name(entity.status)) + " \"" +
           entity.label + "\" turns " + std::to_string(entity.turn_created) + "," +
           std::to_string(entity.turn_last_referenced);
    if (entity.key) out += " key " + key_text(key_text, *entity.key);
  }
  for (std::size_t i = 0; i < literals.size(); ++i)
    out += "\n  lit_" + std::to_string(i + 1) + " " + literals[i];
  return out;
}

}  // namespace alfred::oracle
