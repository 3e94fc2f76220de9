#include "state/constraint_check.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "state/affirmed_text.h"
#include "state/content_places.h"

namespace alfred {
namespace {

constexpr std::size_t kMostShown = 80;  // characters of what breaks a constraint

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

// Tags are written with dashes, people write spaces.
std::string plain_tag(std::string_view text) {
  std::string spaced(text);
  for (char& c : spaced)
    if (c == '-' || c == '_') c = ' ';
  return Categories::plain_word(spaced);
}

std::string number_text(double number) {
  if (std::floor(number) == number && std::fabs(number) < 1e15)
    return std::to_string(static_cast<std::int64_t>(number));
  return write_json(Json(number));
}

std::string quoted(std::string_view text) {
  const std::string_view fitting = cut_code_points(text, kMostShown);
  return "\"" + std::string(fitting) + (fitting.size() == text.size() ? "\"" : "…\"");
}

class Checker {
 public:
  Checker(const Pack& pack, const Json& content, const std::vector<Constraint>& all)
      : pack_(pack), content_(content), all_(all) {}

  // What breaks it; empty when nothing does.
  std::string broken(const Constraint& constraint, CheckedAs as) const {
    const auto type =
        std::find_if(pack_.constraint_types.begin(), pack_.constraint_types.end(),
                     [&](const ConstraintType& one) { return one.name == constraint.type; });
    if (type == pack_.constraint_types.end()) return "";
    if (as == CheckedAs::part && !forbids(type->check.kind, constraint)) return "";
    switch (type->check.kind) {
      case ConstraintCheck::Kind::none: return "";
      case ConstraintCheck::Kind::excluded: return words(type->check, constraint, true);
      case ConstraintCheck::Kind::required: return words(type->check, constraint, false);
      case ConstraintCheck::Kind::at_most: return at_most(type->check, constraint);
      case ConstraintCheck::Kind::equals: return equals(type->check, constraint);
      case ConstraintCheck::Kind::tag: return tag(type->check, constraint);
    }
    return "";
  }

 private:
  // R7.
  static bool forbids(ConstraintCheck::Kind kind, const Constraint& constraint) {
    const bool is_not = wish_of(constraint.value).is_not;
    return (kind == ConstraintCheck::Kind::excluded && !is_not) ||
           (kind == ConstraintCheck::Kind::required && is_not);
  }
  // The value itself, or what it stands for; empty: nothing that can be checked.
  static std::vector<std::string> things_of(const ConstraintCheck& check, const Wish& wish) {
    if (check.stands_for.empty()) return {wish.text};
    if (wish.is_not) return {};  // who is no vegetarian need not eat meat
    for (const auto& [value, things] : check.stands_for)
      if (plain_tag(value) == plain_tag(wish.text)) return things;
    return {};
  }

  std::string words(const ConstraintCheck& check, const Constraint& constraint,
                    bool is_excluded) const {
    const Wish wish = wish_of(constraint.value);
    const std::vector<std::string> texts = texts_at(content_, check.in).texts;
    for (const std::string& thing : things_of(check, wish)) {
      std::string what = is_excluded != wish.is_not
                             ? lacking(texts, thing, check.stands_for.empty() ? "" : wish.text)
                             : having(texts, thing);
      if (!what.empty()) return what;
    }
    return "";
  }
  // A text that calls itself by the wish's name ("vegan sausage") keeps to it.
  std::string lacking(const std::vector<std::string>& texts, const std::string& thing,
                      const std::string& kept_to) const {
    for (const std::string& text : texts) {
      if (!kept_to.empty() && says(text, kept_to)) continue;
      if (pack_.categories.is_avoided(affirmed_text(text, thing, pack_.categories), thing))
        return quoted(text) + " is, or is made with, " + thing + ". Use something else.";
    }
    return "";
  }
  std::string having(const std::vector<std::string>& texts, const std::string& thing) const {
    if (texts.empty()) return "";
    const bool has = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return pack_.categories.is_meant(text, thing);
    });
    return has ? "" : "nothing in it is " + thing + ". Use it.";
  }
  static bool says(std::string_view text, std::string_view word) {
    return (" " + plain_tag(text) + " ").find(" " + plain_tag(word) + " ") != std::string::npos;
  }

