#include "interpreter/rules/doing/program.h"

#include <algorithm>

#include "contracts/wake_up.h"
#include "interpreter/rules/doing/steps.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/words/places.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

bool is_command(const Program& program) {
  if (program.doings.empty()) return false;
  switch (program.doings.front().verb) {
    case Verb::unknown:
    case Verb::accept:
    case Verb::reject:
    case Verb::idle: return false;
    case Verb::show: return !program.doings.front().intent.starts_with("the name of");
    case Verb::list: return !program.doings.front().intent.empty();
    default: return true;
  }
}

bool leaves_open(const Program& program) {
  return std::any_of(program.doings.begin(), program.doings.end(),
                     [](const Doing& one) { return !one.ask.empty(); });
}

// "dinner", said to the question of an order that had left it open, is no order to list dinners.
bool is_word_of_answer(const ReadingWorld& before, const std::string& first, const Program& said) {
  const Verb verb = said.doings.front().verb;
  if (verb != Verb::list && verb != Verb::show) return false;
  const Program order = read_message(before, first);
  return is_command(order) && leaves_open(order);
}

// The last message of those before that says by itself what is to be done.
std::string base_of(const ReadingWorld& world, const Facts& facts) {
  ReadingWorld before = world;
  before.previous.clear();
  for (std::size_t i = facts.thread.size(); i > 0; --i) {
    before.is_asked = i > 1;  // all but the first were said to a question
    const Program said = read_message(before, facts.thread[i - 1]);
    if (is_command(said) && (i == 1 || !is_word_of_answer(before, facts.thread.front(), said)))
      return facts.thread[i - 1];
  }
  return facts.thread.empty() ? facts.message : facts.thread.front();
}

// "the second", said to the question that what was said so far leaves open: the choice itself.
std::string in_words(const ReadingWorld& world, const std::string& so_far,
                     const std::string& answer) {
  for (const Doing& doing : read_message(world, so_far).doings)
    if (std::string choice = choice_picked(doing.ask, answer); !choice.empty()) return choice;
  return answer;
}

// A yes to a question for something else says nothing to it.
bool says_something(const ReadingWorld& world, const std::string& answer) {
  const Program said = read_message(world, answer);
  return !said.only(Verb::accept) && !said.only(Verb::reject) && !said.only(Verb::idle);
}

// That message with what was answered to questions about it, as if it had been said at once.
std::string said_at_once(const ReadingWorld& world, const Facts& facts, const std::string& base,
                         std::string_view glue) {
  std::string out = base;
  const auto add = [&](const std::string& answer) {
    const std::string said = in_words(world, out, answer);
    out.append(glue).append(said);
  };
  const auto at = std::find(facts.thread.rbegin(), facts.thread.rend(), base);
  if (at != facts.thread.rend())
    for (auto next = at.base(); next != facts.thread.end(); ++next)
      if (says_something(world, *next)) add(*next);
  add(facts.message);
  return out;
}

// Whether all that was ordered is still ordered, with what was answered: "delete A and add B",
// "to the list".
bool is_same_order(const Program& order, const Program& whole) {
  if (order.doings.empty() || whole.doings.empty()) return false;
  if (order.doings.size() > 1 && order.doings.size() != whole.doings.size()) return false;
  return std::equal(order.doings.begin(), order.doings.end(), whole.doings.begin(),
                    whole.doings.begin() + static_cast<std::ptrdiff_t>(order.doings.size()),
                    [](const Doing& a, const Doing& b) { return a.verb == b.verb; });
}

// base becomes what was read: with glue only where that leaves nothing open.
Program read_at_once(const ReadingWorld& world, const Facts& facts, const Program& order,
                     std::string& base) {
  const std::string plain = said_at_once(world, facts, base, " ");
  Program whole = read_message(world, plain);
  const bool is_open =
      !whole.doings.empty() && (leaves_open(whole) || !is_same_order(order, whole));
  for (const std::string_view glue : {" for ", " to "}) {
    std::string glued = said_at_once(world, facts, base, glue);
    Program other = is_open ? read_message(world, glued) : Program{};
    if (!is_same_order(order, other) || leaves_open(other)) continue;
    base = std::move(glued);
    return other;
  }
  base = plain;
  return whole;
}

