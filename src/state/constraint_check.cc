#include "state/constraint_check.h"

#include <algorithm>
#include <optional>

namespace alfred {
namespace {

// The texts at a place: "name", "parts.name"; an element that is a text counts itself.
void collect_texts(const Json& json, std::string_view place, std::vector<std::string>& out) {
  if (const JsonArray* list = json.if_array()) {
    for (const Json& one : *list) collect_texts(one, place, out);
    return;
  }
  if (const JsonString* text = json.if_string()) {
    out.emplace_back(*text);
    return;
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr || place.empty()) return;
  const std::size_t dot = place.find('.');
  if (const Json* member = object->if_contains(place.substr(0, dot)))
    collect_texts(*member, dot == std::string_view::npos ? "" : place.substr(dot + 1), out);
}

std::vector<std::string> texts_at(const Json& content, const std::vector<std::string>& places) {
  std::vector<std::string> out;
  for (const std::string& place : places) collect_texts(content, place, out);
  return out;
}

std::optional<double> sum_at(const Json& content, const std::vector<std::string>& places) {
  std::optional<double> sum;
  const JsonObject* object = content.if_object();
  if (object == nullptr) return sum;
  for (const std::string& place : places)
    if (const Json* value = object->if_contains(place); value != nullptr && value->is_number())
      sum = sum.value_or(0) + value->to_number<double>();
  return sum;
}

// Whether a text speaks of the thing: by its word, or by a category it names.
bool speaks_of(const Categories& categories, std::string_view text, std::string_view thing) {
  const std::string wanted = Categories::plain_word(thing);
  for (const std::string& category : categories.categories_in(text))
    if (Categories::plain_word(category) == wanted) return true;
  const std::string padded = " " + Categories::plain_word(text) + " ";
  return padded.find(" " + wanted + " ") != std::string::npos;
}

struct Wish {
  std::string text;
  bool is_not = false;
};
Wish wish_of(const Json& value) {
  const JsonString* text = value.if_string();
  std::string said = text == nullptr ? write_json(value) : std::string(*text);
  constexpr std::string_view kNot = "not_";
  if (said.starts_with(kNot)) return {said.substr(kNot.size()), true};
  return {std::move(said), false};
}

class Checker {
 public:
  Checker(const Pack& pack, const Json& content) : pack_(pack), content_(content) {}

  // What breaks it; empty when nothing does.
  std::string broken(const Constraint& constraint) const {
    const auto type =
        std::find_if(pack_.constraint_types.begin(), pack_.constraint_types.end(),
                     [&](const ConstraintType& one) { return one.name == constraint.type; });
    if (type == pack_.constraint_types.end()) return "";
    switch (type->check.kind) {
      case ConstraintCheck::Kind::none: return "";
      case ConstraintCheck::Kind::excluded: return words(*type, constraint, true);
      case ConstraintCheck::Kind::required: return words(*type, constraint, false);
      case ConstraintCheck::Kind::at_most: return number(*type, constraint, true);
      case ConstraintCheck::Kind::equals: return number(*type, constraint, false);
      case ConstraintCheck::Kind::tag: return tag(*type, constraint);
    }
    return "";
  }

 private:
  std::string words(const ConstraintType& type, const Constraint& constraint,
                    bool is_excluded) const {
    const Wish wish = wish_of(constraint.value);
    const bool must_lack = is_excluded != wish.is_not;
    for (const std::string& text : texts_at(content_, type.check.in)) {
      if (!speaks_of(pack_.categories, text, wish.text)) continue;
      return must_lack ? text + " is " + wish.text : "";
    }
    return must_lack ? "" : "nothing in it is " + wish.text;
  }
  std::string number(const ConstraintType& type, const Constraint& constraint,
                     bool is_at_most) const {
    if (!constraint.value.is_number()) return "";
    const double wanted = constraint.value.to_number<double>();
    const std::optional<double> is = sum_at(content_, type.check.in);
    if (!is) return "";
    const bool fits = is_at_most ? *is <= wanted : *is == wanted;
    return fits ? "" : "it has " + write_json(Json(*is));
  }
  std::string tag(const ConstraintType& type, const Constraint& constraint) const {
    const Wish wish = wish_of(constraint.value);
    const std::vector<std::string> tags = texts_at(content_, type.check.in);
    if (tags.empty()) return "";  // it says nothing of it
    const bool has = std::any_of(tags.begin(), tags.end(), [&](const std::string& one) {
      return Categories::plain_word(one) == Categories::plain_word(wish.text);
    });
    return has == wish.is_not ? (has ? "it is " + wish.text : "it is not " + wish.text) : "";
  }

  const Pack& pack_;
  const Json& content_;
};

}  // namespace

Result<void> check_constraints(const SessionConstraints& constraints, const Pack& pack,
                               const Json& content, const std::string& path) {
  const Checker checker(pack, content);
  for (const Constraint& constraint : constraints.all())
    if (const std::string what = checker.broken(constraint); !what.empty())
      return fail(ErrorCode::constraint,
                  "This breaks a constraint of the user (" + constraint_text(constraint) +
                      "): " + what + ". Make it without.",
                  path);
  return {};
}

}  // namespace alfred
