#include "surface/mcp/approval/row_caption.h"

#include <algorithm>
#include <array>

namespace alfred::mcp {
namespace {

bool is_readable(const Table& table, const Field& field) {
  constexpr std::array kReadable{FieldType::text, FieldType::integer, FieldType::number,
                                 FieldType::date, FieldType::instant};
  return !field.is_hidden && !field.link && !table.is_key(field.name) &&
         field.name != table.owner &&
         std::find(kReadable.begin(), kReadable.end(), field.type) != kReadable.end();
}

}  // namespace

const Field* caption_field(const Table& table) {
  const Field* found = nullptr;
  int best = 0;
  for (const Field& field : table.fields) {
    if (!is_readable(table, field)) continue;
    const bool is_text = field.type == FieldType::text;
    const int worth = (field.is_unique ? 2 : 0) + (is_text ? 1 : 0);
    if (worth > best) {
      best = worth;
      found = &field;
    }
  }
  return found;
}

}  // namespace alfred::mcp
