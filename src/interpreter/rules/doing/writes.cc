// New rows, and whom a write means.
#include "interpreter/rules/doing/writes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/rules/doing/not_there.h"
#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/making/make.h"
#include "interpreter/rules/reading/clause_reading.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/places.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {

WritePlan Writer::plan() {
  if (doing_ == nullptr) return {};
  switch (doing_->verb) {
    case Verb::save: save(); break;
    case Verb::undo: call("db_undo", {}); break;
    case Verb::missing: add_missing(); break;
    default:
      if (table_ == nullptr) return {};
      if (doing_->verb == Verb::add) add();
      if (doing_->verb == Verb::set) set();
      if (doing_->verb == Verb::adjust) adjust();
      if (doing_->verb == Verb::remove) remove();
      if (doing_->verb == Verb::prefer) prefer();
  }
  if (!out_.question.empty() || !trouble_.empty()) out_.calls.clear();
  if (!trouble_.empty()) out_.say = trouble_;
  tell_values();
  return std::move(out_);
}

std::string Writer::names(const std::vector<const JsonObject*>& rows, std::string_view table,
                          std::string_view joint) const {
  std::string out;
  for (std::size_t i = 0; i < rows.size() && i < kMostNamed; ++i) {
    std::string label = label_of(book_, table, *rows[i]);
    // Those of the same name are told apart by what else they hold.
    const bool is_shared = std::count_if(rows.begin(), rows.end(), [&](const JsonObject* one) {
                             return label_of(book_, table, *one) == label;
                           }) > 1;
    if (is_shared || !has_name(book_, table))
      label = row_line(book_, table, *rows[i], facts_.now.zone);
    out.append(i == 0 ? "" : i + 1 == rows.size() ? joint : ", ").append(label);
  }
  return rows.size() > kMostNamed
             ? out + " … and " + std::to_string(rows.size() - kMostNamed) + " more"
             : out;
}

std::vector<const JsonObject*> Writer::meant(std::string_view table, const Target& target,
                                             const std::vector<const JsonObject*>& rows) const {
  if (!target.is_pointing || !refs_of(facts_, target).empty())
    return rows_meant(book_, table, facts_, target, rows);
  return was_read_by_refs(table) ? rows : std::vector<const JsonObject*>();
}

bool Writer::was_read_by_refs(std::string_view table) const {
  const std::vector<StepRole> roles = steps_of(book_, program_);
  const auto names_refs = [](const Json& filter) {
    return filter.is_object() && text_of(filter.get_object(), "field") == "id";
  };
  for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i) {
    const bool is_read = roles[i].role == Role::read_link || roles[i].role == Role::read_targets;
    if (!is_read || roles[i].doing != at_ || roles[i].table != table) continue;
    for (const CallFact& call : facts_.steps[i].calls)
      if (const Json* any = member(call.params, "or_filters"); any != nullptr && any->is_array())
        return !any->get_array().empty() &&
               std::all_of(any->get_array().begin(), any->get_array().end(), names_refs);
  }
  return false;
}

const JsonObject* Writer::one_of(const std::vector<const JsonObject*>& meant,
                                 const std::string& said, std::string_view table) {
  const std::string kind = name_of_rows(book_, table);
  if (meant.empty() && is_pointing(said)) {
    trouble_ = kNobody;
    return nullptr;
  }
  if (meant.empty()) {
    trouble_ = said.empty() ? "There is nothing like that among the " + kind + "."
                            : "I found nothing called “" + said + "” among the " + kind + ".";
    return nullptr;
  }
  if (meant.size() == 1) return meant.front();
  if (const std::vector<const JsonObject*> picked = picked_of(meant, table); picked.size() == 1)
    return picked.front();
  if (!answer_.empty()) {
    const Target chosen{.said = answer_};
    if (says_no()) {
      trouble_ = "Okay, I left it as it is.";
      return nullptr;
    }
    if (rows_meant(book_, table, {}, chosen, meant)
            .empty()) {  // asking the same again would help nobody
      trouble_ = "That is none of " + names(meant, table) +
                 ", so I left it as it is. Say again what is to be done.";
      return nullptr;
    }
  }
  if (out_.question.empty())
    out_.question = "Which one do you mean: " + names(meant, table) +
                    (meant.size() > kMostNamed ? "? Say its name." : "?");
  return nullptr;
}

