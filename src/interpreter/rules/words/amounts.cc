#include "interpreter/rules/words/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 17> kArticles{
    "the", "a",  "an",   "my",   "our", "some", "any",   "more", "of",
    "all", "up", "that", "this", "new", "your", "those", "these"};

constexpr std::string_view kCounted = "count";  // the kind of units that are a number of things

class AmountReader {
 public:
  AmountReader(std::span<const Token> tokens, const Lexicon& lexicon)
      : tokens_(tokens), lexicon_(lexicon) {}

  Amount read() {
    while (is("the") || is("about") || is("up") || is("all")) ++at_;
    if (is("whole") || is("rest") || is("entire")) {
      ++at_;
      out_.is_whole = true;
      skip_of();
      return done();
    }
    take_number();
    take_times();
    if (is("more") || is("extra") || is("additional")) {
      ++at_;
      out_.is_more = true;
    }
    take_unit();
    if (!out_.number && out_.unit.empty() && !out_.is_more && !out_.is_half) return {};
    skip_of();
    return done();
  }

 private:
  bool is(std::string_view word) const { return at_ < tokens_.size() && tokens_[at_].is(word); }
  bool is_number() const {
    return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::number;
  }
  Amount done() {
    out_.to = at_;
    return out_;
  }

  void take_number() {
    const std::size_t from = at_;
    if (is("x") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == Token::Kind::number) ++at_;
    if (is("another")) {
      ++at_;
      out_.is_more = true;
      out_.number = 1;
      if (is_number()) out_.number = tokens_[at_++].number;
    } else if (is("half")) {
      take_half();
    } else if (is("a") || is("an")) {
      ++at_;
      if (is("dozen") || is("couple") || is("half")) return take_counted(1);
      if (times_word() > 1) {
        out_.number = with_times(1);
        return;
      }
      if (take_quarters(1)) return;
      if (!is_unit())
        at_ = from;
      else
        out_.number = 1;
    } else if (is("dozen") || is("couple")) {
      take_counted(1);
    } else if (is_number()) {
      const double number = with_times(tokens_[at_++].number);
      if (is("dozen")) return take_counted(number);
      if (take_quarters(number)) return;
      out_.number = number;
      if ((is("or") || is("to")) && at_ + 1 < tokens_.size() &&
          tokens_[at_ + 1].kind == Token::Kind::number && tokens_[at_ + 1].number > number) {
        out_.least = number;
        out_.number = tokens_[at_ + 1].number;
        at_ += 2;
        return;
      }
      if (is_number() && tokens_[at_].number > 0 && tokens_[at_].number < 1)
        out_.number = number + tokens_[at_++].number;
      if (take_and_a_half()) out_.number = number + 0.5;
    }
  }

  // "two hundred", "a million": by how much the number before it grows; 1: not at all.
  double times_word() const {
    return is("hundred")    ? 1e2
           : is("thousand") ? 1e3
           : is("million")  ? 1e6
           : is("billion")  ? 1e9
                            : 1;
  }
  double with_times(double number) {
    for (double times = times_word(); times > 1; times = times_word()) {
      number *= times;
      ++at_;
    }
    return number;
  }

  bool take_and_a_half() {
    const bool is_said = is("and") && at_ + 2 < tokens_.size() && tokens_[at_ + 1].is("a") &&
                         tokens_[at_ + 2].is("half");
    if (is_said) at_ += 3;
    return is_said;
  }

  // "three quarters of a cup", "a quarter cup", "two thirds of a litre": of one such unit.
  bool take_quarters(double count) {
    const bool is_quarter = at_ < tokens_.size() && tokens_[at_].stem == "quarter";
    if (!is_quarter && !is("thirds")) return false;
    const std::size_t from = at_++;
    if (is("of")) ++at_;
    if (is("a") || is("an")) ++at_;
    if (!is_unit()) {
      at_ = from;
      return false;
    }
    out_.number = count / (is_quarter ? 4 : 3);
    return true;
  }

  void take_half() {
    ++at_;
    if (is("the") || is("of") || is("my") || is("our")) {
      out_.is_half = true;
      while (is("the") || is("of") || is("my") || is("our")) ++at_;
      return;
    }
    if (is("a") || is("an")) ++at_;
    out_.number = is("dozen") ? 6 : 0.5;
    if (is("dozen")) ++at_;
  }

  void take_counted(double count) {
    out_.number = count * (is("dozen") ? 12 : is("half") ? 0.5 : 2);
    const bool is_half = is("half");
    const double one = is("dozen") ? 12 : 2;
    ++at_;
    if (!is_half && take_and_a_half()) out_.number = *out_.number + one / 2;
    if (is_half && is("dozen")) {
      out_.number = 6;
      ++at_;
    }
    if (is("of")) ++at_;
  }

