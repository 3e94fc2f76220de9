// A registry as plain maps and lists, for the oracle: slow, obvious, and comparable with a real
// one.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refs/keys/key_door_for_tests.h"
#include "refs/registry/ref_registry.h"

namespace alfred::oracle {

struct ModelKey {
  KeyKind kind = KeyKind::text;
  std::string text;  // as it stands in the database; of a composite: empty
  std::vector<ModelKey> parts;

  friend bool operator==(const ModelKey&, const ModelKey&) = default;
  friend std::strong_ordering operator<=>(const ModelKey& a, const ModelKey& b) {
    if (const auto order = a.kind <=> b.kind; order != 0) return order;
    if (const auto order = a.text <=> b.text; order != 0) return order;
    return std::lexicographical_compare_three_way(a.parts.begin(), a.parts.end(), b.parts.begin(),
                                                  b.parts.end());
  }
};

struct ModelEntity {
  std::string type;
  std::string ref;
  std::optional<ModelKey> key;
  std::string label;
  RefStatus status = RefStatus::read;
  std::uint32_t turn_created = 0;
  std::uint32_t turn_last_referenced = 0;
  friend bool operator==(const ModelEntity&, const ModelEntity&) = default;
};

struct ModelType {
  std::string name;
  std::string table;
  std::uint32_t rows = 0;       // refs given to rows so far
  std::uint32_t generated = 0;  // gen_ refs given so far
  std::string called{};         // the name it was made for; empty: none
  std::vector<std::string> key{};
  friend bool operator==(const ModelType&, const ModelType&) = default;
};

class RegistryModel {
 public:
  explicit RegistryModel(const RefRegistry& registry, RefLimits limits = {});

  std::vector<ModelType> types;
  std::deque<ModelEntity> entities;  // their addresses stay
  std::vector<std::string> literals;
  std::uint32_t turn = 0;

  ModelType* find_type(std::string_view name);
  ModelType* find_called(std::string_view called);
  // A new type of this name, or of the first free one of name2, name3…
  ModelType& add_type(const std::string& name, const std::string& table, const std::string& called);
  // The entity of a row, registered when it is new; nullptr: no room for one more.
  ModelEntity* read(const std::string& type, const ModelKey& key);
  ModelEntity* linked(const std::string& type, const ModelKey& key);
  // lit_n; nothing when no more may be hidden.
  std::optional<std::string> literal(std::string_view text);

  // One line for everything that is known, for the messages of failing tests.
  std::string shown() const;
  friend bool operator==(const RegistryModel& a, const RegistryModel& b) {
    return a.types == b.types && a.entities == b.entities && a.literals == b.literals &&
           a.turn == b.turn;
  }

 private:
  ModelEntity* add(const std::string& type, const ModelKey& key, RefStatus status);
  ModelEntity* holder(const std::string& type, const ModelKey& key);

  RefLimits limits_;
  std::map<std::pair<std::string, ModelKey>, std::size_t> holders_;
};

ModelKey model_key(const RecordKey& key);

}  // namespace alfred::oracle
