#include "interpreter/rules/reading/read_message.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "interpreter/rules/reading/bounds.h"
#include "interpreter/rules/reading/clause_reading.h"
#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/reading/corrections.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/openings.h"
#include "interpreter/rules/reading/query.h"
#include "interpreter/rules/reading/said_after.h"
#include "interpreter/rules/reading/shares.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

class MessageReader {
 public:
  MessageReader(const ReadingWorld& world, std::string_view message)
      : world_(world), message_(message) {}

  Program read() {
    tokens_ = read_tokens(message_);
    if (looks_like_database(tokens_)) return unknown();
    world_.lexicon.correct(tokens_);
    drop_no_of_question(tokens_);
    if (std::string why = no_such_day(tokens_); !why.empty()) return refused(std::move(why));
    if (std::string why = unclear_number(world_, message_, tokens_); !why.empty())
      return refused(std::move(why));
    std::span<const Token> rest = without_politeness(tokens_);
    if (std::optional<Program> same = correction(rest)) return std::move(*same);
    rest = without_asides(rest);  // nothing to correct: what follows is said anew
    if (std::optional<Program> same = follow_up(rest)) return std::move(*same);
    const std::optional<Tokens> turned = told_at_the_end(world_, rest);
    if (turned) rest = *turned;
    Program out = whole_or_split(rest);
    join_generates(out, message_);
    join_undos(out);
    add_ticks(world_, out);
    // "add both to the list", where nothing was said that could be meant.
    for (const Doing& doing : out.doings)
      if (doing.verb == Verb::add && !doing.items.empty() && is_pointing(doing.items.front().name))
        return unknown();
    if (std::string why = out_of_bounds(world_, out); !why.empty()) return refused(std::move(why));
    return out;
  }

 private:
  using Part = ReadClause;

  Program unknown() const {
    Doing out{.verb = Verb::unknown, .said = std::string(message_)};
    return {{out}};
  }

  Program refused(std::string why) const {
    Program out = unknown();
    out.doings.front().refusal = std::move(why);
    return out;
  }

  Part read_clause(std::span<const Token> tokens, bool is_going_on = false) const {
    return rules::read_clause(world_, message_, tokens, is_going_on);
  }

  Program whole_or_split(std::span<const Token> rest) {
    Part best = best_part(rest);
    return best.doings.empty() ? unknown() : Program{std::move(best.doings)};
  }

  // The message as one clause or in several, whichever says more; empty: not understood.
  Part best_part(std::span<const Token> rest, bool is_going_on = false) {
    rest = without_joints(rest);
    Part whole = read_clause(rest, is_going_on);
    std::optional<Part> best_split;
    for (const std::size_t seam : seams(world_, rest)) {
      std::optional<Part> split = read_split(rest, seam, is_going_on);
      if (split && (!best_split || split->score > best_split->score)) best_split = std::move(split);
    }
    for (const std::size_t joint : joints(rest)) {
      std::optional<Part> split = read_short(rest, joint);
      if (split && (!best_split || split->score > best_split->score)) best_split = std::move(split);
    }
    if (std::optional<Part> counted = read_counted(rest))
      if (!best_split || counted->score > best_split->score) best_split = std::move(counted);
    if (best_split && (whole.doings.empty() || best_split->score > whole.score))
      whole = std::move(*best_split);
    return whole;
  }

  // R2: "add eggs to the list, 6": how many, said at the end.
  std::optional<Part> read_counted(std::span<const Token> tokens) const {
    std::size_t at = tokens.size();
    while (at > 0 && tokens[at - 1].text != ",") --at;
    if (at < 2 || at == tokens.size()) return std::nullopt;
    std::span<const Token> behind = tokens.subspan(at);
    while (!behind.empty() &&
           (behind.back().is("please") || behind.back().is("them") || behind.back().is("of")))
      behind = behind.first(behind.size() - 1);
    const Amount amount = read_amount(behind, world_.lexicon);
    if (behind.empty() || !amount.number || amount.to != behind.size()) return std::nullopt;
    Part out = read_clause(without_joints(tokens.first(at)));
    const bool is_one = out.doings.size() == 1 && out.doings.front().verb == Verb::add &&
                        out.doings.front().items.size() == 1 &&
                        !out.doings.front().items.front().amount;
    if (!is_one) return std::nullopt;
    out.doings.front().items.front().amount = amount.number;
    out.doings.front().items.front().unit = amount.unit;
    out.score += 12;
    return out;
  }

