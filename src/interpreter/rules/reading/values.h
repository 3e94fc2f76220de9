// Values of fields, as people say them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/rules/reading/phrase.h"
#include "interpreter/rules/reading/world.h"

namespace alfred::rules {

// What the words are as a value of this field; nothing when they are none.
std::optional<Json> value_for(const ReadingWorld& world, const Table& table, const Field& field,
                              std::string_view said);
// What the words set where no field was named: an amount, a value that only one field has, a day.
std::vector<FieldSet> values_for(const ReadingWorld& world, const Table& table,
                                 std::string_view said);
// An amount as values of the table's columns for it.
std::vector<FieldSet> amount_values(const Lexicon& lexicon, const Table& table,
                                    const std::optional<double>& number, std::string_view unit);
// What the pack calls the columns for amounts (`amount` and `unit` of [rules.parts]).
std::string amount_column(const Lexicon& lexicon);
std::string unit_column(const Lexicon& lexicon);
const Field* amount_field(const Lexicon& lexicon, const Table& table);
// The day that rows of the table are about; null: none.
const Field* day_field(const ReadingWorld& world, const Table& table);
Json day_value(const Field& field, const Moment& moment, const Now& now);
// "on thursday and friday": the field has one of these days; nothing: not several days were said,
// or it holds no day.
std::optional<Cond> one_of_days(const Field& field, std::span<const Moment* const> moments);

}  // namespace alfred::rules
