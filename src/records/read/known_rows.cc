#include "records/read/known_rows.h"

#include <algorithm>

#include "records/key_part.h"
#include "records/read/row_text.h"
#include "refs/hiding/key_shapes.h"
#include "refs/keys/canonical_uuid.h"

namespace alfred {
namespace {

// Whether something of this text, as it stands in JSON, may have to be hidden.
bool may_hide(std::string_view text) {
  for (std::size_t at = text.find('_'); at != text.npos; at = text.find('_', at + 1))
    if (at > 0 && text[at - 1] == 't') return true;  // lit_
  for (std::size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 2))
    if (text.substr(at + 1).starts_with('u')) return true;
  return has_key_shape(text);
}

std::optional<KeyView> key_of(const Value& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value))
    return KeyView::integer(*number);
  const auto* const text = std::get_if<std::string>(&value);
  UuidBits bits;
  if (text == nullptr || text->size() != 36 || !read_canonical_uuid(text->data(), bits))
    return std::nullopt;
  return KeyView::uuid(bits);
}

class KnownRows {
 public:
  KnownRows(const RecordContext& context, const ReadRequest& request, const FoundRows& found)
      : schema_(context.schema),
        registry_(context.registry),
        request_(request),
        fields_(found.fields),
        label_(request.table->find(request.table->label)) {}

  bool knows_columns() {
    const Table& table = *request_.table;
    if (table.key.size() != 1 || has_ref_apart(table) || !request_.include.empty() ||
        !request_.generated.rows.empty() || registry_.keys().long_text_count() > 0)
      return false;
    columns_.reserve(request_.columns.size());
    return std::all_of(request_.columns.begin(), request_.columns.end(),
                       [&](const Field* field) { return knows_column(*field); });
  }

  bool append(const Row& row, std::string& out) const {
    EntityNo own = kNoEntity;
    char before = '{';
    for (const Column& column : columns_) {
      out += before;
      append_json_string(out, column.field->name);
      out += ':';
      before = ',';
      const Value& value = fields_.of(row, column.field);
      if (!(column.type ? append_ref(column, value, own, out) : append_plain(column, value, out)))
        return false;
    }
    out += '}';
    return own != kNoEntity && is_named(row, own);
  }

 private:
  struct Column {
    const Field* field;
    std::optional<TypeNo> type{};  // of the refs it is shown as
    bool is_own = false;           // the row's own
  };

  std::optional<TypeNo> type_of(const Table* table) const {
    if (table == nullptr) return std::nullopt;
    const std::optional<TypeNo> type = registry_.find_table(table->name);
    const bool is_settled = type && registry_.type_name(*type) == table->ref &&
                            registry_.key_columns(*type) == table->key;
    return is_settled ? type : std::nullopt;
  }

  bool knows_column(const Field& field) {
    Column column{&field};
    column.is_own = field.name == request_.table->key.front();
    if (column.is_own || field.link) {
      column.type = type_of(column.is_own ? request_.table : schema_.find(field.link->table));
      if (!column.type) return false;
    }
    const bool is_plain = field.type != FieldType::json && !has_key_shape(field.name) &&
                          field.name.find("lit_") == std::string::npos;
    columns_.push_back(column);
    return is_plain;
  }

  bool append_ref(const Column& column, const Value& value, EntityNo& own, std::string& out) const {
    if (!column.is_own && is_null(value)) {
      out += "null";
      return true;
    }
    const std::optional<KeyView> key = key_of(value);
    const EntityNo entity = key ? registry_.keys().find(*column.type, *key) : kNoEntity;
    if (entity == kNoEntity || registry_.status(entity) == RefStatus::deleted) return false;
    if (column.is_own) {
      own = entity;
      if (registry_.status(entity) == RefStatus::linked ||
          registry_.turn_last_referenced(entity) != registry_.turn())
        return false;
    }
    ((out += '"') += registry_.ref(entity).text()) += '"';
    return true;
  }

  static bool append_plain(const Column& column, const Value& value, std::string& out) {
    const std::size_t from = out.size();
    append_value_text(*column.field, value, out);
    const std::string_view text = std::string_view(out).substr(from);
    if (column.field->is_key_part && hides_part(text)) return false;
    if (text.front() != '"' && text.front() != '[')
      return text.front() != '{' && !has_key_shape(text);
    // Members of objects would have to be looked at too.
    if (text.front() == '[' && text.find('{') != std::string_view::npos) return false;
    return !may_hide(text);
  }

  bool is_named(const Row& row, EntityNo own) const {
    if (label_ == nullptr) return true;
    const Value& value = fields_.of(row, label_);
    if (std::holds_alternative<Bytes>(value)) return false;
    const auto* const text = std::get_if<std::string>(&value);
    return text == nullptr || text->empty() || (registry_.label(own) == *text && !may_hide(*text));
  }

  const Schema& schema_;
  const RefRegistry& registry_;
  const ReadRequest& request_;
  const RowFields& fields_;
  const Field* label_;
  std::vector<Column> columns_;
};

}  // namespace

std::optional<std::string> known_rows_text(const RecordContext& context, const ReadRequest& request,
                                           const FoundRows& found, std::size_t rows) {
  KnownRows known(context, request, found);
  if (!known.knows_columns()) return std::nullopt;
  constexpr std::size_t kUsualRow = 2048;
  std::string out;
  out.reserve(std::min<std::size_t>(rows, 8) * kUsualRow + 2);
  out += '[';
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0) out += ',';
    if (!known.append(found.rows[i], out)) return std::nullopt;
  }
  out += ']';
  return out;
}

}  // namespace alfred
