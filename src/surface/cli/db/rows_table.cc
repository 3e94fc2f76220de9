#include "surface/cli/db/rows_table.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "surface/cli/terminal/terminal_text.h"

namespace alfred::cli {
namespace {

constexpr std::size_t kMostCharacters = 48;
constexpr std::string_view kIndent = "    ";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string text) {
  if (width_of(text) <= kMostCharacters) return text;
  std::size_t at = 0;
  for (std::size_t characters = 0; characters < kMostCharacters - 1; ++characters) do
      ++at;
    while (at < text.size() && !begins_character(text[at]));
  return text.substr(0, at) + "…";
}

bool is_nested(const Json& value) {
  return value.is_array() && !value.get_array().empty() && value.get_array()[0].is_object();
}

std::string one_line(std::string_view text) {
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  });
  if (is_plain) return terminal_text(text);
  std::string quoted;
  append_json_string(quoted, text);
  return terminal_text(quoted.substr(1, quoted.size() - 2));
}

std::string cell(const Json& value, const JsonObject& labels) {
  if (value.is_null()) return "";
  if (!value.is_string()) return shortened(terminal_text(write_json(value)));
  const std::string text = one_line(value.get_string());
  const Json* label = labels.if_contains(value.get_string());
  if (label == nullptr || !label->is_string()) return shortened(text);
  return shortened(text + " (" + one_line(label->get_string()) + ")");
}

// The scalar members of all rows, in the order they are met.
std::vector<std::string> columns_of(const JsonArray& rows) {
  std::vector<std::string> columns;
  for (const Json& row : rows) {
    if (!row.is_object()) continue;
    for (const auto& [name, value] : row.get_object()) {
      if (is_nested(value)) continue;
      const std::string_view key = name;
      if (std::find(columns.begin(), columns.end(), key) == columns.end())
        columns.emplace_back(key);
    }
  }
  return columns;
}

class TableWriter {
 public:
  TableWriter(const JsonArray& rows, const JsonObject& labels, std::string indent)
      : rows_(rows), labels_(labels), indent_(std::move(indent)), columns_(columns_of(rows)) {
    for (const std::string& column : columns_) widths_.push_back(width_of(column));
    for (const Json& row : rows_)
      for (std::size_t i = 0; i < columns_.size(); ++i)
        widths_[i] = std::max(widths_[i], width_of(text_at(row, i)));
  }

  std::string write() {
    std::vector<std::string> ruler;
    ruler.reserve(widths_.size());
    for (const std::size_t width : widths_) ruler.emplace_back(width, '-');
    add_line(columns_);
    add_line(ruler);
    for (const Json& row : rows_) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < columns_.size(); ++i) cells.push_back(text_at(row, i));
      add_line(cells);
      add_nested(row);
    }
    return std::move(out_);
  }

 private:
  std::string text_at(const Json& row, std::size_t column) const {
    const JsonObject* object = row.if_object();
    const Json* value = object == nullptr ? nullptr : object->if_contains(columns_[column]);
    return value == nullptr || is_nested(*value) ? "" : cell(*value, labels_);
  }
  void add_line(const std::vector<std::string>& cells) {
    std::string line = indent_;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      line.append(widths_[i] - width_of(cells[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + "\n";
  }
  void add_nested(const Json& row) {
    if (!row.is_object()) return;
    for (const auto& [name, value] : row.get_object()) {
      if (!is_nested(value)) continue;
      const std::string indent = indent_ + std::string(kIndent);
      out_ += indent + std::string(std::string_view(name)) + ":\n";
      out_ += TableWriter(value.get_array(), labels_, indent).write();
    }
  }

  const JsonArray& rows_;
  const JsonObject& labels_;
  std::string indent_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> widths_;
  std::string out_;
};

}  // namespace

std::string rows_table(const JsonArray& rows, const JsonObject& labels) {
  return rows.empty() ? "(no rows)\n" : TableWriter(rows, labels, "").write();
}

}  // namespace alfred::cli
