// Rows that are there and change, what was made and is saved, what is missing and is bought.
#include <algorithm>
#include <cmath>

#include "interpreter/rules/doing/parts.h"
#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/doing/writer.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {

void Writer::set() {
  if (edits_parts(*doing_)) return swap_part();
  if (doing_->how == "later") return move_later();
  if (doing_->how == "time") return move_time();
  const std::vector<std::string> refs = chosen_refs();
  if (refs.empty()) return;
  std::optional<JsonObject> fields = values();
  if (!fields) return;
  if (moves_onto(*fields)) return;
  warn();
  if (moves_instant(*doing_)) return move_day(*fields);
  if (is_so_already(refs, *fields)) {
    say("That is so already. Nothing was changed.");
    return;
  }
  JsonObject params = filter_in(refs);
  params["data"] = std::move(*fields);
  call("db_update", std::move(params));
}

bool Writer::has_values(const JsonObject& row, const JsonObject& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& one) {
    const Json* had = member(row, one.key());
    const Json& now = one.value();
    if (had == nullptr) return false;
    if (had->is_object()) return now == Json(text_of(had->get_object(), "ref"));
    return *had == now || (had->is_number() && now.is_number() &&
                           had->to_number<double>() == now.to_number<double>());
  });
}

// All rows were read and have these values: a change would be none.
bool Writer::is_so_already(const std::vector<std::string>& refs, const JsonObject& fields) const {
  const std::vector<const JsonObject*> read = rows(Role::read_targets);
  return std::all_of(refs.begin(), refs.end(), [&](const std::string& ref) {
    return std::any_of(read.begin(), read.end(), [&](const JsonObject* row) {
      return own_ref(*row) == ref && has_values(*row, fields);
    });
  });
}

bool Writer::moves_onto(const JsonObject& fields) {
  const std::vector<std::string> slot = slot_of(book_, *doing_);
  if (slot.empty()) return false;
  for (const JsonObject* row : targets()) {
    JsonObject moved = *row;
    for (const auto& one : fields) moved[one.key()] = one.value();
    for (const JsonObject* there : rows(Role::read_slot)) {
      const bool is_same = std::all_of(slot.begin(), slot.end(), [&](const std::string& name) {
        const Json* had = member(*there, name);
        const Json* now = member(moved, name);
        return had != nullptr && now != nullptr && *had == *now;
      });
      if (!is_same || own_ref(*there) == own_ref(*row)) continue;
      if (!is_decided())
        ask("There is already " + what_of(*there) + " then: " + slot_text(*there, slot) +
            ". Replace it with " + what_of(*row) + "?");
      else if (says_no() || !says_yes())
        trouble_ =
            "Okay, both stay where they are: " + what_of(*there) + " and " + what_of(*row) + ".";
      else
        delete_row(*there);
      if (!out_.question.empty() || !trouble_.empty()) return true;
    }
  }
  return false;
}

void Writer::move_later() {
  const std::string field = text_of(doing_->with, "span");
  for (const JsonObject* row : targets()) {
    const std::optional<std::int64_t> day = read_iso_day(text_of(*row, field));
    if (!day) {
      trouble_ = label_of(book_, table_->name, *row) + " has no day that could be moved.";
      return;
    }
    JsonObject data{{field, Json(iso_day(*day + doing_->days))}};
    const std::string instant = text_of(doing_->with, "instant");  // goes with it
    if (std::optional<Instant> own = read_instant(text_of(*row, instant), facts_.now)) {
      own->day += doing_->days;
      data[instant] = instant_text(*own, facts_.now);
    }
    update(*row, std::move(data));
  }
}

// A row's own time goes to the other day with it.
void Writer::move_day(const JsonObject& fields) {
  const std::string instant = text_of(doing_->with, "instant");
  const std::optional<std::int64_t> day =
      read_iso_day(text_of(fields, text_of(doing_->with, "day")));
  for (const JsonObject* row : targets()) {
    JsonObject data = fields;
    std::optional<Instant> own = read_instant(text_of(*row, instant), facts_.now);
    if (own && day && !data.contains(instant)) {
      own->day = *day;
      data[instant] = instant_text(*own, facts_.now);
    }
    update(*row, std::move(data));
  }
}

