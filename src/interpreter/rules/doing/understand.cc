#include <algorithm>
#include <span>

#include "contracts/wake_up.h"
#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/not_there.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/told_lists.h"
#include "interpreter/rules/making/arrange.h"

namespace alfred::rules {
namespace {

constexpr double kOfOneOrder = 0.9;  // how surely it holds beyond the order that says it

class Reader {
 public:
  Reader(const Book& book, const Facts& facts)
      : book_(book),
        facts_(facts),
        world_(world_of(book, facts)),
        turn_(program_of(book, facts)),
        lists_(book, facts) {}

  UnderstandAnswer read() {
    out_.processed_message = processed();
    for (const Doing& doing : turn_.program.doings) take(doing);
    if (turn_.is_yes) out_.conversation_phase = ConversationPhase::confirming;
    if (turn_.is_no && !facts_.has_goal) out_.constraint_snapshot.reset_goal = true;
    take_quick();
    keep_listed();
    return std::move(out_);
  }

 private:
  std::string processed() const {
    std::string out;
    for (const Doing& doing : turn_.program.doings) {
      if (!out.empty()) out += "; ";
      out += std::string(verb_name(doing.verb)) +
             (doing.table.empty() ? "" : " " + name_of_rows(book_, doing.table));
    }
    if (out.size() > UnderstandAnswer::kProcessedChars)
      out.resize(UnderstandAnswer::kProcessedChars);
    return out;
  }

  void take(const Doing& doing) {
    if (turn_.is_yes || turn_.is_no) return;
    if (facts_.resumed && facts_.resumed->type == "ask_user" && !turn_.is_other) return;
    // How much of something there is, is looked up by its name and unit.
    for (const Target& target : doing.targets)
      if (doing.verb != Verb::forget &&
          ((doing.verb != Verb::adjust && !flag_of(doing.with, "optional") &&
            !is_only_kind(doing, target)) ||
           target.is_pointing))
        mention(target);
    for (const FieldSet& value : doing.values)
      if (value.link) mention(*value.link);
    take_wishes(doing);
    if (doing.verb == Verb::forget) forget(doing);
    if (!doing.note.empty() && doing.verb != Verb::set) {  // of a change it is told when it is made
      out_.ambiguity = Ambiguity::under_specified;
      out_.default_assumptions.push_back(doing.note);
    }
  }

  // What would go is called by its own words, and so is a thing that changes: by its kind alone
  // nobody finds it.
  bool is_only_kind(const Doing& doing, const Target& target) const {
    const std::vector<std::string> wanted = telling_words(target.said);
    const bool is_by_name =
        doing.verb == Verb::remove || (doing.verb == Verb::set && is_thing(book_, target.said));
    if (!is_by_name || target.is_all || wanted.empty()) return false;
    const auto says = [](const Known* known, const std::string& word) {
      return std::any_of(known->words.begin(), known->words.end(), [&](const std::string& own) {
        return own == word || is_near(own, word) || own.starts_with(word) || word.starts_with(own);
      });
    };
    const std::vector<const Known*> found = world_.find(target.said, target.type);
    return std::none_of(found.begin(), found.end(), [&](const Known* known) {
      if (!known->is_background) return true;  // it is spoken of, and asked about
      return std::any_of(wanted.begin(), wanted.end(),
                         [&](const std::string& word) { return says(known, word); });
    });
  }

  // Only whom the talk or a search has names for; others are looked up.
  void mention(const Target& target) {
    if (target.is_all || target.is_kind || target.type.empty()) return;
    if (turn_.is_picked && is_candidate(target)) {
      out_.entity_mentions.push_back({target.said, target.type});
      return;
    }
    if (target.is_pointing) {
      std::vector<std::string> left;
      if (is_only_one_pointed(target)) left = lists_.refs_at(target);
      if (left.empty()) left = left_of_made(facts_, target);
      for (const std::string& ref : left) out_.entity_mentions.push_back({ref, target.type});
      if (!left.empty()) return;
      for (std::string& said : pointers(target.said))
        out_.entity_mentions.push_back({std::move(said), target.type});
      return;
    }
    const Table* table = book_.lexicon.schema().find_ref(target.type);
    const Field* label = table == nullptr ? nullptr : table->find(table->label);
    if (label == nullptr || label->type != FieldType::text) return;
    if (world_.find(target.said, target.type).empty()) return;
    out_.entity_mentions.push_back({target.said, target.type});
  }

