// Rows that are there and change.
#include <algorithm>
#include <array>

#include "interpreter/rules/reading/builder.h"
#include "interpreter/rules/reading/openings.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {

// "all the herbs": a kind of things that the pack knows.
bool Builder::names_a_kind() const {
  const Captured* what = slot("what");
  const std::span<const Token> tokens =
      what == nullptr ? std::span<const Token>() : tokens_of(*what);
  if (tokens.size() < 2 || !tokens.front().is("all")) return false;
  return world_.pack().categories.is_category(phrase_key(without_articles(tokens)));
}

std::vector<Doing> Builder::without_single(std::vector<Doing> doings) const {
  for (const Doing& one : doings) {
    const PackEntity* entity = world_.pack().find(one.table);
    if (found_.intent->table.empty() && entity != nullptr && entity->is_single)
      return refused(
          "All of this is kept in one row, which I do not delete. Say what no longer holds.");
  }
  return doings;
}

// "delete the book": one of them, whichever that is, and not all.
bool Builder::names_one_row() const {
  constexpr std::array<std::string_view, 5> kAll{"all", "everything", "whole", "entire", "every"};
  const Captured* rows = slot("where");
  if (rows == nullptr || std::any_of(clause_.tokens.begin(), clause_.tokens.end(),
                                     [&](const Token& one) { return is_among(kAll, one.text); }))
    return false;
  const PackEntity* entity = world_.pack().find(out_.table);
  const Token& last = clause_.tokens[rows->to - 1];
  return entity != nullptr && !entity->is_single && last.text == last.stem &&
         std::find(entity->words.begin(), entity->words.end(), last.text) != entity->words.end();
}

// "the soup and add eggs": what follows is to be done, and no name.
bool Builder::names_an_order() const {
  return out_.targets.size() > 1 &&
         std::any_of(out_.targets.begin() + 1, out_.targets.end(),
                     [](const Target& one) { return begins_order(read_tokens(one.said)); });
}

bool Builder::are_names() const {
  return !out_.targets.empty() &&
         std::all_of(out_.targets.begin(), out_.targets.end(), [](const Target& one) {
           return one.type.empty() && !one.is_pointing && !telling_words(one.said).empty();
         });
}

std::vector<Doing> Builder::remove() {
  take_rows("where");
  if (flag_of(with_, "saved")) {
    std::vector<Doing> out = saved();
    for (Doing& one : out) {
      one.verb = Verb::remove;
      one.is_one = false;
    }
    return out_.targets.empty() ? std::vector<Doing>() : out;
  }
  if (flag_of(with_, "all")) {
    if (names_one_row()) return {};
    take_wheres();
    take_days();
    out_.order.clear();
    out_.targets.push_back({.said = "all", .type = world_.type_of(out_.table), .is_all = true});
    return {out_};
  }
  if (std::vector<Doing> dropped = drop_made(); !dropped.empty()) return dropped;
  if (out_.table.empty()) out_.table = table_by_day("what");
  if (out_.table.empty() && names_a_kind()) out_.table = world_.pack().rules.things;
  out_.targets = targets_of("what");
  if (out_.table.empty() && out_.targets.size() == 1 && is_pronoun(out_.targets.front().said) &&
      world_.pointed.empty())
    out_.targets.front().type = world_.written_last();
  if (names_an_order()) return {};
  if (names_a_kind() && out_.targets.size() == 1) out_.targets.front().is_kind = true;
  // What nobody has a name for yet, and the pack knows as a thing, is where things are kept.
  const auto is_thing = [&](const Target& one) {
    const Tokens tokens = read_tokens(one.said);
    const std::vector<Meaning>* found =
        world_.lexicon.find_key(phrase_key(without_articles(tokens)));
    return one.type.empty() && !one.is_pointing && found != nullptr &&
           Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr;
  };
  if (out_.table.empty() && !out_.targets.empty() &&
      std::all_of(out_.targets.begin(), out_.targets.end(), is_thing))
    out_.table = world_.pack().rules.things;
  // By a name that nobody has brought to mind it is one of what is made here.
  if (out_.table.empty() && are_names())
    out_.table = world_.table_of(text_of(world_.pack().rules.wishes, "type"));
  if (!settle_targets()) return {};
  take_whole();
  if (const Captured* day = slot("day")) take_day_of(*day->moment);
  for (Target& one : out_.targets) {
    if (one.is_pointing) continue;
    const std::string before = one.said;
    if (slot("day") != nullptr && takes_values(read_tokens(one.said)))
      one.said.clear();
    else
      take_day_out(one);
    if (one.said.empty()) one.is_all = true;
    // "the plan for tuesday": every row of that day, after a yes.
    const Tokens tokens = read_tokens(before);
    const std::vector<Moment> moments = moments_in(world_, tokens);
    const bool is_day = !moments.empty() && moments.front().from == 0 &&
                        moments.front().to == tokens.size() && one.said == before;
    if (is_day && !out_.where.empty()) one.is_all = true;
  }
  return {out_};
}

