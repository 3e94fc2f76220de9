#include "interpreter/rules/doing/steps.h"

#include <algorithm>
#include <set>

#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {
namespace {

bool is_pointed(const Doing& doing) {
  return !doing.targets.empty() && std::all_of(doing.targets.begin(), doing.targets.end(),
                                               [](const Target& one) { return one.is_pointing; });
}

std::string parts_member(const Book& book, std::string_view name) {
  return text_of(book.lexicon.pack().rules.parts, name);
}

bool is_merged(const Book& book, const Doing& doing) {
  const auto& merged = book.lexicon.pack().rules.merged;
  const bool is_listed = std::find(merged.begin(), merged.end(), doing.table) != merged.end();
  const bool is_more = std::any_of(doing.items.begin(), doing.items.end(),
                                   [](const Item& one) { return one.is_more; });
  return !doing.items.empty() && (is_listed || is_more);
}

class Planner {
 public:
  Planner(const Book& book, const Program& program) : book_(book), program_(program) {}

  std::vector<StepRole> plan() {
    for (std::size_t i = 0; i < program_.doings.size(); ++i) add(i);
    if (out_.empty()) step(Role::say, 0, StepType::analyze, "");
    return std::move(out_);
  }

 private:
  void step(Role role, std::size_t doing, StepType type, const std::string& table) {
    StepRole one{.role = role, .doing = doing, .type = type, .table = table, .group = group_};
    one.description = described(role, doing, table);
    out_.push_back(std::move(one));
  }
  void next() { ++group_; }

  std::string described(Role role, std::size_t at, const std::string& table) const {
    const Doing* doing = at < program_.doings.size() ? &program_.doings[at] : nullptr;
    const std::string rows = name_of_rows(book_, table);
    switch (role) {
      case Role::read_rows: return "Look at the " + rows;
      case Role::read_targets:
      case Role::read_link:
      case Role::read_parts: return "Find what is meant among the " + rows;
      case Role::read_slot:
      case Role::read_leading:
      case Role::read_same: return "See what is among the " + rows + " already";
      case Role::read_stock:
      case Role::read_wanted:
      case Role::read_dislikes: return "See what there is among the " + rows;
      case Role::write: return doing == nullptr ? "Do it" : written(*doing);
      case Role::make: return doing == nullptr ? "Make it" : sentence_of(book_, *doing, {});
      case Role::say: return "Answer";
    }
    return "Answer";
  }

  // Several places are all meant, though the words of a step tell which of its things it is about.
  std::string written(const Doing& doing) const {
    const bool is_several = std::any_of(
        doing.targets.begin(), doing.targets.end(),
        [](const Target& one) { return one.is_pointing && pointers(one.said).size() > 1; });
    return sentence_of(book_, doing, {}) + (is_several ? ", all of these" : "");
  }

  void add(std::size_t i) {
    const Doing& doing = program_.doings[i];
    switch (doing.verb) {
      case Verb::list:
      case Verb::show: step(Role::read_rows, i, StepType::read, doing.table); break;
      case Verb::add: add_rows(i, doing); break;
      case Verb::set:
      case Verb::remove:
      case Verb::adjust: change_rows(i, doing); break;
      case Verb::missing:
      case Verb::makeable: add_parts(i, doing); break;
      case Verb::prefer:
        step(Role::read_targets, i, StepType::read, doing.table);
        next();
        step(Role::write, i, StepType::write, doing.table);
        break;
      case Verb::generate: make_things(i, doing); break;
      case Verb::edit: step(Role::make, i, StepType::generate, doing.table); break;
      case Verb::save:
      case Verb::undo: step(Role::write, i, StepType::write, doing.table); break;
      default: step(Role::say, i, StepType::analyze, ""); break;
    }
    next();
  }

  // The rows that new values lead to, of each table once.
  bool read_links(std::size_t i, const Doing& doing) {
    std::set<std::string> tables;
    const Table* table = book_.lexicon.schema().find(doing.table);
    for (const FieldSet& one : doing.values) {
      const Field* field = table == nullptr || !one.link ? nullptr : table->find(one.field);
      if (field != nullptr && field->link && tables.insert(field->link->table).second)
        step(Role::read_link, i, StepType::read, field->link->table);
    }
    return !tables.empty();
  }

  void add_rows(std::size_t i, const Doing& doing) {
    bool is_read = read_links(i, doing);
    if (doing.with.contains("slot")) {
      if (is_read && has_link_slot(doing)) next();  // by the rows that it leads to
      step(Role::read_slot, i, StepType::read, doing.table);
      is_read = true;
    }
    if (is_merged(book_, doing)) {
      step(Role::read_same, i, StepType::read, doing.table);
      is_read = true;
    }
    if (is_read) next();
    step(Role::write, i, StepType::write, doing.table);
  }