  // Whether nobody else of its type is pointed at: refs do not say which words they stand for.
  bool is_only_one_pointed(const Target& target) const {
    std::size_t count = 0;
    for (const Doing& doing : turn_.program.doings) {
      for (const Target& one : doing.targets) count += one.is_pointing && one.type == target.type;
      for (const FieldSet& one : doing.values)
        count += one.link && one.link->is_pointing && one.link->type == target.type;
    }
    return count < 2;
  }

  // Who was listed stays in play: places count that list until another one is told.
  void keep_listed() {
    constexpr std::size_t kMost = 50;  // that an answer may keep
    for (std::string& ref : lists_.listed_anew())
      if (out_.entity_curation.retain.size() < kMost)
        out_.entity_curation.retain.push_back({std::move(ref), "stands in the last list"});
  }

  bool is_candidate(const Target& target) const {
    const std::vector<std::string>& listed = facts_.resumed->candidates;
    return std::find(listed.begin(), listed.end(), target.said) != listed.end();
  }

  void take_wishes(const Doing& doing) {
    TurnConstraintSnapshot& snapshot = out_.constraint_snapshot;
    const bool is_goal = doing.verb == Verb::generate || doing.verb == Verb::wish;
    if (!is_goal && doing.verb != Verb::edit) return;
    if (doing.verb == Verb::edit && !is_pronoun(doing.targets.front().said))
      return take_own_wish(doing);
    // What is forbidden anyway is asked about, and not kept to.
    for (const Constraint& one : doing.wishes)
      if (banned_by(book_, facts_, one) == nullptr)
        snapshot.new_constraints.push_back(as_said(doing, one));
    for (const Constraint& one : doing.overrides)
      if (banned_by(book_, facts_, one) == nullptr)
        snapshot.override_constraints.push_back(as_said(doing, one));
    if (doing.verb == Verb::edit && !doing.swap_to.empty()) swap_wish(doing, snapshot);
    if (doing.verb == Verb::edit) scale_wish(doing, snapshot);
    if (is_goal) snapshot.goal_update = doing.said.substr(0, 200);
    // On days that are still free nobody knows yet how many it will be.
    const bool is_open = doing.with.contains("fill") && !says_count(doing);
    if (doing.verb == Verb::generate && !is_open)
      snapshot.override_constraints.push_back({"count", "", Json(std::int64_t{doing.count}), 1.0});
    const bool is_other =
        doing.verb == Verb::generate && (world_.has_generated() || follows_ended(doing)) &&
        (!doing.wishes.empty() || !doing.shares.empty()) && doing.overrides.empty();
    const bool is_elsewhere =
        (doing.with.contains("fill") || doing.with.contains("from")) && facts_.has_goal;
    const bool is_given_up = snapshot.reset_goal || doing.is_reset || is_goal_void();
    const std::vector<const Constraint*> against = said_against(doing);
    const bool is_ended = is_other || is_open || is_elsewhere;
    snapshot.reset_goal = is_given_up || is_ended || !against.empty();
    if (snapshot.reset_goal && !is_given_up) keep_wishes(is_ended, against);
    out_.quick_subdomain = book_.lexicon.subdomain_of(doing.table);
  }

  // What is said of one of the things that were made holds for that one alone: the goal no longer
  // asks the contrary of all.
  void take_own_wish(const Doing& doing) {
    TurnConstraintSnapshot& snapshot = out_.constraint_snapshot;
    if (!doing.swap_to.empty()) swap_wish(doing, snapshot);
    std::vector<const Constraint*> against;
    const bool is_scaled = doing.how == "half" || doing.how == "double";
    const std::string portions = text_of(book_.lexicon.pack().rules.portions, "field");
    for (const Constraint& one : of_goal())
      if ((is_scaled && one.type == portions) ||
          std::any_of(doing.overrides.begin(), doing.overrides.end(),
                      [&](const Constraint& own) { return own.type == one.type; }))
        against.push_back(&one);
    if (against.empty()) return;
    snapshot.reset_goal = true;
    snapshot.goal_update = doing.said.substr(0, 200);
    for (const Constraint& one : of_goal())
      if (one.type != "count" && std::find(against.begin(), against.end(), &one) == against.end())
        snapshot.new_constraints.push_back(one);
  }