  // "plan the stew for monday and the soup for tuesday": the verb is said once. Both parts say by
  // themselves where or when, else it is one list.
  std::optional<Part> read_short(std::span<const Token> tokens, std::size_t joint) {
    if (!world_.intents.begins_clause(tokens.front())) return std::nullopt;
    const std::span<const Token> behind = without_joints(tokens.subspan(joint));
    const bool is_order = !behind.empty() && world_.intents.begins_clause(behind.front());
    const bool has_whom = tokens.size() > 1 && (tokens[1].is("me") || tokens[1].is("us"));
    if (behind.empty() || (is_order && !has_whom && !world_.intents.follows_thing(behind.front())))
      return std::nullopt;
    Part out = read_clause(without_joints(tokens.first(joint)));
    if (out.doings.size() != 1) return std::nullopt;
    if (joins(out, behind)) {
      out.score += 12;
      return out;
    }
    if ((is_order && !has_whom) || (!is_placed(out.doings.front()) && !is_pair(out.doings.front())))
      return std::nullopt;
    Tokens& joined = short_.emplace_back(behind.begin(), behind.end());
    joined.insert(joined.begin(), tokens.begin(), tokens.begin() + (has_whom ? 2 : 1));
    Part right = best_part(joined);
    const bool is_same =
        std::all_of(right.doings.begin(), right.doings.end(), [&](const Doing& one) {
          const bool is_alike = one.intent == out.doings.front().intent ||
                                (one.table == out.doings.front().table && says_day(one));
          const bool is_paired = is_pair(one) && one.intent == out.doings.front().intent;
          return one.verb == out.doings.front().verb && is_alike && (is_placed(one) || is_paired);
        });
    if (right.doings.empty() || !is_same) return std::nullopt;
    out.score += right.score;
    for (Doing& one : right.doings) out.doings.push_back(std::move(one));
    return out;
  }
  // "A by B and C by D", "this to 3 and that to 2 l": each part has all that the phrase asks for.
  static bool is_pair(const Doing& doing) {
    return changes_rows(doing) && doing.slots.size() > 1 && doing.targets.size() < 2;
  }
  // What is said behind a doing, of what it changes or adds (said_after.h).
  bool joins(Part& left, std::span<const Token> behind) const {
    const auto read_of_it = [&](const std::string& said) {
      return MessageReader(world_, said).read().doings;
    };
    return says_more_of(world_, message_, left.doings.back(), behind, read_of_it);
  }
  // Whether its day cannot be one that is taken where none is said.
  bool says_day(const Doing& doing) const {
    const Table* table = world_.schema().find(doing.table);
    const Field* day = table == nullptr ? nullptr : day_field(world_, *table);
    const Json* taken = member(doing.with, "default");
    return day != nullptr &&
           !(taken != nullptr && taken->is_object() && taken->get_object().contains(day->name));
  }
  bool is_placed(const Doing& doing) const {
    const Table* table = world_.schema().find(doing.table);
    const Field* day = table == nullptr ? nullptr : day_field(world_, *table);
    const bool has_day =
        std::any_of(doing.values.begin(), doing.values.end(),
                    [&](const auto& one) { return day != nullptr && one.field == day->name; });
    const bool has_place = std::any_of(doing.slots.begin(), doing.slots.end(),
                                       [](const auto& one) { return one.first == "where"; });
    return changes_rows(doing) && (has_day || has_place);
  }

  // One clause, or one with more of the things that it adds behind it: "add A to the list, and B".
  Part read_left(std::span<const Token> tokens, bool is_going_on) const {
    Part best = read_clause(tokens, is_going_on);
    for (const std::size_t joint : joints(tokens, 1)) {
      Part part = read_clause(without_joints(tokens.first(joint)));
      if (part.doings.size() != 1 ||
          !adds_items(world_, message_, part.doings.front(), without_joints(tokens.subspan(joint))))
        continue;
      part.score += 12;
      if (part.score > best.score) best = std::move(part);
    }
    return best;
  }