void Writer::move_time() {
  const std::string instant = text_of(doing_->with, "instant");
  for (const JsonObject* row : targets()) {
    const Instant now = instant_of(facts_.now);
    const std::optional<Instant> had = read_instant(text_of(*row, instant), facts_.now);
    std::optional<std::int64_t> day =
        had ? had->day : read_iso_day(text_of(*row, text_of(doing_->with, "day")));
    if (day && *day < now.day) day.reset();  // it comes again when it is over
    Instant then{day.value_or(now.day), doing_->minute, 0};
    if (!day && then <= now) ++then.day;
    if (then <= now) {
      trouble_ = "That is over: " + when_text(then, facts_.now) +
                 ". Say a later time, or another day. Nothing was changed.";
      return;
    }
    update(*row, {{instant, Json(instant_text(then, facts_.now))}});
  }
}

void Writer::remove() {
  const std::vector<std::string> refs = chosen_refs();
  if (refs.empty()) return;
  if (std::any_of(refs.begin(), refs.end(),
                  [](const auto& one) { return one.starts_with("gen_"); })) {
    trouble_ =
        "That is not saved, so there is nothing to delete. Say “forget those” to drop what I made.";
    return;
  }
  if (!is_agreed(refs)) return;
  tell_leading(refs);
  constexpr std::size_t kMostAtOnce = 50;  // a call changes no more
  for (std::size_t from = 0; from < refs.size(); from += kMostAtOnce) {
    const auto begin = refs.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kMostAtOnce, refs.size() - from));
    call("db_delete", filter_in({begin, begin + count}));
  }
}

void Writer::tell_leading(const std::vector<std::string>& refs) {
  const std::vector<StepRole> roles = steps_of(book_, program_);
  for (std::size_t i = 0; i < roles.size() && i < facts_.steps.size(); ++i) {
    if (roles[i].role != Role::read_leading || roles[i].doing != at_) continue;
    const Field* link = leading_field(book_, roles[i].table, table_->name);
    std::string left;
    for (const JsonObject* row : facts_.steps[i].rows()) {
      const Json* to = link == nullptr ? nullptr : member(*row, link->name);
      const std::string ref =
          to == nullptr || !to->is_object() ? "" : text_of(to->get_object(), "ref");
      if (std::find(refs.begin(), refs.end(), ref) != refs.end())
        left += "\n- " + row_line(book_, roles[i].table, *row, facts_.now.zone);
    }
    if (!left.empty())
      say("These stay among the " + name_of_rows(book_, roles[i].table) + ", without it:" + left);
  }
}

bool Writer::is_agreed(const std::vector<std::string>& refs) {
  if (facts_.resumed && facts_.resumed->type == "propose") return true;
  if (is_pointed() && !is_typed_ref()) return true;
  const bool is_all = std::any_of(doing_->targets.begin(), doing_->targets.end(),
                                  [](const Target& target) { return target.is_all; });
  const bool is_kind = std::any_of(doing_->targets.begin(), doing_->targets.end(),
                                   [](const Target& target) { return target.is_kind; });
  const bool is_shown =
      !is_all && !is_kind && std::all_of(refs.begin(), refs.end(), [&](const std::string& ref) {
        if (std::find(facts_.shown.begin(), facts_.shown.end(), ref) != facts_.shown.end())
          return true;
        if (is_typed_ref()) return false;  // who types it may not know whose it is
        return std::any_of(doing_->targets.begin(), doing_->targets.end(),
                           [&](const Target& target) {
                             const std::vector<std::string> known = refs_of(facts_, target);
                             return std::find(known.begin(), known.end(), ref) != known.end() &&
                                    !is_unsure(facts_, target);
                           });
      });
  // To be asked about is to be shown, so once it was asked only a yes counts.
  if ((is_shown && answer_.empty()) || is_picked_) return true;
  // Another order is no yes: "delete that other one by its ref".
  const bool is_meant = says_yes() ||
                        says_only({"it", "them", "that", "those", "these", "all", "both", "of",
                                   "the", "one", "ones", "delete", "remove"}) ||
                        (!is_pointed() && !answer_.empty() && !is_another_order() &&
                         !rows_named(book_, table_->name, answer_, targets()).empty());
  const Tokens tokens = read_tokens(answer_);
  const bool is_other = std::any_of(tokens.begin(), tokens.end(),
                                    [](const Token& one) { return is_ref_word(one.text); });
  if (!is_meant && !is_other && !is_decided()) {
    ask(is_all ? sentence_of(book_, *doing_, {}) + ", " + std::to_string(refs.size()) +
                     " in all: " + names(targets(), table_->name, " and ") + "? Say yes to do it."
               : "Delete " +
                     (is_pointed() ? labels(refs) : names(targets(), table_->name, " and ")) + "?");
    return false;
  }
  if (is_other || !is_meant || (says_no() && !says_yes())) trouble_ = "Okay, nothing was deleted.";
  return trouble_.empty();
}