std::vector<Doing> Builder::saved() {
  const Known* last = nullptr;
  for (const Known& one : world_.known)
    if (one.status == "created" && (last == nullptr || one.turn > last->turn)) last = &one;
  if (last == nullptr) return {out_};
  for (const Known& one : world_.known)
    if (one.status == "created" && one.type == last->type)
      out_.targets.push_back({.said = one.ref, .type = one.type, .is_pointing = true});
  out_.table = world_.table_of(last->type);
  out_.is_one = out_.targets.size() == 1;
  out_.verb = out_.is_one ? Verb::show : Verb::list;
  return {out_};
}

// "everything on the list": all rows that the phrase means.
std::vector<Doing> Builder::set_all() {
  take_rows("where");
  take_wheres();
  take_set();
  if (table() == nullptr || out_.values.empty()) return {};
  out_.targets.push_back({.said = "all", .type = world_.type_of(out_.table), .is_all = true});
  return {out_};
}

std::vector<Doing> Builder::set() {
  if (flag_of(with_, "all")) return set_all();
  const std::string what = text_of(with_, "what");
  out_.targets = targets_of(what.size() > 2 ? std::string_view(what).substr(1, what.size() - 2)
                                            : std::string_view("what"));
  if (const Captured* items = slot("items")) take_amounts(*items);
  if (names_a_kind() && out_.targets.size() == 1) {
    if (out_.table.empty()) out_.table = world_.pack().rules.things;
    out_.targets.front().is_kind = true;
  }
  const Captured* field = slot("field");
  // "change the servings to 4": of what was spoken of last.
  if (out_.targets.empty() && field != nullptr && field->meaning != nullptr &&
      world_.table_of(world_.last_type()) == field->meaning->table)
    out_.targets.push_back(make_target(world_, "it", field->meaning->table));
  if (out_.table.empty() && field != nullptr && field->meaning != nullptr && !known_by_name())
    out_.table = field->meaning->table;
  // "tomorrow's pasta to lunch": rows by their day are those that have such a value.
  const Captured* to = slot("to");
  if (out_.table.empty() && to != nullptr && to->meaning != nullptr && names_a_day())
    out_.table = to->meaning->table;
  if (!settle_targets() || counts_rows()) return {};
  if (std::string why = impossible_moment(); !why.empty()) return refused(std::move(why));
  take_whole();
  if (const std::string open = text_of(with_, "open"); !open.empty())
    out_.where.push_back({open, "is_null", {}});
  if (out_.how == "later") return later();
  if (out_.how == "time") return other_time();
  for (Target& one : out_.targets) take_day_out(one);
  if (!take_new_values()) return {};
  if (flag_of(with_, "not") && !negate()) return {};
  take_set();
  take_beside(nullptr);
  take_day_beside();
  take_defaults();
  if (out_.values.empty()) take_questions();
  if (out_.values.empty() && out_.ask.empty()) return {};
  return {out_};
}