std::vector<const JsonObject*> Writer::picked_of(const std::vector<const JsonObject*>& meant,
                                                 std::string_view table) {
  std::vector<std::string> said;  // the latest first; the order itself picks nobody
  if (!said_.empty()) said.push_back(said_);
  for (std::size_t i = said_.empty() ? 0 : facts_.thread.size(); i > 1; --i)
    said.push_back(facts_.thread[i - 1]);
  for (const std::string& one : said) {
    std::vector<const JsonObject*> out;
    const std::vector<std::size_t> places = places_picked(one, meant.size());
    for (const std::size_t place : places)
      if (place < kMostNamed) out.push_back(meant[place]);
    if (places.empty()) out = rows_meant(book_, table, {}, {.said = one}, meant);
    const bool is_pick = places.empty() ? out.size() == 1 : out.size() == places.size();
    if (!is_pick) continue;
    if (&one == &said.front()) answer_.clear();  // it says nothing to what is asked next
    is_picked_ = true;
    return out;
  }
  return {};
}

bool Writer::is_read_as(Verb verb) const {
  if (answer_.empty()) return false;
  ReadingWorld world = world_of(book_, facts_);
  world.previous.clear();
  world.is_asked = true;
  return read_message(world, answer_).only(verb);
}

bool Writer::says_yes() const {
  if (is_read_as(Verb::accept)) return true;
  if (says({"no", "not", "never", "neither", "wait", "stop"})) return false;
  if (answer_.find('?') != std::string::npos) return false;  // "ok, what becomes of the meals?"
  const Tokens tokens = read_tokens(answer_);
  constexpr std::array<std::string_view, 6> kYes{"yes", "yeah", "yep", "sure", "ok", "okay"};
  if (!tokens.empty() && is_among(kYes, tokens.front().text)) return true;
  return says({"ahead", "do", "replace", "correct", "right", "please"}) &&
         says_only({"ahead",  "do",  "replace", "correct", "right", "please", "go",   "it",  "that",
                    "them",   "all", "of",      "the",     "one",   "both",   "then", "now", "and",
                    "delete", "so",  "is",      "just",    "yes",   "ok",     "okay", "this"});
}

bool Writer::is_another_order() const {
  ReadingWorld world = world_of(book_, facts_);
  world.previous.clear();
  const Program said = read_message(world, answer_);
  return !said.doings.empty() && changes_rows(said.doings.front()) &&
         said.doings.front().verb != doing_->verb;
}

std::optional<JsonObject> Writer::values() {
  JsonObject out;
  for (const FieldSet& one : doing_->values) {
    if (!one.link) {
      out[one.field] = one.value;
      continue;
    }
    const Field* field = table_->find(one.field);
    const std::string& to = field->link->table;
    const std::vector<const JsonObject*> found =
        meant(to, *one.link, link_rows(book_, facts_, program_, at_, to));
    if (found.empty() && doing_->with.contains("make")) {
      const std::optional<std::string> made = make_link(to, one.link->said);
      if (!made) return std::nullopt;
      out[one.field] = *made;
      continue;
    }
    const JsonObject* row = one_of(found, one.link->said, to);
    if (row == nullptr) return std::nullopt;
    out[one.field] = ref_of(book_, to, *row);
    linked_ = row;
  }
  return out;
}