bool Writer::is_typed_ref() const {
  return std::any_of(doing_->targets.begin(), doing_->targets.end(), [](const Target& target) {
    const Tokens tokens = read_tokens(target.said);
    return std::any_of(tokens.begin(), tokens.end(),
                       [](const Token& one) { return is_ref_word(one.text); });
  });
}

std::string Writer::labels(const std::vector<std::string>& refs) const {
  std::string out;
  for (const std::string& ref : refs) {
    const auto known = std::find_if(facts_.known.begin(), facts_.known.end(),
                                    [&](const Known& one) { return one.ref == ref; });
    const bool has_label = known != facts_.known.end() && !known->label.empty();
    out += (out.empty() ? "" : ", ") + (has_label ? known->label : ref);
  }
  return out;
}

void Writer::adjust() {
  const std::vector<const JsonObject*> read = rows(Role::read_targets);
  for (std::size_t i = 0; i < doing_->targets.size() && i < doing_->items.size(); ++i) {
    const std::vector<const JsonObject*> found = meant(table_->name, doing_->targets[i], read);
    const bool may_be_new =
        doing_->how == "plus" || doing_->how == "exact" || doing_->items[i].is_more;
    if (found.empty() && may_be_new) {
      add_new(doing_->items[i]);
      continue;
    }
    const JsonObject* row = one_of(counted_so(found, doing_->targets[i], doing_->items[i], read),
                                   doing_->targets[i].said, table_->name);
    if (row == nullptr) return;
    adjust_row(*row, doing_->items[i]);
  }
}

std::vector<const JsonObject*> Writer::counted_so(
    std::vector<const JsonObject*> meant, const Target& target, const Item& item,
    const std::vector<const JsonObject*>& read) const {
  if (item.unit.empty()) return meant;
  const auto is_other = [&](const JsonObject* row) {
    return !converted(1, item.unit, text_of(*row, unit_column(book_.lexicon)), book_.lexicon);
  };
  if (!std::all_of(meant.begin(), meant.end(), is_other)) {
    std::erase_if(meant, is_other);
    return meant;
  }
  std::vector<const JsonObject*> others = rows_named(book_, table_->name, target.said, read);
  std::erase_if(others, is_other);
  return others.empty() ? meant : others;
}

void Writer::add_new(const Item& item) {
  JsonObject fields;
  for (const FieldSet& one : doing_->values) fields[one.field] = one.value;
  for (const Cond& one : doing_->where)  // where it was said to be
    if (one.op == "=" && !fields.contains(one.field)) fields[one.field] = one.value;
  call("db_create", {{"table", table_->name}, {"data", row_of(item, fields)}});
}