  // "2 x 400g tins": two tins; how much is in one is said of the thing, not of the amount.
  void take_times() {
    if (!out_.number || !(is("x") || is("times"))) return;
    ++at_;
    if (!is_number()) return;
    const std::size_t size = at_++;
    if (is_unit()) {
      const std::size_t behind = unit_end();
      at_ = behind;
      if (is_unit()) return;  // the container is the unit
      at_ = size;
      const double each = tokens_[at_++].number;
      out_.number = *out_.number * each;
    }
  }

  std::size_t unit_end() const {
    if (at_ >= tokens_.size()) return at_;
    for (std::size_t size = 2; size > 0; --size) {
      if (at_ + size > tokens_.size()) continue;
      const std::string key = phrase_key(tokens_.subspan(at_, size));
      if (!key.empty() && lexicon_.unit(key) != nullptr) return at_ + size;
    }
    return at_;
  }
  bool is_unit() const { return unit_end() > at_; }

  void take_unit() {
    const std::size_t end = unit_end();
    if (end == at_) return;
    // A unit that is the thing itself: "3 cloves" alone, "a clove".
    const Unit* unit = lexicon_.unit(phrase_key(tokens_.subspan(at_, end - at_)));
    if (!out_.number && !out_.is_half && !out_.is_more) {
      const bool is_of = end < tokens_.size() && tokens_[end].is("of");
      if (!is_of) return;
    }
    out_.unit = unit->name;
    at_ = end;
  }

  void skip_of() {
    while (is("of") || is("the") || is("my") || is("our") || is("those") || is("these") ||
           is("that"))
      ++at_;
  }

  std::span<const Token> tokens_;
  const Lexicon& lexicon_;
  std::size_t at_ = 0;
  Amount out_;
};

// "eggs x 6", "flour 250g", "eggs (12)": the amount at the end, with what is before it; 0: none.
std::size_t take_last_amount(std::span<const Token> rest, const Lexicon& lexicon, Item& out) {
  std::size_t end = rest.size();
  const Unit* unit = end > 1 ? lexicon.unit(rest[end - 1].stem) : nullptr;
  if (unit != nullptr && end > 1 && rest[end - 2].kind == Token::Kind::number)
    --end;
  else
    unit = nullptr;
  if (end < 2 || rest[end - 1].kind != Token::Kind::number) return 0;
  const bool is_times = rest[end - 2].is("x");
  const bool is_beside = rest[end - 1].is_enclosed && !rest[end - 2].is_enclosed;
  const std::size_t name = is_times ? end - 2 : end - 1;
  if ((unit == nullptr && !is_times && !is_beside) || name == 0) return 0;
  out.amount = rest[end - 1].number;
  out.unit = unit == nullptr ? "" : unit->name;
  return name;
}

