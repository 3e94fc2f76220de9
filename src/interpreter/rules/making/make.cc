#include "interpreter/rules/making/make.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace alfred::rules {
namespace {

constexpr std::size_t kMostTries = 1'500;
constexpr std::size_t kProbeTries = 100;

using Choices = std::map<std::string, std::vector<const TemplateChoice*>, std::less<>>;
using Chosen = std::map<std::string, const TemplateChoice*, std::less<>>;

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

class Maker {
 public:
  Maker(const Book& book, const MakeRequest& request)
      : book_(book),
        rules_(book.lexicon.pack().rules),
        request_(request),
        label_(label_field(book, request.type)),
        parts_(text_of(rules_.wishes, "parts")),
        part_name_(text_of(rules_.parts, "by")),
        steps_(text_of(rules_.wishes, "steps")),
        portions_(text_of(rules_.portions, "field")),
        servings_(number_of(rules_.portions, "default", 1)) {
    for (const Constraint& one : request.constraints)
      if (one.type == text_of(rules_.wishes, "required") && one.value.is_string())
        required_.emplace_back(one.value.get_string());
    // What names one thing comes before what names many.
    std::stable_partition(required_.begin(), required_.end(), [&](const std::string& one) {
      return !book.lexicon.pack().categories.is_category(one);
    });
    for (const Constraint& one : request.constraints)
      if (one.type == text_of(rules_.wishes, "shape") && one.value.is_string())
        shape_ = phrase_key(one.value.get_string());
    if (std::none_of(rules_.templates.begin(), rules_.templates.end(),
                     [&](const RuleTemplate& one) { return is_called(one, shape_); }))
      shape_.clear();  // no word of ours
    for (const Constraint& one : request.constraints)
      if (one.type == portions_ && one.value.is_number()) servings_ = one.value.to_number<double>();
  }

  Made make() {
    Shapes fitting;
    for (const RuleTemplate& one : rules_.templates)
      if (one.type == request_.type && (shape_.empty() || is_called(one, shape_)) &&
          !is_contradiction())
        if (std::optional<Choices> choices = choices_for(one))
          fitting.emplace_back(&one, std::move(*choices));
    // R4.
    Shapes whole;
    for (const auto& one : fitting)
      if (holds_required(one.second)) whole.push_back(one);
    if (Made out = make_in(whole); out.refusal.empty()) return out;
    return make_in(fitting);
  }

 private:
  using Shapes = std::vector<std::pair<const RuleTemplate*, Choices>>;

  static bool is_called(const RuleTemplate& one, std::string_view shape) {
    return std::any_of(one.called.begin(), one.called.end(),
                       [&](const std::string& word) { return phrase_key(word) == shape; });
  }

  Made make_in(const Shapes& fitting) const {
    Made out;
    std::set<std::string> names(request_.taken.begin(), request_.taken.end());
    const std::size_t tries = request_.is_probe ? kProbeTries : kMostTries;
    for (std::size_t attempt = 0; attempt < tries && !fitting.empty() &&
                                  static_cast<int>(out.artifacts.size()) < request_.count;
         ++attempt) {
      const auto& [shape, choices] = fitting[attempt % fitting.size()];
      JsonObject content = filled(*shape, choose(choices, attempt / fitting.size()));
      const std::string name = text_of(content, label_);
      if (names.contains(name) || !holds_all(content)) continue;
      names.insert(name);
      out.artifacts.push_back({request_.type, name, std::nullopt, std::move(content)});
    }
    if (static_cast<int>(out.artifacts.size()) < request_.count)
      out = {{}, refusal(out.artifacts.size()), {}};
    return out;
  }

  const TemplateList* list(std::string_view name) const {
    for (const TemplateList& one : rules_.lists)
      if (one.name == name) return &one;
    return nullptr;
  }

  // Whether something that must be in it may not be.
  bool is_contradiction() const {
    return std::any_of(required_.begin(), required_.end(), [&](const std::string& wanted) {
      if (book_.lexicon.pack().categories.is_category(wanted)) return false;
      return std::any_of(request_.constraints.begin(), request_.constraints.end(),
                         [&](const Constraint& one) { return is_banned(book_, wanted, one); });
    });
  }

