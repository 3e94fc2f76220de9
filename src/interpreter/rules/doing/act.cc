#include <algorithm>

#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/parts.h"
#include "interpreter/rules/doing/reads.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writes.h"
#include "interpreter/rules/making/arrange.h"
#include "interpreter/rules/making/edit.h"
#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

ActAnswer complete(std::string summary, const std::string& say = {}) {
  ActAnswer out{.action = Action::step_complete};
  out.result_summary = std::move(summary);
  if (!say.empty()) out.data = Json(JsonObject{{"say", say}});
  return out;
}

ActAnswer call(std::string tool, JsonObject params) {
  ActAnswer out{.action = Action::tool_call};
  out.tool = std::move(tool);
  out.params = Json(std::move(params));
  return out;
}

ActAnswer blocked(std::string details) {
  ActAnswer out{.action = Action::blocked};
  out.reason_code = BlockedReason::TOOL_FAILURE;
  out.details = std::move(details);
  out.suggested_next = SuggestedNext::fail;
  return out;
}

class Actor {
 public:
  Actor(const Book& book, const Facts& facts, std::size_t step)
      : book_(book),
        facts_(facts),
        step_(step),
        turn_(program_of(book, facts)),
        roles_(steps_of(book, turn_.program)) {
    if (step < facts.steps.size()) calls_ = &facts.steps[step].calls;
  }

  ActAnswer act() {
    if (step_ >= roles_.size()) return complete("done");
    const StepRole& role = roles_[step_];
    if (role.role == Role::say) return complete("answered");
    if (role.role == Role::make) return make(turn_.program.doings[role.doing]);
    if (calls_ != nullptr && !calls_->empty() && calls_->back().answer == nullptr &&
        !calls_->back().error.empty())
      return blocked(calls_->back().error);
    if (is_changed_meanwhile())
      return blocked(
          "Somebody else changed that in the same moment, so I left it as it is now. Say it again "
          "to go on from there.");
    if (role.role == Role::write) return write();
    if (role.role == Role::read_rows && turn_.program.doings[role.doing].how == "more")
      return go_on(role);
    if (calls_ != nullptr && !calls_->empty()) return complete("read");
    const std::string unsaved = role.role == Role::read_link ? unsaved_link(role) : "";
    if (!unsaved.empty()) return refused(unsaved + " is not saved yet. Save it first.");
    return call("db_read", params(role));
  }

 private:
  // Whether the row to change was no longer as it was read, or gone.
  bool is_changed_meanwhile() const {
    const JsonObject* answer =
        calls_ == nullptr || calls_->empty() ? nullptr : calls_->back().answer;
    return answer != nullptr && calls_->back().tool == "db_update" && answer->contains("no_match");
  }

  JsonObject params(const StepRole& role) const {
    const Doing& doing = turn_.program.doings[role.doing];
    if (role.role == Role::read_stock && doing.verb == Verb::generate) return stock_params(doing);
    switch (role.role) {
      case Role::read_rows: return read_params(book_, facts_, doing);
      case Role::read_targets: return target_params(book_, facts_, doing);
      case Role::read_link: return link_params(book_, facts_, doing, role.table);
      case Role::read_slot: return slot_params(book_, facts_, turn_.program, role.doing);
      case Role::read_same: return same_params(book_, doing);
      case Role::read_parts: return parts_params(book_, facts_, doing);
      case Role::read_leading:
        return leading_params(book_, facts_, turn_.program, role.doing, role.table);
      default: return {{"table", role.table}, {"limit", std::int64_t{100}}};
    }
  }

  // The name of what a link would lead to and has no row; empty: there is none.
  std::string unsaved_link(const StepRole& role) const {
    for (const FieldSet& value : turn_.program.doings[role.doing].values) {
      if (!value.link) continue;
      if (is_pronoun(value.link->said) && is_made_before(role))
        return facts_.artifacts.back().label;
      for (const std::string& ref : refs_of(facts_, *value.link))
        for (const ArtifactFact& one : facts_.artifacts)
          if (one.ref == ref) return one.label;
    }
    return "";
  }

  // "make a stew and plan it": what this turn has made itself.
  bool is_made_before(const StepRole& role) const {
    return role.doing > 0 && !facts_.artifacts.empty() &&
           turn_.program.doings[role.doing - 1].verb == Verb::generate;
  }

