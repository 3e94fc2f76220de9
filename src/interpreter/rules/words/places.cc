#include "interpreter/rules/words/places.h"

#include <algorithm>
#include <array>
#include <optional>

#include "interpreter/rules/words/small_words.h"
#include "interpreter/rules/words/tokens.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 10> kOrdinals{
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
constexpr std::array<std::string_view, 23> kBeside{
    "the",  "one",   "ones", "of",  "them", "those", "these", "please", "just", "only", "and", "i",
    "mean", "meant", "take", "use", "yes",  "then",  "that",  "st",     "nd",   "rd",   "th"};
constexpr std::array<std::string_view, 4> kNumbered{"number", "no", "option", "choice"};
constexpr std::array<std::string_view, 3> kAll{"all", "everything", "every"};

class PlaceReader {
 public:
  explicit PlaceReader(std::size_t count) : count_(count) {}

  std::vector<std::size_t> read(std::string_view answer) {
    const Tokens tokens = read_tokens(answer);
    for (std::size_t at = 0; at < tokens.size(); ++at)
      if (!take(tokens, at)) return {};
    return out_;
  }

 private:
  // False: the answer is none by place.
  bool take(const Tokens& tokens, std::size_t at) {
    const Token& token = tokens[at];
    if (token.kind == Token::Kind::stop) return true;
    if (token.kind == Token::Kind::number) return take_number(tokens, at);
    if (token.kind != Token::Kind::word) return false;
    if (is_among(kAll, token.text) || token.is("both"))
      return (!token.is("both") || count_ == 2) && add_first(count_);
    if (token.is("last") || token.is("latter")) return count_ > 0 && add(count_ - 1);
    if (token.is("former")) return add(0);
    const auto* const ordinal = std::find(kOrdinals.begin(), kOrdinals.end(), token.text);
    if (ordinal != kOrdinals.end()) {
      // "the first two"
      const bool is_count = token.is("first") && at + 1 < tokens.size() &&
                            tokens[at + 1].kind == Token::Kind::number && tokens[at + 1].number > 1;
      return is_count || add(static_cast<std::size_t>(ordinal - kOrdinals.begin()));
    }
    return is_among(kNumbered, token.text) ? !is_last(tokens, at) : is_among(kBeside, token.text);
  }

  bool take_number(const Tokens& tokens, std::size_t at) {
    const Token& token = tokens[at];
    const bool is_whole = token.number >= 1 && token.number <= static_cast<double>(count_) &&
                          token.number == static_cast<double>(static_cast<int>(token.number));
    const auto number = static_cast<std::size_t>(is_whole ? token.number : 0);
    const bool is_numbered = at > 0 && is_among(kNumbered, tokens[at - 1].text);
    const bool is_digit = token.text[0] >= '0' && token.text[0] <= '9';
    if (at > 0 && tokens[at - 1].is("first") && number > 1) return add_first(number);
    // "all three", "the two of them" where there are so many.
    if (!is_numbered && !is_digit && number == count_ && count_ > 1 && at > 0 &&
        (is_among(kAll, tokens[at - 1].text) || tokens[at - 1].is("the")))
      return add_first(number);
    if (token.is("one") && !is_numbered) return true;  // "the first one"
    return is_whole && (is_numbered || is_digit) && add(number - 1);
  }

  static bool is_last(const Tokens& tokens, std::size_t at) { return at + 1 >= tokens.size(); }
  bool add(std::size_t place) {
    if (place >= count_) return false;
    if (std::find(out_.begin(), out_.end(), place) == out_.end()) out_.push_back(place);
    return true;
  }
  bool add_first(std::size_t count) {
    for (std::size_t place = 0; place < count; ++place)
      if (!add(place)) return false;
    return count > 0;
  }

  std::size_t count_;
  std::vector<std::size_t> out_;
};

// "among the shelves" → "shelves".
std::string without_article(std::string_view choice) {
  for (bool is_shorter = true; is_shorter;) {
    is_shorter = false;
    for (const std::string_view word : {" ", "among ", "the ", "a ", "an "})
      if (choice.starts_with(word)) {
        choice.remove_prefix(word.size());
        is_shorter = true;
      }
  }
  return std::string(choice);
}

}  // namespace

std::vector<std::string> choices_in(std::string_view question) {
  constexpr std::string_view kColon = ": ";
  constexpr std::array<std::string_view, 3> kJoints{", or ", ", ", " or "};
  const std::size_t colon = question.find(kColon);
  const std::size_t end = question.find('?', colon == std::string_view::npos ? 0 : colon);
  std::vector<std::string> out;
  if (colon == std::string_view::npos || end == std::string_view::npos) return out;
  std::string_view rest = question.substr(colon + kColon.size(), end - colon - kColon.size());
  while (!rest.empty()) {
    std::size_t joint = rest.size();
    std::size_t size = 0;
    for (const std::string_view one : kJoints)
      if (const std::size_t at = rest.find(one); at < joint) {
        joint = at;
        size = one.size();
      }
    out.push_back(without_article(rest.substr(0, joint)));
    rest = rest.substr(joint + size);
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

std::string choice_picked(std::string_view question, std::string_view answer) {
  const std::vector<std::string> choices = choices_in(question);
  const std::vector<std::size_t> places = places_picked(answer, choices.size());
  return places.size() == 1 ? choices[places.front()] : "";
}

std::vector<std::size_t> places_picked(std::string_view answer, std::size_t count) {
  return PlaceReader(count).read(answer);
}

}  // namespace alfred::rules
