#include "translate/row_generator.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/utf8.h"
#include "pack/ref_names.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 8> kTables = {"authors", "books", "box",     "boxes",
                                                     "loans",   "notes", "lib.tag", "profiles"};
constexpr std::array<std::string_view, 26> kColumns = {
    "id",       "name",  "title",        "note",      "count",     "meta", "author_id", "tag_id",
    "box_id",   "tags",  "books",        "author",    "parent",    "body", "é",         "_id",
    "loans",    "lit_1", "warehouse-77", "\u4e66_id", "warehouse", "_ref", "ID",        "Tag_ID",
    "authorId", "Id"};
constexpr std::array<std::string_view, 14> kNumbers = {"0",
                                                       "-0",
                                                       "1.0",
                                                       "1e5",
                                                       "-1.5E-3",
                                                       "42",
                                                       "1E+9",
                                                       "7.25",
                                                       "-12",
                                                       "123456789",
                                                       "9223372036854775808",
                                                       "0.1",
                                                       "12345678",
                                                       "123456789012345678901234567890"};
constexpr std::array<std::string_view, 14> kWords = {
    "like ", "recipe_1", "route_66", "lit_1", "lit_2 ", "caf\u00e9 ",   "\U0001F372",
    " ",     "\n",       "\"x\\/",   "\t",    "abc ",   "plain words ", "\u65e5\u672c"};

constexpr std::array<std::string_view, 5> kJoints = {"_", "", "x", "0", "-"};

std::string random_uuid(Random& random) {
  std::string text = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  for (char& c : text)
    if (c == 'x') c = "0123456789abcdef"[random.next_u64() % 16];
  return text;
}

}  // namespace

RowGenerator::RowGenerator(std::uint64_t seed) : random_(seed) {
  for (int i = 0; i < 8; ++i) uuids_.push_back(random_uuid(random_));
  uuids_.push_back(uuids_[0].substr(0, 28) + uuids_[1].substr(28));  // shares both its ends
  integers_ = {"1", "2", "37", "-4", "0", "123456789", "-987654321", "9223372036854775807"};
  texts_ = {"de",          "warehouse-77", "",         "a\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
            "some text 9", "lit_1",        "ABCDEFGH", "\u65e5\u672c\u8a9e-key"};
  std::string upper = uuids_[2];
  for (char& c : upper)
    if (c >= 'a') c = static_cast<char>(c - 0x20);
  texts_.push_back(upper);
}

std::string RowGenerator::table() { return std::string(pick(kTables)); }

EntityType RowGenerator::type(const std::string& table, const std::vector<std::string>& declared) {
  static const std::vector<std::vector<std::string>> kKeys = {
      {"id"}, {"id"}, {"code"}, {"author_id", "tag_id"}, {"author_id"}, {}, {"code", "id"}};
  EntityType type;
  type.table = table;
  if (once_in(3)) type.ref = "t" + table.substr(0, 2);
  type.key = pick(kKeys);
  for (const std::string_view column : {"author_id", "tag_id", "box_id", "parent"})
    if (once_in(2)) type.links.push_back({std::string(column), pick(declared)});
  for (const std::string_view member : {"books", "tags", "loans"})
    if (once_in(2)) type.nested.push_back({std::string(member), pick(declared)});
  if (once_in(2)) type.label = once_in(2) ? "name" : "note";
  return type;
}

EntityTypes RowGenerator::types() {
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::vector<std::string> tables;
    for (const std::string_view table : kTables)
      if (once_in(3)) tables.emplace_back(table);
    std::vector<EntityType> made;
    for (const std::string& table : tables) made.push_back(type(table, tables));
    Result<EntityTypes> types = EntityTypes::make(std::move(made));
    if (types) return std::move(*types);
  }
  return {};
}

std::string RowGenerator::rows(const EntityTypes& types, const std::string& table) {
  out_.clear();
  spaces_ = once_in(2) ? 0 : 1 + below(12);
  escapes_ = once_in(2) ? 0 : 1 + below(30);
  changes_ = once_in(3) ? 1 : 2 + below(8);
  if (once_in(30)) put("\xEF\xBB\xBF");
  const std::size_t documents = once_in(5) ? below(5) : 1;
  for (std::size_t i = 0; i < documents; ++i) {
    space();
    if (once_in(4))
      row(types, table, 0);
    else
      list_of_rows(types, table, 0);
    if (once_in(2)) put("\n");
  }
  space();
  return std::move(out_);
}

void RowGenerator::space() {
  if (spaces_ == 0 || !once_in(spaces_)) return;
  for (std::size_t i = below(4); i < 4; ++i) out_ += " \n\t\r"[below(4)];
  if (once_in(20)) out_.append(below(140), ' ');
}

void RowGenerator::list_of_rows(const EntityTypes& types, const std::string& table, int depth) {
  put("[");
  const bool is_long =
      depth == 0 && once_in(25);  // beyond what waits, and what is looked at, at once
  const std::size_t count = is_long ? 60 : below(depth == 0 ? 6 : 3);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) put(",");
    space();
    if (once_in(60))
      plain_value(2);
    else
      row(types, table, depth + 1);
    space();
  }
  put("]");
}

