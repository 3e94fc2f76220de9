#include "context/entity_block.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/json/json_number.h"
#include "base/json/json_text.h"
#include "context/shown_text.h"

namespace alfred {
namespace {

constexpr std::string_view kBar = " | ";

// 2.0 is 2 for a reader; 0.5 stays.
void append_number(std::string& out, const Json& value) {
  if (!value.is_double()) return append_json(out, value);
  const double number = value.get_double();
  if (std::floor(number) == number && std::fabs(number) < 1e15)
    append_json_number(out, static_cast<std::int64_t>(number));
  else
    append_json_number(out, number);
}

void append_value(std::string& out, const Json& value);

void append_list(std::string& out, const JsonArray& list) {
  const std::size_t from = out.size();
  for (const Json& one : list) {
    const std::size_t before = out.size();
    if (before > from) out += ", ";
    const std::size_t begin = out.size();
    append_value(out, one);
    if (out.size() == begin) out.resize(before);
  }
}

void append_value(std::string& out, const Json& value) {
  if (value.is_null()) return;
  if (const JsonString* text = value.if_string()) return append_shown_line(out, *text);
  if (value.is_bool()) {
    out += value.get_bool() ? "yes" : "no";
    return;
  }
  if (value.is_number()) return append_number(out, value);
  if (const JsonArray* list = value.if_array()) return append_list(out, *list);
  // A link: {"ref":…,"label":…}; else JSON.
  const JsonObject& object = value.get_object();
  const Json* ref = object.if_contains("ref");
  const Json* label = object.if_contains("label");
  if (ref == nullptr || !ref->is_string()) return append_shown_line(out, write_json(value));
  out.append("`").append(std::string_view(ref->get_string())).append("`");
  if (label == nullptr || !label->is_string()) return;
  out += ' ';
  append_shown_line(out, label->get_string());
}

// What is no number is not counted and not lost: "10 + 1 hour".
void append_sum(std::string& out, const JsonObject& row, std::string_view names) {
  std::optional<double> sum;
  std::string texts;
  while (!names.empty()) {
    const std::size_t plus = names.find('+');
    const Json* value = find_member(row, names.substr(0, plus));
    if (value != nullptr && value->is_number()) {
      sum = sum.value_or(0) + value->to_number<double>();
    } else if (value != nullptr) {
      texts += texts.empty() ? "" : " + ";
      append_value(texts, *value);
    }
    names = plus == std::string_view::npos ? std::string_view() : names.substr(plus + 1);
  }
  if (sum) append_number(out, Json(*sum));
  if (sum && !texts.empty()) out += " + ";
  out += texts;
}

using Piece = RowFormat::Piece;
using Segment = RowFormat::Segment;

Piece read_piece(std::string_view before, std::string_view inside) {
  Piece piece{.before = std::string(before), .names = std::string(inside)};
  if (const std::size_t mark = inside.find('?'); mark != std::string_view::npos) {
    piece.kind = Piece::Kind::word;
    piece.names = inside.substr(0, mark);
    piece.word = inside.substr(mark + 1);
  } else if (inside.find('+') != std::string_view::npos) {
    piece.kind = Piece::Kind::sum;
  }
  piece.has_choice = piece.names.find('/') != std::string::npos;
  return piece;
}

Segment read_segment(std::string_view pattern) {
  Segment segment;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find('{', at);
    const std::size_t close = pattern.find('}', std::min(open, pattern.size()));
    const std::string_view text = pattern.substr(at, open - at);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      segment.after = text;
      break;
    }
    segment.pieces.push_back(read_piece(text, pattern.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
  return segment;
}

RowFormat::Line read_line(std::string_view text) {
  RowFormat::Line line;
  while (true) {
    const std::size_t bar = text.find(kBar);
    line.push_back(read_segment(text.substr(0, bar)));
    if (bar == std::string_view::npos) return line;
    text.remove_prefix(bar + kBar.size());
  }
}

// The member of this name: where the row before had it, or wherever it is.
const Json* member_named(const JsonObject& row, std::string_view name, std::size_t& place) {
  if (place < row.size()) {
    const auto& here = row.begin()[static_cast<std::ptrdiff_t>(place)];
    if (std::string_view(here.key().data(), here.key().size()) == name) return &here.value();
  }
  const auto found = row.find(name);
  if (found == row.end()) return nullptr;
  place = static_cast<std::size_t>(found - row.begin());
  return &found->value();
}

// As find_member() finds it.
const Json* member_of(const JsonObject& row, const Piece& piece) {
  std::string_view names = piece.names;
  if (!piece.has_choice) return member_named(row, names, piece.place);
  for (;;) {
    const std::size_t slash = names.find('/');
    const Json* const found = member_named(row, names.substr(0, slash), piece.place);
    if (found != nullptr && !found->is_null()) return found;
    if (slash == std::string_view::npos) return nullptr;
    names.remove_prefix(slash + 1);
  }
}

// What stands in braces.
void append_piece(std::string& out, const JsonObject& row, const Piece& piece) {
  if (piece.kind == Piece::Kind::sum) return append_sum(out, row, piece.names);
  const Json* value = member_of(row, piece);
  if (value == nullptr) return;
  if (piece.kind == Piece::Kind::field) return append_value(out, *value);
  if (value->is_bool() && value->get_bool()) out += piece.word;
}

// A segment with its fields in place; nothing when every field of it is empty.
void append_segment(std::string& out, const JsonObject& row, const Segment& segment) {
  const std::size_t from = out.size();
  bool has_value = segment.pieces.empty();
  for (const Piece& piece : segment.pieces) {
    out += piece.before;
    const std::size_t before = out.size();
    append_piece(out, row, piece);
    has_value = has_value || out.size() > before;
    if (out.size() == before && before > from && out.back() == ' ') out.pop_back();
  }
  out += segment.after;
  if (!has_value) return out.resize(from);
  std::size_t text = from;
  while (text < out.size() && out[text] == ' ') ++text;
  if (text > from) out.erase(from, text - from);
}

void append_line(std::string& out, const JsonObject& row, const RowFormat::Line& line) {
  const std::size_t from = out.size();
  for (const Segment& segment : line) {
    const std::size_t before = out.size();
    if (before > from) out += kBar;
    const std::size_t begin = out.size();
    append_segment(out, row, segment);
    if (out.size() == begin) out.resize(before);
  }
}

void append_element(std::string& out, const Json& element, const RowFormat::List& list) {
  const JsonObject* row = element.if_object();
  if (row == nullptr) return append_value(out, element);
  const Json* id = row->if_contains("id");
  if (id != nullptr && id->is_string())
    out.append("`").append(std::string_view(id->get_string())).append("`: ");
  const std::size_t from = out.size();
  append_line(out, *row, list.item);
  // Content that calls its parts otherwise is still to be seen.
  if (out.size() == from) append_shown_line(out, write_json(element));
}

void append_list_of(std::string& out, const JsonObject& row, const RowFormat::List& format) {
  const LayoutList& list = format.list;
  const Json* member = find_member(row, list.member);
  const JsonArray* elements = member == nullptr ? nullptr : member->if_array();
  if (elements == nullptr || elements->empty()) return;
  std::string_view noun = list.noun.empty() ? std::string_view("items") : list.noun;
  if (elements->size() == 1 && noun.ends_with('s')) noun.remove_suffix(1);
  out.append("  **").append(list.title).append(" (").append(std::to_string(elements->size()));
  out.append(" ").append(noun).append("):**\n");
  std::size_t number = 0;
  for (const Json& element : *elements) {
    ++number;
    if (list.is_numbered)
      out.append("    ").append(std::to_string(number)).append(". ");
    else
      out += "    - ";
    append_element(out, element, format);
    out += '\n';
  }
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

RowFormat::RowFormat(const EntityLayout& layout) {
  for (const std::string& line : layout.lines) lines_.push_back(read_line(line));
  for (const LayoutList& list : layout.lists) lists_.push_back({list, read_line(list.item)});
}

void RowFormat::append(std::string& out, const JsonObject& row) const {
  for (const Line& line : lines_) {
    const std::size_t before = out.size();
    out += "  ";
    const std::size_t from = out.size();
    append_line(out, row, line);
    if (out.size() == from)
      out.resize(before);
    else
      out += '\n';
  }
  for (const List& list : lists_) append_list_of(out, row, list);
}

std::string format_row(const JsonObject& row, const EntityLayout& layout) {
  std::string out;
  RowFormat(layout).append(out, row);
  return out;
}

}  // namespace alfred
