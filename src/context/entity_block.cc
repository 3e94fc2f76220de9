#include "context/entity_block.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "base/json/json_number.h"
#include "base/json/json_text.h"
#include "context/shown_text.h"

namespace alfred {
namespace {

// Views, so that nobody counts their bytes again.
constexpr std::string_view kBar = " | ";
constexpr std::string_view kDash = "    - ";
constexpr std::string_view kAfterNumber = ". ";
constexpr std::string_view kColon = ": ";

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

// Where a row of this order has what the pieces name.
void find_places(RowFormat::Line& line, const JsonObject& row) {
  for (Segment& segment : line)
    for (Piece& piece : segment.pieces) {
      piece.places.clear();
      for (std::string_view names = piece.names; !names.empty();) {
        const std::size_t slash = std::min(names.find('/'), names.size());
        if (const auto found = row.find(names.substr(0, slash)); found != row.end())
          piece.places.push_back(static_cast<std::size_t>(found - row.begin()));
        names.remove_prefix(std::min(slash + 1, names.size()));
      }
    }
}

void follow_order(MemberOrder& order, std::span<RowFormat::Line> lines, const JsonObject& row) {
  if (order.is_of(row)) return;
  order.take(row);
  for (RowFormat::Line& line : lines) find_places(line, row);
}

// As find_member() finds it: of several names, the first that has a value.
const Json* member_of(const JsonObject& row, const Piece& piece) {
  for (const std::size_t place : piece.places) {
    const Json& value = row.begin()[static_cast<std::ptrdiff_t>(place)].value();
    if (!value.is_null()) return &value;
  }
  return nullptr;
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
    (((out += '`') += std::string_view(id->get_string())) += '`') += kColon;
  const std::size_t from = out.size();
  follow_order(list.order, std::span(&list.item, 1), *row);
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
    if (list.is_numbered) {
      append_json_number(out.append(4, ' '), static_cast<std::int64_t>(number));
      out += kAfterNumber;
    } else {
      out += kDash;
    }
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

bool MemberOrder::is_of(const JsonObject& row) const {
  if (row.size() != sizes_.size()) return false;
  const char* name = names_.data();
  auto member = row.begin();
  for (const std::size_t size : sizes_) {
    if (member->key().size() != size || std::memcmp(member->key().data(), name, size) != 0)
      return false;
    name += size;
    ++member;
  }
  return true;
}

void MemberOrder::take(const JsonObject& row) {
  names_.clear();
  sizes_.clear();
  for (const auto& member : row) {
    names_ += std::string_view(member.key());
    sizes_.push_back(member.key().size());
  }
}

void RowFormat::append(std::string& out, const JsonObject& row) const {
  follow_order(order_, lines_, row);
  for (const Line& line : lines_) {
    const std::size_t before = out.size();
    out.append(2, ' ');
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