// What was answered before the question that is open now belongs to the order.
void join_answers(const ReadingWorld& world, const Facts& facts, TurnProgram& out) {
  if (!leaves_open(out.program)) return;
  if (facts.thread.empty() || facts.thread.back() == out.base) return;
  Facts before = facts;
  before.message = before.thread.back();
  before.thread.pop_back();
  std::string joined = out.base;
  Program whole = read_at_once(world, before, out.program, joined);
  if (!is_same_order(out.program, whole) || leaves_open(whole) ||
      !whole.doings.front().refusal.empty())
    return;
  out.program = std::move(whole);
  out.base = std::move(joined);
}

// The rows in question are now known by the words of the answer.
void choose(Program& program, const std::string& said) {
  for (Doing& doing : program.doings) {
    for (Target& target : doing.targets)
      if (!target.is_pointing) {
        target.said = said;
        return;
      }
    for (FieldSet& value : doing.values)
      if (value.link) {
        value.link->said = said;
        return;
      }
  }
}

// All that were picked of those that were asked about, by their names in the question. What leads
// to one row cannot lead to several.
bool choose_listed(Program& program, const std::vector<std::string>& names) {
  for (const bool is_pointing : {false, true})
    for (Doing& doing : program.doings) {
      const auto target = std::find_if(
          doing.targets.begin(), doing.targets.end(),
          [&](const Target& one) { return one.is_pointing == is_pointing && !one.is_all; });
      if (target != doing.targets.end()) {
        Target one = *target;
        one.is_pointing = false;
        auto at = doing.targets.erase(target);
        for (const std::string& name : names) {
          one.said = name;
          at = std::next(doing.targets.insert(at, one));
        }
        return true;
      }
      for (FieldSet& value : doing.values)
        if (value.link && value.link->is_pointing == is_pointing && names.size() == 1) {
          value.link->said = names.front();
          value.link->is_pointing = false;
          return true;
        }
    }
  return false;
}

// "the second", "both": which of those that were asked about, by their names in the question.
std::vector<std::string> picked_by_place(const Facts& facts) {
  std::vector<std::string> out;
  if (!facts.resumed || facts.resumed->type != "disambiguate") return out;
  const std::vector<std::string>& listed = facts.resumed->candidates;
  for (const std::size_t place : places_picked(facts.message, listed.size())) {
    if (place >= kMostChoices) return {};  // it was not told by its name
    out.push_back(listed[place]);
  }
  return out;
}

// "the one with beef" → "beef".
std::string choice_words(const std::string& message) {
  std::string out;
  for (const std::string& word : telling_words(message))
    if (word != "meant" && word != "i" && word != "no" && word != "mean" && word != "please" &&
        word != "yes")
      out += (out.empty() ? "" : " ") + word;
  return out.empty() ? message : out;
}

bool is_new_target(const std::string& message) {
  const std::vector<std::string> words = words_in(message);
  return std::find(words.begin(), words.end(), "meant") != words.end() ||
         std::find(words.begin(), words.end(), "mean") != words.end();
}

// A question of its own is no answer: "what goes bad this week?".
bool is_asking(const std::string& message) {
  for (const Token& token : read_tokens(message))
    if (!is_filler(token)) return is_question_word(token) && !token.is("any");
  return false;
}

// A whole order of its own, with nothing left open, is no answer to what was asked about another.
bool is_whole_order(const Program& said) {
  return is_command(said) &&
         std::all_of(said.doings.begin(), said.doings.end(), [](const Doing& one) {
           return writes(one) && one.ask.empty() && !one.intent.starts_with('{');
         });
}