  // The part before the seam, and all that comes behind it.
  std::optional<Part> read_split(std::span<const Token> tokens, std::size_t seam,
                                 bool is_going_on) {
    Part left = read_left(without_joints(tokens.first(seam)), is_going_on);
    std::span<const Token> behind = without_joints(tokens.subspan(seam));
    if (left.doings.empty() || behind.empty()) return std::nullopt;
    behind = with_subject(tokens, with_place(left.doings.back(), behind));
    if (joins(left, behind)) {
      left.score += 12;
      return left;
    }
    if (tokens[seam].is("that") || tells_when(world_, tokens, seam))
      return std::nullopt;  // it only says more of what is before it
    Part right = read_right(left.doings.back(), behind);
    if (right.doings.empty()) return std::nullopt;
    // "which … with this but no that" asks: what is left out is said of what is looked for.
    if (left.doings.back().verb == Verb::list && right.doings.front().verb == Verb::wish)
      return std::nullopt;
    Part out = std::move(left);
    out.score += std::max(right.score, 10);
    const bool is_idle =
        out.doings.front().verb == Verb::greet || out.doings.front().verb == Verb::thank ||
        out.doings.front().verb == Verb::idle || out.doings.front().verb == Verb::accept;
    if (is_idle) out.doings.clear();
    for (Doing& one : right.doings) add_doing(out, std::move(one));
    return out;
  }

  Part read_right(const Doing& before, std::span<const Token> behind) {
    const bool is_going_on = makes_new(before) && is_so_many_with(behind);
    if (before.verb != Verb::generate) return best_part(behind, is_going_on);
    ReadingWorld after = world_;
    after.makes = before.table;
    const bool is_counted = makes_new(before) && (world_.makes.empty() || world_.made > 0);
    after.made = is_counted ? world_.made + before.count : 0;
    return MessageReader(after, message_).best_part(behind, is_going_on);
  }

  // "my son hates olives and can not eat gluten": of whom it is said is not said again.
  std::span<const Token> with_subject(std::span<const Token> before,
                                      std::span<const Token> behind) {
    constexpr std::array<std::string_view, 8> kGoingOn{"can", "must",  "does",     "do",
                                                       "is",  "hates", "dislikes", "never"};
    const std::vector<std::string> eaters = texts_of(world_.pack().rules.wishes, "eaters");
    if (behind.empty() || !is_among(kGoingOn, behind.front().text)) return behind;
    for (const Token& one : before.first(std::min<std::size_t>(before.size(), 2)))
      if (std::find(eaters.begin(), eaters.end(), one.stem) != eaters.end()) {
        Tokens& joined = short_.emplace_back(behind.begin(), behind.end());
        joined.insert(joined.begin(), one);
        return joined;
      }
    return behind;
  }

  // "add salt to the list and remove the milk from it": the place that was just named.
  std::span<const Token> with_place(const Doing& before, std::span<const Token> behind) {
    const auto where = std::find_if(before.slots.begin(), before.slots.end(),
                                    [](const auto& one) { return one.first == "where"; });
    const bool is_from =
        behind.size() > 2 && (behind.back().is("it") || behind.back().is("there")) &&
        (behind[behind.size() - 2].is("from") || behind[behind.size() - 2].is("off"));
    if (where == before.slots.end() || !is_from) return behind;
    Tokens& joined = short_.emplace_back(behind.begin(), behind.end() - 1);
    for (Token& token : read_tokens(where->second)) {
      token.begin = token.end = behind.back().end;  // what was typed ends where it ended
      joined.push_back(std::move(token));
    }
    return joined;
  }

  // "add bread to the list and remind me to buy it": a name says what it is.
  void name_it(const Doing& before, Doing& doing) const {
    const Table* table = world_.schema().find(doing.table);
    std::string names;
    for (const Item& one : before.items) names += (names.empty() ? "" : " and ") + one.name;
    if (table == nullptr || names.empty()) return;
    for (FieldSet& one : doing.values) {
      if (one.field != table->label || !one.value.is_string()) continue;
      std::string said(one.value.get_string());
      for (const std::string_view pointing : {" it", " them"})
        if (said.ends_with(pointing)) {
          said.replace(said.size() - pointing.size() + 1, pointing.size() - 1, names);
          one.value = said;
          break;
        }
    }
  }

  // "make a stew and save it as Sunday Stew": it has its name from the beginning.
  static void name_made(Doing& made, Doing& save) {
    if (save.name.empty()) return;
    if (made.count == 1)
      made.name = std::exchange(save.name, {});
    else
      save.refusal =
          "One name is for one of them. Say first what to make, and then which of it to save as what.";
  }

