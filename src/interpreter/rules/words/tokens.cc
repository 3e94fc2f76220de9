#include "interpreter/rules/words/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "pack/categories.h"

namespace alfred::rules {
namespace {

struct Spelt {
  std::string_view typed;
  std::string_view means;
};
constexpr std::array kContractions{
    Spelt{"whats", "what is"},
    Spelt{"wheres", "where is"},
    Spelt{"whos", "who is"},
    Spelt{"hows", "how is"},
    Spelt{"im", "i am"},
    Spelt{"ive", "i have"},
    Spelt{"id", "i would"},
    Spelt{"weve", "we have"},
    Spelt{"were", "we are"},
    Spelt{"theyre", "they are"},
    Spelt{"theres", "there is"},
    Spelt{"dont", "do not"},
    Spelt{"doesnt", "does not"},
    Spelt{"didnt", "did not"},
    Spelt{"isnt", "is not"},
    Spelt{"arent", "are not"},
    Spelt{"wasnt", "was not"},
    Spelt{"havent", "have not"},
    Spelt{"hasnt", "has not"},
    Spelt{"cant", "can not"},
    Spelt{"cannot", "can not"},
    Spelt{"wont", "will not"},
    Spelt{"lets", "let us"},
    Spelt{"gimme", "give me"},
    Spelt{"wanna", "want to"},
    Spelt{"gotta", "have to"},
    Spelt{"gonna", "going to"},
    Spelt{"nvm", "never mind"},
    Spelt{"nevermind", "never mind"},
    Spelt{"thx", "thanks"},
    Spelt{"ty", "thanks"},
    Spelt{"pls", "please"},
    Spelt{"plz", "please"},
    Spelt{"tonights", "tonight"},
    Spelt{"tomorrows", "tomorrow"},
    Spelt{"todays", "today"},
    Spelt{"yep", "yes"},
    Spelt{"yeah", "yes"},
    Spelt{"yup", "yes"},
    Spelt{"nope", "no"},
    Spelt{"nah", "no"},
    Spelt{"thats", "that is"},
    Spelt{"its", "its"},
    Spelt{"it's", "it is"},
    Spelt{"youre", "you are"},
    Spelt{"tmrw", "tomorrow"},
    Spelt{"tmr", "tomorrow"},
    Spelt{"nr", "number"},
    Spelt{"mon", "monday"},
    Spelt{"tue", "tuesday"},
    Spelt{"tues", "tuesday"},
    Spelt{"wed", "wednesday"},
    Spelt{"thu", "thursday"},
    Spelt{"thur", "thursday"},
    Spelt{"thurs", "thursday"},
    Spelt{"fri", "friday"},
    Spelt{"&", "and"},
};
struct NumberWord {
  std::string_view word;
  double number;
};
constexpr std::array kNumbers{
    NumberWord{"zero", 0},     NumberWord{"one", 1},      NumberWord{"two", 2},
    NumberWord{"three", 3},    NumberWord{"four", 4},     NumberWord{"five", 5},
    NumberWord{"six", 6},      NumberWord{"seven", 7},    NumberWord{"eight", 8},
    NumberWord{"nine", 9},     NumberWord{"ten", 10},     NumberWord{"eleven", 11},
    NumberWord{"twelve", 12},  NumberWord{"fifteen", 15}, NumberWord{"twenty", 20},
    NumberWord{"thirty", 30},  NumberWord{"forty", 40},   NumberWord{"fifty", 50},
    NumberWord{"hundred", 100}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

class Reader {
 public:
  explicit Reader(std::string_view message) : message_(message) {}

  Tokens read() {
    while (at_ < message_.size()) {
      const std::size_t count = out_.size();
      if (here() == '(') is_enclosed_ = message_.find(')', at_) != std::string_view::npos;
      if (here() == ')') is_enclosed_ = false;
      step();
      for (std::size_t i = count; i < out_.size(); ++i) out_[i].is_enclosed = is_enclosed_;
    }
    return std::move(out_);
  }

 private:
  char here(std::size_t ahead = 0) const {
    return at_ + ahead < message_.size() ? message_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = here();
    if (take_quoted() || take_fraction() || take_times()) return;
    if (is_digit(c)) return take_number();
    if (is_minus()) return take_negative();
    if (is_letter(c)) return take_word();
    if (c == '&') {
      add_words("and", at_, at_ + 1);
      ++at_;
      return;
    }
    if (c == '.' && is_initial()) {
      ++at_;
      return;
    }
    const bool is_end = c == '.' || c == '?' || c == '!';
    const bool is_stop = c == ',' || c == ';' || c == ':' || c == '\n' || (is_end && !is_enclosed_);
    if (is_stop && !out_.empty() && out_.back().kind != Token::Kind::stop)
      out_.push_back(
          {Token::Kind::stop, std::string(1, c == '?' || c == '!' ? '.' : c), "", 0, at_, at_ + 1});
    ++at_;
  }

  // "J. R. R. Tolkien": the dot behind a capital that stands alone, with a name to come.
  bool is_initial() const {
    if (at_ == 0 || message_[at_ - 1] < 'A' || message_[at_ - 1] > 'Z') return false;
    if (at_ > 1 && (is_letter(message_[at_ - 2]) || is_digit(message_[at_ - 2]))) return false;
    const char next = here(1) == ' ' ? here(2) : here(1);
    return next >= 'A' && next <= 'Z';
  }

  // "…", “…”; a lone apostrophe is part of a word.
  bool take_quoted() {
    constexpr std::string_view kOpen = "\xE2\x80\x9C";
    constexpr std::string_view kClose = "\xE2\x80\x9D";
    const bool is_curly = message_.substr(at_).starts_with(kOpen);
    if (here() != '"' && !is_curly) return false;
    const std::size_t from = at_ + (is_curly ? kOpen.size() : 1);
    const std::size_t end = message_.find(is_curly ? kClose : std::string_view("\""), from);
    if (end == std::string_view::npos || end == from) {
      at_ = from;
      return true;
    }
    const std::size_t after = end + (is_curly ? kClose.size() : 1);
    const std::string text(message_.substr(from, end - from));
    out_.push_back({Token::Kind::quoted, text, lower(text), 0, at_, after});
    at_ = after;
    return true;
  }

  bool take_fraction() {
    constexpr std::array<std::pair<std::string_view, double>, 3> kFractions{
        {{"\xC2\xBD", 0.5}, {"\xC2\xBC", 0.25}, {"\xC2\xBE", 0.75}}};
    for (const auto& [text, value] : kFractions)
      if (message_.substr(at_).starts_with(text)) {
        if (!out_.empty() && out_.back().kind == Token::Kind::number &&
            out_.back().end + 1 >= at_) {
          out_.back().number += value;
          out_.back().end = at_ + text.size();
        } else {
          out_.push_back({Token::Kind::number, std::string(text), std::string(text), value, at_,
                          at_ + text.size()});
        }
        at_ += text.size();
        return true;
      }
    return false;
  }

  void take_number() {
    const std::size_t from = at_;
    while (is_digit(here())) ++at_;
    if (here() == ':' && is_digit(here(1)) && is_digit(here(2)) && at_ - from <= 2)
      return take_time(from);
    const bool has_fraction =
        (here() == '.' || here() == ',') && is_digit(here(1)) && !(here() == ',' && at_ - from > 3);
    if (const std::size_t end = thousands_end(from)) {
      std::string text(message_.substr(from, end - from));
      at_ = end;
      std::string digits = text;
      std::erase(digits, ',');
      out_.push_back(
          {Token::Kind::number, text, text, std::strtod(digits.c_str(), nullptr), from, at_});
      return;
    }
    if (has_fraction) {
      ++at_;
      while (is_digit(here())) ++at_;
    } else if (is_range(from)) {
      return take_range(from);
    } else if (here() == '-' && is_digit(here(1))) {  // 2026-03-02
      while (is_digit(here()) || here() == '-') ++at_;
      const std::string text(message_.substr(from, at_ - from));
      out_.push_back({Token::Kind::word, text, text, 0, from, at_});
      return;
    }
    std::string text(message_.substr(from, at_ - from));
    if (const std::size_t exponent = exponent_end()) {  // "1e3"
      at_ = exponent;
      text = std::string(message_.substr(from, at_ - from));
    }
    std::replace(text.begin(), text.end(), ',', '.');
    double value = std::strtod(text.c_str(), nullptr);
    if (here() == '/' && is_digit(here(1)) && !has_fraction) {
      const std::size_t slash = ++at_;
      while (is_digit(here())) ++at_;
      const double below =
          std::strtod(std::string(message_.substr(slash, at_ - slash)).c_str(), nullptr);
      text += "/" + std::string(message_.substr(slash, at_ - slash));
      if (below > 0 && below <= 16 && below != 5) value /= below;
    }
    if (here() == '%') {
      ++at_;
      text += '%';
      out_.push_back({Token::Kind::word, text, text, 0, from, at_});
      return;
    }
    out_.push_back({Token::Kind::number, text, text, value, from, at_});
  }

  // "1,500": where such a number ends; 0: it is none.
  std::size_t thousands_end(std::size_t from) const {
    std::size_t at = at_;
    const auto is_group = [&] {
      for (std::size_t i = 1; i <= 3; ++i)
        if (at + i >= message_.size() || !is_digit(message_[at + i])) return false;
      return at < message_.size() && message_[at] == ',';
    };
    if (at - from > 3 || message_[from] == '0') return 0;
    while (is_group()) at += 4;
    return at > at_ && (at >= message_.size() || !is_digit(message_[at])) ? at : 0;
  }
  std::size_t exponent_end() const {
    std::size_t end = at_ + 1;
    while (end < message_.size() && end < at_ + 3 && is_digit(message_[end])) ++end;
    const bool is_so = (here() == 'e' || here() == 'E') && end > at_ + 1;
    return is_so && (end >= message_.size() ||
                     !(is_letter(message_[end]) || is_digit(message_[end])))
               ? end
               : 0;
  }

  // "2-3": from so many to so many.
  bool is_range(std::size_t from) const {
    std::size_t end = at_ + 1;
    while (end < message_.size() && is_digit(message_[end])) ++end;
    const std::size_t size = end - at_ - 1;
    return here() == '-' && at_ - from <= 3 && size > 0 && size <= 3 &&
           (end >= message_.size() || (message_[end] != '-' && message_[end] != '.'));
  }
  void take_range(std::size_t from) {
    const std::string text(message_.substr(from, at_ - from));
    out_.push_back(
        {Token::Kind::number, text, text, std::strtod(text.c_str(), nullptr), from, at_});
    add_word("to", at_, at_ + 1);
    ++at_;
    take_number();
  }

  // "2x500g", "2 × 500 g".
  bool take_times() {
    constexpr std::string_view kSign = "\xC3\x97";
    const bool is_sign = message_.substr(at_).starts_with(kSign);
    const bool is_behind =
        !out_.empty() && out_.back().kind == Token::Kind::number && out_.back().end == at_;
    const bool is_front = at_ == 0 || message_[at_ - 1] == ' ';  // "x12"
    const bool is_letter =
        (here() == 'x' || here() == 'X') && is_digit(here(1)) && (is_behind || is_front);
    if (!is_sign && !is_letter) return false;
    const std::size_t from = at_;
    at_ += is_sign ? kSign.size() : 1;
    add_word("x", from, at_);
    return true;
  }

  // "-3" is less than nothing; "- 3", "pages 2-3" and "A-3" are not.
  bool is_minus() const {
    return here() == '-' && is_digit(here(1)) && (at_ == 0 || message_[at_ - 1] == ' ');
  }
  void take_negative() {
    const std::size_t from = at_++;
    const std::size_t count = out_.size();
    take_number();
    if (out_.size() == count || out_.back().kind != Token::Kind::number) return;
    out_.back().number = -out_.back().number;
    out_.back().text.insert(0, 1, '-');
    out_.back().stem = out_.back().text;
    out_.back().begin = from;
  }

  void take_time(std::size_t from) {
    const double hours =
        std::strtod(std::string(message_.substr(from, at_ - from)).c_str(), nullptr);
    const double minutes = (here(1) - '0') * 10 + (here(2) - '0');
    at_ += 3;
    const std::string text(message_.substr(from, at_ - from));
    out_.push_back({Token::Kind::time, text, text, hours * 60 + minutes, from, at_});
  }

  void take_word() {
    const std::size_t from = at_;
    bool is_address = false;
    while (is_letter(here()) || (is_digit(here()) && at_ > from) || is_inner()) {
      is_address = is_address || here() == '@';
      ++at_;
    }
    std::string word = lower(message_.substr(from, at_ - from));
    if (word.ends_with("'s") && word != "it's" && word != "what's" && word != "that's" &&
        word != "there's" && word != "let's" && word != "where's" && word != "who's" &&
        word != "how's") {
      word.resize(word.size() - 2);
      add_words(word, from, at_);
      return add_words("'s", at_, at_);
    }
    if (!is_address && word != "it's") std::erase(word, '\'');
    for (const Spelt& one : kContractions)
      if (word == one.typed) return add_words(one.means, from, at_);
    add_words(word, from, at_);
  }

  bool is_inner() const {
    const char c = here();
    return (c == '\'' || c == '-' || c == '@' || c == '_' || (c == '.' && is_in_address())) &&
           (is_letter(here(1)) || is_digit(here(1)));
  }
  bool is_in_address() const {
    const std::size_t space = message_.rfind(' ', at_);
    const std::size_t from = space == std::string_view::npos ? 0 : space;
    return message_.substr(from, at_ - from).find('@') != std::string_view::npos;
  }

  void add_words(std::string_view words, std::size_t begin, std::size_t end) {
    for (std::size_t from = 0; from < words.size();) {
      const std::size_t space = std::min(words.find(' ', from), words.size());
      add_word(std::string(words.substr(from, space - from)), begin, end);
      from = space + 1;
    }
  }

  void add_word(std::string word, std::size_t begin, std::size_t end) {
    for (const NumberWord& one : kNumbers)
      if (word == one.word) {
        out_.push_back({Token::Kind::number, word, word, one.number, begin, end});
        return;
      }
    std::string stem = stem_of(word);
    out_.push_back({Token::Kind::word, std::move(word), std::move(stem), 0, begin, end});
  }

  std::string_view message_;
  std::size_t at_ = 0;
  bool is_enclosed_ = false;
  Tokens out_;
};

// Letters to be changed, with two exchanged as one change; at most `most` counts.
bool is_within(std::string_view a, std::string_view b, int most) {
  if (a == b) return true;
  if (most == 0) return false;
  std::size_t from = 0;
  while (from < a.size() && from < b.size() && a[from] == b[from]) ++from;
  a.remove_prefix(from);
  b.remove_prefix(from);
  if (a.empty() || b.empty()) return std::max(a.size(), b.size()) <= static_cast<std::size_t>(most);
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0] &&
      is_within(a.substr(2), b.substr(2), most - 1))
    return true;
  return is_within(a.substr(1), b.substr(1), most - 1) || is_within(a.substr(1), b, most - 1) ||
         is_within(a, b.substr(1), most - 1);
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string stem_of(std::string_view word) { return Categories::plain_word(lower(word)); }

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> out;
  for (const Token& token : read_tokens(text))
    if (token.kind != Token::Kind::stop && token.text != "'s") out.push_back(token.stem);
  return out;
}

std::vector<std::string> parts_of_words(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    if (word.find('-') == std::string::npos) continue;
    std::string spaced = word;
    std::replace(spaced.begin(), spaced.end(), '-', ' ');
    for (std::string& part : words_in(spaced)) out.push_back(std::move(part));
  }
  return out;
}

