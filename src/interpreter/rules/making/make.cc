#include "interpreter/rules/making/make.h"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/rules/making/at_hand.h"
#include "interpreter/rules/making/fill_shape.h"

namespace alfred::rules {
namespace {

constexpr std::size_t kMostTries = 1'500;
constexpr std::size_t kProbeTries = 100;

using Choices = std::map<std::string, std::vector<const TemplateChoice*>, std::less<>>;

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
    filler_.emplace(book, request.type, servings_, required_,
                    [this](const TemplateChoice& one) { return is_avoided(one); });
    if (request.stock) at_hand_.emplace(book, *request.stock);
  }

  Made make() {
    if (at_hand_) return make_of_stock();
    const Shapes fitting = fitting_shapes();
    if (Made out = make_in(whole_shapes(fitting)); out.refusal.empty()) return out;
    return make_in(fitting);
  }

 private:
  using Shapes = std::vector<std::pair<const RuleTemplate*, Choices>>;

  static bool is_called(const RuleTemplate& one, std::string_view shape) {
    return std::any_of(one.called.begin(), one.called.end(),
                       [&](const std::string& word) { return phrase_key(word) == shape; });
  }

  // How far from what is there a thing may be made.
  struct Reach {
    bool is_near = false;     // of what is near alone
    std::size_t lacking = 0;  // so many parts may not be there
  };

  Shapes fitting_shapes() const {
    Shapes out;
    for (const RuleTemplate& one : rules_.templates)
      if (one.type == request_.type && is_wanted(one) && !is_contradiction())
        if (std::optional<Choices> choices = choices_for(one);
            choices && may_be_in_reach(one, *choices))
          out.emplace_back(&one, std::move(*choices));
    return out;
  }
  // Some are only made for who asks for them by a name.
  bool is_wanted(const RuleTemplate& one) const {
    if (!shape_.empty()) return is_called(one, shape_);
    const std::vector<std::string> named = texts_of(rules_.wishes, "asked_for");
    return std::none_of(named.begin(), named.end(),
                        [&](const std::string& word) { return is_called(one, phrase_key(word)); });
  }
  // R4.
  Shapes whole_shapes(const Shapes& fitting) const {
    Shapes out;
    for (const auto& one : fitting)
      if (holds_required(one.second)) out.push_back(one);
    return out;
  }

  // R6.
  Made make_of_stock() {
    std::vector<Reach> reaches{{true, 0}};
    for (std::size_t lacking = 0; lacking <= kMostLacking; ++lacking)
      reaches.push_back({false, lacking});
    Made out;
    for (const Reach& reach : reaches) {
      reach_ = reach;
      const Shapes fitting = fitting_shapes();
      fill(whole_shapes(fitting), out.artifacts);
      fill(fitting, out.artifacts);
    }
    if (is_enough(out.artifacts)) return out;
    MakeRequest other = request_;
    other.stock.reset();
    if (Made anything = Maker(book_, other).make(); !anything.refusal.empty()) return anything;
    return {
        {},
        "Of what is there I can make " +
            (out.artifacts.empty() ? "nothing" : "only " + std::to_string(out.artifacts.size())) +
            " like that: for anything else more than " + std::to_string(kMostLacking) +
            " parts are missing. Ask for it without that, and then what is missing.",
        {}};
  }
  // The same of a shape, by what each of its slots can hold at best.
  bool may_be_in_reach(const RuleTemplate& shape, const Choices& choices) const {
    if (!at_hand_) return true;
    std::vector<AtHand::Place> places;
    for (const auto& [slot, of] : choices) {
      AtHand::Place best = AtHand::Place::near;
      for (const TemplateChoice* one : of) {
        const bool is_part = one->amount > 0;
        const AtHand::Place own = is_part ? at_hand_->place_of(one->name) : AtHand::Place::near;
        const bool is_here = own == AtHand::Place::near || own == AtHand::Place::staple;
        if (is_here || one == of.front() || own < best) best = own;
        if (is_here) break;
      }
      places.push_back(best);
    }
    if (const Json* parts = member(shape.content, parts_); parts != nullptr && parts->is_array())
      for (const Json& part : parts->get_array())
        if (part.is_object())
          places.push_back(at_hand_->place_of(text_of(part.get_object(), "name")));
    const auto lacking = std::count(places.begin(), places.end(), AtHand::Place::nowhere);
    const auto far = std::count(places.begin(), places.end(), AtHand::Place::elsewhere);
    return static_cast<std::size_t>(lacking) <= reach_.lacking && (!reach_.is_near || far == 0);
  }
  // Whether no more is missing, and no more taken from elsewhere, than may be.
  bool is_in_reach(const JsonObject& content) const {
    if (!at_hand_) return true;
    return at_hand_->parts_at(AtHand::Place::nowhere, content).size() <= reach_.lacking &&
           (!reach_.is_near || at_hand_->parts_at(AtHand::Place::elsewhere, content).empty());
  }
  // Those that are at hand, the near ones first; where none is, staples, else any.
  void prefer_at_hand(Choices& choices) const {
    for (auto& [slot, of] : choices) {
      std::vector<const TemplateChoice*> fit;
      for (const AtHand::Place place :
           {AtHand::Place::near, AtHand::Place::elsewhere, AtHand::Place::staple}) {
        if (place == AtHand::Place::staple && !fit.empty()) break;
        if (place == AtHand::Place::elsewhere && reach_.is_near) continue;
        for (const TemplateChoice* one : of)
          if (one->amount > 0 && at_hand_->place_of(one->name) == place) fit.push_back(one);
      }
      if (!fit.empty()) of = std::move(fit);
    }
  }