  std::string at_most(const ConstraintCheck& check, const Constraint& constraint) const {
    const std::optional<double> most = number_in(constraint.value);
    const std::optional<double> sum = sum_at(content_, check.in);
    if (!most || !sum || *sum <= *most) return "";
    return "it comes to " + number_text(*sum) + ". Make it " + number_text(*most) + " or less.";
  }
  std::string equals(const ConstraintCheck& check, const Constraint& constraint) const {
    const std::optional<double> wanted = number_in(constraint.value);
    if (!wanted) return tag(check, constraint);
    const std::optional<double> sum = sum_at(content_, check.in);
    if (!sum || *sum == *wanted) return "";
    return "it says " + number_text(*sum) + ". Make it " + number_text(*wanted) + ".";
  }

  std::string tag(const ConstraintCheck& check, const Constraint& constraint) const {
    const Wish wish = wish_of(constraint.value);
    const PlaceTexts found = texts_at(content_, check.in);
    if (found.texts.empty() || !can_hold(check, wish.text)) return "";
    const bool has = has_tag(check, found.texts, wish.text);
    if (wish.is_not) return has ? "it is " + wish.text + ". Make it otherwise." : "";
    if (has || (!found.is_list && is_another_enough(check, constraint, found.texts))) return "";
    return "it says " + quoted(found.texts.front()) + " and not " + wish.text + ".";
  }
  bool is_another_enough(const ConstraintCheck& check, const Constraint& constraint,
                         const std::vector<std::string>& texts) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Constraint& other) {
      const Wish wish = wish_of(other.value);
      return other.type == constraint.type && other.field == constraint.field && !wish.is_not &&
             has_tag(check, texts, wish.text);
    });
  }
  bool has_tag(const ConstraintCheck& check, const std::vector<std::string>& texts,
               const std::string& wanted) const {
    const std::string value = value_of(check, wanted);
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return value_of(check, text) == value || pack_.categories.is_meant(text, wanted);
    });
  }

  // The fields of the places, as far as the pack declares them.
  template <class Use>
  void each_field(const ConstraintCheck& check, const Use& use) const {
    for (const std::string& place : check.in) {
      const std::size_t dot = place.rfind('.');
      std::string_view name(place);
      if (dot != std::string::npos) name.remove_prefix(dot + 1);
      name = name.substr(0, name.find('/'));
      for (const PackEntity& entity : pack_.entities)
        for (const PackField& field : entity.fields)
          if (field.name == name) use(field);
    }
  }
  // What people say → the field's value, in plain words.
  std::string value_of(const ConstraintCheck& check, std::string_view said) const {
    std::string value = plain_tag(said);
    each_field(check, [&](const PackField& field) {
      for (const auto& [alias, meant] : field.aliases)
        if (plain_tag(alias) == plain_tag(said)) value = plain_tag(meant);
    });
    return value;
  }
  bool can_hold(const ConstraintCheck& check, std::string_view said) const {
    const std::string value = value_of(check, said);
    bool is_known = pack_.categories.is_category(said);
    bool has_values = false;
    each_field(check, [&](const PackField& field) {
      has_values = has_values || !field.values.empty();
      for (const std::string& one : field.values) is_known = is_known || plain_tag(one) == value;
    });
    return is_known || !has_values;
  }

  const Pack& pack_;
  const Json& content_;
  const std::vector<Constraint>& all_;
};

}  // namespace

Result<void> check_constraints(const SessionConstraints& constraints, const Pack& pack,
                               const Json& content, const std::string& path, CheckedAs as) {
  const std::vector<Constraint> all = constraints.all();
  const Checker checker(pack, content, all);
  for (const Constraint& constraint : all)
    if (const std::string what = checker.broken(constraint, as); !what.empty())
      return fail(
          ErrorCode::constraint,
          "This breaks a constraint of the user (" + constraint_text(constraint) + "): " + what,
          path);
  return {};
}

}  // namespace alfred