  // What is kept out of one order only does not hold for the next.
  Constraint as_said(const Doing& doing, Constraint one) const {
    if (doing.verb == Verb::generate && is_exclusion(book_, one)) one.confidence = kOfOneOrder;
    return one;
  }

  std::span<const Constraint> of_goal() const {
    return std::span(facts_.constraints).subspan(facts_.permanent.size());
  }

  // Whether the goal asks for what it keeps out: the order was refused, and nothing of it is
  // wanted.
  bool is_goal_void() const {
    const std::string required = text_of(book_.lexicon.pack().rules.wishes, "required");
    return std::any_of(of_goal().begin(), of_goal().end(), [&](const Constraint& wish) {
      return wish.type == required && wish.value.is_string() &&
             std::any_of(of_goal().begin(), of_goal().end(), [&](const Constraint& one) {
               return is_exclusion(book_, one) &&
                      is_banned(book_, std::string(wish.value.get_string()), one);
             });
    });
  }

  // What was to be kept out, and is asked for now: the later word counts.
  std::vector<const Constraint*> said_against(const Doing& doing) const {
    std::vector<const Constraint*> out;
    const std::string required = text_of(book_.lexicon.pack().rules.wishes, "required");
    for (const std::vector<Constraint>* wishes : {&doing.wishes, &doing.overrides})
      for (const Constraint& wish : *wishes)
        for (const Constraint& one : of_goal())
          if (wish.type == required && wish.value.is_string() &&
              is_banned(book_, std::string(wish.value.get_string()), one))
            out.push_back(&one);
    return out;
  }

  // A goal that ends by another order leaves what was to be kept out from now on; one that goes on,
  // all that is not said against.
  void keep_wishes(bool is_ended, const std::vector<const Constraint*>& against) {
    std::vector<Constraint>& kept = out_.constraint_snapshot.new_constraints;
    const auto is_replaced = [&](const Constraint& one) {
      const std::vector<Constraint>& said = out_.constraint_snapshot.override_constraints;
      return std::any_of(said.begin(), said.end(), [&](const Constraint& other) {
        return other.type == one.type && other.field == one.field;
      });
    };
    for (const Constraint& one : of_goal()) {
      const bool is_against = std::find(against.begin(), against.end(), &one) != against.end();
      const bool stays = !is_ended || (is_exclusion(book_, one) && one.confidence > kOfOneOrder);
      if (is_against)
        out_.default_assumptions.push_back("You said “" + wish_text(book_, one) +
                                           "” before and ask for it now, so that is over.");
      else if (stays && one.type != "count" && !is_replaced(one))
        kept.insert(kept.begin(), one);
    }
  }

  // Nothing came of the order before, or all of it is saved, and this one says anew what is wanted:
  // what that one asked for is over. One that only leaves something out goes on with it.
  bool follows_ended(const Doing& doing) const {
    if (world_.previous.empty() || world_.has_generated()) return false;
    const std::string excluded = text_of(book_.lexicon.pack().rules.wishes, "excluded");
    if (std::all_of(doing.wishes.begin(), doing.wishes.end(),
                    [&](const Constraint& one) { return one.type == excluded; }))
      return false;
    ReadingWorld before = world_;
    before.previous.clear();
    before.has_saved = true;  // else "save it" would mean nothing
    const Program said = read_message(before, world_.previous);
    return std::all_of(said.doings.begin(), said.doings.end(), [](const Doing& one) {
      return one.verb == Verb::generate || one.verb == Verb::save;
    });
  }