Tokens read_tokens(std::string_view message) {
  constexpr std::string_view kCurly = "\xE2\x80\x99";
  std::string plain;
  std::vector<std::size_t> places;  // of each byte of it in the message
  for (std::size_t at = 0; at < message.size(); ++at) {
    places.push_back(at);
    const bool is_curly = message.substr(at).starts_with(kCurly);
    plain += is_curly ? '\'' : message[at];
    if (is_curly) at += kCurly.size() - 1;
  }
  places.push_back(message.size());
  Tokens out = Reader(plain).read();
  for (Token& token : out) {
    token.begin = places[token.begin];
    token.end = places[token.end];
  }
  return out;
}

std::string typed(std::string_view message, std::span<const Token> tokens) {
  if (tokens.empty()) return "";
  std::size_t begin = tokens.front().begin;
  std::size_t end = std::max(tokens.back().end, begin);
  const std::string_view text = message.substr(begin, end - begin);
  const auto opened = std::count(text.begin(), text.end(), '(');
  const auto closed = std::count(text.begin(), text.end(), ')');
  if (opened > closed) {
    std::size_t at = end;
    while (at < message.size() && message[at] != '(' && message[at] != ')' &&
           !is_letter(message[at]) && !is_digit(message[at]))
      ++at;
    if (at < message.size() && message[at] == ')') end = at + 1;
  }
  if (closed > opened && begin > 0 && message[begin - 1] == '(') --begin;
  return std::string(message.substr(begin, end - begin));
}

bool is_one_off(std::string_view a, std::string_view b) { return is_within(a, b, 1); }

bool is_near(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  if (shorter < 5) return a == b;
  return is_within(a, b, shorter >= 7 ? 2 : 1);
}

}  // namespace alfred::rules
