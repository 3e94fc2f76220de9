// Who makes doings of a phrase that matched (build.h): what its slots hold, and what stood beside
// it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/rules/reading/build.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {

inline bool is_question(const Clause& clause) {
  for (const Token& token : clause.tokens) {
    if (token.is("there")) return false;  // "there is …" tells
    if (!is_filler(token) && !token.is("tell") && !token.is("me")) return is_question_word(token);
  }
  return false;
}

class Builder {
 public:
  Builder(const ReadingWorld& world, const Clause& clause, const IntentMatch& found)
      : world_(world), clause_(clause), found_(found), with_(found.intent->with) {
    out_.verb = found.intent->verb;
    out_.table = found.intent->table;
    out_.intent = found.phrase;
    out_.with = with_;
    out_.how = text_of(with_, "how");
    out_.note = text_of(with_, "note");
    out_.said = clause.typed_part(0, clause.tokens.size());
    for (const auto& [name, captured] : found.match.slots)
      out_.slots.emplace_back(name, clause.typed_part(captured.from, captured.to));
  }

  std::vector<Doing> build();

 private:
  // Whether a list goes on with another order: "the butter, then show me …".
  bool holds_a_clause(std::string_view name) const;
  // Whether every {x:thing:table} is said of a row of that table whose name is known, and every
  // {x:it:table} where the last row that was about is one of it.
  bool names_known_rows() const;
  const Captured* slot(std::string_view name) const {
    const auto at = found_.match.slots.find(name);
    return at == found_.match.slots.end() ? nullptr : &at->second;
  }
  std::string said(const Captured& captured) const {
    return clause_.typed_part(captured.from, captured.to);
  }
  std::span<const Token> tokens_of(const Captured& captured) const {
    return clause_.tokens.subspan(captured.from, captured.to - captured.from);
  }
  // Words that stand for rows, or too many of them, are nobody's name.
  bool is_no_name(std::string_view said) const {
    const std::vector<Meaning>* meanings = world_.lexicon.find(said);
    const bool is_rows =
        meanings != nullptr && Span{0, 0, meanings}.find(Meaning::Kind::rows) != nullptr;
    const Tokens tokens = read_tokens(said);
    const std::vector<Span> spans = world_.lexicon.spans_in(without_articles(tokens));
    const bool is_elsewhere = std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
      const Meaning* rows = span.find(Meaning::Kind::rows);
      return rows != nullptr && span.from == 0 && !out_.table.empty() && rows->table != out_.table;
    });
    return is_rows || is_elsewhere || words_in(said).size() > 7;
  }
  const Table* table() const { return world_.schema().find(out_.table); }

  void take_rows(std::string_view name) {
    const Captured* where = slot(name);
    if (where == nullptr || where->meaning == nullptr) return;
    out_.table = where->meaning->table;
    for (const auto& [field, value] : where->meaning->where)
      out_.where.push_back({field, "=", value});
    if (!where->meaning->where.empty() || out_.verb != Verb::add) return;
    for (Cond& one : place_said(*where)) out_.where.push_back(std::move(one));
  }
  // What stands for all rows in a question may be one place where something is put.
  std::vector<Cond> place_said(const Captured& where) const {
    std::vector<Cond> out;
    const std::vector<Meaning>* meanings = world_.lexicon.find_key(phrase_key(tokens_of(where)));
    for (const Meaning& one : meanings == nullptr ? std::vector<Meaning>() : *meanings)
      if (one.kind == Meaning::Kind::value && one.table == out_.table)
        out.push_back({one.field, "=", one.value});
    return out;
  }

  // {slot} of a text as a value; a thing becomes a link.
  std::optional<FieldSet> filled(const Field& field, const Json& spec) const;

  // False when a slot that is there cannot be a value.
  bool take_set() {
    const Json* set = with_.if_contains("set");
    if (set == nullptr || !set->is_object() || table() == nullptr) return true;
    for (const auto& member : set->get_object()) {
      const Field* field = table()->find(member.key());
      if (field == nullptr) continue;
      if (std::optional<FieldSet> one = filled(*field, member.value()))
        out_.values.push_back(std::move(*one));
    }
    return true;
  }

  bool has_value(std::string_view field) const {
    return std::any_of(out_.values.begin(), out_.values.end(),
                       [&](const FieldSet& one) { return one.field == field; });
  }

  // "a|b": one of them is enough.
  bool has_one_of(std::string_view fields) const {
    while (!fields.empty()) {
      const std::size_t bar = fields.find('|');
      if (has_value(fields.substr(0, bar))) return true;
      fields = bar == std::string_view::npos ? std::string_view() : fields.substr(bar + 1);
    }
    return false;
  }

  void put(const Field* field, Json value) {
    if (field != nullptr && !has_value(field->name))
      out_.values.push_back({field->name, std::move(value), {}});
  }

  // Days, times and extras that stood beside it.
  void take_beside(const Moment* only_day);

  void take_moment(const Moment& moment);
  void put_part_of_day(const Moment& moment);
  std::optional<Instant> instant_said(const Moment& moment) const;
  void note_assumption(const Moment& moment, const Instant& when);

  void take_defaults();

  void take_questions();

  std::vector<Doing> list();

  std::span<const Token> without_day(std::span<const Token> tokens) const;

  void take_wheres();
  void take_where(const std::string& field, const Json& spec);

  // Rows of some days: those that were said, or the next `within`.
  void take_days();
  void add_range(const Field& field, const Moment& said);

  // One row, or one for each thing.
  std::vector<Doing> add();

  // False where the name of what is added is nothing but small words: "remind me to".
  bool says_something() const;
  // Fields of `set` that hold a slot, with its name.
  std::vector<std::pair<std::string, std::string>> fields_set() const;
  // Why this cannot be noted for when it was said; empty: it can.
  std::string impossible_moment() const;
  std::string over_moment() const;
  std::vector<Doing> refused(std::string why) const;

  // Whether all items are called as things the pack knows, or as rows that are in play.
  bool are_known_things() const;
  // "nothing", "none".
  bool adds_nothing() const;
  bool are_no_names() const;
  // Rows that things with an amount may be put among, where nobody said which; false: nowhere.
  bool settle_place();

  // What code can add without the pack's help: things with names, where it is clear what is meant.
  bool is_plain_add() const;

  // With `each = "day"` one for every day; else once.
  std::vector<const Moment*> days_said() const;

  std::vector<Target> targets_of(std::string_view name) const;

  std::vector<Doing> arrange();
  std::vector<Doing> made_of_rows();
  std::vector<Doing> made_of_stock();
  void take_number_to_make();

  std::vector<Doing> remove();
  // The one row about the user holds too much to go at a word, but by a phrase of the pack for it.
  std::vector<Doing> without_single(std::vector<Doing> doings) const;
  bool names_a_kind() const;
  bool names_one_row() const;
  bool names_an_order() const;
  bool says_own_word() const;
  bool are_names() const;
  std::vector<Doing> drop_made() const;

  // All targets are of one table: the one that was named, or the first's. Without any the phrase
  // may still be meant, where a table was named.
  bool settle_targets();

  bool saves_what_is_made() const;
  std::vector<Doing> save();
  // A look at the new rows that were spoken of last; where there are none, that is said.
  std::vector<Doing> saved();
  // "book 2", "both of the books": what is made is told by its place or number, not by its kind.
  std::string without_kind(std::string_view type) const;

  std::vector<Doing> set();
  std::vector<Doing> set_all();
  bool known_by_name() const {
    return std::any_of(out_.targets.begin(), out_.targets.end(),
                       [](const Target& one) { return !one.type.empty(); });
  }

  bool counts_rows() const;
  bool names_a_day() const;
  bool negate();
  std::vector<Doing> later();
  std::vector<Doing> other_time();
  void take_amounts(const Captured& items);
  const Known* whole_of_parts() const;
  void take_whole();

  // "tomorrow's pasta": a day that says which row is meant; of "tomorrow's lunch" nothing is left.
  void take_day_out(Target& target);
  // Whether nothing but values of the table is said: they narrow it.
  bool takes_values(std::span<const Token> tokens);
  void take_day_beside();
  void take_day_of(const Moment& moment);
  std::string table_by_day(std::string_view name) const;

  bool take_new_values();

  bool take_name();

  bool take_place();

  std::vector<Doing> adjust();
  std::vector<Item> used_items(std::span<const Token> tokens) const;

  std::vector<Doing> missing();

  // A member of a list in the one row about the user; several at once too.
  std::vector<Doing> prefer();
  void take_members(const Captured& what);
  // Why one of the things cannot be kept as a name: it is a sentence, or words that nobody knows
  // stand beside a name that is known; empty: all can.
  std::string no_member() const;

  std::vector<Doing> edit();
  std::vector<Doing> edit_made();
  std::vector<Doing> swap_part();
  bool is_noun(const Captured& captured) const;
  bool is_made(const std::string& what, const std::string& type) const;

  const ReadingWorld& world_;
  const Clause& clause_;
  const IntentMatch& found_;
  const JsonObject& with_;
  Doing out_;
};

}  // namespace alfred::rules
