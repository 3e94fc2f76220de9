#include "interpreter/rules/making/fill_shape.h"

#include <algorithm>
#include <cmath>

namespace alfred::rules {
namespace {

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// Every word but the small ones: "Cod with Lemon and Dill".
std::string titled(std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t space = std::min(text.find(' ', from), text.size());
    std::string word(text.substr(from, space - from));
    const bool is_small = word == "with" || word == "and" || word == "of" || word == "in" ||
                          word == "on" || word == "the" || word == "a";
    if (!is_small || from == 0) word = capital(word);
    out += (out.empty() ? "" : " ") + word;
    from = space + 1;
  }
  return out;
}

std::string with_slots(std::string_view pattern, const Chosen& chosen) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = std::min(pattern.find('{', at), pattern.size());
    out += pattern.substr(at, open - at);
    const std::size_t close = pattern.find('}', open);
    if (open == pattern.size() || close == std::string_view::npos) break;
    std::string_view name = pattern.substr(open + 1, close - open - 1);
    const bool is_notes = name.ends_with(".notes");
    if (is_notes) name.remove_suffix(6);
    if (const auto found = chosen.find(name); found != chosen.end())
      out += is_notes ? with_slots(found->second->notes, chosen) : found->second->name;
    at = close + 1;
  }
  return out;
}

double rounded(double amount) {
  if (amount >= 50) return std::round(amount / 10) * 10;
  if (amount >= 10) return std::round(amount);
  return std::max(0.25, std::round(amount * 4) / 4);
}

}  // namespace

ShapeFiller::ShapeFiller(const Book& book, std::string type, double servings,
                         std::vector<std::string> required,
                         std::function<bool(const TemplateChoice&)> is_avoided)
    : book_(book),
      rules_(book.lexicon.pack().rules),
      type_(std::move(type)),
      servings_(servings),
      required_(std::move(required)),
      is_avoided_(std::move(is_avoided)),
      label_(label_field(book, type_)),
      parts_(text_of(rules_.wishes, "parts")),
      part_name_(text_of(rules_.parts, "by")),
      steps_(text_of(rules_.wishes, "steps")),
      portions_(text_of(rules_.portions, "field")) {}

void ShapeFiller::add_part(JsonArray& parts, std::string_view name, double amount,
                           const std::string& unit, const std::string& notes) const {
  JsonObject part{{part_name_, name}};
  if (amount > 0) part[text_of(rules_.parts, "amount")] = rounded(amount * servings_);
  if (!unit.empty()) part[text_of(rules_.parts, "unit")] = unit;
  if (!notes.empty()) part["notes"] = notes;
  parts.push_back(std::move(part));
}

JsonArray ShapeFiller::parts_of(const Json* declared, const Chosen& chosen) const {
  JsonArray out;
  if (declared == nullptr || !declared->is_array()) return out;
  for (const Json& one : declared->get_array()) {
    if (const JsonString* text = one.if_string()) {
      const auto found = chosen.find(std::string_view(*text).substr(1, text->size() - 2));
      if (found != chosen.end() && found->second->amount > 0)
        add_part(out, found->second->name, found->second->amount, found->second->unit, "");
    } else if (const JsonObject* part = one.if_object()) {
      const Json* amount = member(*part, "amount");
      add_part(out, text_of(*part, "name"),
               amount != nullptr && amount->is_number() ? amount->to_number<double>() : 0,
               text_of(*part, "unit"), text_of(*part, "notes"));
    }
  }
  return out;
}

JsonObject ShapeFiller::filled(const RuleTemplate& shape, const Chosen& chosen) const {
  JsonObject out{{label_, titled(with_slots(shape.title, chosen))}};
  for (const auto& declared : shape.content) {
    const std::string key(declared.key());
    if (key == parts_ || key == steps_) continue;
    const JsonString* pattern = declared.value().if_string();
    if (pattern == nullptr) {
      out[key] = declared.value();
      continue;
    }
    std::string text = with_slots(*pattern, chosen);
    out[key] = Json(pattern->ends_with('.') ? capital(std::move(text)) : std::move(text));
  }
  JsonArray parts = parts_of(member(shape.content, parts_), chosen);
  JsonArray steps;
  if (const Json* declared = member(shape.content, steps_);
      declared != nullptr && declared->is_array())
    for (const Json& one : declared->get_array())
      if (std::string text = with_slots(one.get_string(), chosen); !text.empty())
        steps.push_back(Json(capital(text)));
  add_required(parts, steps);
  if (!portions_.empty()) out[portions_] = static_cast<std::int64_t>(servings_);
  out[parts_] = std::move(parts);
  out[steps_] = std::move(steps);
  add_tags(out, chosen);
  return out;
}

// R1.
void ShapeFiller::add_required(JsonArray& parts, JsonArray& steps) const {
  for (const std::string& wanted : required_) {
    const bool is_there = std::any_of(parts.begin(), parts.end(), [&](const Json& part) {
      return book_.lexicon.pack().categories.is_meant(text_of(part.get_object(), part_name_),
                                                      wanted);
    });
    if (is_there) continue;
    std::string name = wanted;
    if (book_.lexicon.pack().categories.is_category(wanted)) name = member_of(wanted);
    const AddedPart added = added_part(book_, name);
    add_part(parts, name, added.amount, added.unit, "");
    if (!added.step.empty()) steps.insert(steps.end() - (steps.empty() ? 0 : 1), Json(added.step));
  }
}
std::string ShapeFiller::member_of(const std::string& category) const {
  for (const std::string& one : book_.lexicon.pack().categories.members_of(category)) {
    const TemplateChoice probe{.name = one, .amount = 0, .unit = {}, .notes = {}, .tags = {}};
    if (one != category && !is_avoided_(probe)) return one;
  }
  return category;
}

void ShapeFiller::add_tags(JsonObject& content, const Chosen& chosen) const {
  const Json* fields = member(rules_.wishes, "tag_fields");
  if (fields == nullptr || !fields->is_object()) return;
  for (const auto& [slot, choice] : chosen)
    for (const std::string& tag : choice->tags) {
      const std::size_t colon = tag.find(':');
      const Json* field = fields->get_object().if_contains(tag.substr(0, colon));
      if (field == nullptr || !field->is_string()) continue;
      put_tag(content, std::string(field->get_string()), tag.substr(colon + 1));
    }
}
void ShapeFiller::put_tag(JsonObject& content, const std::string& field,
                          const std::string& value) const {
  const Table* table = book_.lexicon.schema().find_ref(type_);
  const Field* of = table == nullptr ? nullptr : table->find(field);
  if (of == nullptr) return;
  if (of->type == FieldType::integer) {
    const Json* had = content.if_contains(field);
    const std::int64_t before = had != nullptr && had->is_int64() ? had->get_int64() : 0;
    content[field] = before + std::atoll(value.c_str());
  } else if (of->type == FieldType::list) {
    if (!content.contains(field)) content[field] = JsonArray();
    JsonArray& list = content[field].get_array();
    if (std::find(list.begin(), list.end(), Json(value)) == list.end()) list.push_back(Json(value));
  } else {
    content[field] = value;
  }
}

}  // namespace alfred::rules
