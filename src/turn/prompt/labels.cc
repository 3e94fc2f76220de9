#include "turn/prompt/labels.h"

#include <algorithm>
#include <functional>

#include "context/shown_text.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The word that this byte of a text is in.
std::string_view word_around(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  std::size_t end = at + 1;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// Calls with each word that may be a ref; copies the rest. A word in backquotes loses them when it
// is replaced.
std::string with_words(std::string_view text,
                       const std::function<std::string(std::string_view)>& replaced) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at)) {
    const std::string_view word = word_around(text, at);
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    at = begin + word.size();
    const std::string other = is_digit(word.back()) ? replaced(word) : "";
    if (other.empty()) continue;
    out += text.substr(done, begin - done);
    const bool is_quoted = out.ends_with('`') && at < text.size() && text[at] == '`';
    if (is_quoted) {
      out.pop_back();
      ++at;
    }
    out += other;
    done = at;
  }
  out += text.substr(done);
  return out;
}

// What the pack calls one of these: people know no "pref".
std::string word_for(const Scene& scene, const std::string& type) {
  const Table* table = scene.world().schema.find_ref(type);
  const PackEntity* entity = table == nullptr ? nullptr : scene.world().pack.find(table->name);
  return entity == nullptr || entity->words.empty() ? type : entity->words.front();
}

}  // namespace

NamedEntity named_entity(const Scene& scene, std::string_view ref) {
  const RefRegistry& registry = scene.state().registry;
  const EntityNo entity = registry.find(ref);
  if (entity == kNoEntity) return {std::string(ref), "", std::string(ref)};
  KeyPieces pieces(registry.keys());
  NamedEntity out{std::string(registry.ref(entity).text()), std::string(registry.type_of(entity)),
                  shown_label(registry, entity, pieces)};
  if (out.label.empty()) out.label = word_for(scene, out.type);
  return out;
}

std::string in_labels(const Scene& scene, std::string_view text) {
  return with_words(text, [&](std::string_view word) {
    return scene.state().registry.find(word) == kNoEntity
               ? std::string()
               : shown_line(named_entity(scene, word).label);
  });
}

Json json_in_labels(const Scene& scene, const Json& json) {
  if (const JsonString* text = json.if_string()) return Json(in_labels(scene, *text));
  if (const JsonArray* list = json.if_array()) {
    JsonArray out;
    for (const Json& one : *list) out.push_back(json_in_labels(scene, one));
    return out;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return json;
  JsonObject out;
  for (const auto& member : *object) out[member.key()] = json_in_labels(scene, member.value());
  return out;
}

namespace {

bool is_unknown_ref(const Scene& scene, std::string_view word) {
  std::string_view type = word.substr(0, word.rfind('_'));
  constexpr std::string_view kGenerated = "gen_";
  if (type.starts_with(kGenerated)) type.remove_prefix(kGenerated.size());
  const std::string_view number = word.substr(word.rfind('_') + 1);
  const bool is_number = std::all_of(number.begin(), number.end(), is_digit);
  return is_number && scene.world().schema.find_ref(type) != nullptr &&
         scene.state().registry.find(word) == kNoEntity;
}

}  // namespace

std::vector<std::string> unknown_refs_in(const Scene& scene, std::string_view text) {
  std::vector<std::string> out;
  (void)with_words(text, [&](std::string_view word) {
    if (is_unknown_ref(scene, word)) out.emplace_back(word);
    return std::string();
  });
  return out;
}

std::string without_unknown_refs(const Scene& scene, std::string_view text) {
  return with_words(text, [&](std::string_view word) {
    return is_unknown_ref(scene, word) ? std::string("(not in the records)") : std::string();
  });
}

}  // namespace alfred
