#include "interpreter/rules/reading/values.h"

#include <algorithm>

#include "interpreter/rules/reading/members.h"

namespace alfred::rules {
namespace {

const Meaning* meaning_for(const ReadingWorld& world, const Table& table, std::string_view said,
                           std::string_view field) {
  const Tokens tokens = read_tokens(said);
  const std::span<const Token> rest = without_articles(tokens);
  if (rest.empty()) return nullptr;
  const std::vector<Meaning>* meanings = world.lexicon.find(phrase_key(rest));
  if (meanings == nullptr) return nullptr;
  for (const Meaning& one : *meanings)
    if (one.kind == Meaning::Kind::value && one.table == table.name &&
        (field.empty() || one.field == field))
      return &one;
  return nullptr;
}

// A number of things; what no integer can hold stays too large, and is refused (bounds.h).
Json whole(double number) {
  return Json(static_cast<std::int64_t>(std::clamp(number, -1e15, 1e15)));
}

std::optional<Json> number_value(const Field& field, const Tokens& tokens) {
  for (const Token& token : tokens) {
    if (token.kind != Token::Kind::number) continue;
    if (field.type == FieldType::integer) return whole(token.number);
    return Json(token.number);
  }
  return std::nullopt;
}

std::optional<Json> boolean_value(const Tokens& tokens) {
  for (const Token& token : tokens) {
    if (token.is("yes") || token.is("true") || token.is("on")) return Json(true);
    if (token.is("no") || token.is("false") || token.is("off") || token.is("not"))
      return Json(false);
  }
  return std::nullopt;
}

}  // namespace

std::string amount_column(const Lexicon& lexicon) {
  return text_of(lexicon.pack().rules.parts, "amount");
}
std::string unit_column(const Lexicon& lexicon) {
  return text_of(lexicon.pack().rules.parts, "unit");
}
const Field* amount_field(const Lexicon& lexicon, const Table& table) {
  return table.find(amount_column(lexicon));
}

const Field* day_field(const ReadingWorld& world, const Table& table) {
  const auto found = world.pack().rules.dates.find(table.name);
  if (found != world.pack().rules.dates.end()) return table.find(found->second);
  for (const Field& field : table.fields)
    if (field.type == FieldType::date && !field.is_hidden) return &field;
  return nullptr;
}

Json day_value(const Field& field, const Moment& moment, const Now& now) {
  constexpr int kMidday = 12 * 60;
  if (field.type != FieldType::instant) return Json(iso_day(moment.day));
  const int minute =
      moment.minute >= 0 ? moment.minute
      : moment.day == now.day
          ? std::min(now.minute, moment.is_evening() ? clock_of(DayPart::evening) : now.minute)
          : kMidday;
  return Json(instant_text({moment.day, minute, moment.second}, now));
}

std::vector<FieldSet> amount_values(const Lexicon& lexicon, const Table& table,
                                    const std::optional<double>& number, std::string_view unit) {
  std::vector<FieldSet> out;
  const Field* const quantity = amount_field(lexicon, table);
  if (number && quantity != nullptr) {
    const bool is_whole = quantity->type == FieldType::integer;
    out.push_back({quantity->name, is_whole ? whole(*number) : Json(*number), {}});
  }
  const Field* const of_unit = table.find(unit_column(lexicon));
  if (!unit.empty() && of_unit != nullptr)
    out.push_back({of_unit->name, Json(std::string(unit)), {}});
  return out;
}

std::optional<Json> value_for(const ReadingWorld& world, const Table& table, const Field& field,
                              std::string_view said) {
  if (const Meaning* meaning = meaning_for(world, table, said, field.name)) return meaning->value;
  const Tokens tokens = read_tokens(said);
  switch (field.type) {
    case FieldType::integer:
    case FieldType::number: return number_value(field, tokens);
    case FieldType::boolean: return boolean_value(tokens);
    case FieldType::date:
    case FieldType::instant:
      for (const Moment& moment : find_moments(tokens, world.now))
        if (moment.kind == Moment::Kind::day) return day_value(field, moment, world.now);
      return std::nullopt;
    case FieldType::text: {
      if (!field.enum_values.empty()) return std::nullopt;
      if (tokens.size() == 1 && tokens[0].kind == Token::Kind::quoted) return Json(tokens[0].text);
      const std::string text = typed(said, tokens);
      return text.empty() ? std::nullopt : std::optional(Json(text));
    }
    default: return std::nullopt;
  }
}

std::vector<FieldSet> values_for(const ReadingWorld& world, const Table& table,
                                 std::string_view said) {
  if (const Meaning* meaning = meaning_for(world, table, said, ""))
    return {{meaning->field, meaning->value, {}}};
  const Tokens tokens = read_tokens(said);
  const Amount amount = read_amount(tokens, world.lexicon);
  if (amount.to == tokens.size() && amount.number && amount_field(world.lexicon, table) != nullptr)
    return amount_values(world.lexicon, table, amount.number, amount.unit);
  for (const Moment& moment : find_moments(tokens, world.now)) {
    const Field* const day = day_field(world, table);
    if (moment.kind == Moment::Kind::day && day != nullptr && moment.from == 0 &&
        moment.to == tokens.size())
      return {{day->name, day_value(*day, moment, world.now), {}}};
  }
  return {};
}

std::optional<Cond> one_of_days(const Field& field, std::span<const Moment* const> moments) {
  JsonArray days;
  for (const Moment* one : moments) {
    if (one->kind == Moment::Kind::time) continue;
    if (one->kind != Moment::Kind::day || one->last != one->day) return std::nullopt;
    days.push_back(Json(iso_day(one->day)));
  }
  if (days.size() < 2 || field.type != FieldType::date) return std::nullopt;
  return Cond{field.name, "in", std::move(days)};
}

}  // namespace alfred::rules