// Words that point at what was asked about belong to it: "replace it", "delete them".
bool is_pointing_back(const Doing& doing) {
  return std::any_of(doing.targets.begin(), doing.targets.end(),
                     [](const Target& one) { return one.is_pointing; });
}

// R3. A question of a step is answered by next to anything, so only what is whole counts.
bool is_other_order(const Program& said, const std::string& message) {
  if (is_whole_order(said))
    return std::none_of(said.doings.begin(), said.doings.end(), is_pointing_back);
  if (!is_command(said)) return false;
  switch (said.doings.front().verb) {
    case Verb::generate:
    case Verb::help:
    case Verb::makeable:
    case Verb::added:
    case Verb::unsaved: return true;
    case Verb::list:
    case Verb::show:
    case Verb::missing: return is_asking(message) && !is_pointing_back(said.doings.front());
    default: return false;
  }
}

// "no onions please": what is to be left out of what is made, and no answer to a yes or no.
bool is_denial(const Program& said, const std::string& message) {
  const Tokens tokens = read_tokens(message);
  return said.only(Verb::wish) && !tokens.empty() && tokens.front().is("no");
}

// "the first", said to the question which of several orders to begin with.
bool takes_order(const Facts& facts, Program& wanted) {
  if (facts.resumed->type != "clarify") return false;
  std::vector<Doing> orders;
  for (const Doing& one : wanted.doings)
    if (one.verb == Verb::generate) orders.push_back(one);
  const std::vector<std::size_t> places = places_picked(facts.message, orders.size());
  if (orders.size() < 2 || places.size() != 1) return false;
  wanted.doings = {orders[places.front()]};
  return true;
}

// "with tofu", said to the question what to take instead of what is never wanted; false: something
// else was said.
bool takes_instead(const Book& book, const ReadingWorld& alone, const Facts& facts,
                   const Program& said, Program& wanted) {
  if (facts.resumed->type != "clarify" || !wanted.only(Verb::generate)) return false;
  std::vector<Constraint>& wishes = wanted.doings.front().wishes;
  const auto is_banned = [&](const Constraint& one) {
    return banned_by(book, facts, one) != nullptr;
  };
  if (std::none_of(wishes.begin(), wishes.end(), is_banned)) return false;
  const Program instead =
      said.only(Verb::wish) ? said : read_message(alone, "with " + facts.message);
  if (!instead.only(Verb::wish) || instead.doings.front().wishes.empty()) return false;
  std::erase_if(wishes, is_banned);
  for (const Constraint& one : instead.doings.front().wishes) wishes.push_back(one);
  return true;
}

bool says_only_beside(const ReadingWorld& world, const std::string& message) {
  const Tokens tokens = read_tokens(message);
  const Clause clause = make_clause(world, message, tokens);
  return clause.extras.size() == 1 && clause.extras.front().from == 0 &&
         clause.extras.front().to == tokens.size();
}

// "no, saturday lunch", said to a question about an order for another time: that order for this
// one; empty: something else is said.
std::string said_for_another_time(const ReadingWorld& alone, const std::string& base,
                                  const std::string& message) {
  const Tokens answer = read_tokens(message);
  const Tokens order = read_tokens(base);
  if (answer.size() < 2 || !answer.front().is("no")) return "";
  const std::span<const Token> rest = without_joints(std::span(answer).subspan(1));
  const std::vector<Moment> said = moments_in(alone, rest);
  const std::vector<Moment> had = moments_in(alone, order);
  if (rest.empty() || said.empty() || said.front().from > 1 || had.empty()) return "";
  std::size_t end = had.front().from;
  while (end > 1 && (order[end - 1].is("for") || order[end - 1].is("on"))) --end;
  std::string out = typed(base, std::span(order).first(end)) + " for " + typed(message, rest);
  const Program before = read_message(alone, base);
  const Program whole = read_message(alone, out);
  return is_same_order(before, whole) && before.only(Verb::add) && !leaves_open(whole) ? out : "";
}

