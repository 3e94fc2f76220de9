// What the registry learns of rows that were written (row_writer.h, R7).
#include <fmt/format.h>

#include "base/utf8.h"
#include "records/field_value.h"
#include "records/write/row_writer.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

std::string label_text(const Table& table, const Row& row) {
  const Field* const field = table.find(table.label);
  if (field == nullptr) return {};
  const Value& value = value_in(table, row, *field);
  if (is_null(value)) return {};
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && is_utf8(*text))
    return *text;
  std::string shown;
  append_field_json(*field, value, shown);
  return shown;
}

}  // namespace

Result<void> RowWriter::note() {
  for (WrittenRow& row : rows_)
    if (Result<void> done = note_row(row); !done) return done;
  // Labels are masked once all keys are known: one row's label may hold another row's key.
  for (const WrittenRow& row : rows_)
    if (Result<void> done = note_label(row); !done) return done;
  return {};
}

Result<void> RowWriter::note_row(WrittenRow& row) {
  RefRegistry& registry = context_.registry;
  const Table& table = *row.effect.table;
  if (row.effect.kind == RowEffect::Kind::created) {
    const Result<TypeNo> type = registry.type_named(table.ref, table.name);
    if (!type) return Unexpected(type.error());
    const Result<EntityNo> entity =
        registry.register_created(*type, row.effect.key.view(), row.saved_from);
    if (!entity) return Unexpected(entity.error());
    row.entity = *entity;
    if (context_.origin != RefOrigin::system) registry.mark_updated(*entity, context_.origin);
    return {};
  }
  row.entity = registry.find(table.ref, row.effect.key.view());
  if (row.entity == kNoEntity) return {};
  if (row.effect.kind == RowEffect::Kind::updated)
    registry.mark_updated(row.entity, context_.origin);
  else
    registry.mark_deleted(row.entity, context_.origin);
  return {};
}

Result<void> RowWriter::note_label(const WrittenRow& row) {
  if (row.entity == kNoEntity || !row.effect.after) return {};
  const std::string label = label_text(*row.effect.table, *row.effect.after);
  const Result<MaskedText> masked = LiteralMask(context_.registry).mask(label);
  if (!masked) return Unexpected(masked.error());
  const bool keeps_generated = label.empty() && row.effect.kind == RowEffect::Kind::created;
  if (!keeps_generated) context_.registry.set_label(row.entity, masked->view());
  return {};
}

}  // namespace alfred