const Unit* unit_named(std::string_view name, const Lexicon& lexicon) {
  for (const Unit& unit : lexicon.pack().units)
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace

bool is_article(const Token& token) {
  return token.kind == Token::Kind::word &&
         std::find(kArticles.begin(), kArticles.end(), token.text) != kArticles.end();
}

std::span<const Token> without_articles(std::span<const Token> tokens) {
  const auto is_idle = [](const Token& token) {
    return is_article(token) || token.kind == Token::Kind::stop || token.is("please") ||
           token.is("also") || token.is("too") || token.is("just") || token.is("both");
  };
  while (!tokens.empty() && is_idle(tokens.front())) tokens = tokens.subspan(1);
  while (!tokens.empty() && (is_idle(tokens.back()) || tokens.back().is("now")))
    tokens = tokens.first(tokens.size() - 1);
  return tokens;
}

Amount read_amount(std::span<const Token> tokens, const Lexicon& lexicon) {
  return AmountReader(tokens, lexicon).read();
}

Item read_item(std::string_view message, std::span<const Token> tokens, const Lexicon& lexicon) {
  while (!tokens.empty() && (tokens.front().kind == Token::Kind::stop || tokens.front().is("and") ||
                             tokens.front().is("also") || tokens.front().is("my")))
    tokens = tokens.subspan(1);
  const Amount amount = read_amount(tokens, lexicon);
  Item out{.amount = amount.number,
           .unit = amount.unit,
           .is_more = amount.is_more,
           .is_half = amount.is_half,
           .is_whole = amount.is_whole,
           .least = amount.least};
  std::span<const Token> rest = without_articles(tokens.subspan(amount.to));
  if (!rest.empty() && rest.back().is("more")) {
    out.is_more = true;
    rest = rest.first(rest.size() - 1);
  }
  if (amount.to == 0)
    if (const std::size_t name = take_last_amount(rest, lexicon, out)) rest = rest.first(name);
  if (rest.size() == 1 && rest.front().kind == Token::Kind::quoted)
    out.name = rest.front().text;
  else
    out.name = typed(message, rest);
  return out;
}

namespace {

// R6: "ben & jerry's".
bool joins_name(std::span<const Token> tokens, std::size_t at, const Lexicon& lexicon) {
  const bool is_sign = tokens[at].end == tokens[at].begin + 1;
  const auto is_known = [&](std::size_t one) {
    return one < tokens.size() &&
           (lexicon.is_known_word(tokens[one].stem) || tokens[one].kind == Token::Kind::number);
  };
  return is_sign && at > 0 && !is_known(at - 1) && !is_known(at + 1);
}

// R7: where what is meant begins behind what was said by mistake; 0: nothing was.
std::size_t behind_mistake(std::span<const Token> tokens, std::size_t at) {
  const auto is = [&](std::size_t ahead, std::string_view word) {
    return at + ahead < tokens.size() && tokens[at + ahead].is(word);
  };
  const bool is_mistake = (is(0, "no") && (is(1, "wait") || is(1, "sorry"))) ||
                          (is(0, "wait") && is(1, "no")) || (is(0, "or") && is(1, "rather")) ||
                          (is(0, "i") && (is(1, "mean") || is(1, "meant")));
  return is_mistake ? at + 2 : 0;
}

}  // namespace

std::vector<std::span<const Token>> split_list(std::span<const Token> tokens,
                                               const Lexicon& lexicon) {
  std::vector<std::span<const Token>> out;
  std::size_t from = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (const std::optional<Span> span = lexicon.span_at(tokens, at); span && span->to > at + 2) {
      at = span->to - 1;  // "mac and cheese"
      continue;
    }
    const bool is_half = tokens[at].is("and") && at + 2 < tokens.size() && tokens[at + 1].is("a") &&
                         tokens[at + 2].is("half");
    if (tokens[at].is_enclosed && !tokens[from].is_enclosed) continue;  // R6
    const bool is_seam = tokens[at].kind == Token::Kind::stop || tokens[at].is("plus") ||
                         (tokens[at].is("and") && !is_half && !joins_name(tokens, at, lexicon));
    if (!is_seam) continue;
    if (at > from) out.push_back(tokens.subspan(from, at - from));
    from = at + 1;
  }
  if (from < tokens.size()) out.push_back(tokens.subspan(from));
  return out;
}

std::vector<Item> read_items(std::string_view message, std::span<const Token> tokens,
                             const Lexicon& lexicon) {
  std::vector<Item> out;
  bool is_mistaken = false;  // what was said last
  for (std::span<const Token> piece : split_list(tokens, lexicon)) {
    for (std::size_t at = 0; at < piece.size(); ++at)
      if (const std::size_t behind = behind_mistake(piece, at)) {
        is_mistaken = is_mistaken || at == 0;
        piece = piece.subspan(behind);
        break;
      }
    if (piece.empty()) continue;
    Item item = read_item(message, piece, lexicon);
    if (std::exchange(is_mistaken, false) && !out.empty()) {
      if (item.name.empty()) item.name = out.back().name;
      out.pop_back();
    }
    if (!item.name.empty()) {
      out.push_back(std::move(item));
    } else if (item.amount && !out.empty() && !out.back().amount) {  // R5
      out.back().amount = item.amount;
      out.back().unit = item.unit;
    }
  }
  return out;
}

std::string range_note(const std::vector<Item>& items) {
  std::string out;
  for (const Item& one : items)
    if (one.least && one.amount)
      out += (out.empty() ? "" : " ") + ("You said " + number_text(*one.least) + " or ") +
             number_text(*one.amount) + ", so I took " + number_text(*one.amount) + ".";
  return out;
}

std::optional<double> converted(double amount, std::string_view from, std::string_view to,
                                const Lexicon& lexicon) {
  if (from == to) return amount;
  const Unit* const a = unit_named(from, lexicon);
  const Unit* const b = unit_named(to, lexicon);
  // A bare number counts: 3 of what comes in jars are jars, of what is weighed nobody knows.
  if (from.empty() && (b == nullptr || b->kind.empty())) return amount;
  if (from.empty())
    return b->kind == kCounted && b->size > 0 ? std::optional(amount / b->size) : std::nullopt;
  if (a == nullptr || b == nullptr || a->kind.empty() || a->kind != b->kind || a->size <= 0 ||
      b->size <= 0)
    return std::nullopt;
  return amount * a->size / b->size;
}

std::string number_text(double number) {
  const double rounded = std::round(number * 1000) / 1000;
  std::string out = fmt::format("{:.3f}", rounded);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

}  // namespace alfred::rules
