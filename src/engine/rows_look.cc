#include "engine/rows_look.h"

#include "records/field_value.h"

namespace alfred {
namespace {

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

std::string label_in(const Table& table, const Row& row) {
  for (std::size_t at = 0; at < row.size(); ++at)
    if (table.fields[at].name == table.label) return text_of(row[at]);
  return "";
}

bool is_left_out(const Table& table, const Field& field) {
  return table.is_key(field.name) || field.name == table.owner || field.name == table.created_at ||
         field.name == table.updated_at;
}

}  // namespace

Result<std::vector<Row>> RowsLook::all_rows(const Table& table) {
  SelectRows plan{.table = &table};
  for (const Field& field : table.fields) plan.fields.push_back(&field);
  for (const std::string& column : table.key) plan.order.push_back({table.find(column), false});
  std::vector<Row> rows;
  const auto select = [&](Tx& tx) -> Result<void> {
    Result<std::vector<Row>> found = tx.select(plan);
    if (!found) return Unexpected(std::move(found).error());
    rows = std::move(*found);
    return {};
  };
  if (Result<void> read = store_->read(caller_, select); !read)
    return Unexpected(std::move(read).error());
  return rows;
}

Result<std::string> RowsLook::label_of(const Field& link, const Value& key, Labels& labels) {
  const std::string nowhere = "(a row that is not there)";
  const Table* const table = schema_->find(link.link->table);
  if (table == nullptr) return nowhere;
  if (!labels.contains(table->name)) {
    const Result<std::vector<Row>> rows = all_rows(*table);
    if (!rows) return Unexpected(rows.error());
    std::map<std::string, std::string>& known = labels[table->name];
    for (const Row& row : *rows)
      for (std::size_t at = 0; at < row.size(); ++at)
        if (table->is_key(table->fields[at].name)) known[text_of(row[at])] = label_in(*table, row);
  }
  const auto found = labels[table->name].find(text_of(key));
  return found == labels[table->name].end() ? nowhere : found->second;
}

Result<Json> RowsLook::shown(const Table& table, const Row& row, Labels& labels) {
  JsonObject out;
  for (std::size_t at = 0; at < row.size(); ++at) {
    const Field& field = table.fields[at];
    if (is_left_out(table, field)) continue;
    if (field.link && !is_null(row[at])) {
      const Result<std::string> label = label_of(field, row[at], labels);
      if (!label) return Unexpected(label.error());
      out[field.name] = *label;
      continue;
    }
    std::string text;
    append_field_json(field, row[at], text);
    Result<Json> value = parse_json(text, JsonLimits::none());
    if (!value) return value;
    out[field.name] = std::move(*value);
  }
  return out;
}

Result<JsonArray> RowsLook::rows(const std::string& name) {
  const Table* const table = schema_->find(name);
  if (table == nullptr) return fail(ErrorCode::table, "There is no table " + name + ".");
  const Result<std::vector<Row>> found = all_rows(*table);
  if (!found) return Unexpected(found.error());
  JsonArray out;
  Labels labels;
  for (const Row& row : *found) {
    Result<Json> one = shown(*table, row, labels);
    if (!one) return Unexpected(std::move(one).error());
    out.push_back(std::move(*one));
  }
  return out;
}

Result<std::vector<std::string>> RowsLook::keys() {
  std::vector<std::string> out;
  const bool is_first = !std::exchange(is_looked_at_, true);
  for (const Table& table : schema_->tables()) {
    if (table.is_read_only && !is_first) continue;
    const Result<std::vector<Row>> rows = all_rows(table);
    if (!rows) return Unexpected(rows.error());
    for (const Row& row : *rows)
      for (std::size_t at = 0; at < row.size(); ++at) {
        if (!table.is_key(table.fields[at].name)) continue;
        out.push_back(text_of(row[at]));
        known_[{table.name, label_in(table, row)}] = out.back();
      }
  }
  return out;
}

std::string RowsLook::key_of(const std::string& table, const std::string& label) const {
  const auto found = known_.find({table, label});
  return found == known_.end() ? "" : found->second;
}

}  // namespace alfred
