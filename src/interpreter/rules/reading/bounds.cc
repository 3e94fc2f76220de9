#include "interpreter/rules/reading/bounds.h"

#include "interpreter/rules/reading/values.h"

namespace alfred::rules {
namespace {

constexpr double kMostAmount = 1e6;
constexpr int kMostMade = 10;

bool is_amount(double amount, bool may_be_nothing) {
  return (amount > 0 || (may_be_nothing && amount == 0)) && amount <= kMostAmount;
}

std::string wrong_amount(double amount, std::string_view of) {
  const bool is_much = amount > kMostAmount;
  std::string out = is_much ? "That is more than I can count" : number_text(amount);
  if (!of.empty()) out += (is_much ? " (" : " ") + std::string(of) + (is_much ? ")" : "");
  return out + (is_much ? ": " : " is no amount: ") + "it must be more than 0 and at most 1000000.";
}

std::string wrong_amount_in(const ReadingWorld& world, const Doing& doing) {
  const bool may_be_nothing = doing.verb == Verb::adjust && doing.how == "exact";
  for (const Item& item : doing.items)
    if (item.amount && !is_amount(*item.amount, may_be_nothing))
      return wrong_amount(*item.amount, item.name);
  for (const FieldSet& one : doing.values)
    if (one.field == amount_column(world.lexicon) && one.value.is_number() &&
        !is_amount(one.value.to_number<double>(), false))
      return wrong_amount(one.value.to_number<double>(), "");
  return "";
}

}  // namespace

std::string out_of_bounds(const ReadingWorld& world, const Program& program) {
  for (const Doing& doing : program.doings) {
    if (!doing.refusal.empty()) return doing.refusal;
    if (std::string why = wrong_amount_in(world, doing); !why.empty()) return why;
    const bool is_new = doing.verb == Verb::generate && !doing.with.contains("fill");
    if (is_new && (doing.count < 1 || doing.count > kMostMade))
      return "I make 1 to " + std::to_string(kMostMade) + " at once. Say a number from 1 to " +
             std::to_string(kMostMade) + ".";
  }
  return "";
}

}  // namespace alfred::rules
