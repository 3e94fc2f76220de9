// What the user is told: from the rows that were read and from what the ledger says, never more.
#include <algorithm>
#include <array>

#include "contracts/wake_up.h"
#include "interpreter/rules/doing/answers.h"
#include "interpreter/rules/doing/ledger_text.h"
#include "interpreter/rules/doing/listed_parts.h"
#include "interpreter/rules/doing/not_there.h"
#include "interpreter/rules/doing/parts.h"
#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/sifted_rows.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/undone_text.h"
#include "interpreter/rules/doing/whether.h"
#include "interpreter/rules/doing/writes.h"
#include "interpreter/rules/making/make.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {
namespace {

constexpr std::size_t kMostLines = 100;
constexpr std::size_t kMostExamples = 4;

class Teller {
 public:
  Teller(const Book& book, const Facts& facts)
      : book_(book),
        facts_(facts),
        rules_(book.lexicon.pack().rules),
        turn_(program_of(book, facts)) {}

  std::string tell() {
    if (is_wake_up(facts_.message)) return woken();
    if (!facts_.question.empty() || !facts_.choices.empty()) return asked();
    for (std::size_t i = 0; i < turn_.program.doings.size(); ++i) doing(i);
    if (!facts_.status.empty() && !is_undone()) add(ledger_text(facts_));
    add(dropped());
    if (out_.empty()) out_ = "Nothing was changed.";
    return out_;
  }

 private:
  void add(const std::string& text) {
    if (text.empty()) return;
    out_ += (out_.empty() ? "" : "\n\n") + text;
    while (out_.ends_with('\n')) out_.pop_back();
  }

  // What came in by itself. A question that waits is asked again, since it waits on.
  std::string woken() const {
    std::string out;
    for (const WakeEntry& entry : read_wake_up(facts_.message))
      out += (out.empty() ? "" : "\n") + (entry.kind == "timer"
                                              ? "Reminder (" + entry.when + "): " + entry.text
                                              : "Came in (" + entry.when + "): " + entry.text);
    if (out.empty()) out = "Something came in that is dealt with already.";
    if (facts_.question.empty() && facts_.choices.empty()) return out;
    return out + "\n\n" + asked();
  }

  // A question goes with what was done before it. What is to be known is asked in its own words.
  std::string asked() const {
    std::string question;
    const bool is_choice = facts_.question.starts_with("Which ");
    if (is_choice || facts_.choices.empty()) question = in_words(book_, facts_.question);
    const std::size_t most = is_choice ? kMostChoices : facts_.choices.size();
    for (std::size_t i = 0; i < facts_.choices.size() && i < most; ++i)
      question +=
          std::string(question.empty() ? "" : "\n") + (is_choice ? "- " : "") + facts_.choices[i];
    if (facts_.choices.size() > most)
      question += "\n… and " + std::to_string(facts_.choices.size() - most) +
                  " more. Say which by its name, such as “" + facts_.choices.back() + "”.";
    const std::string before = dropped();
    if (!before.empty()) question = before + "\n\n" + question;
    return facts_.status.empty() ? question : ledger_text(facts_) + "\n\n" + question;
  }

  // What was asked before and got no answer.
  std::string dropped() const {
    if (!turn_.is_other || !facts_.resumed) return "";
    std::string question = facts_.resumed->type == "clarify"
                               ? std::string()
                               : in_words(book_, facts_.resumed->context);
    for (const std::string& one : facts_.resumed->candidates)
      question += (question.empty() ? "" : question.ends_with('?') ? " " : ", ") + one;
    return "I dropped what I had asked before: “" + question + "”";
  }

  std::string said_by_steps(std::size_t doing) const {
    std::string out;
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing && !facts_.steps[i].say.empty())
        out += (out.empty() ? "" : "\n") + facts_.steps[i].say;
    return out;
  }

  std::vector<const JsonObject*> rows(Role role, std::size_t doing) const {
    return rows_read(book_, facts_, turn_.program, role, doing);
  }