TurnProgram answered(const Book& book, const ReadingWorld& world, const Facts& facts,
                     const Program& said) {
  ReadingWorld alone = world;
  alone.is_asked = false;
  alone.previous.clear();
  TurnProgram out{.base = base_of(world, facts)};
  const Verb verb = said.doings.empty() ? Verb::unknown : said.doings.front().verb;
  const bool is_choice = (facts.resumed->type == "disambiguate" && !is_asking(facts.message)) ||
                         is_new_target(facts.message);
  out.program = read_message(alone, out.base);
  if (const std::vector<std::string> picked = picked_by_place(facts);
      !picked.empty() && choose_listed(out.program, picked)) {
    out.is_picked = true;
    return out;
  }
  // "for 2 people", said to the question which one: it is no second one. It is asked again.
  if (facts.resumed->type == "disambiguate" && says_only_beside(alone, facts.message)) {
    out.program = read_message(alone, out.base + " " + facts.message);
    return out;
  }
  if (const std::string other = said_for_another_time(alone, out.base, facts.message);
      !other.empty())
    return {.program = read_message(alone, other), .base = other, .is_other = true};
  // What was only asked about is not done yet: who takes it back means that.
  const bool is_taken_back = verb == Verb::undo && facts.resumed->type == "propose";
  if (is_taken_back || (verb == Verb::reject && !is_new_target(facts.message))) {
    // A step that asked is told no; the others of the same order are still to be done.
    if (facts.resumed->type == "ask_user" && out.program.doings.size() > 1) return out;
    out.is_no = true;
    out.program = {{Doing{.verb = Verb::reject, .said = facts.message}}};
    return out;
  }
  if (verb == Verb::accept && said.doings.size() == 1) {
    // "no, I meant the other one" came between the order and the yes.
    for (const std::string& between : facts.thread)
      if (between != out.base && is_new_target(between)) choose(out.program, choice_words(between));
    join_answers(alone, facts, out);
    out.is_yes = true;
    return out;
  }
  if (takes_order(facts, out.program)) return out;
  if (takes_instead(book, alone, facts, said, out.program)) return out;
  const bool is_unclear =
      verb == Verb::unknown && !said.doings.empty() && said.doings.front().refusal.empty();
  if (is_unclear && facts.resumed->type == "propose") {
    out.is_unclear = true;
    return out;
  }
  TurnProgram other{
      .program = said, .base = facts.message, .is_other = is_command(said) || is_unclear};
  if (facts.resumed->type != "clarify" && is_denial(said, facts.message)) return other;
  if (facts.resumed->type == "ask_user") return is_other_order(said, facts.message) ? other : out;
  if (is_command(said) && !is_choice && facts.resumed->type != "clarify") return other;
  if (is_choice && !(is_command(said) && said.doings.front().verb != Verb::list &&
                     said.doings.front().verb != Verb::wish)) {
    out.choice = choice_words(facts.message);
    choose(out.program, out.choice);
    return out;
  }
  if (facts.resumed->type == "clarify" && is_whole_order(said)) return other;
  // What was missing, said now.
  std::string joined = out.base;
  Program whole = read_at_once(alone, facts, out.program, joined);
  const bool is_same = is_same_order(out.program, whole);
  // "what do I have to do today" is asked, whatever else was. "the list" is where something goes.
  const bool is_filled_in =
      read_tokens(facts.message).size() <= 2 && is_same && !leaves_open(whole);
  if (is_asking(facts.message) && !is_filled_in && is_command(said) &&
      !is_pointing_back(said.doings.front()))
    return other;
  if (!whole.doings.empty() && !whole.doings.front().refusal.empty()) {
    out.program = std::move(whole);
    out.base = joined;
    return out;
  }
  // A whole sentence that leaves something open all the same is about something else.
  const bool is_other = is_command(said) && is_same && leaves_open(whole);
  if (is_same && !is_other && facts.resumed->type == "clarify" && leaves_open(out.program)) {
    out.program = std::move(whole);
    out.base = joined;
    return out;
  }
  return other;
}

