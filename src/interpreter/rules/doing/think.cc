#include <algorithm>

#include "contracts/wake_up.h"
#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

class Planner {
 public:
  Planner(const Book& book, const Facts& facts)
      : book_(book), facts_(facts), turn_(program_of(book, facts)) {}

  ThinkAnswer plan() {
    ThinkAnswer out{.goal = goal()};
    for (const Doing& doing : turn_.program.doings)
      if (!doing.ask.empty()) return question(std::move(out), doing.ask);
    for (const Doing& doing : turn_.program.doings)
      if (doing.verb == Verb::remove && doing.table.empty())
        return question(std::move(out), "What exactly is to be deleted?");
    if (std::string banned = banned_wish(); !banned.empty())
      return question(std::move(out), std::move(banned));
    if (std::string several = several_wishes(); !several.empty())
      return question(std::move(out), std::move(several));
    const std::vector<StepRole> steps = steps_of(book_, turn_.program);
    if (steps.size() > ThinkAnswer::kSteps)
      return question(std::move(out),
                      "That is more than I can do at once. Which part shall I begin with?");
    for (const StepRole& step : steps) out.steps.push_back(planned(step));
    if (!needs_yes()) return out;
    out.decision = Decision::propose;
    out.proposal = proposal();
    return out;
  }

 private:
  std::string goal() const {
    std::string out;
    for (const Doing& doing : turn_.program.doings)
      out += (out.empty() ? "" : "; ") + sentence_of(book_, doing, facts_);
    return out.substr(0, 400);
  }

  // Something is asked for that the user never wants.
  std::string banned_wish() const {
    for (const Doing& doing : turn_.program.doings) {
      std::vector<Constraint> wishes = doing.wishes;
      wishes.insert(wishes.end(), doing.overrides.begin(), doing.overrides.end());
      for (const Share& share : doing.shares)
        wishes.insert(wishes.end(), share.wishes.begin(), share.wishes.end());
      for (const Constraint& wish : wishes)
        if (const Constraint* by = banned_by(book_, facts_, wish))
          return "You asked for " + wish_text(book_, wish) +
                 ", but what always holds for you is: " + wish_text(book_, *by) +
                 ". What shall I take instead?";
    }
    return "";
  }

  // What is made keeps to all that is wanted; things with wishes of their own are made in turn.
  std::string several_wishes() const {
    std::string out;
    int count = 0;
    for (const Doing& doing : turn_.program.doings)
      if (doing.verb == Verb::generate) {
        out += (count == 0 ? "“" : "” or “") + doing.said;
        ++count;
      }
    return count < 2 ? "" : "I make these one after the other. Which first: " + out + "”?";
  }

  static ThinkAnswer question(ThinkAnswer out, std::string text) {
    out.decision = Decision::clarify;
    out.questions.push_back(std::move(text));
    return out;
  }

  PlannedStep planned(const StepRole& step) const {
    PlannedStep out{.step_type = step.type,
                    .subdomain = book_.lexicon.subdomain_of(step.table),
                    .group = step.group,
                    .description = step.description.substr(0, 400)};
    if (step.role == Role::write && step.doing < turn_.program.doings.size())
      add_items(turn_.program.doings[step.doing], out);
    return out;
  }

  // New rows by their names, so that all of them are written or told; where rows there are grow
  // instead, it is not known before they were read.
  void add_items(const Doing& doing, PlannedStep& out) const {
    if (doing.verb != Verb::add || doing.items.size() < 2) return;
    const std::vector<StepRole> steps = steps_of(book_, turn_.program);
    const bool may_merge = std::any_of(steps.begin(), steps.end(), [&](const StepRole& one) {
      return one.role == Role::read_same && &turn_.program.doings[one.doing] == &doing;
    });
    const Subdomain* subdomain = nullptr;
    for (const Subdomain& one : book_.lexicon.pack().subdomains)
      if (one.name == out.subdomain) subdomain = &one;
    if (may_merge || subdomain == nullptr || subdomain->tables.empty() ||
        subdomain->tables.front() != doing.table)
      return;
    PlannedBatch batch;
    for (const Item& item : doing.items)
      if (std::none_of(batch.items.begin(), batch.items.end(),
                       [&](const PlannedItem& one) { return one.ref == item.name; }))
        batch.items.push_back({item.name, item.name});
    if (batch.items.size() != doing.items.size()) return;
    batch.total = static_cast<std::uint32_t>(batch.items.size());
    out.batch = std::move(batch);
  }

  bool needs_yes() const {
    if (turn_.is_unclear) return true;
    return std::any_of(
        turn_.program.doings.begin(), turn_.program.doings.end(), [&](const Doing& doing) {
          if (!writes(doing)) return false;
          return gets_unsure_parts(doing) ||
                 std::any_of(doing.targets.begin(), doing.targets.end(),
                             [&](const Target& target) { return is_unsure(facts_, target); });
        });
  }

  // A row of the same subdomain that a new one becomes part of: it is changed by that.
  bool gets_unsure_parts(const Doing& doing) const {
    const std::string subdomain = book_.lexicon.subdomain_of(doing.table);
    return std::any_of(doing.values.begin(), doing.values.end(), [&](const FieldSet& one) {
      const Table* table = one.link ? book_.lexicon.schema().find_ref(one.link->type) : nullptr;
      return table != nullptr && book_.lexicon.subdomain_of(table->name) == subdomain &&
             is_unsure(facts_, *one.link);
    });
  }

  std::string proposal() const {
    std::string out = turn_.is_unclear ? "I did not understand that." : "";
    for (const Doing& doing : turn_.program.doings)
      if (writes(doing)) out += (out.empty() ? "" : " ") + sentence_of(book_, doing, facts_) + "?";
    return out + " Say yes to do it.";
  }

  const Book& book_;
  const Facts& facts_;
  TurnProgram turn_;
};

}  // namespace

ThinkAnswer think(const Book& book, const Facts& facts) {
  if (is_wake_up(facts.message)) return {.goal = "Tell what came in"};
  return Planner(book, facts).plan();
}

}  // namespace alfred::rules
