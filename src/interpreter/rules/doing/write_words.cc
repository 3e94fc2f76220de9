// What the calls of a write step hold, in words: the ledger counts rows by their names, which says
// nothing of rows without one, nor of what is new in the others.
#include <algorithm>

#include <fmt/format.h>

#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {

void Writer::tell_values() {
  constexpr std::size_t kMostTold = 10;
  const bool is_told = edits_parts(*doing_);  // in its own words
  if (out_.calls.size() > kMostTold || is_told) return;
  for (std::size_t i = 0; i < out_.calls.size(); ++i) {
    const bool is_save = out_.calls[i].params.contains("refs");
    const std::string line = !is_save           ? told(out_.calls[i])
                             : i < made_.size() ? saved_rows(made_[i])
                                                : std::string();
    if (!line.empty()) say(line);
  }
}

std::string Writer::saved_rows(const CallFact& made) const {
  const Table* table = book_.lexicon.schema().find(text_of(made.params, "table"));
  const Json* data = member(made.params, "data");
  const Json* completed = made.answer == nullptr ? nullptr : member(*made.answer, "completed");
  if (table == nullptr || has_name(book_, table->name) || data == nullptr || !data->is_array() ||
      completed == nullptr || !completed->is_array())
    return "";
  const auto is_saved = [&](const std::string& ref) {
    return std::any_of(completed->get_array().begin(), completed->get_array().end(),
                       [&](const Json& one) {
                         return one.is_object() && text_of(one.get_object(), "ref") == ref;
                       });
  };
  std::string out;
  for (const Json& row : data->get_array())
    if (row.is_object() && is_saved(text_of(row.get_object(), "ref")))
      out += (out.empty() ? "- " : "\n- ") +
             row_line(book_, table->name, with_names(*table, row.get_object()), facts_.now.zone);
  return out;
}

JsonObject Writer::with_names(const Table& table, JsonObject row) const {
  for (const Field& field : table.fields) {
    const Json* value = field.link ? member(row, field.name) : nullptr;
    if (value == nullptr || !value->is_string()) continue;
    const std::string ref(value->get_string());
    for (const Known& one : facts_.known)
      if (one.ref == ref) row[field.name] = JsonObject{{"ref", ref}, {"label", one.label}};
  }
  return row;
}

std::string Writer::told_timer(std::string_view table, const JsonObject& row) const {
  const PackEntity* entity = book_.lexicon.pack().find(table);
  if (entity == nullptr || entity->timer.empty()) return "";
  const std::optional<Instant> when = read_instant(text_of(row, entity->timer), facts_.now);
  return when ? "I will remind you " + when_text(*when, facts_.now) + "." : "";
}

std::string Writer::told(const WriteCall& call) const {
  const std::string table = text_of(call.params, "table");
  const Json* data = member(call.params, "data");
  if (call.tool == "db_delete" && !has_name(book_, table)) return told_gone(call.params);
  if (data == nullptr) return "";
  if (call.tool == "db_create") {
    if (!data->is_object()) return "";
    if (has_name(book_, table)) return told_timer(table, data->get_object());
    const Table* of = book_.lexicon.schema().find(table);
    return row_line(book_, table,
                    of == nullptr ? data->get_object() : with_names(*of, data->get_object()),
                    facts_.now.zone);
  }
  if (call.tool != "db_update" || !data->is_object()) return "";
  JsonObject values = data->get_object();
  const JsonObject* row = row_of_ref(call.params);
  const Table* of = book_.lexicon.schema().find(table);
  const std::string label =
      row != nullptr ? label_of(book_, table, *row) : known_label(call.params);
  if (of != nullptr && has_name(book_, table) && values.contains(of->label))
    return label.empty() ? "" : label + " is now called " + text_of(values, of->label) + ".";
  const std::string unit = unit_column(book_.lexicon);
  if (const Json* had = row == nullptr ? nullptr : member(*row, unit);
      had != nullptr && !had->is_null() && values.contains(amount_column(book_.lexicon)) &&
      !values.contains(unit))
    values[unit] = *had;
  const std::string said = values_text(book_, table, values, facts_.now.zone);
  // A row without a name is called by what it leads to, unless that is what changes.
  const bool is_linked_anew = std::any_of(values.begin(), values.end(), [&](const auto& one) {
    const Field* field = of == nullptr ? nullptr : of->find(one.key());
    return field != nullptr && field->link;
  });
  const std::string what = row == nullptr || is_linked_anew || has_name(book_, table) ||
                                   of == nullptr || of->label.empty()
                               ? ""
                               : what_of(*row, "");
  if (!what.empty()) return what + ": " + said;
  return label.empty() || !has_name(book_, table) ? said : label + ": " + said;
}

// Rows without a name that go, one line each.
std::string Writer::told_gone(const JsonObject& params) const {
  std::string out;
  for (const Role role : {Role::read_targets, Role::read_slot})
    for (const JsonObject* row : rows(role))
      if (write_json(params).find('"' + own_ref(*row) + '"') != std::string::npos)
        out += (out.empty() ? "Gone: " : "\nGone: ") +
               row_line(book_, table_->name, *row, facts_.now.zone);
  return out;
}

namespace {

// The one row that a call changes; empty: several.
std::string only_ref(const JsonObject& params) {
  const Json* filters = member(params, "filters");
  if (filters == nullptr || !filters->is_array() || filters->get_array().size() != 1) return "";
  const Json* value = member(filters->get_array().front().get_object(), "value");
  if (value != nullptr && value->is_array() && value->get_array().size() == 1)
    value = &value->get_array().front();
  return value == nullptr || !value->is_string() ? "" : std::string(value->get_string());
}

}  // namespace

const JsonObject* Writer::row_of_ref(const JsonObject& params) const {
  const std::string ref = only_ref(params);
  for (const Role role : {Role::read_targets, Role::read_same, Role::read_slot})
    for (const JsonObject* row : rows(role))
      if (!ref.empty() && own_ref(*row) == ref) return row;
  return nullptr;
}

std::string Writer::known_label(const JsonObject& params) const {
  const std::string ref = only_ref(params);
  for (const Known& one : facts_.known)
    if (!ref.empty() && one.ref == ref) return one.label;
  return "";
}

std::string Writer::narrowed_text() const {
  std::string out;
  for (const Cond& one : doing_->where) {
    if (one.op != "=" || !one.value.is_string()) continue;
    std::string value(one.value.get_string());
    if (const std::optional<std::int64_t> day = read_iso_day(value))
      value = fmt::format("{} ({})", day_name(*day, facts_.now), value);
    out += (out.empty() ? " for " : ", ") + value;
  }
  return out;
}

}  // namespace alfred::rules