  bool is_avoided(const TemplateChoice& choice) const {
    JsonObject probe{{label_, choice.name}};
    probe[parts_] = JsonArray{JsonObject{{part_name_, choice.name}}};
    probe[steps_] = JsonArray{Json(choice.notes)};
    for (const Constraint& one : request_.constraints) {
      const bool is_ban = one.type == text_of(rules_.wishes, "excluded") ||
                          one.type == text_of(rules_.wishes, "diet");
      if (is_ban && !holds(book_, probe, one)) return true;
      if (clashes(choice, one)) return true;
    }
    return false;
  }

  // A choice that brings a tag that is not wanted, or another than the one that is.
  bool clashes(const TemplateChoice& choice, const Constraint& wish) const {
    if (!wish.value.is_string()) return false;
    const std::string value(wish.value.get_string());
    const bool is_not = value.starts_with("not_");
    for (const std::string& tag : choice.tags) {
      const std::size_t colon = tag.find(':');
      if (tag.substr(0, colon) != wish.type) continue;
      const std::string own = tag.substr(colon + 1);
      if (is_not && own == value.substr(4)) return true;
      if (!is_not && own != value && is_exclusive(wish, own)) return true;
    }
    return false;
  }

  // Whether who wants one of these wants none of the others: a type of constraint, or one of its
  // fields.
  bool is_exclusive(const Constraint& wish, const std::string& own) const {
    const std::vector<std::string> all = texts_of(rules_.wishes, "exclusive");
    const auto has = [&](const std::string& name) {
      return std::find(all.begin(), all.end(), name) != all.end();
    };
    if (has(wish.type)) return true;
    const Json* fields = member(rules_.wishes, "fields");
    if (!has(wish.type + "." + wish.field) || fields == nullptr || !fields->is_object())
      return false;
    const std::vector<std::string> of = texts_of(fields->get_object(), wish.field);
    return std::find(of.begin(), of.end(), own) != of.end();
  }

  // What each slot may hold; nothing when one may hold nothing.
  std::optional<Choices> choices_for(const RuleTemplate& shape) const {
    Choices out;
    for (const auto& [slot, lists] : shape.slots) {
      std::vector<const TemplateChoice*>& choices = out[slot];
      for (const std::string& name : lists)
        if (const TemplateList* from = list(name))
          for (const TemplateChoice& choice : from->choices)
            if (!is_avoided(choice)) choices.push_back(&choice);
      if (choices.empty()) return std::nullopt;
    }
    prefer_required(out);
    return out;
  }

  bool is_all(const std::vector<const TemplateChoice*>& choices, const std::string& wanted) const {
    return std::all_of(choices.begin(), choices.end(), [&](const TemplateChoice* one) {
      return book_.lexicon.pack().categories.is_meant(one->name, wanted);
    });
  }
  // Whether what is required has a slot each, so that nothing has to be added to the shape.
  bool holds_required(const Choices& choices) const {
    return std::all_of(required_.begin(), required_.end(), [&](const std::string& wanted) {
      return std::any_of(choices.begin(), choices.end(),
                         [&](const auto& slot) { return is_all(slot.second, wanted); });
    });
  }

  // A slot that can hold what is required holds only that.
  void prefer_required(Choices& choices) const {
    std::set<std::string> bound;
    const auto is_held = [&](const std::string& wanted) {
      return std::any_of(bound.begin(), bound.end(),
                         [&](const std::string& slot) { return is_all(choices[slot], wanted); });
    };
    for (const std::string& wanted : required_)
      for (auto& [slot, of] : choices) {
        if (is_held(wanted)) break;
        if (bound.contains(slot)) continue;
        std::vector<const TemplateChoice*> fit;
        for (const TemplateChoice* one : of)
          if (book_.lexicon.pack().categories.is_meant(one->name, wanted)) fit.push_back(one);
        if (fit.empty()) continue;
        of = std::move(fit);
        bound.insert(slot);
        break;
      }
  }

