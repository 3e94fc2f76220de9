// Rows that are asked for or added.
#include <algorithm>
#include <array>

#include "interpreter/rules/reading/builder.h"
#include "interpreter/rules/words/small_words.h"

namespace alfred::rules {

std::vector<Doing> Builder::build() {
  if (!names_known_rows() || holds_a_clause("items") || holds_a_clause("what")) return {};
  if (!says_own_word()) return {};
  switch (out_.verb) {
    case Verb::list:
    case Verb::show: return list();
    case Verb::add: return add();
    case Verb::set: return set();
    case Verb::adjust: return adjust();
    case Verb::remove: return without_single(remove());
    case Verb::save: return save();
    case Verb::saved: return saved();
    case Verb::missing: return missing();
    case Verb::prefer: return prefer();
    case Verb::edit: return edit();
    case Verb::forget: out_.is_reset = flag_of(with_, "reset"); return {out_};
    case Verb::generate: return arrange();
    case Verb::wish: return {};  // wishes.h
    default: return {out_};
  }
}

// `word`: by which of their words the rows have to be called.
bool Builder::says_own_word() const {
  const std::string word = text_of(with_, "word");
  const Captured* rows = slot("rows");
  return word.empty() || (rows != nullptr && clause_.tokens[rows->to - 1].stem == stem_of(word));
}

bool Builder::holds_a_clause(std::string_view name) const {
  const Captured* captured = slot(name);
  if (captured == nullptr) return false;
  const std::span<const Token> tokens = tokens_of(*captured);
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at - 1].kind != Token::Kind::stop && !tokens[at - 1].is("and")) continue;
    // "2 of these, they are in …" says more of the things.
    const bool is_said_of_them =
        name == "items" && (tokens[at].is("it") || tokens[at].is("they")) &&
        at + 1 < tokens.size() && world_.intents.follows_thing(tokens[at + 1]);
    if (tokens[at].is("then") || is_said_of_them) return true;
  }
  // "milk but do not add eggs": an order of its own.
  for (std::size_t at = 1; name == "items" && at + 1 < tokens.size(); ++at)
    if (tokens[at].is("not") && tokens[at - 1].is("do")) return true;
  return false;
}

bool Builder::names_known_rows() const {
  for (const auto& [name, captured] : found_.match.slots) {
    const std::string pointed = "{" + name + ":it:";
    if (const std::size_t at = found_.phrase.find(pointed); at != std::string::npos) {
      const std::size_t table = at + pointed.size();
      const std::string wanted =
          found_.phrase.substr(table, found_.phrase.find('}', table) - table);
      const std::string last = world_.table_of(world_.last_type());
      const JsonObject& parts = world_.pack().rules.parts;  // of a part it is said of the whole
      const bool is_part = (last.empty() || last == text_of(parts, "parts")) &&
                           wanted == text_of(parts, "of") && whole_of_parts() != nullptr;
      if (last != wanted && !is_part) return false;
    }
    const std::string open = "{" + name + ":thing:";
    const std::size_t from = found_.phrase.find(open);
    if (from == std::string::npos) continue;
    const std::size_t table = from + open.size();
    const std::string type =
        world_.type_of(found_.phrase.substr(table, found_.phrase.find('}', table) - table));
    const Target target = make_target(world_, said(captured), world_.table_of(type));
    if (!target.is_pointing && world_.find(target.said, type).empty()) return false;
  }
  return true;
}

std::optional<FieldSet> Builder::filled(const Field& field, const Json& spec) const {
  const JsonString* text = spec.if_string();
  const bool is_slot =
      text != nullptr && text->size() > 2 && text->front() == '{' && text->back() == '}';
  if (!is_slot) return FieldSet{field.name, spec, {}};
  const Captured* captured = slot(std::string_view(*text).substr(1, text->size() - 2));
  // "add salt to it": the one that was spoken of.
  if (captured == nullptr && field.link && out_.verb == Verb::add &&
      world_.table_of(world_.last_type()) == field.link->table)
    return FieldSet{field.name, {}, make_target(world_, "it", field.link->table)};
  if (captured == nullptr) return std::nullopt;
  if (captured->meaning != nullptr) return FieldSet{field.name, captured->meaning->value, {}};
  if (captured->moment != nullptr)
    return FieldSet{field.name, day_value(field, *captured->moment, world_.now), {}};
  if (captured->number != 0)
    return FieldSet{field.name,
                    field.type == FieldType::integer
                        ? Json(static_cast<std::int64_t>(captured->number))
                        : Json(captured->number),
                    {}};
  if (captured->amount) {
    if (!captured->amount->number) return std::nullopt;
    return FieldSet{field.name, Json(*captured->amount->number), {}};
  }
  if (field.link) {
    Target target = make_target(world_, said(*captured), field.link->table);
    // "it" is one of those that the link may lead to.
    if (target.is_pointing && !is_ref_word(target.said))
      target.type = world_.type_of(field.link->table);
    return FieldSet{field.name, {}, std::move(target)};
  }
  std::optional<Json> value = value_for(world_, *table(), field, said(*captured));
  if (!value) return std::nullopt;
  return FieldSet{field.name, std::move(*value), {}};
}

