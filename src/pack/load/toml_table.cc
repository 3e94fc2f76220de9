#include <fmt/format.h>

#include <algorithm>

#include "pack/load/toml.h"

namespace alfred {

Json toml_to_json(const TomlValue& value) {
  if (const auto* array = value.array()) {
    boost::json::array out;
    for (const TomlValue& element : *array) out.push_back(toml_to_json(element));
    return out;
  }
  if (const auto* table = value.table()) {
    boost::json::object out;
    for (const TomlMember& member : *table) out[member.name] = toml_to_json(member.value);
    return out;
  }
  if (const auto* text = value.text()) return Json(*text);
  if (const auto* boolean = value.boolean()) return Json(*boolean);
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) return Json(*integer);
  return Json(std::get<double>(value.value));
}

TomlTable::TomlTable(const TomlValue& value, std::string what)
    : place_(value.place), what_(std::move(what)), members_(value.table()) {
  if (members_ == nullptr) refuse(place_, fmt::format("{} is a table.", what_));
}

const TomlMember* TomlTable::next(std::string_view name) {
  known_.emplace_back(name);
  if (error_ || members_ == nullptr) return nullptr;
  for (const TomlMember& member : *members_)
    if (member.name == name) return &member;
  return nullptr;
}

void TomlTable::refuse(const TomlPlace& place, std::string message,
                       std::vector<std::string> allowed) {
  if (!error_) error_ = fail_toml(place, std::move(message), std::move(allowed)).value();
}

void TomlTable::take(std::string_view name, std::string& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  const std::string* text = member->value.text();
  if (text == nullptr || text->empty())
    return refuse(member->value.place, fmt::format("\"{}\" is a text in quotes, not empty.", name));
  out = *text;
}

void TomlTable::take(std::string_view name, bool& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  if (member->value.boolean() == nullptr)
    return refuse(member->value.place, fmt::format("\"{}\" is true or false.", name));
  out = *member->value.boolean();
}

void TomlTable::take(std::string_view name, int& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  const auto* integer = std::get_if<std::int64_t>(&member->value.value);
  if (integer == nullptr || *integer < 1 || *integer > 1'000'000)
    return refuse(member->value.place, fmt::format("\"{}\" is an integer from 1 on.", name));
  out = static_cast<int>(*integer);
}

void TomlTable::take(std::string_view name, double& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  if (const auto* integer = std::get_if<std::int64_t>(&member->value.value))
    out = static_cast<double>(*integer);
  else if (const auto* number = std::get_if<double>(&member->value.value))
    out = *number;
  else
    refuse(member->value.place, fmt::format("\"{}\" is a number.", name));
}

void TomlTable::take(std::string_view name, std::vector<std::string>& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  const TomlValue::Array* elements = member->value.array();
  if (elements == nullptr)
    return refuse(member->value.place,
                  fmt::format("\"{0}\" is a list of texts: {0} = [\"…\"].", name));
  out.clear();
  for (const TomlValue& element : *elements) {
    if (element.text() == nullptr || element.text()->empty())
      return refuse(element.place,
                    fmt::format("An element of \"{}\" is a text in quotes, not empty.", name));
    out.push_back(*element.text());
  }
}

void TomlTable::take(std::string_view name, std::optional<Json>& out) {
  if (const TomlMember* member = next(name)) out = toml_to_json(member->value);
}

void TomlTable::take_word(std::string_view name, const std::vector<std::string>& words,
                          const std::function<void(std::string_view)>& read) {
  std::string word;
  take(name, word);
  if (error_ || word.empty()) return;
  if (std::find(words.begin(), words.end(), word) == words.end())
    return refuse(place_of(name),
                  fmt::format("\"{}\" cannot be \"{}\"; it is one of: {}.", name, word,
                              fmt::join(words, ", ")),
                  words);
  read(word);
}

void TomlTable::take_texts(std::string_view name, const AddText& add) {
  take_members(name, [&](const TomlMember& member) -> Result<void> {
    if (member.value.text() == nullptr || member.value.text()->empty())
      return fail_toml(member.value.place,
                       fmt::format("\"{}.{}\" is a text in quotes.", name, member.name));
    add(member.name, *member.value.text());
    return {};
  });
}

void TomlTable::take_members(std::string_view name, const ReadMember& read) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  if (member->value.table() == nullptr)
    return refuse(member->value.place,
                  fmt::format("\"{0}\" is a table: {0} = {{ name = … }}.", name));
  for (const TomlMember& inner : *member->value.table())
    if (Result<void> ok = read(inner); !ok) {
      error_ = ok.error();
      return;
    }
}

void TomlTable::take_tables(std::string_view name, const ReadElement& read) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  const TomlValue::Array* elements = member->value.array();
  const auto is_table = [](const TomlValue& element) { return element.table() != nullptr; };
  if (elements == nullptr || !std::all_of(elements->begin(), elements->end(), is_table))
    return refuse(member->value.place,
                  fmt::format("\"{0}\" is a list of tables; write [[{0}]] above each.", name));
  for (const TomlValue& element : *elements)
    if (Result<void> ok = read(element); !ok) {
      error_ = ok.error();
      return;
    }
}

void TomlTable::take_value(std::string_view name, const ReadElement& read) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  if (Result<void> ok = read(member->value); !ok) error_ = ok.error();
}

void TomlTable::take_or_none(std::string_view name, std::optional<std::string>& out) {
  const TomlMember* member = next(name);
  if (member == nullptr) return;
  const std::string* text = member->value.text();
  const bool* boolean = member->value.boolean();
  if (text != nullptr && !text->empty())
    out = *text;
  else if (boolean != nullptr && !*boolean)
    out = std::string();
  else
    refuse(member->value.place,
           fmt::format("\"{}\" is a text in quotes, or false for none.", name));
}

bool TomlTable::has(std::string_view name) const {
  return members_ != nullptr &&
         std::any_of(members_->begin(), members_->end(),
                     [&](const TomlMember& member) { return member.name == name; });
}

TomlPlace TomlTable::place_of(std::string_view name) const {
  if (members_ != nullptr)
    for (const TomlMember& member : *members_)
      if (member.name == name) return member.value.place;
  return place_;
}

void TomlTable::require(std::string_view name) { required_.emplace_back(name); }

Result<void> TomlTable::done() {
  if (error_) return Unexpected(*error_);
  if (members_ == nullptr) return {};
  for (const TomlMember& member : *members_)
    if (std::find(known_.begin(), known_.end(), member.name) == known_.end())
      return fail_toml(member.place,
                       fmt::format("Unknown key \"{}\" in {}; known: {}.", member.name, what_,
                                   fmt::join(known_, ", ")),
                       known_);
  for (const std::string& name : required_)
    if (!has(name))
      return fail_toml(place_, fmt::format("{} has no {}; add {} = …", what_, name, name));
  return {};
}

}  // namespace alfred