  // The rows behind those that were listed: behind the first ones, or where the turn before ended.
  // How far it went is kept for the next turn.
  ActAnswer go_on(const StepRole& role) const {
    const bool is_again = facts_.kept.contains("list");
    const std::size_t made = calls_ == nullptr ? 0 : calls_->size();
    const std::string cursor = made > 0 ? cursor_behind() : text_of(facts_.kept, "cursor");
    const bool is_first = made == 0 && !is_again;
    if (is_first || (made < (is_again ? 1 : 2) && !cursor.empty())) {
      JsonObject next = params(role);
      if (!is_first) next["cursor"] = cursor;
      return call("db_read", std::move(next));
    }
    auto told = static_cast<std::int64_t>(number_of(facts_.kept, "told", 0));
    if (made > 0) told += static_cast<std::int64_t>(facts_.steps[step_].rows().size());
    ActAnswer out = complete("read");
    out.data = Json(JsonObject{{"list", is_again ? text_of(facts_.kept, "list") : facts_.previous},
                               {"cursor", cursor},
                               {"told", told}});
    return out;
  }
  // Where the rows go on behind those that were read; empty: they do not.
  std::string cursor_behind() const {
    const JsonObject* answer = calls_->back().answer;
    return answer == nullptr ? "" : text_of(*answer, "cursor");
  }

  ActAnswer write() const {
    const WritePlan plan = plan_writes(book_, facts_, turn_.program, step_);
    if (!plan.question.empty()) {
      ActAnswer out{.action = Action::ask_user};
      out.question = plan.question;
      return out;
    }
    const std::size_t made = calls_ == nullptr ? 0 : calls_->size();
    if (made < plan.calls.size()) return call(plan.calls[made].tool, plan.calls[made].params);
    // What was to be written and is not: the step fails with the words for it.
    if (plan.calls.empty() && made == 0 && is_owed())
      return refused(plan.say.empty() ? "I do not know what you mean by that. Nothing was changed."
                                      : plan.say);
    return complete(plan.calls.empty() ? "nothing to do" : "done", plan.say);
  }

  // Whether rows that are known are to change: the step does not end before they have.
  bool is_owed() const {
    const Doing& doing = turn_.program.doings[roles_[step_].doing];
    return !facts_.pending_items.empty() ||
           std::any_of(doing.targets.begin(), doing.targets.end(),
                       [&](const Target& target) { return !refs_of(facts_, target).empty(); });
  }

  ActAnswer make(const Doing& doing) const {
    if (doing.verb == Verb::edit) return edit(doing);
    Made made = doing.with.contains("fill") ? arranged(doing) : made_new(doing);
    if (!made.refusal.empty()) return refused(made.refusal);
    if (const std::string partly = partly_checked(book_, facts_.constraints); !partly.empty())
      made.note += (made.note.empty() ? "" : "\n") + partly;
    if (!doing.name.empty() && made.artifacts.size() == 1) call_it(doing, made.artifacts.front());
    ActAnswer out = complete("made " + std::to_string(made.artifacts.size()), made.note);
    out.artifacts = std::move(made.artifacts);
    return out;
  }

  // By the name it is to be saved under.
  void call_it(const Doing& doing, Artifact& made) const {
    const Table* const table = book_.lexicon.schema().find(doing.table);
    if (table == nullptr || !made.content.is_object()) return;
    made.content.get_object()[table->label] = doing.name;
    made.label = doing.name;
  }

  Made arranged(const Doing& doing) const {
    const std::size_t at = roles_[step_].doing;
    return arrange_things(book_, facts_, doing,
                          rows_read(book_, facts_, turn_.program, Role::read_parts, at),
                          rows_read(book_, facts_, turn_.program, Role::read_slot, at), disliked());
  }

  std::vector<std::string> disliked() const {
    std::vector<std::string> out;
    for (const JsonObject* row :
         rows_read(book_, facts_, turn_.program, Role::read_dislikes, roles_[step_].doing))
      for (std::string& one : texts_of(*row, place_of_dislikes(book_).second))
        out.push_back(std::move(one));
    return out;
  }

  // All at once, or each share under its own wishes too.
  Made made_new(const Doing& doing) const {
    MakeRequest request{.type = book_.lexicon.schema().find(doing.table)->ref,
                        .count = doing.count};
    for (const ArtifactFact& one : facts_.artifacts) request.taken.push_back(one.label);
    request.constraints = facts_.constraints;
    request.disliked = disliked();
    if (doing.with.contains("before")) return made_of_due(doing, std::move(request));
    if (doing.with.contains("from")) request.stock = stock_of(doing);
    if (doing.shares.empty()) return make_things(book_, request);
    Made out;
    for (const Share& share : doing.shares) {
      request.count = share.count;
      request.constraints = facts_.constraints;
      for (const Constraint& wish : share.wishes)
        if (std::find(request.constraints.begin(), request.constraints.end(), wish) ==
            request.constraints.end())
          request.constraints.push_back(wish);
      Made made = make_things(book_, request);
      if (!made.refusal.empty()) return {{}, std::move(made.refusal), {}};
      if (out.note.empty()) out.note = made.note;
      for (Artifact& one : made.artifacts) {
        request.taken.push_back(one.label);
        out.artifacts.push_back(std::move(one));
      }
    }
    return out;
  }

