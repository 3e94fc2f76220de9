// Who makes the calls of a write step (writes.h).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writes.h"

namespace alfred::rules {

inline constexpr std::size_t kMostNamed = 5;

class Writer {
 public:
  Writer(const Book& book, const Facts& facts, const Program& program, std::size_t step)
      : book_(book), facts_(facts), program_(program) {
    const std::vector<StepRole> roles = steps_of(book, program);
    at_ = step < roles.size() ? roles[step].doing : 0;
    doing_ = at_ < program.doings.size() ? &program.doings[at_] : nullptr;
    if (doing_ != nullptr) table_ = book.lexicon.schema().find(doing_->table);
    if (step < facts.steps.size()) {
      said_ = answer_ = facts.steps[step].answer;
      made_ = facts.steps[step].calls;
    }
  }

  WritePlan plan();

 private:
  std::vector<const JsonObject*> rows(Role role) const {
    return rows_read(book_, facts_, program_, role, at_);
  }
  std::string own_ref(const JsonObject& row) const { return ref_of(book_, table_->name, row); }
  void call(std::string tool, JsonObject params) {
    out_.calls.push_back({std::move(tool), std::move(params)});
  }
  void say(const std::string& line) { out_.say += (out_.say.empty() ? "" : "\n") + line; }
  // What the calls write, for people: what rows without a name hold, and what of others is new.
  void tell_values();
  std::string told(const WriteCall& call) const;
  std::string told_gone(const JsonObject& params) const;
  // When a new row will be told of by itself; empty: never.
  std::string told_timer(std::string_view table, const JsonObject& row) const;
  // What a call saved, where its rows have no name: one line a row.
  std::string saved_rows(const CallFact& made) const;
  // The row with the names of what its links lead to, as far as they are known.
  JsonObject with_names(const Table& table, JsonObject row) const;
  const JsonObject* row_of_ref(const JsonObject& params) const;
  std::string known_label(const JsonObject& params) const;
  std::string rows_name() const { return name_of_rows(book_, doing_->table); }

  std::string names(const std::vector<const JsonObject*>& rows, std::string_view table,
                    std::string_view joint = " or ") const;

  // A yes, or one that goes on: "yes, replace it with the soup". "What do you mean" is none.
  bool says_yes() const;
  bool says_no() const {
    return !is_read_as(Verb::accept) &&
           (is_read_as(Verb::reject) ||
            says({"no", "not", "leave", "keep", "neither", "never", "cancel", "stop"}));
  }
  // Whether it was answered with a yes or a no; what says neither leaves the question open.
  bool is_decided() const { return !answer_.empty() && (says_yes() || says_no()); }
  void ask(const std::string& question) {
    out_.question = (answer_.empty() ? "" : "I did not understand that. ") + question;
  }
  // Whether the answer is nothing but a yes, or a no.
  bool is_read_as(Verb verb) const;
  // Whether it is an order to change something in another way.
  bool is_another_order() const;
  bool says(std::initializer_list<std::string_view> words) const {
    for (const Token& token : read_tokens(answer_))
      for (const std::string_view word : words)
        if (token.is(word)) return true;
    return false;
  }

  // Whether the answer has no other words: "rename it" is no yes to "delete it?".
  bool says_only(std::initializer_list<std::string_view> words) const {
    bool is_any = false;
    for (const Token& token : read_tokens(answer_)) {
      if (token.kind == Token::Kind::stop) continue;
      is_any = true;
      if (std::none_of(words.begin(), words.end(),
                       [&](std::string_view word) { return token.is(word); }))
        return false;
    }
    return is_any;
  }

  // Those of the rows that the target means. Words that point were resolved when the rows were
  // read: an answer later they lead elsewhere.
  std::vector<const JsonObject*> meant(std::string_view table, const Target& target,
                                       const std::vector<const JsonObject*>& rows) const;
  bool was_read_by_refs(std::string_view table) const;

  // The one row that is meant; null when that is to be asked or said.
  const JsonObject* one_of(const std::vector<const JsonObject*>& meant, const std::string& said,
                           std::string_view table);

  // Those of several that an answer picked, by place or name: the last one, or one before it where
  // that was said to another question. Empty: none did.
  std::vector<const JsonObject*> picked_of(const std::vector<const JsonObject*>& meant,
                                           std::string_view table);

  // The values to write, links as refs; nothing when one is not clear.
  std::optional<JsonObject> values();

  // A row for a link that leads to nothing yet, made by a call of its own before the one that needs
  // it.
  std::optional<std::string> make_link(const std::string& to, const std::string& said);

  JsonObject with_defaults(JsonObject row) const;

  JsonObject row_of(const Item& item, const JsonObject& values) const;