  static bool has_link_slot(const Doing& doing) {
    const std::vector<std::string> names = texts_of(doing.with, "slot");
    return std::any_of(doing.values.begin(), doing.values.end(), [&](const FieldSet& one) {
      return one.link && std::find(names.begin(), names.end(), one.field) != names.end();
    });
  }

  void change_rows(std::size_t i, const Doing& doing) {
    // A new name is told with the old one.
    const bool is_renamed = doing.verb == Verb::set && doing.with.contains("name");
    const bool has_slot = !slot_of(book_, doing).empty();
    bool is_read = false;
    if (!is_pointed(doing) || has_slot || doing.verb == Verb::adjust || doing.how == "later" ||
        doing.how == "time" || edits_parts(doing) || is_renamed || moves_instant(doing)) {
      step(Role::read_targets, i, StepType::read, doing.table);
      is_read = true;
    }
    if (has_slot) step(Role::read_slot, i, StepType::read, doing.table);
    if (read_links(i, doing) || is_read) next();
    if (doing.verb == Verb::remove) read_leading(i, doing);
    step(Role::write, i, StepType::write, doing.table);
  }

  bool is_day(const std::string& table, const std::string& field) const {
    const Field* day = book_.lexicon.schema().find(table)->find(field);
    return day != nullptr && day->type == FieldType::date;
  }
  // Of what is still to come; what was is a record of its own.
  void read_leading(std::size_t i, const Doing& doing) {
    bool is_read = false;
    for (const auto& [table, day] : book_.lexicon.pack().rules.dates)
      if (leading_field(book_, table, doing.table) != nullptr && is_day(table, day)) {
        step(Role::read_leading, i, StepType::read, table);
        is_read = true;
      }
    if (is_read) next();
  }

  void make_things(std::size_t i, const Doing& doing) {
    const bool is_filled = doing.with.contains("fill");  // of what is there, where nothing is yet
    const std::string dislikes = place_of_dislikes(book_).first;
    if (is_filled) step(Role::read_parts, i, StepType::read, parts_member(book_, "of"));
    if (is_filled) step(Role::read_slot, i, StepType::read, doing.table);
    const std::string from = text_of(doing.with, "from");
    if (!from.empty()) step(Role::read_stock, i, StepType::read, from);
    if (!dislikes.empty()) step(Role::read_dislikes, i, StepType::read, dislikes);
    if (is_filled || !from.empty() || !dislikes.empty()) next();
    step(Role::make, i, StepType::generate, doing.table);
  }

  void add_parts(std::size_t i, const Doing& doing) {
    step(Role::read_parts, i, StepType::read, parts_member(book_, "of"));
    step(Role::read_stock, i, StepType::read, parts_member(book_, "have"));
    if (doing.how == "add") {
      step(Role::read_wanted, i, StepType::read, parts_member(book_, "list"));
      next();
      step(Role::write, i, StepType::write, parts_member(book_, "list"));
    }
  }

  const Book& book_;
  const Program& program_;
  std::vector<StepRole> out_;
  std::uint32_t group_ = 1;
};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

std::string item_text(const Item& item) {
  std::string out;
  if (item.amount) out += number_text(*item.amount) + " ";
  if (!item.unit.empty()) out += item.unit + " ";
  return out + item.name;
}

std::vector<std::string> names_of(const Doing& doing, const Facts& facts) {
  std::vector<std::string> out;
  for (const Target& target : doing.targets) {
    const MentionFact* mention = facts.mention(target.said, target.type);
    if (mention != nullptr && !mention->labels.empty())
      out.insert(out.end(), mention->labels.begin(), mention->labels.end());
    else if (!target.is_all && !target.said.empty())
      out.push_back(target.is_pointing ? target.said : "“" + target.said + "”");
  }
  return out;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return moment_text(std::string(value.get_string()));
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  return value.is_number() ? number_text(value.to_number<double>()) : write_json(value);
}

// Of which rows: " (fridge)".
std::string where_text(const Doing& doing) {
  std::string out;
  for (const Cond& one : doing.where)
    if (one.value.is_string() || one.value.is_bool())
      out += (out.empty() ? " (" : ", ") +
             (one.value.is_bool() ? one.field + ": "
              : one.op == "<"     ? one.field + " before "
                                  : std::string()) +
             value_text(one.value);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out.empty() ? "" : out + ")";
}

}  // namespace

const Field* leading_field(const Book& book, std::string_view from, std::string_view to) {
  const Table* table = book.lexicon.schema().find(from);
  if (table == nullptr || from == to) return nullptr;
  for (const Field& field : table->fields)
    if (field.link && field.link->table == to && field.link->on_delete == OnDelete::set_null)
      return &field;
  return nullptr;
}