void Builder::take_beside(const Moment* only_day) {
  if (table() == nullptr) return;
  for (const Extra* extra : found_.match.extras) {
    const Field* field = table()->find(extra->name);
    if (field == nullptr) continue;
    if (!extra->code.empty())
      put(field, Json(extra->code));
    else
      put(field, field->type == FieldType::integer ? Json(static_cast<std::int64_t>(extra->number))
                                                   : Json(extra->number));
  }
  for (const Moment* moment : found_.match.moments) {
    if (moment->kind == Moment::Kind::day && only_day != nullptr && moment != only_day) continue;
    take_moment(*moment);
  }
}

void Builder::take_defaults() {
  const Json* defaults = with_.if_contains("default");
  if (defaults == nullptr || !defaults->is_object() || table() == nullptr) return;
  for (const auto& member : defaults->get_object()) {
    const Field* field = table()->find(member.key());
    if (field == nullptr || has_value(field->name)) continue;
    const bool is_today = member.value() == Json("today");
    const Moment today{.day = world_.now.day};
    put(field, is_today ? day_value(*field, today, world_.now) : Json(member.value()));
  }
}

void Builder::take_questions() {
  const Json* ask = with_.if_contains("ask");
  if (ask == nullptr || !ask->is_object()) return;
  for (const auto& member : ask->get_object())
    if (!has_one_of(member.key()) && out_.ask.empty())
      out_.ask = std::string(member.value().get_string());
}

std::vector<Doing> Builder::list() {
  take_rows("where");
  take_wheres();
  if (const std::string search = text_of(with_, "search"); search.size() > 2)
    if (const Captured* captured = slot(std::string_view(search).substr(1, search.size() - 2)))
      out_.search = typed(clause_.message, without_day(without_articles(tokens_of(*captured))));
  out_.is_one = flag_of(with_, "one") || out_.verb == Verb::show;
  out_.with_parts = flag_of(with_, "parts");
  out_.is_count = flag_of(with_, "count");
  out_.order = text_of(with_, "order");
  if (const std::string open = text_of(with_, "open"); !open.empty())
    out_.where.push_back({open, "is_null", {}});
  take_days();
  if (!out_.search.empty() && is_no_name(out_.search)) return {};
  if (out_.is_one && !out_.search.empty()) {
    Target target = make_target(world_, out_.search, out_.table);
    if (target.is_pointing && target.type.empty()) return {};
    if (flag_of(with_, "pointing") && !target.is_pointing) return {};
    if (out_.table.empty()) out_.table = world_.table_of(target.type);
    out_.targets.push_back(std::move(target));
  }
  if (out_.table.empty()) return {};
  out_.verb = out_.is_one ? Verb::show : Verb::list;
  return {out_};
}

// "chicken tonight": a day at the end is not what is looked for.
std::span<const Token> Builder::without_day(std::span<const Token> tokens) const {
  for (const Moment& moment : moments_in(world_, tokens))
    if (moment.from > 0 && moment.to == tokens.size() && moment.kind == Moment::Kind::day)
      return tokens.first(moment.from);
  return tokens;
}

void Builder::take_wheres() {
  if (const Json* where = with_.if_contains("where"); where != nullptr && where->is_object())
    for (const auto& member : where->get_object())
      take_where(std::string(member.key()), member.value());
}

void Builder::take_where(const std::string& field, const Json& spec) {
  if (spec == Json("some")) {
    out_.where.push_back({field, "is_not_null", {}});
    return;
  }
  if (spec.is_null()) {
    out_.where.push_back({field, "is_null", {}});
    return;
  }
  if (spec == Json("past")) {
    out_.where.push_back({field, "<", Json(iso_day(world_.now.day))});
    return;
  }
  const Field* of = table() == nullptr ? nullptr : table()->find(field);
  if (of == nullptr) return;
  if (spec == Json("{none}")) return;
  if (const std::optional<FieldSet> value = filled(*of, spec); value && !value->link)
    out_.where.push_back({field, of->type == FieldType::list ? "contains" : "=", value->value});
}

