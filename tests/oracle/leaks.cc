#include "oracle/leaks.h"

#include <algorithm>
#include <regex>

#include "oracle/json_tree.h"
#include "oracle/prose_oracle.h"
#include "oracle/registry_model.h"

namespace alfred::oracle {
namespace {

constexpr std::size_t kPiece = 8;

struct Texts {
  std::vector<std::string> names;
  std::vector<std::string> values;
};

void collect(const Node& node, Texts& texts) {
  if (node.kind == Node::Kind::string) texts.values.push_back(node.string.text);
  for (const Node& element : node.elements) collect(element, texts);
  for (const Node::Member& member : node.members) {
    texts.names.push_back(member.name.text);
    collect(member.value, texts);
  }
}

Texts texts_of(std::string_view json) {
  Texts texts;
  for (const Node& value : read_tree(json, 2000).values) collect(value, texts);
  return texts;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 0x20);
  return text;
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// How long the uuid that begins here is, with or without any of its dashes; 0 for none.
std::size_t uuid_length(std::string_view text) {
  std::size_t at = 0;
  for (const std::size_t digits : {8U, 4U, 4U, 4U, 12U}) {
    if (at > 0 && at < text.size() && text[at] == '-') ++at;
    for (std::size_t i = 0; i < digits; ++i, ++at)
      if (at >= text.size() || !is_hex(text[at])) return 0;
  }
  return at;
}

// The uuids of a text without their dashes, and the text with all of them cut out.
std::vector<std::string> uuids_of(const std::string& text, std::string& rest) {
  const std::string plain = lower(text);
  std::vector<bool> is_uuid(plain.size(), false);
  std::vector<std::string> found;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const std::size_t length = uuid_length(std::string_view(plain).substr(at));
    if (length == 0) continue;
    std::fill_n(is_uuid.begin() + static_cast<std::ptrdiff_t>(at), length, true);
    found.push_back(plain.substr(at, length));
    std::erase(found.back(), '-');
  }
  for (std::size_t i = 0; i < plain.size(); ++i) rest += is_uuid[i] ? '\n' : plain[i];
  rest += '\n';
  return found;
}

std::string first_uuid_shown(const Texts& in, const std::string& shown) {
  std::string rest;
  std::vector<std::string> uuids;
  for (const auto* texts : {&in.names, &in.values})
    for (const std::string& text : *texts)
      for (std::string& uuid : uuids_of(text, rest)) uuids.push_back(std::move(uuid));
  for (const std::string& uuid : uuids)
    for (const std::string& piece : {uuid.substr(0, kPiece), uuid.substr(uuid.size() - kPiece)})
      if (rest.find(piece) == std::string::npos && shown.find(piece) != std::string::npos)
        return piece + " of the uuid " + uuid;
  return "";
}

void add_key(const ModelKey& key, std::vector<std::string>& keys) {
  for (const ModelKey& part : key.parts) add_key(part, keys);
  std::string text = key.text;
  if (key.kind == KeyKind::uuid) std::erase(text, '-');
  if (key.kind == KeyKind::integer && text.starts_with('-')) text.erase(0, 1);
  const bool is_open = key.kind == KeyKind::text && is_ordinary(text);
  if (text.size() >= kPiece && !is_open) keys.push_back(text);
}

bool is_plain_word(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

// What stands between the registry's own literals: what stands behind one is no part of a key that
// happens to begin with the same name.
std::vector<std::string> between_literals(const RefRegistry& registry, const std::string& text) {
  static const std::regex kLiteral("lit_([1-9][0-9]{0,9})");
  std::vector<std::string> parts;
  std::size_t end = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), kLiteral), last; at != last; ++at) {
    if (std::stoull(at->str(1)) > registry.literals().size()) continue;
    const auto begin = static_cast<std::size_t>(at->position());
    parts.push_back(text.substr(end, begin - end));
    end = begin + static_cast<std::size_t>(at->length());
  }
  parts.push_back(text.substr(end));
  return parts;
}

// A key, or in a text that is no plain name also one of its ends.
std::string first_key_shown(const std::vector<std::string>& keys,
                            const std::vector<std::string>& parts, bool is_name) {
  const bool is_plain = is_name && parts.size() == 1 && is_plain_word(parts.front());
  for (const std::string& key : keys)
    for (const std::string& part : parts) {
      if (part.find(key) != std::string::npos) return "the key " + key;
      if (is_plain) continue;
      for (const std::string& piece : {key.substr(0, kPiece), key.substr(key.size() - kPiece)})
        if (part.find(piece) != std::string::npos) return piece + " of the key " + key;
    }
  return "";
}

}  // namespace

std::string leak(const RefRegistry& registry, std::string_view input, std::string_view output) {
  const Texts in = texts_of(input);
  const Texts out = texts_of(output);
  std::string shown;
  for (const auto* texts : {&out.names, &out.values})
    for (const std::string& text : *texts) shown += lower(text) + "\n";
  for (std::size_t i = 0; i < registry.type_count(); ++i)
    shown += std::string(registry.type_name(static_cast<TypeNo>(i))) + "\n";
  if (std::string uuid = first_uuid_shown(in, shown); !uuid.empty()) return uuid;
  std::vector<std::string> keys;
  for (const ModelEntity& entity : RegistryModel(registry).entities)
    if (entity.key) add_key(*entity.key, keys);
  for (const std::string& name : out.names)
    if (std::string key = first_key_shown(keys, between_literals(registry, name), true);
        !key.empty())
      return key;
  for (const std::string& value : out.values) {
    if (registry.find(value) != kNoEntity) continue;
    if (std::string key = first_key_shown(keys, between_literals(registry, value), false);
        !key.empty())
      return key;
  }
  return "";
}

}  // namespace alfred::oracle
