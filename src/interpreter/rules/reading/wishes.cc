#include "interpreter/rules/reading/wishes.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "interpreter/rules/reading/diets.h"
#include "interpreter/rules/reading/focus_things.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/wish_words.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

class WishReader {
 public:
  WishReader(const ReadingWorld& world, const Clause& clause, bool is_going_on)
      : world_(world),
        clause_(clause),
        is_going_on_(is_going_on),
        rules_(world.pack().rules.wishes),
        type_(text_of(rules_, "type")),
        making_(texts_of(rules_, "making")),
        beside_(texts_of(rules_, "beside")),
        eaters_(texts_of(rules_, "eaters")) {}

  std::optional<ScoredDoing> read() {
    if (type_.empty()) return std::nullopt;
    for (std::size_t at = 0; at < clause_.tokens.size();) at = take(at);
    settle_replaced();
    return decide();
  }

 private:
  const Token& token(std::size_t at) const { return clause_.tokens[at]; }
  bool is(std::size_t at, std::string_view word) const {
    return at < clause_.tokens.size() && token(at).is(word);
  }

  static bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  bool is_making(const Token& one) const {
    return is_among(kMakingWords, one.text) || has(making_, one.text);
  }
  bool is_beside(const Token& one) const { return has(beside_, one.text); }