  void doing(std::size_t i) {
    const Doing& one = turn_.program.doings[i];
    switch (one.verb) {
      case Verb::list:
      case Verb::show:
        add(not_there(book_, one, rows(Role::read_rows, i)));
        add(listed(i, one));
        return add(unread(one));
      case Verb::missing: return add(one.how == "add" ? said_by_steps(i) : missing(i, one));
      case Verb::makeable: return add(makeable(i));
      case Verb::generate:
      case Verb::edit:
        if (!is_done(i)) return;
        if (!is_saved_at_once(i)) add(made());
        add(kept_to(one));
        add(unread(one));
        return add(said_by_steps(i));
      case Verb::wish:  // all that is wanted, told once
        return i + 1 < turn_.program.doings.size() && turn_.program.doings[i + 1].verb == Verb::wish
                   ? void()
                   : add(wished() + (one.unread.empty() ? "" : "\n\n" + unread(one)));
      case Verb::forget:
        return add(one.targets.empty() ? "Okay, forgotten." : "Okay. " + unsaved());
      case Verb::added: return add(last_change_text(book_, facts_));
      case Verb::unsaved: return add(unsaved());
      case Verb::saved: return add("Nothing was saved lately. Say “save it”, or which one.");
      case Verb::undo:
        return add(facts_.status.empty() ? "There is nothing to undo."
                   : is_done(i)          ? undone_text(facts_)
                                         : "I could not take it back.");
      case Verb::reject:
        return add(facts_.resumed
                       ? "Okay, I left it as it is."
                       : "There is no question open. “undo” takes the last change back.");
      case Verb::accept:
        if (!facts_.status.empty()) return;  // it was taken as an order
        if (!facts_.artifacts.empty()) return add(unsaved() + "Say “save them all”, or which one.");
        [[fallthrough]];
      case Verb::idle: return add("I am here. " + examples(2));
      case Verb::greet: return add(greeting());
      case Verb::thank: return add("You are welcome.");
      case Verb::help: return add(help());
      case Verb::leave: return add("Goodbye. “/quit” leaves, and so does Ctrl-D.");
      case Verb::unknown:
        if (!one.refusal.empty()) return add(one.refusal + " Nothing was changed.");
        return add(facts_.status.empty() ? not_understood() : "");
      default:
        if (!one.note.empty() && is_done(i) && (one.verb != Verb::set || is_written(i)))
          add(one.note);
        return add(said_by_steps(i));
    }
  }

  // Whether all that was done is an undo, which tells of itself.
  bool is_undone() const { return turn_.program.only(Verb::undo) && is_done(0); }