void Builder::take_days() {
  const Field* day = table() == nullptr ? nullptr : table()->find(text_of(with_, "before"));
  const Field* on = table() == nullptr ? nullptr : table()->find(text_of(with_, "on"));
  const Moment* said = nullptr;
  for (const Moment* one : found_.match.moments)
    if (one->kind != Moment::Kind::time) said = one;
  if (day != nullptr) {
    const Json* within = with_.if_contains("within");
    const std::int64_t days = within != nullptr && within->is_int64() ? within->get_int64() : 7;
    out_.where.push_back(
        {day->name, "<=", Json(iso_day(said != nullptr ? said->last : world_.now.day + days))});
    // "next week", "on friday": of these days alone; "by friday" begins where it is.
    constexpr std::array<std::string_view, 7> kUntil{"by",     "until",  "till", "in",
                                                     "within", "before", "over"};
    const bool is_until =
        said != nullptr &&
        (is_among(kUntil, clause_.tokens[said->from].text) ||
         (said->from > 0 && is_among(kUntil, clause_.tokens[said->from - 1].text)));
    if (said != nullptr && said->day > world_.now.day && !is_until)
      out_.where.push_back({day->name, ">=", Json(iso_day(said->day))});
    if (out_.order.empty()) out_.order = day->name;
  }
  if (std::optional<Cond> several =
          on == nullptr ? std::nullopt : one_of_days(*on, found_.match.moments))
    out_.where.push_back(std::move(*several));
  else if (on != nullptr && said != nullptr)
    add_range(*on, *said);
  if (on != nullptr && said == nullptr && flag_of(with_, "coming"))
    out_.where.push_back({on->name, ">=", Json(iso_day(world_.now.day))});
  if (on != nullptr && out_.order.empty()) out_.order = on->name;
}

void Builder::add_range(const Field& field, const Moment& said) {
  const bool is_instant = field.type == FieldType::instant;
  const std::string tail = is_instant ? "T00:00:00Z" : "";
  if (!is_instant && said.day == said.last) {
    out_.where.push_back({field.name, "=", Json(iso_day(said.day))});
    return;
  }
  out_.where.push_back({field.name, ">=", Json(iso_day(said.day) + tail)});
  out_.where.push_back({field.name, is_instant ? "<" : "<=",
                        Json(iso_day(said.last + (is_instant ? 1 : 0)) + tail)});
}

std::vector<Doing> Builder::add() {
  take_rows("where");
  const bool is_own = !found_.intent->table.empty();
  if (is_own) out_.table = found_.intent->table;
  if (const Captured* items = slot("items")) {
    out_.items = read_items(clause_.message, tokens_of(*items), world_.lexicon);
    if (out_.items.empty() && is_pointing(said(*items)))
      out_.items.push_back({.name = said(*items)});
    if (out_.items.empty() || tokens_of(*items).back().is("back")) return {};  // "put it back"
    if (out_.note.empty()) out_.note = range_note(out_.items);
  }
  if (const Captured* names = slot("texts"))  // names, whole as they were typed
    for (const std::span<const Token> piece : split_list(tokens_of(*names), world_.lexicon))
      out_.items.push_back({.name = typed(clause_.message, piece)});
  if (adds_nothing() || (slot("items") != nullptr && are_no_names()) ||
      (out_.table.empty() && !settle_place()))
    return {};
  if (table() == nullptr || table()->is_read_only) return {};
  if (!is_own && !is_plain_add()) return {};
  for (const Cond& one : out_.where) put(table()->find(one.field), one.value);
  out_.where.clear();
  take_set();
  if (!says_something()) return {};
  if (std::string why = impossible_moment(); !why.empty()) return refused(std::move(why));
  std::vector<Doing> out;
  for (const Moment* day : days_said()) {
    Doing kept = out_;
    take_beside(day);
    take_defaults();
    take_questions();
    out.push_back(std::exchange(out_, kept));
  }
  return out;
}

bool Builder::says_something() const {
  constexpr std::array<std::string_view, 6> kSmall{"to", "that", "about", "of", "for", "me"};
  const Captured* name = nullptr;
  for (const auto& [field, value] : fields_set())
    if (field == table()->label) name = slot(value);
  if (name == nullptr || !out_.items.empty()) return true;
  const std::span<const Token> tokens = tokens_of(*name);
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& one) {
    return one.kind != Token::Kind::stop && !is_among(kSmall, one.text) && !is_article(one);
  });
}

