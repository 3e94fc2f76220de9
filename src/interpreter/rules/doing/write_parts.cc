// A part of a row that gives way to another, or is left out: its own row changes or goes, and the
// texts that name it change.
#include <algorithm>

#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/making/edit.h"
#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

// The parts of a row, or of its content; null: it has none.
const JsonArray* parts_in(const JsonObject& row, const std::string& parts) {
  const Json* list = member(row, parts);
  return list == nullptr ? nullptr : list->if_array();
}

// Texts that people wrote: no name, no link, no value out of a list.
bool is_prose(const Table& table, const Field& field, const std::string& steps) {
  if (field.name == steps) return true;
  return field.type == FieldType::text && !field.link && field.enum_values.empty() &&
         field.name != table.label && !table.is_key(field.name);
}

std::string part_text(const JsonObject& rules, const JsonObject& part) {
  std::string out;
  if (const double amount = number_of(part, text_of(rules, "amount"), 0); amount > 0)
    out += number_text(amount) + " ";
  if (const std::string unit = text_of(part, text_of(rules, "unit")); !unit.empty())
    out += unit + " ";
  return out + text_of(part, text_of(rules, "by"));
}

}  // namespace

void Writer::leave_part(const std::string& parts, const JsonArray& before, const JsonArray& after,
                        const std::string& label) {
  for (const Json& had : before) {
    const std::string ref = ref_of(book_, parts, had.get_object());
    if (std::any_of(after.begin(), after.end(),
                    [&](const Json& one) { return ref_of(book_, parts, one.get_object()) == ref; }))
      continue;
    call("db_delete",
         {{"table", parts},
          {"filters", JsonArray{JsonObject{{"field", "id"}, {"op", "="}, {"value", ref}}}}});
    say(label + ": without " +
        text_of(had.get_object(), text_of(book_.lexicon.pack().rules.parts, "by")) + ".");
  }
}

void Writer::swap_part() {
  const std::vector<const JsonObject*> found = targets();
  if (found.empty()) return;
  const JsonObject* row = one_of(found, doing_->targets.front().said, table_->name);
  if (row == nullptr) return;
  const PackRules& rules = book_.lexicon.pack().rules;
  const std::string parts = text_of(rules.parts, "parts");
  const std::string by = text_of(rules.parts, "by");
  const std::string label = label_of(book_, table_->name, *row);
  const Edited edited = edit_content(book_, *row, *doing_);
  const JsonArray* before = parts_in(*row, parts);
  const JsonArray* after = parts_in(edited.content, parts);
  if (!edited.refusal.empty() || before == nullptr || after == nullptr) {
    trouble_ = label + ": " +
               (edited.refusal.empty() ? "there is nothing of that in it." : edited.refusal) +
               " Nothing was changed.";
    return;
  }
  if (doing_->how == "leave") leave_part(parts, *before, *after, label);
  for (std::size_t i = 0; doing_->how == "swap" && i < before->size() && i < after->size(); ++i) {
    const JsonObject& had = (*before)[i].get_object();
    const JsonObject& now = (*after)[i].get_object();
    if (text_of(had, by) == text_of(now, by)) continue;
    for (const Constraint& one : facts_.permanent)
      if (is_banned(book_, text_of(now, by), one)) {
        trouble_ = "Careful: " + text_of(now, by) +
                   " does not keep to what always holds for you: " + wish_text(book_, one) +
                   ". Nothing was changed.";
        return;
      }
    JsonObject data{{by, text_of(now, by)}};
    // What tells of what kind the other one was.
    for (const std::string& field : texts_of(rules.parts, "kind")) data[field] = nullptr;
    call("db_update",
         {{"table", parts},
          {"filters", JsonArray{JsonObject{
                          {"field", "id"}, {"op", "="}, {"value", ref_of(book_, parts, had)}}}},
          {"data", std::move(data)}});
    say(label + ": " + part_text(rules.parts, now) + " instead of " + part_text(rules.parts, had) +
        ". Say so if it should be another amount.");
  }
  JsonObject texts;
  for (const Field& field : table_->fields) {
    const Json* had = member(*row, field.name);
    const Json* now = member(edited.content, field.name);
    if (had != nullptr && now != nullptr && *had != *now &&
        is_prose(*table_, field, text_of(rules.wishes, "steps")))
      texts[field.name] = *now;
  }
  if (!texts.empty()) update(*row, std::move(texts));
}

}  // namespace alfred::rules