const FieldSet* link_of(const Doing& doing) {
  for (const FieldSet& one : doing.values)
    if (one.link) return &one;
  return nullptr;
}

bool writes(const Doing& doing) {
  switch (doing.verb) {
    case Verb::add:
    case Verb::set:
    case Verb::remove:
    case Verb::adjust:
    case Verb::prefer:
    case Verb::save:
    case Verb::undo: return true;
    default: return doing.verb == Verb::missing && doing.how == "add";
  }
}

bool edits_parts(const Doing& doing) {
  return doing.verb == Verb::set && (doing.how == "swap" || doing.how == "leave");
}

bool moves_instant(const Doing& doing) {
  return doing.verb == Verb::set && doing.with.contains("move") && doing.with.contains("instant");
}

std::pair<std::string, std::string> place_of_dislikes(const Book& book) {
  const std::string place = text_of(book.lexicon.pack().rules.wishes, "disliked");
  const std::size_t dot = place.find('.');
  const std::string table = place.substr(0, dot);
  if (dot == std::string::npos || book.lexicon.schema().find(table) == nullptr) return {};
  return {table, place.substr(dot + 1)};
}

std::vector<std::string> slot_of(const Book& book, const Doing& doing) {
  if (doing.verb != Verb::set) return {};
  for (const RuleIntent& intent : book.lexicon.pack().rules.intents) {
    if (intent.does != verb_name(Verb::add) || intent.table != doing.table ||
        intent.with.contains("open"))
      continue;
    std::vector<std::string> slot = texts_of(intent.with, "slot");
    if (std::any_of(doing.values.begin(), doing.values.end(), [&](const FieldSet& one) {
          return !one.link && std::find(slot.begin(), slot.end(), one.field) != slot.end();
        }))
      return slot;
  }
  return {};
}

std::string name_of_rows(const Book& book, std::string_view table) {
  return book.lexicon.name_of_rows(table);
}

std::string sentence_of(const Book& book, const Doing& doing, const Facts& facts) {
  const std::string rows = name_of_rows(book, doing.table);
  const std::string who = listed(names_of(doing, facts));
  switch (doing.verb) {
    case Verb::add: {
      std::vector<std::string> items;
      items.reserve(doing.items.size());
      for (const Item& item : doing.items) items.push_back(item_text(item));
      return items.empty() ? "Add to the " + rows : "Add " + listed(items) + " to the " + rows;
    }
    case Verb::set: {
      if (doing.how == "swap")
        return "Swap " + doing.swap_from + " for " + doing.swap_to + " in " + who;
      if (doing.how == "leave") return "Leave " + doing.swap_from + " out of " + who;
      std::vector<std::string> values;
      for (const FieldSet& one : doing.values) {
        constexpr std::string_view kLink = "_id";
        std::string field = one.field;
        if (one.link && field.ends_with(kLink)) field.resize(field.size() - kLink.size());
        std::replace(field.begin(), field.end(), '_', ' ');
        values.push_back(field + " to " + (one.link ? one.link->said : value_text(one.value)));
      }
      return "Change " + (who.empty() ? "the " + rows + where_text(doing) : who) + ": " +
             listed(values);
    }
    case Verb::adjust: return "Change the amount of " + who;
    case Verb::remove: {
      const bool is_all = !doing.targets.empty() && doing.targets.front().is_all;
      return is_all ? "Delete all of the " + rows + where_text(doing) : "Delete " + who;
    }
    case Verb::save: {
      // A place in the words, or a name without a word of its own, would be taken for who is meant.
      const bool are_several =
          doing.targets.size() > 1 ||
          std::any_of(doing.targets.begin(), doing.targets.end(), [](const Target& one) {
            return one.is_pointing && pointers(one.said).size() > 1;
          });
      if (doing.targets.empty())
        return doing.how.empty() ? "Save what is made" : "Save " + doing.how;
      return "Save " + std::string(are_several ? "these: " : "") + (who.empty() ? "it" : who);
    }
    case Verb::prefer: return "Note what you prefer";
    case Verb::undo: return "Undo the last change";
    case Verb::generate: {
      const PackEntity* entity = book.lexicon.pack().find(doing.table);
      const bool is_one = doing.count == 1 && entity != nullptr && !entity->words.empty();
      return "Make " + std::to_string(doing.count) + " new " + (is_one ? entity->words[0] : rows);
    }
    case Verb::edit: return "Change what was made";
    case Verb::missing: return "Put what is missing on the list";
    default: return "Answer";
  }
}

std::vector<StepRole> steps_of(const Book& book, const Program& program) {
  return Planner(book, program).plan();
}

}  // namespace alfred::rules
