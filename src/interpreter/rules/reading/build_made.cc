// New things: of rows that are there, and rows on days.
#include <algorithm>

#include "interpreter/rules/reading/builder.h"
#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/reading/wishes.h"

namespace alfred::rules {

// New things of rows that are there: of those with a day that comes soon, or of any.
std::vector<Doing> Builder::made_of_rows() {
  const Table* from = world_.schema().find(text_of(with_, "from"));
  if (from == nullptr) return {};
  if (!with_.contains("before")) return made_of_stock();
  const Field* day = from->find(text_of(with_, "before"));
  if (day == nullptr) return {};
  const Moment* said = nullptr;
  for (const Moment* one : found_.match.moments)
    if (one->kind != Moment::Kind::time) said = one;
  const auto days = static_cast<std::int64_t>(number_of(with_, "within", 7));
  out_.where = {
      {day->name, ">=", Json(iso_day(world_.now.day))},
      {day->name, "<=", Json(iso_day(said == nullptr ? world_.now.day + days : said->last))}};
  out_.order = day->name;
  take_number_to_make();
  return {out_};
}

// "… with what I have": what is wanted is said before it, or nothing but a number is.
std::vector<Doing> Builder::made_of_stock() {
  if (const Captured* where = slot("where"); where != nullptr && where->meaning != nullptr)
    for (const auto& [field, value] : where->meaning->where)
      out_.where.push_back({field, "=", value});
  const Captured* wish = slot("wish");
  if (wish == nullptr) {
    take_number_to_make();
    return {out_};
  }
  const Clause clause = make_clause(world_, clause_.message, tokens_of(*wish));
  const std::optional<ScoredDoing> read = read_wishes(world_, clause, false);
  if (!read || read->doing.verb != Verb::generate) return {};
  out_.wishes = read->doing.wishes;
  out_.overrides = read->doing.overrides;
  out_.unread = read->doing.unread;
  out_.count = read->doing.count;
  out_.refusal = read->doing.refusal;
  return {out_};
}

void Builder::take_number_to_make() {
  const Captured* number = slot("n");
  out_.count = number == nullptr ? 1 : static_cast<int>(std::clamp(number->number, -1.0, 1000.0));
}

// Rows on days, of things that are there; new things are made by wishes.h.
std::vector<Doing> Builder::arrange() {
  constexpr std::int64_t kMostDays = 7;
  if (with_.contains("from")) return made_of_rows();
  const Field* day = table() == nullptr ? nullptr : table()->find(text_of(with_, "day"));
  const Field* fill = table() == nullptr ? nullptr : table()->find(text_of(with_, "fill"));
  if (day == nullptr || fill == nullptr || !fill->link) return {};
  const Moment* days = nullptr;
  for (const Moment* one : found_.match.moments)
    if (one->kind == Moment::Kind::days || one->kind == Moment::Kind::day) days = one;
  if (days == nullptr) return {};
  take_set();
  take_defaults();
  out_.where.push_back({day->name, ">=", Json(iso_day(days->day))});
  out_.where.push_back({day->name, "<=", Json(iso_day(days->last))});
  const Captured* number = slot("n");
  const std::int64_t from = std::max(days->day, world_.now.day);
  out_.count = static_cast<int>(number != nullptr ? std::clamp(number->number, 1.0, 100.0)
                                                  : static_cast<double>(std::clamp<std::int64_t>(
                                                        days->last - from + 1, 1, kMostDays)));
  return {out_};
}

}  // namespace alfred::rules
