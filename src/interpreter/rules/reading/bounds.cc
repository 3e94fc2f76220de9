#include "interpreter/rules/reading/bounds.h"

#include <array>

#include "interpreter/rules/reading/members.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/small_words.h"

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

namespace {

// "nan kg", "1/0 l".
std::string no_number(const ReadingWorld& world, std::string_view message,
                      std::span<const Token> tokens) {
  constexpr std::array<std::string_view, 4> kNone{"nan", "inf", "infinity", "infinite"};
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const std::optional<Span> next = world.lexicon.span_at(tokens, at + 1);
    if (is_among(kNone, tokens[at].text) && next && next->find(Meaning::Kind::unit) != nullptr)
      return tokens[at].text;
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 1; at + 1 < message.size(); ++at)
    if (message[at] == '/' && is_digit(message[at - 1]) && message[at + 1] == '0' &&
        (at + 2 == message.size() || message[at + 2] == ' '))
      return std::string(message.substr(at - 1, 3));
  return "";
}

}  // namespace

std::string unclear_number(const ReadingWorld& world, std::string_view message,
                           std::span<const Token> tokens) {
  if (const std::string none = no_number(world, message, tokens); !none.empty())
    return "“" + none + "” is no amount. Say how much it is, such as 2 or 500 g.";
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