// Those that were asked about are known by their names in the question, whether or not an answer
// such as “the second” brings them to mind.
void know_candidates(const Facts& facts, ReadingWorld& world) {
  if (!facts.resumed || facts.resumed->type != "disambiguate") return;
  for (const Table& table : world.schema().tables()) {
    if (!facts.resumed->context.starts_with("Which " + table.ref + " did you mean")) continue;
    for (const std::string& label : facts.resumed->candidates)
      if (std::none_of(world.known.begin(), world.known.end(), [&](const Known& one) {
            return one.type == table.ref && one.label == label;
          }))
        world.known.push_back(
            {.type = table.ref, .label = label, .is_background = true, .words = words_in(label)});
  }
}

// The rows that this turn has made so far.
std::vector<std::string> made_now(const Facts& facts) {
  std::vector<std::string> refs;
  for (const StepFact& step : facts.steps)
    for (const CallFact& call : step.calls) {
      const Json* created = call.tool == "db_create" && call.answer != nullptr
                                ? member(*call.answer, "created")
                                : nullptr;
      if (created == nullptr || !created->is_array()) continue;
      for (const Json& one : created->get_array())
        if (one.is_object()) refs.push_back(text_of(one.get_object(), "ref"));
    }
  return refs;
}

// R2: what this turn put among the things was not there when its message was read.
void forget_added(const Book& book, const Facts& facts, ReadingWorld& world) {
  const std::vector<std::string> made = made_now(facts);
  const std::vector<std::string>& merged = book.lexicon.pack().rules.merged;
  world.has_saved = std::any_of(facts.steps.begin(), facts.steps.end(), [](const StepFact& step) {
    return std::any_of(step.calls.begin(), step.calls.end(), [](const CallFact& call) {
      return call.tool == "db_create" && call.answer != nullptr;
    });
  });
  const auto is_in = [](const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  std::erase_if(world.known, [&](const Known& one) {
    return is_in(made, one.ref) && is_in(merged, world.table_of(one.type));
  });
}

}  // namespace

ReadingWorld world_of(const Book& book, const Facts& facts) {
  ReadingWorld world{.lexicon = book.lexicon,
                     .intents = book.intents,
                     .now = facts.now,
                     .known = facts.known,
                     .previous = is_wake_up(facts.previous) ? "" : facts.previous};
  // Those that were found for this message count as known where only their names are shown.
  for (const MentionFact& mention : facts.mentions)
    for (std::size_t i = 0; i < mention.refs.size() && i < mention.labels.size(); ++i) {
      // Where no refs are shown the same row is there by its name.
      const bool is_there =
          std::any_of(world.known.begin(), world.known.end(), [&](const Known& one) {
            return one.ref.empty() ? one.type == mention.type && one.label == mention.labels[i]
                                   : one.ref == mention.refs[i] && !one.label.empty();
          });
      if (!is_there)
        world.known.push_back({.ref = mention.refs[i],
                               .type = mention.type,
                               .label = mention.labels[i],
                               .is_background = true,
                               .words = words_in(mention.labels[i])});
    }
  know_candidates(facts, world);
  forget_added(book, facts, world);
  for (const MentionFact& mention : facts.mentions)
    if (is_pointing(mention.raw_text)) world.pointed.emplace_back(mention.raw_text, mention.type);
  world.going_on = text_of(facts.kept, "list");
  if (facts.last_tables.size() == 1) world.last_table = facts.last_tables.front();
  world.has_goal = facts.has_goal;
  world.is_asked = facts.resumed.has_value();
  return world;
}

TurnProgram program_of(const Book& book, const Facts& facts) {
  const ReadingWorld world = world_of(book, facts);
  const Program said = read_message(world, facts.message);
  if (facts.resumed) return answered(book, world, facts, said);
  return {.program = said, .base = facts.message};
}

}  // namespace alfred::rules