std::optional<std::string> Writer::make_link(const std::string& to, const std::string& said) {
  const Table* table = book_.lexicon.schema().find(to);
  call("db_create", {{"table", to}, {"data", JsonObject{{table->label, said}}}});
  if (made_.empty() || made_[0].answer == nullptr) return std::nullopt;
  const Json* created = member(*made_[0].answer, "created");
  if (created == nullptr || !created->is_array() || created->get_array().empty())
    return std::nullopt;
  const JsonObject* first = created->get_array().front().if_object();
  return first == nullptr ? std::nullopt : std::optional(text_of(*first, "ref"));
}

JsonObject Writer::with_defaults(JsonObject row) const {
  // For as many as the thing is for, before the usual number.
  const Field* portions = table_->find(text_of(book_.lexicon.pack().rules.portions, "field"));
  if (portions != nullptr && portions->default_value && linked_ != nullptr &&
      !row.contains(portions->name))
    if (const Json* own = member(*linked_, portions->name); own != nullptr && !own->is_null())
      row[portions->name] = *own;
  const PackEntity* entity = book_.lexicon.pack().find(table_->name);
  if (entity == nullptr) return row;
  for (const auto& [field, value] : entity->compile.columns.defaults)
    if (!row.contains(field)) row[field] = value;
  return row;
}

JsonObject Writer::row_of(const Item& item, const JsonObject& values) const {
  JsonObject row{{table_->label, item.name}};
  for (const FieldSet& one : amount_values(book_.lexicon, *table_, item.amount, item.unit))
    row[one.field] = one.value;
  for (const auto& one : values) row[one.key()] = one.value();
  for (const auto& one : item.values) row[one.key()] = one.value();
  return with_defaults(std::move(row));
}

// What was asked for by name is done; that it breaks what always holds is said, once.
void Writer::warn() {
  if (!flag_of(doing_->with, "keeps") || linked_ == nullptr) return;
  const FieldSet* own = link_of(*doing_);
  for (std::size_t i = 0; i < at_; ++i)
    if (const FieldSet* before = link_of(program_.doings[i]);
        before != nullptr && own != nullptr && before->link->said == own->link->said)
      return;
  const std::string broken = broken_text(book_, *linked_, facts_.permanent);
  if (!broken.empty())
    say("Careful: " + linked_name() + " does not keep to what always holds for you: " + broken +
        ".");
}

void Writer::add() {
  if (taken_slot()) return;
  const std::optional<JsonObject> fields = values();
  if (!fields) return;
  warn();
  if (doing_->items.empty())
    return call("db_create", {{"table", table_->name}, {"data", with_defaults(*fields)}});
  JsonArray fresh;
  const bool is_batch = !facts_.pending_items.empty() || doing_->items.size() > 1;
  for (const Item& item : doing_->items) {
    if (const JsonObject* there = same_row(item, *fields)) {
      grow(*there, item);
      continue;
    }
    JsonObject row = row_of(item, *fields);
    if (const std::string known = known_name(item); !known.empty()) row[table_->label] = known;
    if (is_batch) row["ref"] = item.name;
    fresh.push_back(std::move(row));
  }
  if (fresh.empty()) return;
  const bool may_name = !rows_are_read(Role::read_same);
  if (!may_name)
    for (Json& row : fresh) row.get_object().stable_erase("ref");
  call("db_create",
       {{"table", table_->name},
        {"data", fresh.size() == 1 && !may_name ? Json(fresh.front()) : Json(std::move(fresh))}});
}

bool Writer::rows_are_read(Role role) const {
  const std::vector<StepRole> roles = steps_of(book_, program_);
  return std::any_of(roles.begin(), roles.end(),
                     [&](const StepRole& one) { return one.role == role && one.doing == at_; });
}

