#include "context/entity_block.h"

#include <cmath>
#include <optional>

#include "context/shown_text.h"

namespace alfred {
namespace {

// 2.0 is 2 for a reader; 0.5 stays.
std::string number_text(const Json& value) {
  if (!value.is_double()) return write_json(value);
  const double number = value.get_double();
  if (std::floor(number) == number && std::fabs(number) < 1e15)
    return std::to_string(static_cast<std::int64_t>(number));
  return write_json(value);
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "";
  if (const JsonString* text = value.if_string()) return shown_line(*text);
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  if (value.is_number()) return number_text(value);
  if (const JsonArray* list = value.if_array()) {
    std::string out;
    for (const Json& one : *list) {
      const std::string text = value_text(one);
      if (!text.empty()) out += (out.empty() ? "" : ", ") + text;
    }
    return out;
  }
  // A link: {"ref":…,"label":…}; else JSON.
  const JsonObject& object = value.get_object();
  const Json* ref = object.if_contains("ref");
  const Json* label = object.if_contains("label");
  if (ref != nullptr && ref->is_string()) {
    std::string out = "`" + std::string(ref->get_string()) + "`";
    if (label != nullptr && label->is_string()) out += " " + shown_line(label->get_string());
    return out;
  }
  return shown_line(write_json(value));
}

std::string field_text(const JsonObject& row, std::string_view name) {
  const Json* value = find_member(row, name);
  return value == nullptr ? "" : value_text(*value);
}

// What is no number is not counted and not lost: "10 + 1 hour".
std::string sum_text(const JsonObject& row, std::string_view names) {
  std::optional<double> sum;
  std::string texts;
  while (!names.empty()) {
    const std::size_t plus = names.find('+');
    const Json* value = find_member(row, names.substr(0, plus));
    if (value != nullptr && value->is_number())
      sum = sum.value_or(0) + value->to_number<double>();
    else if (value != nullptr)
      texts += (texts.empty() ? "" : " + ") + value_text(*value);
    names = plus == std::string_view::npos ? std::string_view() : names.substr(plus + 1);
  }
  if (!sum) return texts;
  return number_text(Json(*sum)) + (texts.empty() ? "" : " + " + texts);
}

// What stands in braces.
std::string braces_text(const JsonObject& row, std::string_view inside) {
  if (const std::size_t mark = inside.find('?'); mark != std::string_view::npos) {
    const Json* value = find_member(row, inside.substr(0, mark));
    const bool is_true = value != nullptr && value->is_bool() && value->get_bool();
    return is_true ? std::string(inside.substr(mark + 1)) : "";
  }
  return inside.find('+') == std::string_view::npos ? field_text(row, inside)
                                                    : sum_text(row, inside);
}

// A segment with its fields in place; empty when every field of it is.
std::string filled(const JsonObject& row, std::string_view pattern) {
  std::string out;
  bool has_field = false;
  bool has_value = false;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find('{', at);
    out += pattern.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string value = braces_text(row, pattern.substr(open + 1, close - open - 1));
    has_field = true;
    has_value = has_value || !value.empty();
    if (value.empty() && out.ends_with(' ')) out.pop_back();
    out += value;
    at = close + 1;
  }
  while (out.starts_with(' ')) out.erase(0, 1);
  return has_field && !has_value ? "" : out;
}

std::string line_text(const JsonObject& row, std::string_view line) {
  std::string out;
  constexpr std::string_view kBar = " | ";
  while (true) {
    const std::size_t bar = line.find(kBar);
    const std::string segment = filled(row, line.substr(0, bar));
    if (!segment.empty()) out += (out.empty() ? "" : std::string(kBar)) + segment;
    if (bar == std::string_view::npos) return out;
    line.remove_prefix(bar + kBar.size());
  }
}

std::string element_text(const Json& element, const LayoutList& list) {
  const JsonObject* row = element.if_object();
  if (row == nullptr) return value_text(element);
  const Json* id = row->if_contains("id");
  std::string out;
  if (id != nullptr && id->is_string()) out = "`" + std::string(id->get_string()) + "`: ";
  std::string text = list.item.empty() ? "" : line_text(*row, list.item);
  // Content that calls its parts otherwise is still to be seen.
  if (text.empty()) text = shown_line(write_json(element));
  return out + text;
}

std::string list_text(const JsonObject& row, const LayoutList& list) {
  const Json* member = find_member(row, list.member);
  const JsonArray* elements = member == nullptr ? nullptr : member->if_array();
  if (elements == nullptr || elements->empty()) return "";
  std::string noun = list.noun.empty() ? "items" : list.noun;
  if (elements->size() == 1 && noun.ends_with('s')) noun.pop_back();
  std::string out =
      "  **" + list.title + " (" + std::to_string(elements->size()) + " " + noun + "):**\n";
  std::size_t number = 0;
  for (const Json& element : *elements) {
    ++number;
    out += list.is_numbered ? "    " + std::to_string(number) + ". " : "    - ";
    out += element_text(element, list) + "\n";
  }
  return out;
}

}  // namespace

EntityLayout default_layout(const Table& table, const Schema& schema) {
  EntityLayout layout;
  std::string line;
  for (const Field& field : table.fields) {
    if (field.is_hidden || table.is_key(field.name) || field.name == table.label ||
        field.name == table.created_at || field.name == table.updated_at)
      continue;
    line += (line.empty() ? "" : " | ") + field.name + ": {" + field.name + "}";
  }
  if (!line.empty()) layout.lines.push_back(line);
  for (const Relation& relation : table.relations) {
    const Table* child = schema.find(relation.table);
    std::string item;
    if (child != nullptr)
      for (const Field& field : child->fields)
        if (!field.is_hidden && !child->is_key(field.name) && !field.link &&
            field.name != child->created_at && field.name != child->updated_at)
          item += (item.empty() ? "{" : " {") + field.name + "}";
    layout.lists.push_back({relation.member, relation.member, "items", item, false, ""});
  }
  return layout;
}

std::string format_row(const JsonObject& row, const EntityLayout& layout) {
  std::string out;
  for (const std::string& line : layout.lines)
    if (const std::string text = line_text(row, line); !text.empty()) out += "  " + text + "\n";
  for (const LayoutList& list : layout.lists) out += list_text(row, list);
  return out;
}

}  // namespace alfred