  // R2: "…, put it on the list", "I want to cook X, add what is missing".
  void add_doing(Part& part, Doing doing) const {
    if (!part.doings.empty()) {
      Doing& last = part.doings.back();
      const bool points = !doing.items.empty() && is_pointing(doing.items.front().name);
      if (doing.verb == Verb::add && last.verb == Verb::add && points) {
        last.table = doing.table;
        for (FieldSet& one : doing.values) last.values.push_back(std::move(one));
        return;
      }
      if (doing.verb == Verb::add && last.verb == Verb::add) name_it(last, doing);
      const bool is_pointing_back = !doing.targets.empty() && doing.targets.front().is_pointing;
      if (doing.verb == Verb::missing && is_pointing_back && !last.targets.empty())
        doing.targets = last.targets;
      if (doing.verb == Verb::missing &&
          (last.verb == Verb::show || last.verb == Verb::list || last.verb == Verb::missing))
        part.doings.pop_back();
      if (last.verb == Verb::generate && doing.verb == Verb::save) name_made(last, doing);
      if (last.verb == Verb::forget && (doing.verb == Verb::generate || doing.verb == Verb::wish))
        doing.is_reset = true;
    }
    part.doings.push_back(std::move(doing));
  }

  const Doing* previous() {
    const std::string& said = world_.going_on.empty() ? world_.previous : world_.going_on;
    if (said.empty()) return nullptr;
    if (!previous_) {
      ReadingWorld before = world_;
      before.previous.clear();
      before.going_on.clear();
      before.is_asked = false;
      previous_ = MessageReader(before, said).read();
    }
    return previous_->doings.empty() ? nullptr : &previous_->doings.back();
  }

  // "more", "show me some more": as many again of what was made, or the next rows of the last list.
  std::optional<Program> more_of_last(std::span<const Token> rest) {
    constexpr std::array<std::string_view, 14> kMore{"more", "show", "me",   "give",  "some",
                                                     "any",  "of",   "them", "those", "see",
                                                     "next", "make", "page", "please"};
    bool is_more = false;
    for (const Token& token : rest) {
      if (!is_filler(token) && !is_among(kMore, token.text)) return std::nullopt;
      is_more = is_more || token.is("more") || token.is("next");
    }
    if (!is_more || world_.is_asked) return std::nullopt;
    const Doing* before = previous();
    const bool is_list = before != nullptr && before->verb == Verb::list;
    if (is_list) {
      Doing out = *before;
      out.how = "more";
      out.said = std::string(message_);
      return Program{{out}};
    }
    const bool is_made = before != nullptr && (makes_new(*before) || before->verb == Verb::save ||
                                               before->verb == Verb::unknown);
    if (!is_made || !world_.has_generated() || !world_.has_goal) return std::nullopt;
    if (before->with.contains("from")) {  // of the same rows again
      Doing out = *before;
      out.count = static_cast<int>(world_.made_last());
      out.said = std::string(message_);
      return Program{{out}};
    }
    more_ = std::to_string(world_.made_last()) + " more";
    Program out = MessageReader(world_, more_).read();
    for (Doing& one : out.doings) one.said = std::string(message_);
    return out;
  }

  // "and two apples", behind a sentence about other things: the same of these.
  std::optional<Program> of_other_items(const Doing& before, std::span<const Token> said) const {
    const auto items = std::find_if(before.slots.begin(), before.slots.end(),
                                    [](const auto& one) { return one.first == "items"; });
    std::string sentence = world_.previous;
    const std::size_t at =
        items == before.slots.end() ? std::string::npos : sentence.find(items->second);
    if (at == std::string::npos || said.empty()) return std::nullopt;
    sentence.replace(at, items->second.size(), typed(message_, said));
    ReadingWorld alone = world_;
    alone.previous.clear();
    Program out = MessageReader(alone, sentence).read();
    if (!out.only(before.verb)) return std::nullopt;
    out.doings.front().said = std::string(message_);
    return out;
  }

  // "which is the fastest", behind a list: of those.
  std::optional<Program> best_of_list(std::span<const Token> rest) {
    std::size_t behind = 0;
    const bool is_asked = begins_with(rest, "which is", behind) ||
                          begins_with(rest, "which one is", behind) ||
                          begins_with(rest, "which ones are", behind);
    const Doing* before = is_asked ? previous() : nullptr;
    if (before == nullptr || before->verb != Verb::list || behind >= rest.size())
      return std::nullopt;
    const Clause clause = make_clause(world_, message_, without_articles(rest.subspan(behind)));
    std::optional<ScoredDoing> found = read_follow_up(world_, clause, *before);
    if (!found || found->doing.order.empty() || found->doing.table != before->table ||
        found->doing.order == before->order)
      return std::nullopt;
    found->doing.said = std::string(message_);
    return Program{{found->doing}};
  }

