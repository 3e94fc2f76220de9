#include "interpreter/rules/reading/clause_reading.h"

#include <algorithm>

#include "interpreter/rules/reading/builder.h"
#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/reading/openings.h"
#include "interpreter/rules/reading/query.h"
#include "interpreter/rules/reading/read_message.h"
#include "interpreter/rules/reading/wishes.h"

namespace alfred::rules {

bool changes_rows(const Doing& doing) {
  switch (doing.verb) {
    case Verb::add:
    case Verb::set:
    case Verb::adjust:
    case Verb::remove:
    case Verb::prefer:
    case Verb::save:
    case Verb::undo: return true;
    default: return doing.verb == Verb::missing && doing.how == "add";
  }
}

namespace {

class ClauseReader {
 public:
  ClauseReader(const ReadingWorld& world, std::string_view message)
      : world_(world), message_(message) {}

  using Part = ReadClause;

  Part read(std::span<const Token> tokens, bool is_going_on = false) const {
    const Clause clause = make_clause(world_, message_, tokens);
    Part best;
    std::vector<IntentMatch> matches = world_.intents.match(clause);
    std::stable_sort(matches.begin(), matches.end(),
                     [](const IntentMatch& a, const IntentMatch& b) {
                       return a.intent->verb == Verb::edit && b.intent->verb != Verb::edit;
                     });
    for (const IntentMatch& found : matches) {
      // "ok" is a yes where something was asked.
      if (world_.is_asked && found.intent->verb == Verb::idle && may_be(matches, Verb::accept))
        continue;
      if (!fits_the_moment(*found.intent) || (asks_for_any(tokens) && is_of_rows(found))) continue;
      if (found.intent->verb == Verb::reject &&
          (is_to_be_kept(matches) || is_to_be_dropped(matches) || is_to_be_removed(matches)))
        continue;
      if (found.phrase.starts_with('{') && is_of_rows(found) &&
          (is_question(clause) || begins_order(tokens)))
        continue;
      std::vector<Doing> doings = build(world_, clause, found);
      if (doings.empty()) continue;
      best = {std::move(doings), found.match.score};
      break;
    }
    take_of_last(clause, matches, best);
    if (!best.doings.empty() && best.doings.front().verb == Verb::accept && may_save_by_yes())
      best = {read_message(world_, "save it").doings, best.score};
    const auto better = [&](const std::optional<ScoredDoing>& other) {
      if (other && (best.doings.empty() || other->score > best.score))
        best = {{other->doing}, other->score};
    };
    const std::optional<ScoredDoing> wish = read_wishes(world_, clause, is_going_on);
    // "make it spicy", said of what was made, is what is wanted of all of it.
    if (wish && wish->doing.verb == Verb::wish && is_said_of_made(best)) best = {};
    if (!is_made_of_rows(best) && (!wish || wish->names_type || !adds_known_things(best)))
      better(wish);
    if (!shows_place(best)) better(read_query(world_, clause));
    if (const std::span<const Token> asked = without_telling(tokens); asked.size() < tokens.size())
      if (Part part = read(asked); part.score >= best.score) best = std::move(part);
    if (!best.doings.empty() && best.doings.front().verb == Verb::set && is_said_of_made(best))
      best.doings.front().refusal =
          "That is not saved yet. Of what I made I can change the parts, the name and for how many "
          "it is. Say which part is to be swapped, save it first, or ask for a new one.";
    return best;
  }

 private:
  // "show the second book": who stands there, and nothing that is looked for by these words.
  static bool shows_place(const Part& part) {
    return part.doings.size() == 1 && part.doings.front().verb == Verb::show &&
           !part.doings.front().targets.empty() &&
           says_place(part.doings.front().targets.front().said);
  }

  // "3 soups with what I have": the wishes were read with it.
  static bool is_made_of_rows(const Part& part) {
    return !part.doings.empty() && part.doings.front().verb == Verb::generate &&
           part.doings.front().with.contains("from");
  }

