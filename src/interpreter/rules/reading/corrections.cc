#include "interpreter/rules/reading/corrections.h"

#include <algorithm>

#include "interpreter/rules/reading/clauses.h"
#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/reading/wishes.h"

namespace alfred::rules {
namespace {

class Correction {
 public:
  Correction(const ReadingWorld& world, std::string_view message)
      : world_(world), message_(message) {}

  std::optional<Program> changed_otherwise(const Doing& before, std::span<const Token> rest) const {
    // "5 not 3": what is not meant says nothing.
    for (std::size_t at = 0; at < rest.size(); ++at)
      if (rest[at].is("not")) rest = rest.first(at);
    const Table* table = world_.schema().find(before.table);
    if (table == nullptr || rest.empty()) return std::nullopt;
    if (before.verb == Verb::adjust) return adjusted(before, rest);
    Doing out{.verb = Verb::set, .table = before.table};
    out.said = std::string(message_);
    out.intent = "a correction";
    const Amount amount = read_amount(rest, world_.lexicon);
    const bool is_amount = amount.to == rest.size() && amount.number &&
                           amount_field(world_.lexicon, *table) != nullptr;
    if (is_amount) {
      out.values = amount_values(world_.lexicon, *table, amount.number, amount.unit);
    } else {
      out.values = moment_values(before, *table, rest);
      for (FieldSet& one : values_said(world_, message_, *table, rest))
        if (std::none_of(out.values.begin(), out.values.end(),
                         [&](const FieldSet& had) { return had.field == one.field; }))
          out.values.push_back(std::move(one));
    }
    for (const Extra& extra : make_clause(world_, message_, rest).extras)
      if (const Field* field = table->find(extra.name); field != nullptr && extra.code.empty())
        out.values.push_back({field->name, Json(static_cast<std::int64_t>(extra.number)), {}});
    if (out.values.empty()) out.values = name_values(before, *table, rest);
    if (out.values.empty()) return std::nullopt;
    out.targets.push_back(
        {.said = "it", .type = world_.type_of(before.table), .is_pointing = true});
    return Program{{out}};
  }

  // R2.
  std::optional<Program> made_otherwise(const Doing& before, std::span<const Token> rest) const {
    Doing out = before;
    out.said = std::string(message_);
    out.intent = "a correction";
    out.is_reset = true;
    const bool is_other =
        makes_new(before) ? wishes_otherwise(out, rest) : placed_otherwise(out, rest);
    if (!is_other) return std::nullopt;
    return Program{{Doing{.verb = Verb::forget, .intent = out.intent, .said = out.said}, out}};
  }

 private:
  // "I meant pears": another thing than the one that was added, perhaps so many of it.
  std::vector<FieldSet> name_values(const Doing& before, const Table& table,
                                    std::span<const Token> rest) const {
    const Field* label = table.find(table.label);
    const std::vector<Item> items = read_items(message_, rest, world_.lexicon);
    if (before.verb != Verb::add || before.items.size() != 1 || items.size() != 1 ||
        label == nullptr || label->type != FieldType::text || is_pointing(items.front().name))
      return {};
    std::vector<FieldSet> out{{label->name, Json(items.front().name), {}}};
    if (items.front().amount)
      for (FieldSet& one :
           amount_values(world_.lexicon, table, items.front().amount, items.front().unit))
        out.push_back(std::move(one));
    return out;
  }

  // A time or a length of time, where the sentence before had one.
  std::vector<FieldSet> moment_values(const Doing& before, const Table& table,
                                      std::span<const Token> rest) const {
    std::vector<FieldSet> out;
    for (const Moment& moment : make_clause(world_, message_, rest).moments) {
      const auto member = [&](std::string_view name) -> const Field* {
        const Json* value = before.with.if_contains(name);
        return value != nullptr && value->is_string() ? table.find(value->get_string()) : nullptr;
      };
      if (const Field* at = member("instant"); at != nullptr && moment.minute >= 0) {
        std::int64_t day = moment.kind == Moment::Kind::day ? moment.day : world_.now.day;
        if (moment.kind == Moment::Kind::time)
          for (const FieldSet& had : before.values)
            if (had.field == at->name && had.value.is_string())
              day = read_iso_day(std::string_view(had.value.get_string()).substr(0, 10))
                        .value_or(day);
        out.push_back(
            {at->name, Json(instant_text({day, moment.minute, moment.second}, world_.now)), {}});
      } else if (const Field* until = member("span");
                 until != nullptr && moment.kind == Moment::Kind::span) {
        out.push_back({until->name, Json(iso_day(world_.now.day + moment.length)), {}});
      }
    }
    return out;
  }

  // "I said 3, not 2": the difference is made up for.
  std::optional<Program> adjusted(const Doing& before, std::span<const Token> rest) const {
    const Amount amount = read_amount(rest, world_.lexicon);
    if (!amount.number || before.items.size() != 1 || !before.items[0].amount) return std::nullopt;
    Doing out = before;
    out.said = std::string(message_);
    out.items[0].amount = *amount.number - *before.items[0].amount;
    return Program{{out}};
  }

  bool wishes_otherwise(Doing& out, std::span<const Token> rest) const {
    const Clause clause = make_clause(world_, message_, rest);
    const std::optional<ScoredDoing> wish = read_wishes(world_, clause, true);
    if (!wish || wish->doing.verb != Verb::generate || !out.shares.empty()) return false;
    std::vector<Constraint> kept;
    for (const std::vector<Constraint>* terms : {&wish->doing.wishes, &wish->doing.overrides})
      for (Constraint term : *terms) {
        // What is wanted in it comes in the place of what was said by mistake.
        const bool is_part = term.type == text_of(world_.pack().rules.wishes, "required");
        const auto had =
            std::find_if(out.wishes.begin(), out.wishes.end(), [&](const Constraint& one) {
              return one.type == term.type && (is_part || one.field == term.field);
            });
        if (had != out.wishes.end()) {
          if (is_part) term.field = had->field;
          out.wishes.erase(had);
        }
        kept.push_back(std::move(term));
      }
    out.wishes.insert(out.wishes.end(), kept.begin(), kept.end());
    return true;
  }
  // Other days, or another place on them.
  bool placed_otherwise(Doing& out, std::span<const Token> rest) const {
    const Table* table = world_.schema().find(out.table);
    const Field* day = table == nullptr ? nullptr : table->find(text_of(out.with, "day"));
    if (day == nullptr) return false;
    bool is_other = false;
    for (const Moment& moment : make_clause(world_, message_, rest).moments) {
      if (moment.kind != Moment::Kind::days) continue;
      out.where = {{day->name, ">=", Json(iso_day(moment.day))},
                   {day->name, "<=", Json(iso_day(moment.last))}};
      is_other = true;
    }
    for (const FieldSet& said : values_said(world_, message_, *table, rest))
      for (FieldSet& had : out.values)
        if (had.field == said.field && had.field != day->name) {
          had.value = said.value;
          is_other = true;
        }
    return is_other;
  }

  const ReadingWorld& world_;
  std::string_view message_;
};

}  // namespace

std::optional<Program> corrected(const ReadingWorld& world, std::string_view message,
                                 const Doing& before, std::span<const Token> meant) {
  const Correction correction(world, message);
  return before.verb == Verb::generate ? correction.made_otherwise(before, meant)
                                       : correction.changed_otherwise(before, meant);
}

}  // namespace alfred::rules