void Writer::adjust_row(const JsonObject& row, const Item& item) {
  const std::string column = amount_column(book_.lexicon);
  const std::string unit = text_of(row, unit_column(book_.lexicon));
  const double before = number_of(row, column, 0);
  if (item.is_whole) return delete_row(row);
  const Json* had = member(row, column);
  const bool is_exact = doing_->how == "exact";
  if ((had == nullptr || !had->is_number()) && !is_exact && doing_->how != "plus") {
    trouble_ = "I do not know how much " + label_of(book_, table_->name, row) +
               " there is. Say how much is left. Nothing was changed.";
    return;
  }
  double after = before;
  if (item.is_half || doing_->how == "half") {
    after = before / 2;
  } else if (doing_->how == "double") {
    after = before * 2;
  } else {
    const std::optional<double> amount =
        converted(item.amount.value_or(1), item.unit, unit, book_.lexicon);
    if (!amount && is_exact && !item.unit.empty())  // that much, however it was counted before
      return update(row,
                    {{column, Json(*item.amount)}, {unit_column(book_.lexicon), Json(item.unit)}});
    // Of another name and counted otherwise: a row of its own.
    if (!amount && doing_->how == "plus" && !item.unit.empty() &&
        phrase_key(label_of(book_, table_->name, row)) != phrase_key(item.name))
      return add_new(item);
    if (!amount) {
      trouble_ = "I cannot tell how much that is: " + label_of(book_, table_->name, row) +
                 " is counted in " + unit + ". Say it with a unit. Nothing was changed.";
      return;
    }
    after = is_exact                                ? *amount
            : doing_->how == "plus" || item.is_more ? before + *amount
                                                    : before - *amount;
  }
  if (after < -1e-9 && !is_agreed_to_use_up(row, item)) return;
  if (after <= 1e-9) return delete_row(row);
  if (is_exact) return update(row, {{column, Json(rounded(after))}});
  update_amount(row, after);
}

void Writer::update_amount(const JsonObject& row, double amount) {
  const std::string column = amount_column(book_.lexicon);
  const Json* had = member(row, column);
  JsonObject as_read{{"field", column}, {"op", "is_null"}};
  if (had != nullptr && !had->is_null())
    as_read = {{"field", column}, {"op", "="}, {"value", *had}};
  call("db_update",
       {{"table", table_->name},
        {"filters", JsonArray{JsonObject{{"field", "id"}, {"op", "="}, {"value", own_ref(row)}},
                              std::move(as_read)}},
        {"data", JsonObject{{column, Json(rounded(amount))}}}});
}

// More is gone than was there: whether all of it is meant is asked.
bool Writer::is_agreed_to_use_up(const JsonObject& row, const Item& item) {
  const auto counted = [](double amount, const std::string& unit) {
    return number_text(amount) + (unit.empty() ? "" : " " + unit);
  };
  const std::string there = counted(number_of(row, amount_column(book_.lexicon), 0),
                                    text_of(row, unit_column(book_.lexicon)));
  const std::string label = label_of(book_, table_->name, row);
  if (!is_decided()) {
    ask(label + ": there is only " + there + ", not " +
        counted(item.amount.value_or(1), item.unit) + ". Use up all of it?");
    return false;
  }
  if (says_yes() && !says_no()) return true;
  trouble_ = "Okay, it stays as it is: " + label + ", " + there + ".";
  return false;
}

void Writer::save() {
  const std::vector<std::string> refs = pointed_or_named();
  if (refs.empty() && !made_.empty()) return;  // it is saved by now
  if (refs.empty()) {
    std::string unsaved;
    for (const ArtifactFact& one : facts_.artifacts)
      unsaved += (unsaved.empty() ? "" : ", ") + one.label;
    trouble_ = unsaved.empty()
                   ? "There is nothing to save: nothing that I made is unsaved."
                   : "I do not know which one you mean. Not saved yet: " + unsaved + ".";
    return;
  }
  for (const ArtifactFact& one : facts_.artifacts)
    if (std::find(refs.begin(), refs.end(), one.ref) != refs.end())
      if (trouble_ = broken_wish(book_, facts_, one.label, *one.content); !trouble_.empty()) return;
  JsonArray list;
  for (const std::string& ref : refs)
    if (ref.starts_with("gen_")) list.push_back(Json(ref));
  if (list.empty()) {
    trouble_ = "That is saved already.";
    return;
  }
  call("db_create", {{"table", doing_->table}, {"refs", std::move(list)}});
}

std::vector<std::string> Writer::pointed_or_named() const {
  if (!facts_.pending_items.empty()) return facts_.pending_items;
  return pointed_refs();
}