  // "we need more coffee", by the pack's own words for that: a thing is noted, and nothing is made.
  bool adds_known_things(const Part& part) const {
    if (part.doings.empty()) return false;
    const Doing& doing = part.doings.front();
    return doing.verb == Verb::add && !doing.items.empty() && is_packs_own(doing.intent) &&
           std::all_of(doing.items.begin(), doing.items.end(), [&](const Item& one) {
             const Tokens tokens = read_tokens(one.name);
             const std::vector<Span> spans = world_.lexicon.spans_in(tokens);
             return !spans.empty() && spans.front().from == 0 && spans.back().to == tokens.size() &&
                    spans.back().find(Meaning::Kind::noun) != nullptr;
           });
  }
  bool is_packs_own(const std::string& phrase) const {
    const std::vector<RuleIntent>& own = world_.pack().rules.intents;
    return !phrase.starts_with('{') &&
           std::any_of(own.begin(), own.end(), [&](const RuleIntent& one) {
             return std::find(one.phrases.begin(), one.phrases.end(), phrase) != one.phrases.end();
           });
  }

  // "move it to friday", said of rows of several kinds: it is of the kind that was spoken of last.
  void take_of_last(const Clause& clause, const std::vector<IntentMatch>& matches,
                    Part& best) const {
    const std::string last = world_.table_of(world_.last_type());
    const auto is_pointed = [](const Doing& doing) {
      return doing.targets.size() == 1 && doing.targets.front().is_pointing;
    };
    if (best.doings.size() != 1 || last.empty() || best.doings.front().table == last ||
        best.doings.front().verb != Verb::set || !is_pointed(best.doings.front()))
      return;
    for (const IntentMatch& found : matches) {
      if (found.intent->verb != Verb::set || found.intent->table != last) continue;
      std::vector<Doing> doings = build(world_, clause, found);
      if (doings.size() != 1 || doings.front().table != last || !is_pointed(doings.front()))
        continue;
      best.doings = std::move(doings);
      return;
    }
  }

  // "yes", said where nothing is asked and one thing was just made: it was said how it is saved.
  bool may_save_by_yes() const {
    if (world_.is_asked || world_.made_last() != 1) return false;
    ReadingWorld before = world_;
    before.previous.clear();
    before.going_on.clear();
    const Program said = read_message(before, world_.previous);
    return said.only(Verb::generate) || said.only(Verb::edit);
  }

  bool is_said_of_made(const Part& part) const {
    if (part.doings.empty()) return false;
    const Doing& doing = part.doings.front();
    if (doing.verb == Verb::edit)  // of one of them it is said where that one is named
      return world_.made_last() > 1 && is_pronoun(doing.targets.front().said);
    const bool is_pointing = std::all_of(doing.targets.begin(), doing.targets.end(),
                                         [](const Target& target) { return target.is_pointing; });
    return doing.verb == Verb::set && is_pointing &&
           world_.is_made_latest(world_.type_of(doing.table));
  }

  static bool is_of_rows(const IntentMatch& found) {
    return changes_rows({.verb = found.intent->verb});
  }
  // "keep it", said of what was made where nothing was asked.
  bool is_to_be_kept(const std::vector<IntentMatch>& matches) const {
    return !world_.is_asked && world_.has_generated() && may_be(matches, Verb::save);
  }
  bool is_to_be_dropped(const std::vector<IntentMatch>& matches) const {
    return !world_.is_asked && may_be(matches, Verb::forget);
  }
  // "cancel it", where nothing was asked and a row was spoken of.
  bool is_to_be_removed(const std::vector<IntentMatch>& matches) const {
    const std::string last = world_.last_type();
    return !world_.is_asked && !last.empty() && !world_.is_made_latest(last) &&
           may_be(matches, Verb::remove);
  }
  static bool may_be(const std::vector<IntentMatch>& matches, Verb verb) {
    return std::any_of(matches.begin(), matches.end(),
                       [&](const IntentMatch& one) { return one.intent->verb == verb; });
  }

  // A yes, a no and a choice are only heard where something was asked.
  bool fits_the_moment(const Intent& intent) const {
    if (intent.verb == Verb::accept || intent.verb == Verb::reject) return true;
    return intent.verb != Verb::save || !world_.is_asked || world_.has_generated() ||
           !world_.makes.empty();
  }

  const ReadingWorld& world_;
  std::string_view message_;
};

}  // namespace

ReadClause read_clause(const ReadingWorld& world, std::string_view message,
                       std::span<const Token> tokens, bool is_going_on) {
  return ClauseReader(world, message).read(tokens, is_going_on);
}

}  // namespace alfred::rules
