#include "refs/hiding/model_text.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace alfred {

bool is_invisible(char32_t point) {
  const auto within = [point](char32_t first, char32_t last) {
    return point >= first && point <= last;
  };
  return point < 0x20 || within(0x7f, 0x9f) || point == 0xad || point == 0x34f || point == 0x61c ||
         within(0x115f, 0x1160) || within(0x180b, 0x180f) || within(0x200b, 0x200f) ||
         within(0x2028, 0x202e) || within(0x2060, 0x206f) || point == 0x3164 || point == 0xfeff ||
         point == 0xffa0 || within(0xfff9, 0xfffb) || within(0xe0000, 0xe0fff);
}

void append_visible(std::string& out, std::string_view bytes) {
  const std::optional<CodePoint> point = next_code_point(bytes, 0);
  if (!point)
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
  else if (point->value == U'\n')
    out += "\\n";
  else
    out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point->value));
}

ModelText& ModelText::append_cell(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<CodePoint> point = next_code_point(text, at);
    const std::string_view bytes = text.substr(at, point ? point->size : 1);
    at += bytes.size();
    if (!point || is_invisible(point->value))
      append_visible(text_, bytes);
    else if (bytes == "|" || bytes == "`" || bytes == "\\")
      text_.append("\\").append(bytes);
    else
      text_ += bytes;
  }
  return *this;
}

std::string quoted_cell(std::string_view cell) {
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string quoted_name(std::string_view name) {
  return quoted_cell(ModelText().append_cell(name).view());
}

ModelText format_for_prompt(const RefRegistry& registry) {
  ModelText text;
  if (registry.live_count() == 0) return text.add("*No entities registered.*\n");
  KeyPieces pieces(registry.keys());
  text.add("| Ref | Type | Label | Status |\n|---|---|---|---|\n");
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    if (registry.status(entity) == RefStatus::deleted) continue;
    text.add("| ").add(registry.ref(entity)).add(" | ").add_type(registry, entity).add(" | ");
    text.add_label(registry, entity, pieces)
        .add(" | ")
        .add_status(registry.status(entity))
        .add(" |\n");
  }
  return text;
}

}  // namespace alfred
