#include "engine/scenario_pages/page_text.h"

#include <algorithm>
#include <utility>

namespace alfred {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::string_view kFence = "```";

void append_text(std::string& out, std::string_view text) { out += write_json(Json(text)); }

void append_compact(std::string& out, const Json& json) {
  bool is_first = true;
  if (const JsonArray* array = json.if_array()) {
    out += '[';
    for (const Json& element : *array) {
      if (!std::exchange(is_first, false)) out += ", ";
      append_compact(out, element);
    }
    out += ']';
  } else if (const JsonObject* object = json.if_object()) {
    out += '{';
    for (const auto& member : *object) {
      if (!std::exchange(is_first, false)) out += ", ";
      append_text(out, member.key());
      out += ": ";
      append_compact(out, member.value());
    }
    out += '}';
  } else {
    out += write_json(json);
  }
}

// column: where it begins on its line.
void append_laid_out(std::string& out, const Json& json, std::size_t column) {
  std::string compact;
  append_compact(compact, json);
  const JsonArray* array = json.if_array();
  const JsonObject* object = json.if_object();
  if (column + compact.size() <= kWidth || (array == nullptr && object == nullptr)) {
    out += compact;
    return;
  }
  const std::string seam = ",\n" + std::string(column + 1, ' ');
  bool is_first = true;
  out += array != nullptr ? '[' : '{';
  if (array != nullptr)
    for (const Json& element : *array) {
      if (!std::exchange(is_first, false)) out += seam;
      append_laid_out(out, element, column + 1);
    }
  if (object != nullptr)
    for (const auto& member : *object) {
      if (!std::exchange(is_first, false)) out += seam;
      std::string name;
      append_text(name, member.key());
      out += name + ": ";
      append_laid_out(out, member.value(), column + 3 + name.size());
    }
  out += array != nullptr ? ']' : '}';
}

std::string with_ends(const BlockText& block, bool is_crlf) {
  std::string text =
      std::string(kFence) + block.head + "\n" + block.body + std::string(kFence) + "\n";
  if (!is_crlf) return text;
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

}  // namespace

std::string page_json(const Json& json) {
  std::string out;
  append_laid_out(out, json, 0);
  return out + "\n";
}

std::string changed_page(std::string_view page, const std::map<std::size_t, BlockText>& blocks) {
  std::string out;
  bool is_skipping = false;
  for (std::size_t number = 1; !page.empty(); ++number) {
    const std::size_t end = std::min(page.find('\n'), page.size() - 1) + 1;
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(end);
    const std::string_view content = line.substr(0, line.find_last_not_of("\r\n") + 1);
    if (is_skipping) {
      is_skipping = content != kFence;
    } else if (const auto block = blocks.find(number); block != blocks.end()) {
      out += with_ends(block->second, line.ends_with("\r\n"));
      is_skipping = true;
    } else {
      out += line;
    }
  }
  return out;
}

}  // namespace alfred