// "2 books": how many of a kind, and no name.
bool Builder::counts_rows() const {
  return std::any_of(out_.targets.begin(), out_.targets.end(), [&](const Target& one) {
    const Tokens tokens = read_tokens(one.said);
    if (one.is_pointing || tokens.empty() || tokens.front().kind != Token::Kind::number)
      return false;
    const std::optional<Span> span =
        tokens.size() > 1 ? world_.lexicon.span_at(tokens, 1) : std::nullopt;
    return span && span->to == tokens.size() && span->find(Meaning::Kind::rows) != nullptr;
  });
}

// "is not wanted": the other value of a flag.
bool Builder::negate() {
  for (FieldSet& one : out_.values) {
    if (!one.value.is_bool()) return false;
    one.value = !one.value.get_bool();
  }
  return !out_.values.empty();
}

// A day of the row that comes later, by what was said.
std::vector<Doing> Builder::later() {
  const Captured* span = slot("span");
  if (span == nullptr || span->moment == nullptr) return {};
  out_.days = static_cast<int>(span->moment->length);
  return {out_};
}

// The row's own day, at another time.
std::vector<Doing> Builder::other_time() {
  if (const Captured* hour = slot("n")) {  // "to 10", as "at 10" is read
    const Tokens at = read_tokens("at " + said(*hour));
    const std::vector<Moment> read = find_moments(at, world_.now);
    if (read.empty() || read.front().minute < 0) return {};
    out_.minute = read.front().minute;
    return {out_};
  }
  const Captured* time = slot("time");
  if (time == nullptr || time->moment == nullptr || time->moment->minute < 0) return {};
  out_.minute = time->moment->minute;
  return {out_};
}

// "use 4 cloves of garlic in it": how much of which.
void Builder::take_amounts(const Captured& items) {
  const std::vector<Item> read = read_items(clause_.message, tokens_of(items), world_.lexicon);
  if (read.size() != 1 || table() == nullptr || !read.front().amount) return;
  out_.targets.push_back(make_target(world_, read.front().name, out_.table));
  for (FieldSet& one :
       amount_values(world_.lexicon, *table(), read.front().amount, read.front().unit))
    out_.values.push_back(std::move(one));
}

bool Builder::take_new_values() {
  if (flag_of(with_, "name")) return take_name();
  if (flag_of(with_, "move")) return take_place();
  const Captured* field = slot("field");
  const Captured* value = slot("value");
  if (value == nullptr)
    return !out_.values.empty() || with_.contains("set") || with_.contains("day") ||
           with_.contains("span") || with_.contains("ask");
  if (field != nullptr && field->meaning != nullptr) {
    const Field* of = table()->find(field->meaning->field);
    if (of == nullptr || of->is_read_only) return false;
    const std::string text = said(*value);
    std::optional<Json> read = value_for(world_, *table(), *of, text);
    if (!read) return false;
    put(of, std::move(*read));
    return true;
  }
  if (value->meaning != nullptr) {
    if (value->meaning->table != out_.table) return false;
    put(table()->find(value->meaning->field), value->meaning->value);
    return true;
  }
  for (FieldSet& one : values_for(world_, *table(), said(*value)))
    out_.values.push_back(std::move(one));
  return !out_.values.empty();
}

bool Builder::take_name() {
  const Captured* name = slot("name");
  const Field* label = table()->find(table()->label);
  if (name == nullptr || label == nullptr || label->type != FieldType::text) return false;
  const Token& first = clause_.tokens[name->from];
  put(label, Json(first.kind == Token::Kind::quoted ? first.text : said(*name)));
  return true;
}