  void warn();
  void add();
  bool rows_are_read(Role role) const;

  // The row that more of this adds to, with all that was said of it; null: none.
  const JsonObject* same_row(const Item& item, const JsonObject& fields) const;
  // How a row that is there, elsewhere, calls the same thing; empty: none.
  std::string known_name(const Item& item) const;
  // Marked as no longer wanted: what a list leaves out.
  bool is_done(const JsonObject& row) const;

  void grow(const JsonObject& row, const Item& item);
  static double rounded(double value) { return std::round(value * 1e6) / 1e6; }

  void update(const JsonObject& row, JsonObject data);
  // An amount that was made of the one that was read: only a row that still has that one changes.
  void update_amount(const JsonObject& row, double amount);

  // What stands where the new row would: replaced after a yes, or in its way where the pack says
  // so.
  bool taken_slot();
  // What a row becomes that is replaced: nothing that was said of the old one stays.
  JsonObject replaced(const JsonObject& row, JsonObject fields) const;
  const JsonObject* row_in_slot(const JsonObject& fields) const;  // null: nobody
  // Which place that is: "tomorrow (2026-03-03), dinner".
  std::string slot_text(const JsonObject& row, const std::vector<std::string>& slot) const;
  static std::string what_of(const JsonObject& row, const char* otherwise = "something");
  // Whether the row leads to what the new one would.
  bool is_linked_so(const JsonObject& row) const;
  std::string linked_name() const;  // of what the new row leads to
  // Whether a row would come to stand where another one does: that one goes after a yes.
  bool moves_onto(const JsonObject& fields);

  // Whether it was picked of those that a question named.
  bool is_listed(const Target& target) const {
    return facts_.resumed &&
           std::find(facts_.resumed->candidates.begin(), facts_.resumed->candidates.end(),
                     target.said) != facts_.resumed->candidates.end();
  }
  // The rows of all targets, each clear; empty when something is asked or said.
  std::vector<const JsonObject*> targets();

  bool is_other_thing(const std::string& said, const JsonObject& row) const;
  // What the rows were narrowed to: " for friday (2026-03-06), early"; empty: not at all.
  std::string narrowed_text() const;

  std::vector<std::string> pointed_refs() const;
  bool is_pointed() const { return !rows_are_read(Role::read_targets); }

  JsonObject filter_in(const std::vector<std::string>& refs) const;

  // The refs to change or remove, whichever way they are known.
  std::vector<std::string> chosen_refs();

  void set();
  // One part of a row for another, with the texts that name it. What always holds is kept to.
  void swap_part();
  void leave_part(const std::string& parts, const JsonArray& before, const JsonArray& after,
                  const std::string& label);
  static bool has_values(const JsonObject& row, const JsonObject& values);
  bool is_so_already(const std::vector<std::string>& refs, const JsonObject& fields) const;
  // Every row's own day, so much later.
  void move_later();
  // Another day at the same time.
  void move_day(const JsonObject& fields);
  // The same day at another time.
  void move_time();

  void remove();

  // Whether a target is a ref that somebody typed.
  bool is_typed_ref() const;
  std::string labels(const std::vector<std::string>& refs) const;

  // Rows to come that lead to those that go, and stay.
  void tell_leading(const std::vector<std::string>& refs);
  // What nobody was shown yet goes only after a yes.
  bool is_agreed(const std::vector<std::string>& refs);

  void adjust();
  // Of rows with like names, those that are counted as the amount is: cans of tomatoes.
  std::vector<const JsonObject*> counted_so(std::vector<const JsonObject*> meant,
                                            const Target& target, const Item& item,
                                            const std::vector<const JsonObject*>& read) const;
  void add_new(const Item& item);

  void adjust_row(const JsonObject& row, const Item& item);
  bool is_agreed_to_use_up(const JsonObject& row, const Item& item);
  void delete_row(const JsonObject& row) { call("db_delete", filter_in({own_ref(row)})); }

  void save();
  std::vector<std::string> pointed_or_named() const;

  // Into or out of a list in the one row about the user.
  void prefer();

  Json changed_list(const Json* had) const;

  void add_missing();

  const Book& book_;
  const Facts& facts_;
  const Program& program_;
  const JsonObject* linked_ = nullptr;  // the row that the new one leads to
  std::size_t at_ = 0;
  const Doing* doing_ = nullptr;
  const Table* table_ = nullptr;
  std::string said_;        // to its last question
  std::string answer_;      // the same, where it picked nobody
  bool is_picked_ = false;  // who is meant was picked by an answer
  std::vector<CallFact> made_;
  WritePlan out_;
  std::string trouble_;
};

}  // namespace alfred::rules
