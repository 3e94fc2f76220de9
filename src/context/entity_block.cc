#include "context/entity_block.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/json/json_number.h"
#include "base/json/json_text.h"
#include "context/shown_text.h"

namespace alfred {
namespace {

// Views, so that nobody counts their bytes again.
constexpr std::string_view kBar = " | ";
constexpr std::string_view kDash = "    - ";
constexpr std::string_view kIndent = "    ";
constexpr std::string_view kAfterNumber = ". ";

// Many keys at once are compared without a call for each.
[[gnu::always_inline]] inline bool is_same(const char* a, const char* b, std::size_t size) {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  if (size < sizeof left) {
    for (std::size_t i = 0; i < size; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  for (std::size_t at = 0; at + sizeof left <= size; at += sizeof left) {
    std::memcpy(&left, a + at, sizeof left);
    std::memcpy(&right, b + at, sizeof right);
    if (left != right) return false;
  }
  std::memcpy(&left, a + size - sizeof left, sizeof left);  // its end, once more
  std::memcpy(&right, b + size - sizeof right, sizeof right);
  return left == right;
}

// Short texts, as most are, are copied in two pieces that may overlap.
[[gnu::always_inline]] inline void copy_text(char* to, const char* from, std::size_t size) {
  const auto copy_ends = [&]<class Word>(Word word) {
    std::memcpy(&word, from + size - sizeof word, sizeof word);
    std::memcpy(to, from, sizeof word);
    std::memcpy(to + size - sizeof word, &word, sizeof word);
  };
  if (size > 2 * sizeof(std::uint64_t))
    std::memcpy(to, from, size);
  else if (size >= sizeof(std::uint64_t))
    copy_ends(std::uint64_t{});
  else if (size >= sizeof(std::uint32_t))
    copy_ends(std::uint32_t{});
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}

// The end of a buffer, with room ahead, so that most texts are put there without asking for any.
class TextOut {
 public:
  explicit TextOut(ByteBuffer& buffer) : buffer_(buffer) { make_room(0); }
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;
  ~TextOut() { buffer_.cut(size()); }

  std::size_t size() const { return static_cast<std::size_t>(at_ - bytes_); }
  char* data() { return bytes_; }
  void cut(std::size_t size) { at_ = bytes_ + size; }
  [[gnu::always_inline]] char* room(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) [[unlikely]] {
      buffer_.cut(size());
      make_room(count);
    }
    return at_;
  }
  void added(std::size_t count) { at_ += count; }

 private:
  void make_room(std::size_t count) {
    constexpr std::size_t kAhead = 512;
    at_ = buffer_.room(count + kAhead);
    end_ = at_ + count + kAhead;
    bytes_ = buffer_.data();
  }

  ByteBuffer& buffer_;
  char* bytes_ = nullptr;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

[[gnu::always_inline]] inline void put(TextOut& out, std::string_view text) {
  copy_text(out.room(text.size()), text.data(), text.size());
  out.added(text.size());
}
[[gnu::always_inline]] inline void put(TextOut& out, char c) {
  *out.room(1) = c;
  out.added(1);
}

void put_line(TextOut& out, std::string_view text) {
  if (is_shown_as_it_is(text)) return put(out, text);
  put(out, shown_line(text));
}

void put_whole(TextOut& out, std::int64_t number) {
  constexpr std::size_t kDigits = 20;  // with a sign
  char* const room = out.room(kDigits);
  out.added(static_cast<std::size_t>(std::to_chars(room, room + kDigits, number).ptr - room));
}

// 2.0 is 2 for a reader; 0.5 stays.
void put_number(TextOut& out, double number) {
  if (std::floor(number) == number && std::fabs(number) < 1e15)
    return put_whole(out, static_cast<std::int64_t>(number));
  std::string text;
  append_json_number(text, number);
  put(out, text);
}

void put_value(TextOut& out, const Json& value);

void put_list(TextOut& out, const JsonArray& list) {
  const std::size_t from = out.size();
  for (const Json& one : list) {
    const std::size_t before = out.size();
    if (before > from) put(out, ", ");
    const std::size_t begin = out.size();
    put_value(out, one);
    if (out.size() == begin) out.cut(before);
  }
}

// A link: {"ref":…,"label":…}; else JSON.
void put_object(TextOut& out, const JsonObject& object) {
  const Json* ref = object.if_contains("ref");
  const Json* label = object.if_contains("label");
  if (ref == nullptr || !ref->is_string()) {
    std::string json;
    append_json(json, object);
    return put_line(out, json);
  }
  put(out, '`');
  put(out, ref->get_string());
  put(out, '`');
  if (label == nullptr || !label->is_string()) return;
  put(out, ' ');
  put_line(out, label->get_string());
}

void put_value(TextOut& out, const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null: return;
    case boost::json::kind::bool_: return put(out, value.get_bool() ? "yes" : "no");
    case boost::json::kind::int64: return put_whole(out, value.get_int64());
    case boost::json::kind::uint64: return put(out, std::to_string(value.get_uint64()));
    case boost::json::kind::double_: return put_number(out, value.get_double());
    case boost::json::kind::string: return put_line(out, value.get_string());
    case boost::json::kind::array: return put_list(out, value.get_array());
    case boost::json::kind::object: return put_object(out, value.get_object());
  }
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
    while (!inside.empty()) {
      const std::size_t plus = std::min(inside.find('+'), inside.size());
      piece.terms.push_back({.names = std::string(inside.substr(0, plus))});
      inside.remove_prefix(std::min(plus + 1, inside.size()));
    }
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

// Where a row of this order has what the piece names.
void find_places(Piece& piece, const JsonObject& row) {
  piece.places.clear();
  for (std::string_view names = piece.names; !names.empty();) {
    const std::size_t slash = std::min(names.find('/'), names.size());
    if (const auto found = row.find(names.substr(0, slash)); found != row.end())
      piece.places.push_back(static_cast<std::size_t>(found - row.begin()));
    names.remove_prefix(std::min(slash + 1, names.size()));
  }
  for (Piece& term : piece.terms) find_places(term, row);
}

void find_places(RowFormat::Line& line, const JsonObject& row) {
  for (Segment& segment : line)
    for (Piece& piece : segment.pieces) find_places(piece, row);
}

// As find_member() finds it: of several names, the first that has a value.
const Json* member_of(const JsonObject& row, const Piece& piece) {
  for (const std::size_t place : piece.places) {
    const Json& value = row.begin()[static_cast<std::ptrdiff_t>(place)].value();
    if (!value.is_null()) return &value;
  }
  return nullptr;
}

// What is no number is not counted and not lost: "10 + 1 hour".
void put_sum(TextOut& out, const JsonObject& row, const Piece& piece) {
  std::optional<double> sum;
  for (const Piece& term : piece.terms)
    if (const Json* value = member_of(row, term); value != nullptr && value->is_number())
      sum = sum.value_or(0) + value->to_number<double>();
  if (sum) put_number(out, *sum);
  bool has_text = false;
  for (const Piece& term : piece.terms) {
    const Json* value = member_of(row, term);
    if (value == nullptr || value->is_number()) continue;
    const std::size_t before = out.size();
    if (sum || has_text) put(out, " + ");
    const std::size_t from = out.size();
    put_value(out, *value);
    if (!has_text && out.size() == from) out.cut(before);
    has_text = has_text || out.size() > from;
  }
}

// What stands in braces.
void put_piece(TextOut& out, const JsonObject& row, const Piece& piece) {
  if (piece.kind == Piece::Kind::sum) return put_sum(out, row, piece);
  const Json* value = member_of(row, piece);
  if (value == nullptr) return;
  if (piece.kind == Piece::Kind::field) return put_value(out, *value);
  if (value->is_bool() && value->get_bool()) put(out, piece.word);
}

// A segment with its fields in place; nothing when every field of it is empty.
void put_segment(TextOut& out, const JsonObject& row, const Segment& segment) {
  const std::size_t from = out.size();
  bool has_value = segment.pieces.empty();
  for (const Piece& piece : segment.pieces) {
    put(out, piece.before);
    const std::size_t before = out.size();
    put_piece(out, row, piece);
    if (out.size() > before)
      has_value = true;
    else if (before > from && out.data()[before - 1] == ' ')
      out.cut(before - 1);
  }
  put(out, segment.after);
  if (!has_value) return out.cut(from);
  std::size_t text = from;
  while (text < out.size() && out.data()[text] == ' ') ++text;
  if (text == from) return;
  std::memmove(out.data() + from, out.data() + text, out.size() - text);
  out.cut(out.size() - (text - from));
}

void put_line(TextOut& out, const JsonObject& row, const RowFormat::Line& line) {
  const std::size_t from = out.size();
  for (const Segment& segment : line) {
    const std::size_t before = out.size();
    if (before > from) put(out, kBar);
    const std::size_t begin = out.size();
    put_segment(out, row, segment);
    if (out.size() == begin) out.cut(before);
  }
}

void put_element(TextOut& out, const Json& element, const RowFormat::List& list) {
  const JsonObject* row = element.if_object();
  if (row == nullptr) return put_value(out, element);
  if (!list.order.is_of(*row)) {
    list.order.take(*row);
    find_places(list.id, *row);
    find_places(list.item, *row);
  }
  if (const Json* id = member_of(*row, list.id); id != nullptr && id->is_string()) {
    put(out, '`');
    put(out, id->get_string());
    put(out, "`: ");
  }
  const std::size_t from = out.size();
  put_line(out, *row, list.item);
  // Content that calls its parts otherwise is still to be seen.
  if (out.size() == from) put_line(out, write_json(element));
}

void put_list_of(TextOut& out, const JsonObject& row, const RowFormat::List& format) {
  const LayoutList& list = format.list;
  const Json* member = member_of(row, format.member);
  const JsonArray* elements = member == nullptr ? nullptr : member->if_array();
  if (elements == nullptr || elements->empty()) return;
  std::string_view noun = list.noun.empty() ? std::string_view("items") : list.noun;
  if (elements->size() == 1 && noun.ends_with('s')) noun.remove_suffix(1);
  put(out, "  **");
  put(out, list.title);
  put(out, " (");
  put_whole(out, std::ssize(*elements));
  put(out, ' ');
  put(out, noun);
  put(out, "):**\n");
  std::int64_t number = 0;
  for (const Json& element : *elements) {
    ++number;
    if (list.is_numbered) {
      put(out, kIndent);
      put_whole(out, number);
      put(out, kAfterNumber);
    } else {
      put(out, kDash);
    }
    put_element(out, element, format);
    put(out, '\n');
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
  for (const LayoutList& list : layout.lists)
    lists_.push_back({.list = list,
                      .member = {.names = list.member},
                      .item = read_line(list.item),
                      .id = {.names = "id"}});
}

bool MemberOrder::is_of(const JsonObject& row) const {
  if (row.size() != sizes_.size()) return false;
  const char* name = names_.data();
  auto member = row.begin();
  for (const std::size_t size : sizes_) {
    const std::string_view key = member->key();
    if (key.size() != size || !is_same(key.data(), name, size)) return false;
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

void RowFormat::follow(const JsonObject& row) const {
  if (order_.is_of(row)) return;
  order_.take(row);
  for (Line& line : lines_) find_places(line, row);
  for (const List& list : lists_) find_places(list.member, row);
}

void RowFormat::append(ByteBuffer& buffer, const JsonObject& row) const {
  follow(row);
  TextOut out(buffer);
  for (const Line& line : lines_) {
    const std::size_t before = out.size();
    put(out, "  ");
    const std::size_t from = out.size();
    put_line(out, row, line);
    if (out.size() == from)
      out.cut(before);
    else
      put(out, '\n');
  }
  for (const List& list : lists_) put_list_of(out, row, list);
}

std::string format_row(const JsonObject& row, const EntityLayout& layout) {
  ByteBuffer out;
  RowFormat(layout).append(out, row);
  return std::string(out.view());
}

}  // namespace alfred