  Chosen choose(const Choices& choices, std::size_t round) const {
    Chosen out;
    std::size_t step = 1;
    std::set<std::string> used;
    for (const auto& [slot, of] : choices) {
      std::size_t at = (round * step + round / std::max<std::size_t>(1, of.size())) % of.size();
      for (std::size_t i = 0; i < of.size() && used.contains(of[at]->name); ++i)
        at = (at + 1) % of.size();
      out[slot] = of[at];
      used.insert(of[at]->name);
      step = step % 3 + 1;
    }
    return out;
  }

  static std::string with_slots(std::string_view pattern, const Chosen& chosen) {
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

  double rounded(double amount) const {
    if (amount >= 50) return std::round(amount / 10) * 10;
    if (amount >= 10) return std::round(amount);
    return std::max(0.25, std::round(amount * 4) / 4);
  }

  void add_part(JsonArray& parts, std::string_view name, double amount, const std::string& unit,
                const std::string& notes) const {
    JsonObject part{{part_name_, name}};
    if (amount > 0) part[text_of(rules_.parts, "amount")] = rounded(amount * servings_);
    if (!unit.empty()) part[text_of(rules_.parts, "unit")] = unit;
    if (!notes.empty()) part["notes"] = notes;
    parts.push_back(std::move(part));
  }

  JsonArray parts_of(const Json* declared, const Chosen& chosen) const {
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

  JsonObject filled(const RuleTemplate& shape, const Chosen& chosen) const {
    JsonObject out{{label_, titled(with_slots(shape.title, chosen))}};
    for (const auto& declared : shape.content) {
      const std::string key(declared.key());
      if (key == parts_ || key == steps_) continue;
      out[key] = declared.value().is_string()
                     ? Json(with_slots(declared.value().get_string(), chosen))
                     : declared.value();
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

  // R2: what no slot held.
  void add_required(JsonArray& parts, JsonArray& steps) const {
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
      if (!added.step.empty())
        steps.insert(steps.end() - (steps.empty() ? 0 : 1), Json(added.step));
    }
  }
  std::string member_of(const std::string& category) const {
    for (const std::string& one : book_.lexicon.pack().categories.members_of(category)) {
      const TemplateChoice probe{.name = one, .amount = 0, .unit = {}, .notes = {}, .tags = {}};
      if (one != category && !is_avoided(probe)) return one;
    }
    return category;
  }

  void add_tags(JsonObject& content, const Chosen& chosen) const {
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
  void put_tag(JsonObject& content, const std::string& field, const std::string& value) const {
    const Table* table = book_.lexicon.schema().find_ref(request_.type);
    const Field* of = table == nullptr ? nullptr : table->find(field);
    if (of == nullptr) return;
    if (of->type == FieldType::integer) {
      const Json* had = content.if_contains(field);
      const std::int64_t before = had != nullptr && had->is_int64() ? had->get_int64() : 0;
      content[field] = before + std::atoll(value.c_str());
    } else if (of->type == FieldType::list) {
      if (!content.contains(field)) content[field] = JsonArray();
      JsonArray& list = content[field].get_array();
      if (std::find(list.begin(), list.end(), Json(value)) == list.end())
        list.push_back(Json(value));
    } else {
      content[field] = value;
    }
  }

  bool holds_all(const JsonObject& content) const {
    return std::all_of(request_.constraints.begin(), request_.constraints.end(),
                       [&](const Constraint& one) { return holds(book_, content, one); });
  }

  // R3: all that was asked, and which of it is in the way where one alone is.
  std::string refusal(std::size_t found) const {
    std::string wishes;
    std::string in_the_way;
    for (const Constraint& one : request_.constraints) {
      if (one.type == "count") continue;
      const std::string text = wish_text(book_, one);
      wishes += (wishes.empty() ? "" : ", ") + text;
      if (is_possible_without(one)) in_the_way += (in_the_way.empty() ? "“" : " or “") + text + "”";
    }
    const std::string hint = in_the_way.empty() ? " Take one of these back, or say “start over”."
                                                : " Without " + in_the_way + " I could.";
    if (found > 0)
      return "I know only " + std::to_string(found) + " that fit all of this: " + wishes + "." +
             hint;
    return "I know nothing that fits all of this together: " + wishes + "." + hint;
  }
  bool is_possible_without(const Constraint& left_out) const {
    if (request_.is_probe || request_.constraints.size() < 2) return false;
    MakeRequest other = request_;
    other.is_probe = true;
    other.count = 1;
    std::erase(other.constraints, left_out);
    return Maker(book_, other).make().refusal.empty();
  }

  const Book& book_;
  const PackRules& rules_;
  const MakeRequest& request_;
  std::string label_;      // of what is made
  std::string parts_;      // its parts …
  std::string part_name_;  // … and what they are called by
  std::string steps_;      // how it is made
  std::string portions_;   // for how many
  double servings_;
  std::vector<std::string> required_;
  std::string shape_;  // the name of the templates that are meant; empty: any
};

}  // namespace

std::string label_field(const Book& book, std::string_view type) {
  const Table* table = book.lexicon.schema().find_ref(type);
  return table == nullptr ? "" : table->label;
}

AddedPart added_part(const Book& book, const std::string& name) {
  const Json* declared = member(book.lexicon.pack().rules.wishes, "added");
  if (declared == nullptr || !declared->is_object()) return {};
  const JsonObject& added = declared->get_object();
  AddedPart out{number_of(added, "amount", 0), text_of(added, "unit"), text_of(added, "step")};
  constexpr std::string_view kName = "{name}";
  if (const std::size_t at = out.step.find(kName); at != std::string::npos)
    out.step.replace(at, kName.size(), name);
  return out;
}

namespace {

Constraint without(const Book& book, const std::string& part) {
  return {text_of(book.lexicon.pack().rules.wishes, "excluded"), "", Json(part), 1.0};
}

// What is asked for by its name is wanted, whatever else is said of it.
bool is_asked_for(const Book& book, const MakeRequest& request, const std::string& part) {
  const std::string required = text_of(book.lexicon.pack().rules.wishes, "required");
  return std::any_of(
      request.constraints.begin(), request.constraints.end(), [&](const Constraint& one) {
        return one.type == required && one.value.is_string() &&
               is_banned(book, std::string(one.value.get_string()), without(book, part));
      });
}

std::string disliked_note(const Book& book, const MakeRequest& request, const Made& made) {
  std::string parts;
  for (const std::string& part : request.disliked)
    if (std::any_of(made.artifacts.begin(), made.artifacts.end(), [&](const Artifact& one) {
          return !holds(book, one.content.get_object(), without(book, part));
        }))
      parts += (parts.empty() ? "" : ", ") + part;
  return parts.empty() ? "" : "Mind that you do not like what is in it: " + parts + ".";
}

}  // namespace

// R5: all of it, else as much of it as leaves something to make.
Made make_things(const Book& book, const MakeRequest& request) {
  MakeRequest kept = request;
  for (const std::string& part : request.disliked)
    if (!is_asked_for(book, request, part)) kept.constraints.push_back(without(book, part));
  Made out = Maker(book, kept).make();
  if (!out.refusal.empty() && kept.constraints.size() > request.constraints.size()) {
    kept.constraints = request.constraints;
    out = Maker(book, kept).make();
    for (const std::string& part : request.disliked) {
      if (!out.refusal.empty() || is_asked_for(book, request, part)) continue;
      MakeRequest fewer = kept;
      fewer.constraints.push_back(without(book, part));
      Made made = Maker(book, fewer).make();
      if (!made.refusal.empty()) continue;
      kept = std::move(fewer);
      out = std::move(made);
    }
  }
  if (out.refusal.empty()) out.note = disliked_note(book, request, out);
  return out;
}

}  // namespace alfred::rules