  // The rows that things are made of, by their names: those that were meant, and the others.
  Stock stock_of(const Doing& doing) const {
    Stock out;
    const std::string from = text_of(doing.with, "from");
    for (const JsonObject* row :
         rows_read(book_, facts_, turn_.program, Role::read_stock, roles_[step_].doing)) {
      if (is_used_up(book_, *row)) continue;
      const bool is_near =
          std::all_of(doing.where.begin(), doing.where.end(), [&](const Cond& one) {
            const Json* value = member(*row, one.field);
            return value != nullptr && *value == one.value;
          });
      (is_near ? out.near : out.elsewhere).push_back(label_of(book_, from, *row));
    }
    return out;
  }

  // With the first of the rows that fit into a shape, as many as one thing can well hold.
  Made made_of_due(const Doing& doing, MakeRequest request) const {
    constexpr std::size_t kMostUsed = 2;
    const JsonObject& wishes = book_.lexicon.pack().rules.wishes;
    std::vector<std::string> used;
    for (const JsonObject* row :
         rows_read(book_, facts_, turn_.program, Role::read_stock, roles_[step_].doing)) {
      const std::string label = label_of(book_, text_of(doing.with, "from"), *row);
      const std::string part = used.size() < kMostUsed ? choice_called(book_, label) : "";
      if (part.empty()) continue;
      MakeRequest probe = request;
      probe.is_probe = true;
      probe.constraints.push_back(
          {text_of(wishes, "required"), text_of(wishes, "other"), Json(part), 1.0});
      if (!make_things(book_, probe).refusal.empty()) continue;
      request.constraints = std::move(probe.constraints);
      used.push_back(label);
    }
    if (used.empty())
      return {{}, "There is nothing like that which I could make something of.", {}};
    Made out = make_things(book_, request);
    std::string names;
    for (const std::string& one : used) names += (names.empty() ? "" : ", ") + one;
    out.note = "It uses up: " + names + "." + (out.note.empty() ? "" : " " + out.note);
    return out;
  }

  static ActAnswer refused(std::string why) {
    ActAnswer out{.action = Action::blocked};
    out.reason_code = BlockedReason::INSUFFICIENT_INFO;
    out.details = std::move(why);
    out.suggested_next = SuggestedNext::fail;
    return out;
  }

  // What is meant, or the latest.
  ActAnswer edit(const Doing& doing) const {
    std::vector<std::string> refs;
    for (const Target& target : doing.targets)
      for (std::string& ref : refs_of(facts_, target)) refs.push_back(std::move(ref));
    ActAnswer out = complete("changed");
    for (const ArtifactFact& one : facts_.artifacts) {
      if (one.content == nullptr || std::find(refs.begin(), refs.end(), one.ref) == refs.end())
        continue;
      Edited edited = edit_content(book_, *one.content, doing);
      if (!edited.refusal.empty()) return refused(edited.refusal);
      if (std::string why = broken_wish(book_, facts_, one.label, edited.content); !why.empty())
        return refused(std::move(why));
      const std::string label = text_of(edited.content, label_field(book_, one.type));
      out.artifacts.push_back(
          {one.type, label.empty() ? one.label : label, one.ref, Json(std::move(edited.content))});
    }
    if (out.artifacts.empty())
      return refused(facts_.artifacts.empty()
                         ? "There is nothing made that could be changed."
                         : "I do not know which of what I made you mean. Say its name.");
    return out;
  }

  const Book& book_;
  const Facts& facts_;
  std::size_t step_;
  TurnProgram turn_;
  std::vector<StepRole> roles_;
  const std::vector<CallFact>* calls_ = nullptr;
};

}  // namespace

ActAnswer act(const Book& book, const Facts& facts, std::size_t step) {
  return Actor(book, facts, step).act();
}

ActQuickAnswer act_quick(const Book& book, const Facts& facts) {
  const TurnProgram turn = program_of(book, facts);
  ActQuickAnswer out{.tool = "db_read"};
  if (!turn.program.doings.empty())
    out.params = Json(read_params(book, facts, turn.program.doings.front()));
  return out;
}

}  // namespace alfred::rules
