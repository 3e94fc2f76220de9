// What the registry learns of rows that were written (row_writer.h, R6).
#include <fmt/format.h>

#include "base/utf8.h"
#include "records/field_value.h"
#include "records/write/row_writer.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

// What labels the rows of one call have. One for all of them: who looks for keys in a text learns
// those there are once.
class Labels {
 public:
  explicit Labels(RefRegistry& registry)
      : registry_(registry), pieces_(registry.keys()), mask_(registry) {}

  Result<void> note(const WrittenRow& row) {
    if (row.entity == kNoEntity || !row.effect.after) return {};
    const std::string_view label = text(*row.effect.table, *row.effect.after);
    const bool keeps_generated = label.empty() && row.effect.kind == RowEffect::Kind::created;
    if (keeps_generated) return {};
    spans_.clear();
    find_key_spans(label, pieces_, spans_);
    if (spans_.empty()) {
      registry_.set_label(row.entity, label);
      return {};
    }
    const Result<MaskedText> masked = mask_.mask(label);
    if (!masked) return Unexpected(masked.error());
    registry_.set_label(row.entity, masked->view());
    return {};
  }

 private:
  // Until the next one is asked for.
  std::string_view text(const Table& table, const Row& row) {
    if (table_ != &table) field_ = table.find(table.label);
    table_ = &table;
    if (field_ == nullptr) return {};
    const Value& value = value_in(table, row, *field_);
    if (is_null(value)) return {};
    if (const auto* text = std::get_if<std::string>(&value); text != nullptr && is_utf8(*text))
      return *text;
    shown_.clear();
    append_field_json(*field_, value, shown_);
    return shown_;
  }

  RefRegistry& registry_;
  KeyPieces pieces_;
  LiteralMask mask_;
  std::vector<TextSpan> spans_;
  const Table* table_ = nullptr;
  const Field* field_ = nullptr;
  std::string shown_;
};

}  // namespace

Result<void> RowWriter::note() {
  for (WrittenRow& row : rows_)
    if (Result<void> done = note_row(row); !done) return done;
  // Labels are masked once all keys are known: one row's label may hold another row's key.
  Labels labels(context_.registry);
  for (const WrittenRow& row : rows_)
    if (Result<void> done = labels.note(row); !done) return done;
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

}  // namespace alfred