  // "and with chicken?", "what about tomorrow", "and a bag of spinach".
  std::optional<Program> follow_up(std::span<const Token> rest) {
    if (std::optional<Program> more = more_of_last(rest)) return more;
    if (std::optional<Program> best = best_of_list(rest)) return best;
    std::size_t behind = 0;
    const bool is_more =
        begins_with(rest, "and", behind) || begins_with(rest, "what about", behind) ||
        begins_with(rest, "how about", behind) || begins_with(rest, "also", behind);
    if (!is_more) return std::nullopt;
    const Doing* before = previous();
    if (before == nullptr) return std::nullopt;
    const std::span<const Token> said = without_joints(rest.subspan(behind));
    if (before->verb == Verb::add && !before->items.empty() && !rest.front().is("what")) {
      Doing out = *before;
      out.items = read_items(message_, said, world_.lexicon);
      out.said = std::string(message_);
      if (!out.items.empty()) return Program{{out}};
    }
    if (before->verb == Verb::adjust && !rest.front().is("what"))
      if (std::optional<Program> same = of_other_items(*before, said)) return same;
    if (before->verb != Verb::list && before->verb != Verb::show) return std::nullopt;
    const Clause clause = make_clause(world_, message_, said);
    if (std::optional<ScoredDoing> found = read_follow_up(world_, clause, *before)) {
      found->doing.said = std::string(message_);
      return Program{{found->doing}};
    }
    return std::nullopt;
  }

  // "sorry, I meant 5", "no wait, the freezer", "actually 8pm not 7".
  std::optional<Program> correction(std::span<const Token> rest) {
    std::size_t behind = 0;
    bool is_correction = false;
    if (!rest.empty() && rest.front().is("no"))  // "no, I meant 5"; "no, 5 of them" says no
      for (const std::string_view words : {"i meant", "i mean"})
        if (begins_with(rest.subspan(1), words, behind)) {
          is_correction = true;
          rest = rest.subspan(1 + behind);
          break;
        }
    if (const std::span<const Token> meant = without_correction(rest); meant.size() < rest.size()) {
      is_correction = true;
      rest = meant;
    }
    const bool ends_so =
        rest.size() > 2 && rest[rest.size() - 1].is("meant") && rest[rest.size() - 2].is("i");
    if (ends_so) rest = rest.first(rest.size() - 2);
    if (!rest.empty() && rest.front().is("actually") && !is_correction &&
        has_value_only(rest.subspan(1))) {
      rest = rest.subspan(1);
      is_correction = true;
    }
    const bool is_beside = !is_correction && !ends_so && says_extra_only(rest);
    if ((!is_correction && !ends_so && !is_beside) || world_.is_asked) return std::nullopt;
    const Doing* before = previous();
    if (before == nullptr || (is_beside && before->verb != Verb::add)) return std::nullopt;
    if (before->verb != Verb::generate && !changes_rows(*before)) return std::nullopt;
    return corrected(world_, message_, *before, without_joints(rest));
  }

  // "for 5 people", and nothing else.
  bool says_extra_only(std::span<const Token> tokens) const {
    const Clause clause = make_clause(world_, message_, tokens);
    return clause.extras.size() == 1 && clause.extras.front().from == 0 &&
           clause.extras.front().code.empty() &&
           std::all_of(
               tokens.begin() + static_cast<std::ptrdiff_t>(clause.extras.front().to), tokens.end(),
               [](const Token& one) { return is_filler(one) || one.kind == Token::Kind::stop; });
  }
  bool has_value_only(std::span<const Token> tokens) const {
    const Clause clause = make_clause(world_, message_, tokens);
    return !clause.moments.empty() ||
           (!tokens.empty() && tokens.front().kind == Token::Kind::number);
  }

  ReadingWorld world_;
  std::string_view message_;
  Tokens tokens_;
  std::optional<Program> previous_;
  std::string more_;          // what "more" stands for
  std::deque<Tokens> short_;  // clauses with the verb of the one before them
};

}  // namespace

Program read_message(const ReadingWorld& world, std::string_view message) {
  return MessageReader(world, message).read();
}

}  // namespace alfred::rules
