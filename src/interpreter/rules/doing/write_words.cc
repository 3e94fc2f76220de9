// What the calls of a write step hold, in words: the ledger counts rows by their names, which says
// nothing of rows without one, nor of what is new in the others.
#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {

void Writer::tell_values() {
  constexpr std::size_t kMostTold = 10;
  if (out_.calls.size() > kMostTold) return;
  for (const WriteCall& one : out_.calls)
    if (const std::string line = told(one); !line.empty()) say(line);
}

std::string Writer::told(const WriteCall& call) const {
  const std::string table = text_of(call.params, "table");
  const Json* data = member(call.params, "data");
  if (data == nullptr) return "";
  if (call.tool == "db_create") {
    if (has_name(book_, table) || !data->is_object()) return "";
    return row_line(book_, table, data->get_object(), facts_.now.zone);
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
      had != nullptr && values.contains(amount_column(book_.lexicon)) && !values.contains(unit))
    values[unit] = *had;
  const std::string said = values_text(book_, table, values, facts_.now.zone);
  return label.empty() || !has_name(book_, table) ? said : label + ": " + said;
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

}  // namespace alfred::rules
