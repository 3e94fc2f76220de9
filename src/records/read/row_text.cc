#include "records/read/row_text.h"

#include "base/utf8.h"
#include "records/field_value.h"

namespace alfred {
namespace {

void append_key_text(const Value& value, std::string& out) {
  const auto* const text = std::get_if<std::string>(&value);
  if (const auto* number = std::get_if<std::int64_t>(&value))
    out += std::to_string(*number);
  else if (text != nullptr && is_utf8(*text))
    append_json_string(out, *text);
  else
    out += "null";
}

void append_columns(const RowFields& fields, const std::vector<const Field*>& columns,
                    const Row& row, std::string& out) {
  const Table& table = fields.table();
  for (const Field* field : columns) {
    out += out.back() == '{' ? "" : ",";
    append_json_string(out, field->name);
    out += ':';
    const Value& value = fields.of(row, field);
    if (field->link || table.is_key(field->name))
      append_key_text(value, out);
    else
      append_value_text(*field, value, out);
  }
}

}  // namespace

void append_value_text(const Field& field, const Value& value, std::string& out) {
  const auto* const bytes = std::get_if<Bytes>(&value);
  if (bytes != nullptr && field.type == FieldType::text)
    append_field_json(field, bytes->bytes, out);  // a text that is no UTF-8 (E19)
  else
    append_field_json(field, value, out);
}

void append_row_text(const ReadRequest& request, const FoundRows& found,
                     const std::vector<NestedRows>& nested, std::size_t row, std::string& out) {
  const Row& values = found.rows[row];
  out += '{';
  append_columns(found.fields, request.columns, values, out);
  for (const NestedRows& one : nested) {
    out += out.back() == '{' ? "" : ",";
    append_json_string(out, one.relation->member);
    out += ":[";
    const Field* const key = key_fields(*request.table).front();
    const auto children = one.of.find(key_text(*key, found.fields.of(values, key)));
    if (children != one.of.end()) {
      for (const Row& child : children->second) {
        out += out.back() == '[' ? "{" : ",{";
        append_columns(one.fields, one.columns, child, out);
        out += '}';
      }
    }
    out += ']';
  }
  out += '}';
}

}  // namespace alfred
