// What stands where a new row would: it is replaced after a yes, or in its way.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {

bool Writer::taken_slot() {
  if (!doing_->with.contains("slot") || rows(Role::read_slot).empty()) return false;
  const std::optional<JsonObject> fields = values();  // what is not clear is asked first
  if (!fields) return true;
  const JsonObject* there = row_in_slot(*fields);
  if (there == nullptr) return false;
  const std::string what = what_of(*there);
  if (const std::string taken = text_of(doing_->with, "taken"); !taken.empty())
    trouble_ = row_line(book_, table_->name, *there, facts_.now.zone) + ".\n" + taken;
  else if (is_linked_so(*there))
    trouble_ = "That is so already: " + what + ", " +
               slot_text(*there, texts_of(doing_->with, "slot")) + ".";
  else if (!is_decided())
    ask("There is already " + what + " then: " + slot_text(*there, texts_of(doing_->with, "slot")) +
        ". Replace it" + (linked_ == nullptr ? "" : " with " + linked_name()) + "?");
  else if (says_no() || !says_yes())
    trouble_ = "Okay, it stays as it is: " + what + ".";
  else
    update(*there, replaced(*there, *fields));
  if (trouble_.empty() && out_.question.empty()) warn();
  return true;
}

JsonObject Writer::replaced(const JsonObject& row, JsonObject fields) const {
  JsonObject out = with_defaults(std::move(fields));
  for (const Field& field : table_->fields) {
    const Json* had = member(row, field.name);
    const bool may_go = field.is_nullable && !field.is_read_only && !field.is_hidden &&
                        !table_->is_key(field.name) && !field.link;
    if (may_go && had != nullptr && !had->is_null() && !out.contains(field.name))
      out[field.name] = nullptr;
  }
  return out;
}

bool Writer::is_linked_so(const JsonObject& row) const {
  const FieldSet* link = link_of(*doing_);
  const Json* had = link == nullptr || linked_ == nullptr ? nullptr : member(row, link->field);
  if (had == nullptr || !had->is_object()) return false;
  const bool is_same =
      std::all_of(doing_->values.begin(), doing_->values.end(), [&](const FieldSet& one) {
        const Json* own = member(row, one.field);
        return one.link || (own != nullptr && *own == one.value);
      });
  return is_same && text_of(had->get_object(), "ref") ==
                        ref_of(book_, table_->find(link->field)->link->table, *linked_);
}

std::string Writer::linked_name() const {
  const FieldSet* link = link_of(*doing_);
  return label_of(book_, table_->find(link->field)->link->table, *linked_);
}

const JsonObject* Writer::row_in_slot(const JsonObject& fields) const {
  for (const JsonObject* row : rows(Role::read_slot)) {
    const std::vector<std::string> names = texts_of(doing_->with, "slot");
    const bool is_same = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      const Json* link = member(*row, name);
      if (link == nullptr || !link->is_object()) return true;  // it was read by its value
      return text_of(link->get_object(), "ref") == text_of(fields, name);
    });
    if (is_same) return row;
  }
  return nullptr;
}

std::string Writer::slot_text(const JsonObject& row, const std::vector<std::string>& slot) const {
  std::string out;
  for (const std::string& name : slot) {
    std::string value = text_of(row, name);
    if (const std::optional<std::int64_t> day = read_iso_day(value))
      value = fmt::format("{} ({})", day_name(*day, facts_.now), value);
    out += (out.empty() || value.empty() ? "" : ", ") + value;
  }
  return out;
}

std::string Writer::what_of(const JsonObject& row, const char* otherwise) {
  for (const auto& one : row)
    if (const JsonObject* link = one.value().if_object())
      if (std::string label = text_of(*link, "label"); !label.empty()) return label;
  return otherwise;
}

}  // namespace alfred::rules