  std::size_t take(std::size_t at) {
    const Token& one = token(at);
    if (one.kind == Token::Kind::stop) {
      is_not_ = false;
      is_side_ = false;
      return at + 1;
    }
    if (const Extra* extra = clause_.extra_at(at)) return take_extra(*extra);
    if (const Moment* moment = clause_.moment_at(at);
        moment != nullptr && moment->kind != Moment::Kind::time)
      return moment->to;
    if (const std::size_t behind = take_pointed(at)) return behind;
    if (const std::size_t behind = take_diet(at)) return behind;
    if (const std::size_t behind = take_shape(at)) return behind;
    const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, at);
    if (span && span->to > at + 1 && span->find(Meaning::Kind::value) != nullptr)
      if (const std::size_t behind = take_span(*span)) return behind;  // "no-cook" is no "no"
    note_words(at);
    if (const std::size_t behind = take_words(at)) return behind;
    if (span)
      if (const std::size_t behind = take_span(*span)) return behind;
    if (one.kind == Token::Kind::number) {
      if (const std::size_t behind = take_number_of_parts(at)) return behind;
      if (!has_count_)
        set_count(one.number);
      else
        unread_.push_back(one.text);
      return at + 1;
    }
    if (!is_filler(one) && !is_among(kIdleInWishes, one.text) && !is_making(one) &&
        !is_beside(one) && !is_among(kWantingWords, one.text) && !has(eaters_, one.stem) &&
        !(has_eater_ && (is_among(kBearingWords, one.stem) || one.is("does"))))
      unread_.push_back(one.text);
    return at + 1;
  }

  // "with 3 parts": how many parts it has is nothing that is kept to; 0: something else.
  std::size_t take_number_of_parts(std::size_t at) {
    const std::string next = at + 1 < clause_.tokens.size() ? token(at + 1).stem : "";
    if (next.empty() ||
        (next != stem_of(text_of(rules_, "parts")) && next != stem_of(text_of(rules_, "steps"))))
      return 0;
    unread_.push_back(clause_.typed_part(at, at + 2));
    return at + 2;
  }

  // Out of what is allowed stays so, and is refused (bounds.h).
  void set_count(double said) {
    has_count_ = true;
    count_ = static_cast<int>(std::clamp(said, -1.0, 1000.0));
  }

  // What is not to be in it, by a word for that; 0: something else is said.
  std::size_t take_diet(std::size_t at) {
    if (is_not_ || is_replaced_) return 0;
    const std::optional<Diet> diet = diet_at(world_, clause_.tokens, at);
    if (!diet) return 0;
    const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, at);
    const bool is_thing = span && span->to > diet->to && span->find(Meaning::Kind::noun) != nullptr;
    // Behind "with" it is said of a part ("vegan butter"), before the type of the whole thing.
    if (is_thing && !is_named_here(at)) return 0;
    if (!diet->unkept.empty()) unkept_.push_back(diet->unkept);
    if (!diet->wish.type.empty()) add(diet->wish);
    return is_thing ? std::max(take_span(*span), diet->to) : diet->to;
  }

  void note_words(std::size_t at) {
    const Token& one = token(at);
    const bool is_wish = at > 1 && is(at - 1, "to") && is_among(kWantingWords, token(at - 2).text);
    if (is_wish && is_making(one)) wants_to_make_ = is_wanting_ = true;
    if (one.is("ones")) has_type_ = is_plural_ = true;
    if (is_wanting_ && one.is("something")) has_type_ = true;
    if (at < 5 && !is_wish && is_making(one) && !(one.is("think") && !is(at + 1, "of")) &&
        !(one.is("come") && !is(at + 1, "up")))
      is_making_ = true;
    if (one.is("want") || one.is("fancy") || one.is("craving") ||
        (one.is("like") && at > 0 && is(at - 1, "would")))
      is_wanting_ = true;
    if (one.is("new") || one.is("another") || one.is("more")) is_new_ = true;
    if (one.is("a") || one.is("an") || one.is("another")) has_article_ = true;
    if (one.is("actually") || one.is("rather")) is_change_ = true;
    if (one.is("but")) is_but_ = true;
    if (is_beside(one)) is_side_ = true;
    has_eater_ = has_eater_ || has(eaters_, one.stem);
    is_liked_ = is_liked_ || (has_eater_ && is_among(kLikingWords, one.stem) && !is_not_ &&
                              !(at > 0 && is(at - 1, "would")));
    if (one.is("it") || one.is("them")) points_ = true;
  }

  // "with it", "using those": the things that were spoken of last; 0: something else is said.
  std::size_t take_pointed(std::size_t at) {
    const bool is_with = is(at, "with") || is(at, "using") || is(at, "from") || is(at, "use");
    const bool is_one = is(at + 1, "it") || is(at + 1, "that") || is(at + 1, "this");
    const bool is_many = is(at + 1, "them") || is(at + 1, "those") || is(at + 1, "these");
    const bool is_last = at + 2 >= clause_.tokens.size() || is_filler(token(at + 2));
    if (!is_with || (!is_one && !is_many) || !is_last) return 0;
    const std::vector<std::string> things = things_in_focus(world_);
    if (things.empty() || (is_one && things.size() > 1)) return 0;
    for (const std::string& thing : things) {
      add(noun_wish(world_, thing, false, false));
      nouns_.push_back(thing);
    }
    has_focus_ = true;
    return at + 2;
  }

  // R5: what is named behind a word for making or wanting, and before anything is said of it.
  bool is_named_here(std::size_t at) const {
    while (at > 0) {
      const Token& before = token(--at);
      if (is_among(kBehindNames, before.text)) return is_needed(at + 1);
      if (is_making(before) || is_among(kWantingWords, before.text)) return true;
    }
    return world_.has_goal || world_.has_generated() || counts_first();
  }
  // "I need a quick stew"; "we need soup" and "I need a soup spoon" are for who goes shopping.
  bool is_needed(std::size_t at) const {
    for (; at > 0; --at)
      if (is(at - 1, "need")) return is(at, "a") || is(at, "an");
    return false;
  }
  bool ends_name(std::size_t at) const {
    return at >= clause_.tokens.size() || token(at).kind == Token::Kind::stop ||
           is_filler(token(at)) || is_among(kBehindNames, token(at).text);
  }
  // "a soup please", "two soups": the clause begins with how many.
  bool counts_first() const {
    const Token& first = token(0);
    return first.kind == Token::Kind::number || first.is("a") || first.is("an");
  }

  // "a soup", "2 thai curries"; 0: no such thing, or another is meant ("soup" in "soup spoon").
  std::size_t take_shape(std::size_t at) {
    const std::string type = text_of(rules_, "shape");
    const auto [word, behind] = shape_at(world_, type_, clause_.tokens, at);
    if (word == nullptr || type.empty() || is_not_ || is_side_ || !is_named_here(at)) return 0;
    if (is_needed(at) && !ends_name(behind)) return 0;
    if (behind < clause_.tokens.size() &&
        shape_at(world_, type_, clause_.tokens, behind).first != nullptr)
      return 0;
    // One thing is no second thing: what is left out is told.
    if (has_shape_) {
      unread_.push_back(*word);
      return behind;
    }
    has_type_ = has_shape_ = true;
    is_plural_ = is_plural_ || token(behind - 1).text != token(behind - 1).stem;
    add({type, "", Json(*word), 1.0});
    return behind;
  }

  // "not", "leave out", "instead of"; 0: none of these.
  std::size_t take_words(std::size_t at) {
    if (is(at, "instead") && is(at + 1, "of")) {
      is_replaced_ = true;
      return at + 2;
    }
    if (is(at, "instead")) {
      is_change_ = true;
      return at + 1;
    }
    if (is(at, "free") && (is(at + 1, "of") || is(at + 1, "from"))) {
      is_not_ = true;
      return at + 2;
    }
    if (is(at, "leave") && is(at + 1, "out")) {
      is_not_ = true;
      return at + 2;
    }
    if (is_among(kNotWords, token(at).text) ||
        (has_eater_ && is_among(kHatingWords, token(at).stem))) {
      is_not_ = true;
      // "do not add meat": what is done with it says nothing more
      const bool is_put = is(at, "not") && (is(at + 1, "add") || is(at + 1, "put"));
      return at + (is_put ? 2 : 1);
    }
    // "from now on", "for now": it holds for more than one order.
    if ((is(at, "from") && is(at + 1, "now") && is(at + 2, "on")) ||
        (is(at, "for") && is(at + 1, "now"))) {
      is_standing_ = true;
      return at + (is(at, "for") ? 2 : 3);
    }
    return 0;
  }

  std::size_t take_extra(const Extra& extra) {
    if (!extra.code.empty()) return extra.to;
    const auto is_type = [&](const ConstraintType& one) { return one.name == extra.name; };
    const auto& types = world_.pack().constraint_types;
    if (std::any_of(types.begin(), types.end(), is_type)) {
      terms_.push_back({extra.name, "", Json(static_cast<std::int64_t>(extra.number)), 1.0});
      is_not_ = false;
    }
    return extra.to;
  }

  std::size_t take_span(const Span& span) {
    const std::string table = world_.table_of(type_);
    for (const Meaning& one : *span.meanings)
      if (one.kind == Meaning::Kind::value && one.table == table)
        if (std::optional<Constraint> wish = tag_wish(one)) {
          add(std::move(*wish));
          return span.to;
        }
    if (const Meaning* rows = span.find(Meaning::Kind::rows);
        rows != nullptr && rows->table == table) {
      has_type_ = true;
      is_plural_ = is_plural_ || token(span.to - 1).text != token(span.to - 1).stem;
      return span.to;
    }
    if (const Meaning* rows = span.find(Meaning::Kind::rows); rows != nullptr && is_making_)
      if (is_filled_with(world_, rows->table, table)) {
        is_filled_ = true;
        return span.to;
      }
    if (span.find(Meaning::Kind::noun) == nullptr) return 0;
    std::string noun;
    for (std::size_t at = span.from; at < span.to; ++at)
      noun += (noun.empty() ? "" : " ") + token(at).stem;
    const bool is_denied = is_not_;
    add(noun_wish(world_, noun, is_not_, is_side_));
    nouns_.push_back(noun);
    return is_denied ? take_denied(span.to) : span.to;
  }

  // "without onions, garlic or leek": all of the list; where it ends.
  std::size_t take_denied(std::size_t at) {
    std::vector<std::string> more;
    bool is_joined = false;
    std::size_t behind = at;
    for (std::size_t i = at; i < clause_.tokens.size();) {
      const bool is_joint = is(i, "and") || is(i, "or") || is(i, "nor");
      is_joined = is_joined || is_joint;
      const std::optional<Span> span = world_.lexicon.span_at(clause_.tokens, i);
      const bool is_noun = span && i > at && span->find(Meaning::Kind::noun) != nullptr &&
                           span->find(Meaning::Kind::rows) == nullptr;
      if (is_noun) {
        more.push_back(phrase_key(clause_.tokens.subspan(i, span->to - i)));
        behind = i = span->to;
      } else if (is_joint || token(i).text == "," || is(i, "any") || is(i, "no")) {
        ++i;
      } else {
        break;
      }
    }
    const bool is_beside_it =
        is(behind, "on") || (behind < clause_.tokens.size() && is_beside(token(behind)));
    if (more.empty() || is_beside_it || (!is_joined && behind < clause_.tokens.size())) return at;
    for (const std::string& noun : more) {
      add(noun_wish(world_, noun, true, false));
      nouns_.push_back(noun);
    }
    return behind;
  }

  std::optional<Constraint> tag_wish(const Meaning& value) const {
    const Json* tags = rules_.if_contains("tags");
    const Json* type = tags != nullptr && tags->is_object()
                           ? tags->get_object().if_contains(value.field)
                           : nullptr;
    if (type == nullptr || !type->is_string() || !value.value.is_string()) return std::nullopt;
    std::string name(type->get_string());
    const std::string said(value.value.get_string());
    for (const ConstraintType& one : world_.pack().constraint_types)
      if (one.check.stands_for.contains(said)) name = one.name;
    std::string field;
    if (const Json* fields = rules_.if_contains("fields"); fields != nullptr && fields->is_object())
      for (const auto& member : fields->get_object())
        if (member.value().is_array())
          for (const Json& listed : member.value().get_array())
            if (listed == value.value) field = std::string(member.key());
    return Constraint{name, field, Json((is_not_ ? "not_" : "") + said), 1.0};
  }

  void add(Constraint wish) {
    is_denied_ = is_denied_ || is_not_;
    if (is_replaced_)
      replaced_.push_back(std::move(wish));
    else
      terms_.push_back(std::move(wish));
    is_replaced_ = false;
    is_not_ = false;
  }

  // "salmon instead of cod": of the field that the cod was in.
  void settle_replaced() {
    for (const Constraint& gone : replaced_)
      for (Constraint& one : terms_)
        if (one.type == gone.type) {
          one.field = gone.field;
          is_change_ = true;
        }
  }

  std::optional<ScoredDoing> decide() {
    Doing out;
    out.table = world_.table_of(type_);
    out.said = clause_.typed_part(0, clause_.tokens.size());
    const bool is_open = world_.has_goal || world_.has_generated();
    has_type_ = has_type_ || (is_filled_ && !terms_.empty() && clause_.moments.empty());
    // "I want to make 3 …" is to be done now; without a number more may be said first.
    is_making_ = is_making_ || (wants_to_make_ && count_ > 0);
    const bool only_number =
        count_ > 0 && terms_.empty() && unread_.empty() && is_making_ && is_open;
    const bool asks_for_one = is_new_ && has_type_ && (has_article_ || !is_plural_) && !is_making_;
    const bool asks_for_many = begins_with_number() && has_type_ && !terms_.empty();
    const bool asks_by_shape = has_shape_ && counts_first() && unread_.empty() && !world_.is_asked;
    const bool goes_on = is_going_on_ && !terms_.empty() && unread_.empty();
    const bool makes = (is_making_ && (has_type_ || has_focus_ || (is_new_ && !points_))) ||
                       only_number || asks_for_one || asks_for_many || asks_by_shape || goes_on ||
                       (is_making_ && !points_ && !nouns_.empty() && is_change_ && is_open) ||
                       (is_new_ && count_ > 0 && is_open && !is_wanting_ && unread_.empty());
    if (unread_.size() > 2) return std::nullopt;
    put_wishes(out);
    out.unread = unread_;
    if (makes && !(points_ && !has_type_)) {
      out.verb = Verb::generate;
      out.refusal = unkept_text(unkept_);
      out.count = !has_count_ ? (is_plural_ && !has_article_ ? 2 : 1) : count_;
      out.intent = "to make a " + type_;
      return ScoredDoing{out, 28 + 6 * static_cast<int>(terms_.size()) + (has_type_ ? 8 : 0),
                         has_type_};
    }
    if (terms_.empty()) return std::nullopt;
    if (is_asked_for() || (is_liked_ && !is_denied_)) return std::nullopt;
    const bool is_wish =
        (is_wanting_ && (has_type_ || wants_to_make_ || is_negated())) || has_eater_ ||
        ((is_open || is_standing_ || is_kept_out()) && unread_.empty() && !has_type_);
    if (!is_wish) return std::nullopt;
    if (count_ > 0 && !is_wanting_) return std::nullopt;
    out.verb = Verb::wish;
    out.intent = "what is wanted of a " + type_;
    return ScoredDoing{out, 16 + 6 * static_cast<int>(terms_.size()) + (is_wanting_ ? 8 : 0),
                       has_type_};
  }

  // "do I have honey": a question, and no wish.
  bool is_asked_for() const {
    for (std::size_t at = 0; at < clause_.tokens.size(); ++at)
      if (!is_filler(token(at))) return begins_question(token(at)) && !is(at + 1, "not");
    return false;
  }

  // "3 with a map", "give me 3 with a map".
  bool begins_with_number() const {
    for (const Token& one : clause_.tokens) {
      const bool is_giving = one.is("give") || one.is("get") || one.is("me") || one.is("us");
      if (!is_filler(one) && !is_giving) return one.kind == Token::Kind::number;
    }
    return false;
  }

  // "no onions please": nothing is asked for, and something is to be left out.
  bool is_kept_out() const {
    constexpr std::array<std::string_view, 8> kTelling{"have", "has", "got",   "left",
                                                       "is",   "are", "there", "was"};
    for (const Token& one : clause_.tokens)  // "we have no milk" tells what there is
      if (is_among(kTelling, one.text)) return false;
    const std::string required = text_of(rules_, "required");
    return is_denied_ && std::none_of(terms_.begin(), terms_.end(), [&](const Constraint& one) {
             return one.type == required || one.type == text_of(rules_, "shape");
           });
  }

  bool is_negated() const {
    const std::string excluded = text_of(rules_, "excluded");
    return std::any_of(terms_.begin(), terms_.end(),
                       [&](const Constraint& one) { return one.type == excluded; });
  }

  void put_wishes(Doing& out) const {
    for (Constraint one : terms_) {
      if (is_change_ && is_main(one)) one.field = text_of(rules_, "main_field");
      (is_change_ || is_but_ ? out.overrides : out.wishes).push_back(std::move(one));
    }
  }

  // "actually with beef": in the place of what was the main part, also by the name of a category.
  bool is_main(const Constraint& one) const {
    const std::vector<std::string> main = texts_of(rules_, "main");
    return one.type == text_of(rules_, "required") && one.field == text_of(rules_, "other") &&
           one.value.is_string() &&
           std::find(main.begin(), main.end(), std::string(one.value.get_string())) != main.end();
  }

  const ReadingWorld& world_;
  const Clause& clause_;
  const bool is_going_on_;
  const JsonObject& rules_;
  std::string type_;
  std::vector<std::string> making_;  // the pack's words for making things
  std::vector<std::string> beside_;  // its words for what goes with them
  std::vector<std::string> eaters_;  // and for whom they are made
  std::vector<Constraint> terms_;
  std::vector<Constraint> replaced_;
  std::vector<std::string> nouns_;
  std::vector<std::string> unread_;
  std::vector<std::string> unkept_;  // what is to be kept to and nobody can check
  int count_ = 0;
  bool has_count_ = false;
  bool is_making_ = false;
  bool is_wanting_ = false;
  bool wants_to_make_ = false;
  bool is_new_ = false;
  bool has_article_ = false;
  bool is_change_ = false;
  bool is_but_ = false;
  bool is_side_ = false;
  bool is_not_ = false;
  bool is_replaced_ = false;
  bool is_denied_ = false;    // something is to be left out
  bool is_standing_ = false;  // from now on
  bool has_type_ = false;
  bool has_shape_ = false;
  bool is_plural_ = false;
  bool points_ = false;
  bool has_focus_ = false;
  bool has_eater_ = false;
  bool is_liked_ = false;   // what others like is no wish for it
  bool is_filled_ = false;  // rows that such things are put into were named: "a vegan meal"
};

}  // namespace

std::optional<ScoredDoing> read_wishes(const ReadingWorld& world, const Clause& clause,
                                       bool is_going_on) {
  return WishReader(world, clause, is_going_on).read();
}

}  // namespace alfred::rules
