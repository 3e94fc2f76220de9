// Whom the words of a change mean: by name, by pointing, by a day and a value.
#include "interpreter/rules/reading/builder.h"

namespace alfred::rules {

std::vector<Target> Builder::targets_of(std::string_view name) const {
  std::vector<Target> out;
  const Captured* what = slot(name);
  if (what == nullptr) return out;
  if (is_pointing(said(*what))) {
    out.push_back(make_target(world_, said(*what), out_.table));
    return out;
  }
  for (const std::span<const Token> piece : split_list(tokens_of(*what), world_.lexicon)) {
    const std::string text = typed(clause_.message, piece);
    // "things" names nothing.
    if (!telling_words(text).empty() || is_pointing(text))
      out.push_back(make_target(world_, text, out_.table));
  }
  return out;
}

// The one thing with parts that was spoken of last, or else was looked at; null: none, or several.
const Known* Builder::whole_of_parts() const {
  const std::string type = world_.type_of(text_of(world_.pack().rules.parts, "of"));
  for (const bool may_be_looked_at : {false, true}) {
    const Known* latest = nullptr;
    bool is_one = false;
    for (const Known& one : world_.known) {
      if (one.type != type || one.is_background || one.is_generated ||
          (one.is_looked_at && !may_be_looked_at))
        continue;
      if (latest != nullptr && one.turn < latest->turn) continue;
      is_one = latest == nullptr || one.turn > latest->turn;
      latest = &one;
    }
    if (latest != nullptr) return is_one ? latest : nullptr;
  }
  return nullptr;
}

// Parts are those of that thing.
void Builder::take_whole() {
  const JsonObject& parts = world_.pack().rules.parts;
  if (out_.table.empty() || out_.table != text_of(parts, "parts")) return;
  const Known* whole = whole_of_parts();
  if (whole == nullptr) return;
  for (const Field& field : table()->fields)
    if (field.link && field.link->table == text_of(parts, "of"))
      out_.where.push_back({field.name, "=", Json(whole->ref)});
}

bool Builder::settle_targets() {
  if (out_.targets.empty()) return false;
  if (out_.table.empty())
    for (const Target& one : out_.targets)
      if (out_.table.empty()) out_.table = world_.table_of(one.type);
  if (out_.table.empty()) return false;
  const auto is_of_others = [&](const Target& one) {  // "the reminder" is no meal
    return one.is_pointing && is_pronoun(one.said) && !one.type.empty() &&
           one.type != world_.type_of(out_.table);
  };
  if (!found_.intent->table.empty() &&
      std::any_of(out_.targets.begin(), out_.targets.end(), is_of_others))
    return false;
  for (Target& one : out_.targets) one.type = world_.type_of(out_.table);
  return true;
}

bool Builder::names_a_day() const {
  return std::any_of(out_.targets.begin(), out_.targets.end(), [&](const Target& one) {
    const Tokens tokens = read_tokens(one.said);
    const std::vector<Moment> moments = moments_in(world_, tokens);
    return !moments.empty() && moments.front().from == 0;
  });
}

// "dinner on friday": of the tables with a day of their own, the one that has such a value.
std::string Builder::table_by_day(std::string_view name) const {
  const Captured* what = slot(name);
  if (what == nullptr) return "";
  const std::span<const Token> tokens = tokens_of(*what);
  const std::vector<Moment> moments = moments_in(world_, tokens);
  const bool has_day = std::any_of(moments.begin(), moments.end(),
                                   [](const Moment& one) { return one.kind == Moment::Kind::day; });
  if (!has_day) return "";
  for (const Span& span : world_.lexicon.spans_in(tokens))
    for (const Meaning& one : *span.meanings)
      if (const Table* table = world_.schema().find(one.table);
          table != nullptr && one.kind == Meaning::Kind::value &&
          world_.pack().rules.dates.contains(table->name))
        return table->name;
  return "";
}

void Builder::take_day_out(Target& target) {
  const Field* day = day_field(world_, *table());
  const Tokens tokens = read_tokens(target.said);
  for (const Moment& moment : moments_in(world_, tokens)) {
    if (day == nullptr || moment.kind != Moment::Kind::day || day->type != FieldType::date)
      continue;
    out_.where.push_back({day->name, "=", Json(iso_day(moment.day))});
    std::size_t behind = moment.to;
    if (behind < tokens.size() && tokens[behind].is("'s")) ++behind;
    const std::span<const Token> all(tokens);
    const std::span<const Token> rest =
        moment.from == 0 ? all.subspan(behind) : all.first(moment.from);
    if (takes_values(rest)) return target.said.clear();
    target.said = rest.empty() ? target.said : typed(target.said, rest);
    return;
  }
}

bool Builder::takes_values(std::span<const Token> tokens) {
  std::vector<Cond> where;
  for (std::size_t at = 0; at < tokens.size();) {
    const std::optional<Span> span = world_.lexicon.span_at(tokens, at);
    const Meaning* value = nullptr;
    if (span)
      for (const Meaning& one : *span->meanings)
        if (one.kind == Meaning::Kind::value && one.table == out_.table) value = &one;
    if (value == nullptr && !is_filler(tokens[at])) return false;
    if (value != nullptr) where.push_back({value->field, "=", value->value});
    at = value == nullptr ? at + 1 : span->to;
  }
  out_.where.insert(out_.where.end(), where.begin(), where.end());
  return !where.empty();
}

// A day beside a change that sets none says which row is meant.
void Builder::take_day_beside() {
  for (const char* sets : {"day", "span", "instant"})
    if (with_.contains(sets)) return;
  for (const Moment* moment : found_.match.moments)
    if (moment->kind == Moment::Kind::day) take_day_of(*moment);
}

void Builder::take_day_of(const Moment& moment) {
  const Field* day = day_field(world_, *table());
  if (day == nullptr || day->type != FieldType::date) return;
  std::erase_if(out_.values, [&](const FieldSet& one) { return one.field == day->name; });
  out_.where.push_back({day->name, "=", Json(iso_day(moment.day))});
}

}  // namespace alfred::rules