  bool is_enough(const std::vector<Artifact>& made) const {
    return static_cast<int>(made.size()) >= request_.count;
  }

  Made make_in(const Shapes& fitting) const {
    Made out;
    fill(fitting, out.artifacts);
    if (!is_enough(out.artifacts)) out = {{}, refusal(out.artifacts.size()), {}};
    return out;
  }

  // More of them, until there are enough or nothing new comes.
  void fill(const Shapes& fitting, std::vector<Artifact>& out) const {
    std::set<std::string> names(request_.taken.begin(), request_.taken.end());
    for (const Artifact& one : out) names.insert(one.label);
    const std::size_t tries = request_.is_probe ? kProbeTries : kMostTries;
    for (std::size_t attempt = 0; attempt < tries && !fitting.empty() && !is_enough(out);
         ++attempt) {
      const auto& [shape, choices] = fitting[attempt % fitting.size()];
      JsonObject content = filler_->filled(*shape, choose(choices, attempt / fitting.size()));
      const std::string name = text_of(content, label_);
      if (names.contains(name) || !is_in_reach(content) || !holds_all(content)) continue;
      names.insert(name);
      add_diets(content);
      out.push_back({request_.type, name, std::nullopt, std::move(content)});
    }
  }

  // What is made for a diet is known by it later, and by all others that it keeps to as well.
  void add_diets(JsonObject& content) const {
    const std::string diet = text_of(rules_.wishes, "diet");
    const Json* fields = member(rules_.wishes, "tag_fields");
    const Table* table = book_.lexicon.schema().find_ref(request_.type);
    const Field* field = fields == nullptr || !fields->is_object() || table == nullptr
                             ? nullptr
                             : table->find(text_of(fields->get_object(), diet));
    const bool is_asked = std::any_of(request_.constraints.begin(), request_.constraints.end(),
                                      [&](const Constraint& one) { return one.type == diet; });
    if (field == nullptr || field->type != FieldType::list || !is_asked) return;
    const Json* partly = member(rules_.wishes, "partly");
    for (const std::string& value : field->enum_values) {
      const Constraint keeps{diet, "", Json(value), 1.0};
      const bool is_said = std::any_of(
          request_.constraints.begin(), request_.constraints.end(),
          [&](const Constraint& one) { return one.type == diet && one.value == keeps.value; });
      const bool is_open =
          partly != nullptr && partly->is_object() && partly->get_object().contains(value);
      if (is_said || (is_diet(diet, value) && !is_open && holds(book_, content, keeps)))
        filler_->put_tag(content, field->name, value);
    }
  }
  bool is_diet(const std::string& type, const std::string& value) const {
    const auto& types = book_.lexicon.pack().constraint_types;
    return std::any_of(types.begin(), types.end(), [&](const ConstraintType& one) {
      return one.name == type && one.check.stands_for.contains(value);
    });
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
    if (at_hand_) prefer_at_hand(out);
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
  std::optional<ShapeFiller> filler_;
  std::optional<AtHand> at_hand_;
  Reach reach_{};
};

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
  if (!out.refusal.empty()) return out;
  out.note = disliked_note(book, request, out);
  if (request.stock) {
    const std::string at_hand = AtHand(book, *request.stock).note(out.artifacts);
    out.note = at_hand + (out.note.empty() ? "" : "\n" + out.note);
  }
  return out;
}

}  // namespace alfred::rules