const JsonObject* Writer::same_row(const Item& item, const JsonObject& fields) const {
  const auto is_so = [](const JsonObject& row, const JsonObject& said) {
    return std::all_of(said.begin(), said.end(), [&](const auto& one) {
      const Json* had = member(row, one.key());
      return had != nullptr && *had == one.value();
    });
  };
  for (const JsonObject* row : rows(Role::read_same)) {
    if (phrase_key(label_of(book_, table_->name, *row)) != phrase_key(item.name)) continue;
    if (!is_so(*row, fields) || !is_so(*row, item.values)) continue;  // another place, another day
    const std::string unit = text_of(*row, unit_column(book_.lexicon));
    const Json* had = member(*row, amount_column(book_.lexicon));
    const bool adds_up = !item.amount || had == nullptr || had->is_null() ||
                         converted(*item.amount, item.unit, unit, book_.lexicon).has_value();
    if (adds_up && !is_done(*row)) return row;
  }
  return nullptr;
}

std::string Writer::known_name(const Item& item) const {
  for (const JsonObject* row : rows(Role::read_same))
    if (std::string name = label_of(book_, table_->name, *row);
        phrase_key(name) == phrase_key(item.name))
      return name;
  return "";
}

bool Writer::is_done(const JsonObject& row) const {
  const auto usual = book_.lexicon.pack().rules.usual.find(table_->name);
  if (usual == book_.lexicon.pack().rules.usual.end()) return false;
  return std::any_of(usual->second.begin(), usual->second.end(), [&](const auto& one) {
    const Json* value = member(row, one.first);
    return value != nullptr && *value != one.second;
  });
}

void Writer::grow(const JsonObject& row, const Item& item) {
  const std::string column = amount_column(book_.lexicon);
  const std::string unit = text_of(row, unit_column(book_.lexicon));
  const Json* had = member(row, column);
  if (item.amount && !item.unit.empty() && (had == nullptr || had->is_null()))
    return update(row,
                  {{column, Json(*item.amount)}, {unit_column(book_.lexicon), Json(item.unit)}});
  const std::optional<double> more =
      converted(item.amount.value_or(1), item.unit, unit, book_.lexicon);
  if (!item.amount && (!item.is_more || !more)) {
    say(label_of(book_, table_->name, row) + " is there already" +
        (item.is_more ? ", counted in " + unit + ". Say how much more." : "."));
    return;
  }
  update_amount(row, number_of(row, column, 0) + more.value_or(item.amount.value_or(1)));
}

void Writer::update(const JsonObject& row, JsonObject data) {
  call("db_update",
       {{"table", table_->name},
        {"filters", JsonArray{JsonObject{{"field", "id"}, {"op", "="}, {"value", own_ref(row)}}}},
        {"data", std::move(data)}});
}

std::vector<const JsonObject*> Writer::targets() {
  std::vector<const JsonObject*> out;
  std::string lacking;  // of several, who is not there
  const std::vector<const JsonObject*> read = rows(Role::read_targets);
  for (const Target& target : doing_->targets) {
    std::vector<const JsonObject*> found = meant(table_->name, target, read);
    if (!target.is_pointing && !target.is_all && !target.is_kind)
      std::erase_if(found, [&](const JsonObject* row) {
        return !is_listed(target) && is_other_thing(target.said, *row);
      });
    if (flag_of(doing_->with, "optional")) {  // those that are called so, if any are
      std::copy_if(found.begin(), found.end(), std::back_inserter(out), [&](const JsonObject* row) {
        return phrase_key(label_of(book_, table_->name, *row)) == phrase_key(target.said);
      });
      continue;
    }
    const std::vector<std::string> refs = refs_of(facts_, target);
    const bool are_several = refs.size() > 1 && found.size() == refs.size();
    if (target.is_all || (target.is_kind && !found.empty()) || are_several ||
        (target.is_pointing && !found.empty())) {
      out.insert(out.end(), found.begin(), found.end());
      continue;
    }
    if (target.is_pointing) {
      trouble_ = kNobody;
      return {};
    }
    if (found.size() > 1)
      if (const auto picked = picked_of(found, table_->name); picked.size() > 1) {
        out.insert(out.end(), picked.begin(), picked.end());
        continue;
      }
    if (found.empty() && doing_->verb == Verb::set && doing_->targets.size() > 1) {
      lacking += (lacking.empty() ? "“" : ", “") + target.said + "”";
      continue;  // the others are clear
    }
    const JsonObject* row = one_of(found, target.said, table_->name);
    if (row == nullptr) return {};
    out.push_back(row);
  }
  if (!lacking.empty()) {
    lacking = "I found nothing called " + lacking + " among the " + rows_name() + ".";
    if (out.empty())
      trouble_ = lacking;
    else if (out_.say.find(lacking) == std::string::npos)
      say(lacking);
  }
  if (out.empty() && trouble_.empty() && out_.question.empty() &&
      !flag_of(doing_->with, "optional"))
    trouble_ = "There is nothing among the " + rows_name() + narrowed_text() + ".";
  return out;
}