  // What was asked for and is exchanged: the other is asked for now.
  void swap_wish(const Doing& doing, TurnConstraintSnapshot& snapshot) const {
    const std::string from = phrase_key(without_article(doing.swap_from));
    for (const Constraint& one : facts_.constraints)
      if (one.value.is_string() && is_same_part(std::string(one.value.get_string()), from) &&
          one.type == text_of(book_.lexicon.pack().rules.wishes, "required"))
        snapshot.override_constraints.push_back(
            {one.type, one.field, Json(lower(without_article(doing.swap_to))), 1.0});
  }
  // "halve it": for half as many as was asked for.
  void scale_wish(const Doing& doing, TurnConstraintSnapshot& snapshot) const {
    if (doing.how != "half" && doing.how != "double") return;
    for (const Constraint& one : of_goal())
      if (one.type == text_of(book_.lexicon.pack().rules.portions, "field") &&
          one.value.is_int64()) {
        const std::int64_t had = one.value.get_int64();
        snapshot.override_constraints.push_back(
            {one.type, one.field, Json(doing.how == "half" ? (had + 1) / 2 : had * 2), 1.0});
      }
  }
  // "the rice" is the jasmine rice that was asked for.
  bool is_same_part(const std::string& wanted, const std::string& said) const {
    return phrase_key(wanted) == said || book_.lexicon.pack().categories.is_meant(wanted, said);
  }
  static std::string without_article(const std::string& said) {
    const Tokens tokens = read_tokens(said);
    return typed(said, without_articles(tokens));
  }

  void forget(const Doing& doing) {
    if (!doing.targets.empty()) return forget_some(doing.targets.front());
    for (const Known& one : facts_.known)
      if (one.is_generated) out_.entity_curation.drop.push_back(one.ref);
    out_.constraint_snapshot.reset_goal =
        out_.constraint_snapshot.reset_goal || doing.is_reset || !out_.entity_curation.drop.empty();
  }

  // "drop the third": the others stay, and so does what is wanted of them.
  void forget_some(const Target& target) {
    std::vector<std::string> refs = lists_.refs_at(target);
    if (refs.empty()) refs = left_of_made(facts_, target);
    for (const Known& one : facts_.known)
      if (one.is_generated && std::find(refs.begin(), refs.end(), one.ref) != refs.end())
        out_.entity_curation.drop.push_back(one.ref);
  }

  // One look at one table, and nothing else.
  void take_quick() {
    // No answer to the step that asks, so that step does not go on: it is planned like any message.
    if (turn_.is_other && facts_.resumed->type == "ask_user") out_.quick_mode = true;
    if (turn_.program.doings.size() != 1 || facts_.resumed) return;
    const Doing& doing = turn_.program.doings.front();
    const bool is_plain = doing.verb == Verb::list && doing.targets.empty() && !doing.with_parts &&
                          doing.note.empty() && doing.ask.empty() && doing.how.empty();
    if (!is_plain || ((!doing.search.empty() || !doing.lacks.empty()) && has_parts(doing.table)))
      return;
    out_.quick_mode = true;
    out_.quick_mode_confidence = QuickConfidence::high;
    out_.quick_subdomain = book_.lexicon.subdomain_of(doing.table);
    out_.quick_intent = "Look at the " + name_of_rows(book_, doing.table);
    const std::vector<std::string> listed = lists_.listed();
    for (const Known& one : facts_.known)
      if (!one.is_generated && !one.is_background && one.type != world_.type_of(doing.table) &&
          std::find(listed.begin(), listed.end(), one.ref) == listed.end())
        out_.entity_curation.demote.push_back(one.ref);
  }
  bool has_parts(std::string_view table) const {
    const Table* found = book_.lexicon.schema().find(table);
    return found != nullptr && !found->relations.empty();
  }

  const Book& book_;
  const Facts& facts_;
  ReadingWorld world_;
  TurnProgram turn_;
  ToldLists lists_;
  UnderstandAnswer out_;
};

}  // namespace

UnderstandAnswer understand(const Book& book, const Facts& facts) {
  if (is_wake_up(facts.message)) return {.processed_message = "tell what came in"};
  return Reader(book, facts).read();
}

}  // namespace alfred::rules