bool Builder::take_place() {
  if (const Captured* to = slot("to"); to != nullptr && to->meaning != nullptr) {
    if (to->meaning->table != out_.table) return false;
    if (to->meaning->kind == Meaning::Kind::value)
      put(table()->find(to->meaning->field), to->meaning->value);
    for (const auto& [field, value] : to->meaning->where) put(table()->find(field), value);
    for (const Cond& one : place_said(*to)) put(table()->find(one.field), one.value);
    return !out_.values.empty();
  }
  if (const Captured* field = slot("field"); field != nullptr && field->meaning != nullptr) {
    const Field* of = table()->find(field->meaning->field);
    const Captured* value = slot("value");
    std::optional<Json> read = of == nullptr || value == nullptr
                                   ? std::nullopt
                                   : value_for(world_, *table(), *of, said(*value));
    if (!read) return false;
    put(of, std::move(*read));
    return true;
  }
  const Captured* day = slot("day");
  const Field* of = day_field(world_, *table());
  if (day == nullptr || of == nullptr) return false;
  take_moment(*day->moment);
  return true;
}

// "2 bananas and an apple": of what is gone, one.
std::vector<Item> Builder::used_items(std::span<const Token> tokens) const {
  if (out_.how != "minus") return read_items(clause_.message, tokens, world_.lexicon);
  std::vector<Item> out;
  for (const std::span<const Token> piece : split_list(tokens, world_.lexicon)) {
    Item item = read_item(clause_.message, piece, world_.lexicon);
    const bool is_one = piece.front().is("a") || piece.front().is("an");
    if (is_one && !item.amount && !item.is_half && !item.is_whole) item.amount = 1;
    if (!item.name.empty()) out.push_back(std::move(item));
  }
  return out;
}

std::vector<Doing> Builder::adjust() {
  take_rows("where");
  if (const Captured* items = slot("items")) {
    out_.items = used_items(tokens_of(*items));
  } else if (const Captured* what = slot("what")) {
    Item item = read_item(clause_.message, tokens_of(*what), world_.lexicon);
    if (const Captured* by = slot("by"); by != nullptr && by->amount) {
      item.amount = by->amount->number;
      item.unit = by->amount->unit;
    }
    out_.items.push_back(std::move(item));
  }
  if (out_.items.empty() || are_no_names()) return {};
  if (out_.note.empty()) out_.note = range_note(out_.items);
  if (flag_of(with_, "known") && !are_known_things()) return {};
  // "2 kg of this, some of that": one of it, where others were counted.
  if (out_.how == "plus" && std::any_of(out_.items.begin(), out_.items.end(),
                                        [](const Item& one) { return one.amount.has_value(); }))
    for (Item& item : out_.items)
      if (!item.amount && !item.is_half && !item.is_whole) item.amount = 1;
  for (const Item& item : out_.items) {
    if (!item.amount && !item.is_half && !item.is_whole && !item.is_more && out_.how != "double" &&
        out_.how != "half")
      return {};
    out_.targets.push_back(make_target(world_, item.name, out_.table));
  }
  if (out_.table.empty() && !settle_targets()) return {};
  if (table() == nullptr || amount_field(world_.lexicon, *table()) == nullptr) return {};
  for (Target& one : out_.targets) one.type = world_.type_of(out_.table);
  return {out_};
}

std::vector<Doing> Builder::missing() {
  const Captured* what = slot("what");
  // "for the soup and the stew": of each, where all of them are known.
  if (what != nullptr && !is_pointing(said(*what))) {
    std::vector<Doing> each;
    for (const Target& one : targets_of("what")) {
      if (one.is_pointing || world_.find(one.said, world_.type_of(out_.table)).empty()) break;
      each.push_back(out_);
      each.back().targets.push_back(one);
    }
    if (each.size() > 1 && each.size() == targets_of("what").size()) return each;
  }
  out_.targets.push_back(make_target(world_, what == nullptr ? "it" : said(*what), out_.table));
  const bool is_spoken_of =
      std::any_of(world_.known.begin(), world_.known.end(), [&](const Known& one) {
        return one.type == world_.type_of(out_.table) && !one.is_background;
      });
  if (out_.targets.front().is_pointing && !is_spoken_of && !world_.is_asked && out_.how != "add")
    return refused("I do not know which one you mean. Say its name.");
  return {out_};
}

}  // namespace alfred::rules
