#include "interpreter/rules/reading/bounds.h"

#include "interpreter/rules/reading/members.h"
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

// "for 0 people".
std::string wrong_portions_in(const ReadingWorld& world, const Doing& doing) {
  const std::string field = text_of(world.pack().rules.portions, "field");
  const auto wrong = [&](std::string_view name, const Json& value) -> std::string {
    if (field.empty() || name != field || !value.is_number()) return "";
    const auto number = value.to_number<double>();
    return number >= 1 ? "" : number_text(number) + " is too few for " + field + ": 1 or more.";
  };
  for (const FieldSet& one : doing.values)
    if (std::string why = wrong(one.field, one.value); !why.empty()) return why;
  for (const std::vector<Constraint>* wishes : {&doing.wishes, &doing.overrides})
    for (const Constraint& one : *wishes)
      if (std::string why = wrong(one.type, one.value); !why.empty()) return why;
  return "";
}

}  // namespace

std::string unclear_number(std::span<const Token> tokens) {
  for (const Token& one : tokens) {
    const std::size_t dot =
        one.kind == Token::Kind::number ? one.text.find('.') : std::string::npos;
    const bool is_unclear = dot != std::string::npos && one.text.size() == dot + 4 && dot <= 3 &&
                            one.number >= 1 && one.text.find('e') == std::string::npos;
    if (!is_unclear) continue;
    std::string whole = one.text;
    whole.erase(dot, 1);
    return "I cannot tell whether " + one.text + " is " + number_text(one.number) + " or " + whole +
           ". Write one of these.";
  }
  return "";
}

std::string out_of_bounds(const ReadingWorld& world, const Program& program) {
  for (const Doing& doing : program.doings) {
    if (!doing.refusal.empty()) return doing.refusal;
    if (std::string why = wrong_amount_in(world, doing); !why.empty()) return why;
    if (std::string why = wrong_portions_in(world, doing); !why.empty()) return why;
    const bool is_new = doing.verb == Verb::generate && !doing.with.contains("fill");
    if (is_new && (doing.count < 1 || doing.count > kMostMade))
      return "I make 1 to " + std::to_string(kMostMade) + " at once. Say a number from 1 to " +
             std::to_string(kMostMade) + ".";
  }
  return "";
}

}  // namespace alfred::rules