std::vector<std::pair<std::string, std::string>> Builder::fields_set() const {
  std::vector<std::pair<std::string, std::string>> out;
  const Json* set = with_.if_contains("set");
  if (set == nullptr || !set->is_object()) return out;
  for (const auto& member : set->get_object())
    if (const JsonString* text = member.value().if_string();
        text != nullptr && text->size() > 2 && text->front() == '{')
      out.emplace_back(member.key(), std::string_view(*text).substr(1, text->size() - 2));
  return out;
}

bool Builder::are_known_things() const {
  return std::all_of(out_.items.begin(), out_.items.end(), [&](const Item& item) {
    const Tokens tokens = read_tokens(item.name);
    // "red apples" are apples: the end of a name says what it is.
    for (std::size_t at = 0; at < tokens.size(); ++at)
      if (const std::vector<Meaning>* found =
              world_.lexicon.find_key(phrase_key(std::span(tokens).subspan(at))))
        if (Span{0, 0, found}.find(Meaning::Kind::noun) != nullptr) return true;
    return !world_.find(item.name, world_.type_of(out_.table)).empty();
  });
}

// "milk is nearly empty" and "its parts" are no names of things.
bool Builder::are_no_names() const {
  constexpr std::array<std::string_view, 10> kOfSentences{
      "its", "is", "are", "was", "were", "nearly", "almost", "away", "left", "only"};
  return std::any_of(out_.items.begin(), out_.items.end(), [&](const Item& one) {
    const Tokens tokens = read_tokens(one.name);
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const Token& word) { return is_among(kOfSentences, word.text); });
  });
}

bool Builder::adds_nothing() const {
  constexpr std::array<std::string_view, 5> kNothing{"nothing", "none", "nobody", "nothing else",
                                                     "nothing more"};
  return std::any_of(out_.items.begin(), out_.items.end(),
                     [&](const Item& one) { return is_among(kNothing, lower(one.name)); });
}

bool Builder::settle_place() {
  out_.is_anywhere = true;
  std::vector<const Table*> places;
  for (const Subdomain& one : world_.pack().subdomains)
    if (const Table* main = one.tables.empty() ? nullptr : world_.schema().find(one.tables.front());
        main != nullptr && !main->is_read_only && amount_field(world_.lexicon, *main) != nullptr &&
        std::find(places.begin(), places.end(), main) == places.end())
      places.push_back(main);
  out_.table = places.empty() ? world_.table_of(world_.last_type()) : world_.last_table;
  const bool is_among_them = std::any_of(places.begin(), places.end(),
                                         [&](const Table* one) { return one->name == out_.table; });
  if (places.empty()) return true;
  if (!is_among_them && !are_known_things()) return false;
  if (!is_among_them) out_.table = places.front()->name;
  if (is_among_them || places.size() == 1) {
    out_.note =
        "You did not say where, so I took the " + world_.lexicon.name_of_rows(out_.table) + ".";
    return true;
  }
  for (const Table* one : places)
    out_.ask += (out_.ask.empty()       ? "Where shall I put it: among the "
                 : one == places.back() ? " or the "
                                        : ", the ") +
                world_.lexicon.name_of_rows(one->name);
  out_.ask += "?";
  return true;
}

bool Builder::is_plain_add() const {
  if (out_.items.empty() || is_question(clause_) || table()->label.empty()) return false;
  const Field* label = table()->find(table()->label);
  if (label == nullptr || label->type != FieldType::text) return false;
  const bool has_verb = !found_.phrase.starts_with("{items}");
  const bool has_amount = std::any_of(out_.items.begin(), out_.items.end(), [](const Item& one) {
    return one.amount.has_value() || one.is_more;
  });
  if (!has_verb && !has_amount) return false;
  if (amount_field(world_.lexicon, *table()) != nullptr) return true;
  return slot("where") != nullptr && has_verb && !found_.phrase.starts_with("{where");
}

std::vector<const Moment*> Builder::days_said() const {
  std::vector<const Moment*> out;
  if (text_of(with_, "each") == "day")
    for (const Moment* one : found_.match.moments)
      if (one->kind == Moment::Kind::day) out.push_back(one);
  if (out.empty()) out.push_back(nullptr);
  return out;
}

std::vector<Doing> build(const ReadingWorld& world, const Clause& clause,
                         const IntentMatch& found) {
  return Builder(world, clause, found).build();
}

}  // namespace alfred::rules
