// Content held against a constraint (make.h).
#include <algorithm>

#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

using Check = ConstraintCheck::Kind;

// All texts and numbers at a place such as "parts/pieces.name".
void collect(const Json& json, std::string_view place, std::vector<Json>& out) {
  if (const JsonArray* list = json.if_array()) {
    for (const Json& one : *list) collect(one, place, out);
    return;
  }
  if (place.empty()) {
    out.push_back(json);
    return;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return;
  const std::size_t dot = place.find('.');
  std::string_view names = place.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : place.substr(dot + 1);
  while (!names.empty()) {
    const std::size_t slash = names.find('/');
    if (const Json* found = object->if_contains(names.substr(0, slash));
        found != nullptr && !found->is_null())
      return collect(*found, rest, out);
    names = slash == std::string_view::npos ? std::string_view() : names.substr(slash + 1);
  }
}

std::vector<Json> values_at(const JsonObject& content, const std::vector<std::string>& places) {
  std::vector<Json> out;
  for (const std::string& place : places) collect(Json(content), place, out);
  return out;
}

std::string text_of_value(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : "";
}

std::vector<std::string> meant_by(const ConstraintCheck& check, const std::string& value) {
  if (check.stands_for.empty()) return {value};
  const auto found = check.stands_for.find(value);
  return found == check.stands_for.end() ? std::vector<std::string>() : found->second;
}

bool holds_excluded(const Book& book, const std::vector<Json>& values,
                    const std::vector<std::string>& avoided) {
  const Categories& categories = book.lexicon.pack().categories;
  return std::none_of(values.begin(), values.end(), [&](const Json& value) {
    const std::string text = text_of_value(value);
    return std::any_of(avoided.begin(), avoided.end(),
                       [&](const std::string& one) { return categories.is_avoided(text, one); });
  });
}

bool holds_tag(const std::vector<Json>& values, const std::string& wanted) {
  const bool is_not = wanted.starts_with("not_") || wanted.starts_with("not ");
  const std::string tag = is_not ? wanted.substr(4) : wanted;
  const bool is_there = std::any_of(values.begin(), values.end(), [&](const Json& value) {
    return phrase_key(text_of_value(value)) == phrase_key(tag);
  });
  return is_there != is_not;
}

double sum_of(const std::vector<Json>& values) {
  double out = 0;
  for (const Json& value : values)
    if (value.is_number()) out += value.to_number<double>();
  return out;
}

}  // namespace

bool holds(const Book& book, const JsonObject& content, const Constraint& constraint) {
  const ConstraintType* type = nullptr;
  for (const ConstraintType& one : book.lexicon.pack().constraint_types)
    if (one.name == constraint.type) type = &one;
  if (type == nullptr || type->check.kind == Check::none) return true;
  const std::vector<Json> values = values_at(content, type->check.in);
  const std::string wanted = text_of_value(constraint.value);
  switch (type->check.kind) {
    case Check::excluded: return holds_excluded(book, values, meant_by(type->check, wanted));
    case Check::required: {
      const Categories& categories = book.lexicon.pack().categories;
      return std::any_of(values.begin(), values.end(), [&](const Json& value) {
        return categories.is_meant(text_of_value(value), wanted);
      });
    }
    case Check::tag: return holds_tag(values, wanted);
    case Check::at_most:
      return !constraint.value.is_number() ||
             sum_of(values) <= constraint.value.to_number<double>();
    case Check::equals:
      return !constraint.value.is_number() ||
             sum_of(values) == constraint.value.to_number<double>();
    case Check::none: return true;
  }
  return true;
}

bool is_banned(const Book& book, const std::string& part, const Constraint& by) {
  const PackRules& rules = book.lexicon.pack().rules;
  const bool is_ban =
      by.type == text_of(rules.wishes, "excluded") || by.type == text_of(rules.wishes, "diet");
  const JsonObject with_it{
      {text_of(rules.wishes, "parts"), JsonArray{JsonObject{{text_of(rules.parts, "by"), part}}}}};
  return is_ban && !holds(book, with_it, by);
}

bool is_exclusion(const Book& book, const Constraint& constraint) {
  const JsonObject& wishes = book.lexicon.pack().rules.wishes;
  return constraint.type == text_of(wishes, "excluded") ||
         constraint.type == text_of(wishes, "diet") ||
         text_of_value(constraint.value).starts_with("not_");
}

std::string breaking_parts(const Book& book, const JsonObject& content,
                           const Constraint& constraint) {
  const PackRules& rules = book.lexicon.pack().rules;
  std::string out;
  const Json* list = member(content, text_of(rules.parts, "parts"));
  if (list == nullptr || !list->is_array()) return out;
  for (const Json& part : list->get_array())
    if (const std::string name =
            part.is_object() ? text_of(part.get_object(), text_of(rules.parts, "by")) : "";
        is_banned(book, name, constraint))
      out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string broken_text(const Book& book, const JsonObject& content,
                        std::span<const Constraint> all) {
  std::string out;
  for (const Constraint& one : all) {
    if (holds(book, content, one)) continue;
    const std::string parts = breaking_parts(book, content, one);
    out += (out.empty() ? "" : ", ") + wish_text(book, one) +
           (parts.empty() ? "" : " (" + parts + ")");
  }
  return out;
}

std::string wish_text(const Book& book, const Constraint& constraint) {
  const JsonObject& wishes = book.lexicon.pack().rules.wishes;
  std::string value = constraint.value.is_string() ? std::string(constraint.value.get_string())
                                                   : write_json(constraint.value);
  std::replace(value.begin(), value.end(), '_', ' ');
  std::string type = constraint.type;
  std::replace(type.begin(), type.end(), '_', ' ');
  if (constraint.type == text_of(wishes, "excluded")) return "no " + value;
  if (constraint.type == text_of(wishes, "required")) return value;
  if (constraint.value.is_number()) return type + " " + value;
  return value;
}

bool holds_all(const Book& book, const JsonObject& content, std::span<const Constraint> all) {
  return std::all_of(all.begin(), all.end(),
                     [&](const Constraint& one) { return holds(book, content, one); });
}

std::string partly_checked(const Book& book, std::span<const Constraint> all) {
  const JsonObject& wishes = book.lexicon.pack().rules.wishes;
  const Json* partly = member(wishes, "partly");
  std::string out;
  if (partly == nullptr || !partly->is_object()) return out;
  for (const Constraint& one : all)
    if (one.type == text_of(wishes, "diet") && one.value.is_string())
      if (const std::string told = text_of(partly->get_object(), one.value.get_string());
          !told.empty() && out.find(told) == std::string::npos)
        out += (out.empty() ? "" : " ") + told;
  return out;
}

}  // namespace alfred::rules