std::vector<std::string> RowGenerator::columns_of(const EntityTypes& types,
                                                  const std::string& table) {
  std::vector<std::string> columns;
  if (const EntityType* type = types.find_table(table)) {
    columns = type->key;
    for (const Link& link : type->links) columns.push_back(link.column);
    for (const Nested& nested : type->nested) columns.push_back(nested.member);
    if (!type->label.empty()) columns.push_back(type->label);
  } else {
    columns = {"id"};
  }
  for (const std::string_view column : kColumns)
    if (once_in(5)) columns.emplace_back(column);
  if (once_in(15)) columns.push_back(prose());
  if (!once_in(40)) {  // else a column may come twice
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return columns;
}

void RowGenerator::row(const EntityTypes& types, const std::string& table, int depth) {
  // Most rows of a document have their columns in the same order: a generator of its own for that.
  SeededRandom shape(once_in(changes_) ? random_.next_u64() : 7);
  std::swap(shape, random_);
  std::vector<std::string> columns = columns_of(types, table);
  for (std::size_t i = columns.size(); i > 1; --i) std::swap(columns[i - 1], columns[below(i)]);
  std::swap(shape, random_);
  if (once_in(10)) columns.resize(below(columns.size() + 1));
  put("{");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) put(",");
    space();
    string_value(columns[i]);
    space();
    put(":");
    space();
    column_value(types, table, columns[i], depth);
    space();
  }
  space();
  put("}");
}

void RowGenerator::column_value(const EntityTypes& types, const std::string& table,
                                const std::string& column, int depth) {
  if (once_in(150)) return plain_value(depth);
  const EntityType* type = types.find_table(table);
  if (type != nullptr) {
    for (const Nested& nested : type->nested) {
      if (nested.member != column) continue;
      if (depth > 2 || once_in(4)) return put("null");
      return once_in(3) ? row(types, nested.table, depth + 1)
                        : list_of_rows(types, nested.table, depth + 1);
    }
    const bool is_key = std::find(type->key.begin(), type->key.end(), column) != type->key.end() ||
                        std::any_of(type->links.begin(), type->links.end(),
                                    [&](const Link& link) { return link.column == column; });
    return is_key ? key_value() : plain_value(depth);
  }
  if (column == "ID" || column == "id" || named_by_key_column(column)) return key_value();
  const bool may_hold_rows = column == "books" || column == "author" || column == "meta" ||
                             column.starts_with("warehouse") || column.find('-') < column.size();
  if (may_hold_rows && depth < 3 && once_in(2))
    return once_in(2) ? row(types, column, depth + 1) : list_of_rows(types, column, depth + 1);
  plain_value(depth);
}

std::string RowGenerator::key_text() { return once_in(3) ? pick(texts_) : pick(uuids_); }

void RowGenerator::key_value() {
  if (once_in(12)) return put("null");
  if (once_in(4)) return put(pick(integers_));
  string_value(once_in(4) ? pick(texts_) : pick(uuids_));
}

std::string RowGenerator::prose() {
  std::string text;
  for (std::size_t i = below(6); i > 0; --i) {
    std::string key = once_in(5) ? random_uuid(random_) : key_text();
    switch (below(11)) {
      case 10: text += key + std::string(pick(kJoints)) + key_text(); break;
      case 0: text += key; break;
      case 1: text += key.substr(0, 8 + below(6)); break;
      case 2: text += key.substr(key.size() - std::min(key.size(), 8 + below(6))); break;
      case 3:
        std::erase(key, '-');
        text += key;
        break;
      case 4:
        for (char& c : key)
          if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 0x20);
        text += key;
        break;
      case 5: text += pick(integers_); break;
      default: text += pick(kWords);
    }
  }
  if (once_in(30)) text.insert(below(text.size() + 1), below(200), 'z');
  return std::string(text.substr(0, first_invalid_utf8(text).value_or(text.size())));
}

void RowGenerator::plain_value(int depth) {
  switch (below(depth > 2 || once_in(2) ? 4 : 6)) {
    case 0: return put(pick(kNumbers));
    case 1: return put(std::array{"null", "true", "false"}[below(3)]);
    case 2:
    case 3: return string_value(prose());
    case 4: {
      put("[");
      for (std::size_t i = 0, n = below(4); i < n; ++i) {
        if (i > 0) put(",");
        space();
        plain_value(depth + 1);
        space();
      }
      return put("]");
    }
    default: {
      put("{");
      for (std::size_t i = 0, n = below(4); i < n; ++i) {
        if (i > 0) put(",");
        space();
        string_value(once_in(2) ? prose() : std::string(pick(kColumns)));
        put(":");
        plain_value(depth + 1);
        space();
      }
      return put("}");
    }
  }
}

void RowGenerator::string_value(std::string_view text) {
  put("\"");
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = *next_code_point(text, at);
    const bool must = point.value < 0x20 || point.value == '"' || point.value == '\\';
    if (must || (escapes_ != 0 && once_in(escapes_))) {
      char escaped[16];
      const auto value = static_cast<unsigned>(point.value);
      if (value >= 0x10000)
        std::snprintf(escaped, sizeof escaped, "\\u%04x\\u%04X", 0xd800 + ((value - 0x10000) >> 10),
                      0xdc00 + ((value - 0x10000) & 0x3ff));
      else if (value == '\n' && once_in(2))
        std::snprintf(escaped, sizeof escaped, "\\n");
      else
        std::snprintf(escaped, sizeof escaped, once_in(2) ? "\\u%04x" : "\\u%04X", value);
      put(escaped);
    } else {
      put(text.substr(at, point.size));
    }
    at += point.size;
  }
  put("\"");
}

std::string RowGenerator::damaged(std::string text) {
  static constexpr std::string_view kTelling = "\"\\{}[]:,-019aetnf \n\x01\x80\xc3\xed\xff_";
  for (std::size_t i = 1 + below(2); i > 0; --i) {
    const std::size_t at = below(text.size() + 1);
    const char byte = once_in(3) ? static_cast<char>(below(256)) : pick(kTelling);
    switch (below(5)) {
      case 0: text.insert(at, 1, byte); break;
      case 1: text.erase(at, 1 + below(4)); break;
      case 2: text.resize(at); break;
      case 3:
        if (at < text.size()) text[at] = byte;
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
    }
  }
  return text;
}

}  // namespace alfred