  // Whether every step of it came to its end.
  bool is_done(std::size_t doing) const {
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing && facts_.steps[i].status != "complete") return false;
    return true;
  }

  // Whether something of it was called to be written.
  bool is_written(std::size_t doing) const {
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing && roles[i].role == Role::write && !facts_.steps[i].calls.empty())
        return true;
    return false;
  }

  // Words of a wish that nobody knows: what is made has nothing to do with them.
  static std::string unread(const Doing& doing) {
    std::string out;
    for (const std::string& word : doing.unread)
      out +=
          (out.empty() ? "I do not know what this means here, and left it out: “" : "”, “") + word;
    return out.empty() ? "" : out + "”.";
  }

  // "without dairy": by what the pack checks where things are made.
  bool lacks_all(const Doing& doing, const JsonObject& row) const {
    return std::all_of(doing.lacks.begin(), doing.lacks.end(), [&](const std::string& one) {
      return holds(book_, row, {text_of(rules_.wishes, "excluded"), "", Json(one), 1.0});
    });
  }

  std::string where_text(const Doing& doing) const {
    std::string out = doing.search;
    for (const std::string& one : doing.lacks)
      out += (out.empty() ? "without " : ", without ") + one;
    for (const Cond& one : doing.where)
      if (one.value.is_string() && one.op != ">=" && one.op != "<=" && one.op != "<")
        out += (out.empty() ? "" : ", ") + std::string(one.value.get_string());
    return out;
  }

  // What a list goes on with: the rows behind those that were told before.
  std::string listed(std::size_t i, const Doing& doing) const {
    std::vector<const JsonObject*> found = rows(Role::read_rows, i);
    if (doing.how == "more") {
      const std::size_t first = facts_.kept.contains("list") ? 0 : first_page(i);
      if (first >= found.size() && is_done(i))
        return "That was all of them: " +
               number_text(number_of(facts_.kept, "told", static_cast<double>(found.size()))) +
               " " + name_of_rows(book_, doing.table) + ".";
      found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(first));
    }
    const bool is_pointing = !doing.targets.empty() && doing.targets.front().is_pointing;
    const bool is_named = !doing.search.empty() && !is_pointing && !has_name(book_, doing.table);
    if (is_named) found = rows_named(book_, doing.table, doing.search, found);
    std::erase_if(found, [&](const JsonObject* row) {
      return !holds_also(doing, *row) || !lacks_all(doing, *row);
    });
    keep_first(doing, found);
    const bool is_sifted = is_named || !doing.also.empty() || !doing.lacks.empty() ||
                           doing.order.find('+') != std::string::npos;
    const std::string name = name_of_rows(book_, doing.table);
    const std::string narrowed = where_text(doing);
    if (found.empty() && !is_done(i)) return "";  // nobody looked; the ledger says why
    constexpr std::array<std::string_view, 5> kPronouns{"it", "that", "them", "those", "these"};
    if (found.empty() && is_among(kPronouns, doing.search)) return kNobody;
    if (found.empty()) {
      const std::string where =
          " among the " + name +
          (narrowed.empty() || narrowed == doing.search ? "" : " (" + narrowed + ")") + ".";
      if (doing.search.empty()) return "There is nothing" + where;
      // Words that the pack does not know as a thing are only said to have found nothing.
      return book_.lexicon.find(doing.search) != nullptr || words_in(doing.search).size() == 1
                 ? (is_plural(doing.search) ? "There are no " : "There is no ") + doing.search +
                       where
                 : "I found nothing for “" + doing.search + "”" + where;
    }
    if (const std::string field = text_of(doing.with, "field"); !field.empty())
      return whether_among(book_, doing, texts_of(*found.front(), field)) +
             fields_text(field, found);
    if (std::string together = listed_by_parts(book_, doing, facts_.now.zone, found);
        !together.empty() && !doing.is_one && !doing.is_count)
      return together;
    if (found.size() == 1 && !doing.whether.empty())
      return whether_text(book_, doing, *found.front());
    if (found.size() == 1 && !flag_of(doing.with, "count") &&
        (doing.is_one || !doing.search.empty()))
      return row_whole(book_, doing.table, *found.front(), facts_.now.zone);
    if (const JsonObject* named = only_named(doing, found))
      return row_whole(book_, doing.table, *named, facts_.now.zone);
    return listed_rows(i, doing, found,
                       is_sifted ? found.size() : std::max(found.size(), counted(i)));
  }

  // A line a row, and whether it goes on.
  std::string listed_rows(std::size_t i, const Doing& doing,
                          const std::vector<const JsonObject*>& rows, std::size_t total) const {
    const std::string narrowed = where_text(doing);
    const bool goes_on = has_more(i) && !doing.is_count && doing.limit == 0;
    std::string out = doing.how == "more" ? "The next " : goes_on ? "The first " : "";
    out += std::to_string(total) + " " +
           (total == 1 ? name_of_one(book_, doing.table) : name_of_rows(book_, doing.table)) +
           (narrowed.empty() ? "" : " (" + narrowed + ")") + ":\n";
    for (std::size_t at = 0; at < rows.size() && at < kMostLines; ++at)
      out += "- " + row_line(book_, doing.table, *rows[at], facts_.now.zone) + "\n";
    if (rows.size() == 1 && !has_name(book_, doing.table))  // all that is noted of it
      out += row_rest(book_, doing.table, *rows[0], facts_.now.zone);
    if (rows.size() > kMostLines)
      out += "… and " + std::to_string(rows.size() - kMostLines) + " more\n";
    if (goes_on) out += "There are more. Say “more”, or what you look for.\n";
    return out;
  }

  bool has_more(std::size_t doing) const {
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing && !facts_.steps[i].calls.empty())
        if (const JsonObject* answer = facts_.steps[i].calls.back().answer)
          return flag_of(*answer, "has_more");
    return false;
  }

  // How many rows the first call of its read brought.
  std::size_t first_page(std::size_t doing) const {
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing && !facts_.steps[i].calls.empty())
        return StepFact{.calls = {facts_.steps[i].calls.front()}}.rows().size();
    return 0;
  }

  // The one row that is called exactly as was said; null: none or several.
  const JsonObject* only_named(const Doing& doing,
                               const std::vector<const JsonObject*>& rows) const {
    const JsonObject* found = nullptr;
    if (doing.search.empty() || words_in(doing.search).size() < 2) return nullptr;
    for (const JsonObject* row : rows) {
      if (phrase_key(row_name(book_, doing.table, *row)) != phrase_key(doing.search)) continue;
      if (found != nullptr) return nullptr;
      found = row;
    }
    return found;
  }

  static std::string fields_text(const std::string& field,
                                 const std::vector<const JsonObject*>& rows) {
    std::string name = field;
    std::replace(name.begin(), name.end(), '_', ' ');
    std::string out;
    for (const JsonObject* row : rows) {
      std::string values;
      for (const std::string& one : texts_of(*row, field))
        values += (values.empty() ? "" : ", ") + one;
      if (values.empty()) values = text_of(*row, field);
      out += (out.empty() ? "" : "\n") + name + ": " + (values.empty() ? "none" : values);
    }
    return out;
  }

  std::size_t counted(std::size_t doing) const {
    const std::vector<StepRole> roles = steps_of(book_, turn_.program);
    for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i)
      if (roles[i].doing == doing)
        for (const CallFact& call : facts_.steps[i].calls)
          if (const Json* count = call.answer == nullptr ? nullptr : member(*call.answer, "count");
              count != nullptr && count->is_int64())
            return static_cast<std::size_t>(count->get_int64());
    return 0;
  }

  std::string missing(std::size_t i, const Doing& doing) const {
    const std::string of = text_of(rules_.parts, "of");
    const Target target = doing.targets.empty() ? Target{} : doing.targets.front();
    // What was pointed at was read by its refs.
    const std::vector<const JsonObject*> meant =
        target.is_pointing ? rows(Role::read_parts, i)
                           : rows_meant(book_, of, facts_, target, rows(Role::read_parts, i));
    if (meant.empty())
      return "I found nothing called “" + target.said + "” among the " + name_of_rows(book_, of) +
             ".";
    std::string out;
    for (const JsonObject* one : meant) {
      const std::vector<const JsonObject*> gone =
          missing_parts(book_, *one, rows(Role::read_stock, i));
      const std::string name = row_name(book_, of, *one);
      if (!out.empty()) out += "\n";
      if (gone.empty()) {
        out += "You have everything for " + name + ".\n";
        continue;
      }
      out += "Missing for " + name + " (" + std::to_string(gone.size()) + "):\n";
      for (const JsonObject* part : gone) out += "- " + part_text(*part) + "\n";
    }
    return out;
  }

  std::string part_text(const JsonObject& part) const {
    std::string out;
    const double amount = number_of(part, text_of(rules_.parts, "amount"), 0);
    if (amount > 0) out += number_text(amount) + " ";
    if (const std::string unit = text_of(part, text_of(rules_.parts, "unit")); !unit.empty())
      out += unit_text(book_, unit, amount) + " ";
    return out + text_of(part, text_of(rules_.parts, "by"));
  }

  std::string makeable(std::size_t i) const {
    std::string whole, almost, not_for_you;
    for (const JsonObject* one : rows(Role::read_parts, i)) {
      const std::vector<const JsonObject*> gone =
          missing_parts(book_, *one, rows(Role::read_stock, i));
      const std::string name = row_name(book_, text_of(rules_.parts, "of"), *one);
      if (gone.size() <= 1 && !holds_all(book_, *one, facts_.permanent))
        not_for_you += (not_for_you.empty() ? "" : ", ") + name;
      else if (gone.empty())
        whole += "- " + name + "\n";
      else if (gone.size() == 1)
        almost += "- " + name + " (only " + text_of(*gone[0], text_of(rules_.parts, "by")) +
                  " is missing)\n";
    }
    std::string out =
        turn_.program.doings[i].note.empty() ? "" : turn_.program.doings[i].note + "\n";
    out += whole.empty() ? "Nothing can be made of what is there alone.\n"
                         : "You have everything for:\n" + whole;
    if (!almost.empty() && turn_.program.doings[i].how != "whole") out += "Almost:\n" + almost;
    if (!not_for_you.empty())
      out += "Left out for what always holds for you: " + not_for_you + ".\n";
    return out;
  }

  // "make two and save them": nothing of it is left to be shown.
  bool is_saved_at_once(std::size_t i) const {
    if (i + 1 >= turn_.program.doings.size()) return false;
    const Doing& next = turn_.program.doings[i + 1];
    return next.verb == Verb::save && next.targets.empty() && next.how.empty() && is_done(i + 1);
  }

  // The latest, whole.
  std::string made() const {
    std::string out;
    std::int64_t latest = 0;
    for (const ArtifactFact& one : facts_.artifacts) latest = std::max(latest, one.turn);
    for (const ArtifactFact& one : facts_.artifacts) {
      if (one.turn != latest || one.content == nullptr) continue;
      const Table* table = book_.lexicon.schema().find_ref(one.type);
      if (table != nullptr && !has_name(book_, table->name))
        out += "- " + one.label + "\n";
      else if (table != nullptr)
        out += (out.empty() ? "" : "\n") +
               row_whole(book_, table->name, *one.content, facts_.now.zone);
    }
    return out.empty() ? "" : out + "\nNothing of this is saved yet. Say “save it”, or which one.";
  }

  // What was to be left out before this order, and still is.
  std::string kept_to(const Doing& doing) const {
    std::string out;
    for (std::size_t i = facts_.permanent.size(); i < facts_.constraints.size(); ++i) {
      const Constraint& one = facts_.constraints[i];
      const auto is_it = [&](const Constraint& said) {
        return said.type == one.type && said.value == one.value;
      };
      if (is_exclusion(book_, one) &&
          std::none_of(doing.wishes.begin(), doing.wishes.end(), is_it) &&
          std::none_of(doing.overrides.begin(), doing.overrides.end(), is_it))
        out += (out.empty() ? "" : ", ") + wish_text(book_, one);
    }
    return out.empty() ? "" : "I kept to what you said before: " + out + ".";
  }

  std::string wished() const {
    std::string wishes;
    for (const Constraint& one : facts_.constraints)
      if (one.type != "count") wishes += (wishes.empty() ? "" : ", ") + wish_text(book_, one);
    return "Noted: " + wishes + ". Say “make 3” when I should begin.";
  }

  std::string unsaved() const {
    std::string out;
    for (const ArtifactFact& one : facts_.artifacts) out += "- " + one.label + "\n";
    return out.empty() ? "Everything that was made is saved." : "Not saved yet:\n" + out;
  }

  // What can be said: by the pack, or by the tables that there are.
  std::vector<std::string> all_examples() const {
    if (!rules_.examples.empty()) return rules_.examples;
    std::vector<std::string> out;
    for (const Table& table : book_.lexicon.schema().tables()) {
      if (out.size() >= kMostExamples) break;
      const std::string rows = name_of_rows(book_, table.name);
      out.push_back((out.size() % 2 == 0 ? "show the " : "how many ") + rows);
    }
    return out;
  }

  std::string examples(std::size_t most) const {
    const std::vector<std::string> all = all_examples();
    std::string out;
    for (std::size_t i = 0; i < all.size() && i < most; ++i)
      out += (i == 0 ? "You can say, for example: “" : "”, “") + all[i];
    return out.empty() ? "" : out + "”.";
  }

  std::string greeting() const {
    const std::string speaks = rules_.speaks.empty() ? "Hello." : rules_.speaks;
    return speaks + " " + examples(3);
  }

  std::string help() const {
    std::string out = "I am the built-in rules: no model, but I know this:\n";
    for (const std::string& one : all_examples()) out += "- " + one + "\n";
    return out + "“undo” takes the last change back.";
  }

  std::string not_understood() const {
    return "I did not understand that, and changed nothing. " + examples(3);
  }

  const Book& book_;
  const Facts& facts_;
  const PackRules& rules_;
  TurnProgram turn_;
  std::string out_;
};

}  // namespace

std::string reply(const Book& book, const Facts& facts) { return Teller(book, facts).tell(); }

}  // namespace alfred::rules
