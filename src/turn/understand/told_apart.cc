#include "turn/understand/told_apart.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/json/json.h"
#include "context/entity_data.h"

namespace alfred {
namespace {

constexpr std::size_t kMostValues = 2;
constexpr std::size_t kLongestValue = 40;

// What a value says to a person; empty when it says nothing.
std::string plain_value(const SessionState& state, const Json& value) {
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  if (value.is_number()) return write_json(value);
  if (!value.is_string() || value.get_string().size() > kLongestValue) return "";
  const std::string text(value.get_string());
  return state.registry.find(text) == kNoEntity ? text : "";
}

bool is_shared(const std::string& field, const Json& value,
               const std::vector<const JsonObject*>& others) {
  return std::any_of(others.begin(), others.end(), [&](const JsonObject* other) {
    const Json* const same = other->if_contains(field);
    return same != nullptr && *same == value;
  });
}

std::string difference(const SessionState& state, const std::string& label, const JsonObject& row,
                       const std::vector<const JsonObject*>& others) {
  std::string out;
  std::size_t told = 0;
  for (const auto& member : row) {
    std::string field(member.key());
    if (told == kMostValues) break;
    const std::string value = plain_value(state, member.value());
    if (value.empty() || value == label || is_shared(field, member.value(), others)) continue;
    std::replace(field.begin(), field.end(), '_', ' ');
    out += fmt::format("{}{}: {}", told++ == 0 ? "" : ", ", field, value);
  }
  return out;
}

}  // namespace

std::vector<std::string> told_apart(const SessionState& state,
                                    const std::vector<std::string>& refs) {
  std::vector<std::string> labels;
  labels.reserve(refs.size());
  for (const std::string& ref : refs)
    labels.emplace_back(state.registry.label(state.registry.find(ref)));
  std::vector<std::string> out = labels;
  std::optional<EntityData> data;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (std::count(labels.begin(), labels.end(), labels[i]) < 2) continue;
    if (!data) data.emplace(EntityData::collect(state));
    const EntityData::Read* const read = data->find(refs[i]);
    if (read == nullptr) continue;
    std::vector<const JsonObject*> others;
    for (std::size_t k = 0; k < refs.size(); ++k)
      if (k != i && labels[k] == labels[i])
        if (const EntityData::Read* const other = data->find(refs[k])) others.push_back(other->row);
    if (const std::string how = difference(state, labels[i], *read->row, others); !how.empty())
      out[i] += " (" + how + ")";
  }
  return out;
}

}  // namespace alfred