// What goes is called by its own words; what changes is not something of the same kind.
bool Writer::is_other_thing(const std::string& said, const JsonObject& row) const {
  if (doing_->verb == Verb::remove) return !is_called(book_, table_->name, said, row);
  if (!has_name(book_, table_->name) || !is_thing(book_, said)) return false;
  return !is_called(book_, table_->name, said, row) ||
         !book_.lexicon.pack().categories.is_meant(label_of(book_, table_->name, row), said);
}

std::vector<std::string> Writer::pointed_refs() const {
  std::vector<std::string> out;
  for (const Target& target : doing_->targets)
    for (std::string& ref : refs_of(facts_, target)) out.push_back(std::move(ref));
  if (!out.empty() || answer_.empty()) return out;
  // After an answer the mentions are over: a ref that was typed still says whom it means.
  for (const Target& target : doing_->targets)
    for (const Token& token : read_tokens(target.said))
      if (std::any_of(facts_.known.begin(), facts_.known.end(),
                      [&](const Known& one) { return one.ref == token.text; }))
        out.push_back(token.text);
  return out;
}

JsonObject Writer::filter_in(const std::vector<std::string>& refs) const {
  JsonArray list;
  for (const std::string& ref : refs) list.push_back(Json(ref));
  return {{"table", table_->name},
          {"filters",
           JsonArray{JsonObject{{"field", "id"}, {"op", "in"}, {"value", std::move(list)}}}}};
}

std::vector<std::string> Writer::chosen_refs() {
  if (is_pointed()) {
    std::vector<std::string> refs = pointed_refs();
    if (refs.empty()) trouble_ = kNobody;
    return refs;
  }
  std::vector<std::string> refs;
  for (const JsonObject* row : targets())
    if (std::string ref = own_ref(*row); std::find(refs.begin(), refs.end(), ref) == refs.end())
      refs.push_back(std::move(ref));
  return refs;
}

std::vector<const JsonObject*> rows_read(const Book& book, const Facts& facts,
                                         const Program& program, Role role, std::size_t doing) {
  std::vector<const JsonObject*> out;
  const std::vector<StepRole> roles = steps_of(book, program);
  for (std::size_t i = 0; i < roles.size() && i < facts.steps.size(); ++i)
    if (roles[i].role == role && roles[i].doing == doing)
      for (const JsonObject* row : facts.steps[i].rows()) out.push_back(row);
  return out;
}

std::vector<const JsonObject*> link_rows(const Book& book, const Facts& facts,
                                         const Program& program, std::size_t doing,
                                         std::string_view table) {
  std::vector<const JsonObject*> out;
  const std::vector<StepRole> roles = steps_of(book, program);
  for (std::size_t i = 0; i < roles.size() && i < facts.steps.size(); ++i)
    if (roles[i].role == Role::read_link && roles[i].doing == doing && roles[i].table == table)
      for (const JsonObject* row : facts.steps[i].rows()) out.push_back(row);
  return out;
}

WritePlan plan_writes(const Book& book, const Facts& facts, const Program& program,
                      std::size_t step) {
  return Writer(book, facts, program, step).plan();
}

}  // namespace alfred::rules
