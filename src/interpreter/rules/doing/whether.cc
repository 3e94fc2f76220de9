#include "interpreter/rules/doing/whether.h"

#include <algorithm>
#include <span>

#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

bool has_value(const JsonObject& row, const Cond& asked) {
  const Json* had = asked.field.empty() ? nullptr : member(row, asked.field);
  if (had == nullptr || !had->is_array()) return had != nullptr && *had == asked.value;
  const JsonArray& list = had->get_array();
  return std::find(list.begin(), list.end(), asked.value) != list.end();
}

// The diet that the value is called by; nothing: it is none.
std::optional<Constraint> diet_of(const Book& book, const Cond& asked) {
  const std::string diet = text_of(book.lexicon.pack().rules.wishes, "diet");
  if (!asked.value.is_string()) return std::nullopt;
  if (asked.field.empty()) return Constraint{asked.op, "", asked.value, 1.0};
  for (const ConstraintType& type : book.lexicon.pack().constraint_types)
    if (type.name == diet && type.check.stands_for.contains(std::string(asked.value.get_string())))
      return Constraint{diet, "", asked.value, 1.0};
  return std::nullopt;
}

// "does it contain nuts?"
std::string answered_part(const Book& book, std::string_view table, const JsonObject& row,
                          const Cond& asked) {
  const Constraint without{asked.op, "", asked.value, 1.0};
  const std::string name = row_name(book, table, row);
  const std::string part(asked.value.get_string());
  if (holds(book, row, without)) return "No, by what is in it " + name + " has no " + part + ".";
  const std::string in_it = breaking_parts(book, row, without);
  return "Yes, " + name + " has " + part +
         (in_it.empty() || in_it == part ? "." : ": " + in_it + ".");
}

std::string answered_so(const Book& book, std::string_view table, const JsonObject& row,
                        const Cond& asked) {
  const std::string name = row_name(book, table, row);
  const std::string value =
      asked.value.is_string() ? std::string(asked.value.get_string()) : write_json(asked.value);
  const std::optional<Constraint> diet = diet_of(book, asked);
  const std::string in_it = diet ? breaking_parts(book, row, *diet) : "";
  if (diet && !holds(book, row, *diet))
    return "No, " + name + " is not " + value + (in_it.empty() ? "." : ": it has " + in_it + ".");
  if (diet) {
    const std::string partly = partly_checked(book, std::span(&*diet, 1));
    return "Yes, by what is in it " + name + " is " + value + "." +
           (partly.empty() ? "" : " " + partly);
  }
  const Json* own = member(row, asked.field);
  const std::string said =
      own == nullptr ? ""
                     : " (" + values_text(book, table, JsonObject{{asked.field, *own}}, "") + ")";
  return (has_value(row, asked) ? "Yes, " + name + " is " : "No, " + name + " is not ") + value +
         said + ".";
}

}  // namespace

std::string whether_text(const Book& book, const Doing& doing, const JsonObject& row) {
  std::string out;
  for (const Cond& asked : doing.whether)
    out += (out.empty() ? "" : " ") + (doing.how == "has"
                                           ? answered_part(book, doing.table, row, asked)
                                           : answered_so(book, doing.table, row, asked));
  return out;
}

std::string whether_among(const Book& book, const Doing& doing,
                          const std::vector<std::string>& values) {
  const auto what = std::find_if(doing.slots.begin(), doing.slots.end(),
                                 [](const auto& one) { return one.first == "what"; });
  if (what == doing.slots.end()) return "";
  const Tokens tokens = read_tokens(what->second);
  const std::string key = phrase_key(without_articles(tokens));
  const auto& categories = book.lexicon.pack().categories;
  const bool is_there = std::any_of(values.begin(), values.end(), [&](const std::string& one) {
    return phrase_key(one) == key || (categories.is_category(one) && categories.is_meant(key, one));
  });
  return is_there ? "Yes. " : "No. ";
}

}  // namespace alfred::rules