void Writer::prefer() {
  const std::vector<const JsonObject*> read = rows(Role::read_targets);
  const JsonObject* row = read.empty() ? nullptr : read.front();
  JsonObject data;
  for (const FieldSet& one : doing_->values)
    if (!one.link) data[one.field] = one.value;
  const std::string field = text_of(doing_->with, "field");
  if (!field.empty()) data[field] = changed_list(row == nullptr ? nullptr : member(*row, field));
  if (const Json* had = row == nullptr ? nullptr : member(*row, field);
      had != nullptr && doing_->how == "remove" && *had == data[field]) {
    trouble_ = "That is not among them. " + values_text(book_, table_->name, data, facts_.now.zone);
    return;
  }
  if (row != nullptr && has_values(*row, data)) {
    say("That is so already. " + values_text(book_, table_->name, data, facts_.now.zone));
    return;
  }
  if (row != nullptr) return update(*row, std::move(data));
  call("db_create", {{"table", table_->name}, {"data", std::move(data)}});
}

Json Writer::changed_list(const Json* had) const {
  JsonArray out;
  const bool is_removing = doing_->how == "remove";
  const auto is_item = [&](const Json& one) {
    return one.is_string() &&
           std::any_of(doing_->items.begin(), doing_->items.end(), [&](const Item& item) {
             const bool is_any = lower(item.name) == "anything" || lower(item.name) == "everything";
             return is_any ||
                    phrase_key(std::string_view(one.get_string())) == phrase_key(item.name);
           });
  };
  if (had != nullptr && had->is_array())
    for (const Json& one : had->get_array())
      if (!is_item(one) || !is_removing) out.push_back(one);
  if (is_removing) return out;
  for (const Item& item : doing_->items) {
    const std::string name =
        book_.lexicon.find(item.name) != nullptr ? stem_of(item.name) : item.name;
    const bool is_there = std::any_of(out.begin(), out.end(), [&](const Json& one) {
      return one.is_string() &&
             phrase_key(std::string_view(one.get_string())) == phrase_key(item.name);
    });
    if (!is_there) out.push_back(Json(name));
  }
  return out;
}

void Writer::add_missing() {
  const JsonObject& rules = book_.lexicon.pack().rules.parts;
  const std::vector<const JsonObject*> things = rows(Role::read_parts);
  const Target target = doing_->targets.empty() ? Target{} : doing_->targets.front();
  const JsonObject* thing = one_of(rows_meant(book_, text_of(rules, "of"), facts_, target, things),
                                   target.said, text_of(rules, "of"));
  if (thing == nullptr) return;
  const std::vector<const JsonObject*> wanted = rows(Role::read_wanted);
  const std::string by = text_of(rules, "by");
  JsonArray fresh;
  const bool is_whole = flag_of(doing_->with, "all");  // whatever is there
  for (const JsonObject* part : missing_parts(
           book_, *thing, is_whole ? std::vector<const JsonObject*>() : rows(Role::read_stock))) {
    const std::string name = text_of(*part, by);
    const bool is_listed = std::any_of(wanted.begin(), wanted.end(), [&](const JsonObject* one) {
      return phrase_key(text_of(*one, by)) == phrase_key(name);
    });
    if (is_listed) {
      out_.say += (out_.say.empty() ? "On the list already: " : ", ") + name;
      continue;
    }
    JsonObject row{{by, name}};
    for (const std::string& field : {amount_column(book_.lexicon), unit_column(book_.lexicon)})
      if (const Json* value = member(*part, field); value != nullptr && !value->is_null())
        row[field] = *value;
    if (const std::string source = text_of(rules, "source"); !source.empty())
      row[source] = label_of(book_, text_of(rules, "of"), *thing);
    fresh.push_back(std::move(row));
  }
  if (fresh.empty()) {
    if (out_.say.empty())
      out_.say = "Nothing is missing for " + label_of(book_, text_of(rules, "of"), *thing) + ".";
    return;
  }
  call("db_create", {{"table", text_of(rules, "list")}, {"data", std::move(fresh)}});
}

}  // namespace alfred::rules
