#include "interpreter/rules/reading/phrase.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/reading/world.h"

namespace alfred::rules {
namespace {

constexpr std::array<std::string_view, 34> kFillers{
    "please", "just", "also",   "really",  "actually", "then",   "so",    "ok",     "okay",
    "hey",    "oh",   "well",   "now",     "again",    "alfred", "maybe", "kindly", "quickly",
    "the",    "a",    "an",     "my",      "our",      "some",   "sure",  "right",  "there",
    "hi",     "hmm",  "though", "already", "still",    "yet",    "too"};
constexpr std::array<std::string_view, 18> kSlotKinds{
    "thing", "things", "items", "text", "amount", "number", "code",  "address", "rows",
    "value", "field",  "noun",  "day",  "time",   "span",   "place", "n",       "it"};
constexpr std::array<std::string_view, 11> kPlaces{"first", "second", "third",   "fourth",
                                                   "fifth", "sixth",  "seventh", "eighth",
                                                   "ninth", "tenth",  "last"};

bool is_free(std::string_view kind) {
  return kind == "thing" || kind == "things" || kind == "items" || kind == "text";
}

// "A3", "c2": a word, or a number and a letter, that names a place.
bool is_code(const Token& token) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return token.kind == Token::Kind::word && token.text.size() <= 8 &&
         std::any_of(token.text.begin(), token.text.end(), is_digit);
}
// "second", "second one", "number 2": how many words of it; 0: no place.
std::size_t place_size(std::span<const Token> tokens) {
  const auto is_at = [&](std::size_t at, std::string_view word) {
    return at < tokens.size() && tokens[at].is(word);
  };
  if (is_at(0, "number")) return tokens.size() > 1 && tokens[1].kind == Token::Kind::number ? 2 : 0;
  const bool is_place = !tokens.empty() && tokens[0].kind == Token::Kind::word &&
                        std::find(kPlaces.begin(), kPlaces.end(), tokens[0].text) != kPlaces.end();
  return !is_place ? 0 : is_at(1, "one") ? 2 : 1;
}
bool is_address(const Token& token) {
  return token.kind == Token::Kind::word && token.text.find('@') != std::string::npos;
}

}  // namespace

bool is_filler(const Token& token) {
  return token.kind == Token::Kind::stop ||
         (token.kind == Token::Kind::word &&
          std::find(kFillers.begin(), kFillers.end(), token.text) != kFillers.end());
}

// A phrase may have said the word in front of a moment itself: "reminder for tomorrow".
const Moment* Clause::moment_at(std::size_t at) const {
  constexpr std::array<std::string_view, 7> kBefore{"for", "on", "by", "until", "at", "in", "till"};
  for (const Moment& one : moments) {
    if (one.from == at) return &one;
    const bool is_behind = one.from + 1 == at && one.to > at;
    if (is_behind &&
        std::find(kBefore.begin(), kBefore.end(), tokens[one.from].text) != kBefore.end())
      return &one;
  }
  return nullptr;
}

const Extra* Clause::extra_at(std::size_t at) const {
  for (const Extra& one : extras)
    if (one.from == at) return &one;
  return nullptr;
}

// Reads the text of a phrase.
class PhraseReader {
 public:
  explicit PhraseReader(std::string_view text) : text_(text) {}

  Result<Phrase> read() {
    Phrase out;
    out.sequence_ = sequence("");
    if (!error_.empty()) return fail(ErrorCode::pack, error_);
    if (at_ < text_.size()) return fail(ErrorCode::pack, "A bracket closes that none opened.");
    out.words_ = std::move(words_);
    Phrase::collect_needed(out.sequence_, out.needed_);
    return out;
  }

 private:
  using Element = Phrase::Element;
  using Sequence = Phrase::Sequence;

  Sequence sequence(std::string_view ends) {
    Sequence out;
    while (at_ < text_.size() && error_.empty()) {
      const char c = text_[at_];
      if (ends.find(c) != std::string_view::npos || c == ')' || c == ']') break;
      if (c == ' ') {
        ++at_;
      } else if (c == '(' || c == '[') {
        out.push_back(choice(c == '(' ? ')' : ']'));
      } else if (c == '{') {
        out.push_back(slot());
      } else {
        word(out);
      }
    }
    return out;
  }

  Element choice(char end) {
    Element out{.kind = Element::Kind::choice};
    ++at_;
    for (;;) {
      out.choices.push_back(sequence("|"));
      if (at_ >= text_.size()) {
        error_ = "A bracket is not closed.";
        return out;
      }
      if (text_[at_] == end) break;
      if (text_[at_] != '|') {
        error_ = "Brackets do not match.";
        return out;
      }
      ++at_;
    }
    ++at_;
    if (end == ']') out.choices.emplace_back();
    return out;
  }

  Element slot() {
    const std::size_t end = std::min(text_.find('}', at_), text_.size());
    if (end == text_.size()) error_ = "A slot is not closed.";
    std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, text_.size());
    const std::size_t colon = inner.find(':');
    std::string name(inner.substr(0, colon));
    std::string kind =
        colon == std::string_view::npos ? name : std::string(inner.substr(colon + 1));
    std::string argument;
    if (const std::size_t second = kind.find(':'); second != std::string::npos) {
      argument = kind.substr(second + 1);
      kind.resize(second);
    }
    if (error_.empty() && std::find(kSlotKinds.begin(), kSlotKinds.end(), kind) == kSlotKinds.end())
      error_ = "There is no slot of the kind \"" + kind + "\".";
    return {Element::Kind::slot, std::move(name), std::move(kind), std::move(argument), {}};
  }

  void word(Sequence& out) {
    const std::size_t end = std::min(text_.find_first_of(" ()[]{}|", at_), text_.size());
    if (const std::string_view whole = text_.substr(at_, end - at_);
        whole == ":" || whole == "'s") {
      out.push_back({Element::Kind::word, std::string(whole), {}, {}, {}});
      at_ = end;
      return;
    }
    for (const std::string& stem : words_in(text_.substr(at_, end - at_))) {
      out.push_back({Element::Kind::word, stem, {}, {}, {}});
      words_.push_back(stem);
    }
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  std::vector<std::string> words_;
};

// Holds a clause against a phrase. Elements that are to come are a list of what is left of each
// sequence that was entered.
class Matcher {
 public:
  Matcher(const Clause& clause, const std::vector<std::string>& takes, bool is_whole)
      : clause_(clause), takes_(takes), is_whole_(is_whole) {}

  using Next = std::function<bool(std::size_t)>;

  bool run(const Phrase::Sequence& sequence, std::size_t index, std::size_t at, const Next& next) {
    if (++steps_ > kMostSteps) return false;
    if (!is_possible(sequence, index)) return false;
    if (index == sequence.size()) return next(at);
    const Phrase::Element& element = sequence[index];
    const Next rest = [&, index](std::size_t place) {
      return run(sequence, index + 1, place, next);
    };
    if (element.kind == Phrase::Element::Kind::choice) {
      for (const Phrase::Sequence& one : element.choices)
        if (run(one, 0, at, rest)) return true;
      return false;
    }
    if (one_element(element, at, rest)) return true;
    return passed_over(at, [&](std::size_t place) { return run(sequence, index, place, next); });
  }

  bool ends(std::size_t at) {
    if (at == clause_.tokens.size() || !is_whole_) {
      end_ = at;
      return true;
    }
    return passed_over(at, [&](std::size_t place) { return ends(place); });
  }

  PhraseMatch take() { return std::move(match_); }
  // Whether the words that are still to come stand in the clause at all.
  bool is_possible(const Phrase::Sequence& sequence, std::size_t index) const {
    if (index >= sequence.size()) return true;
    const Phrase::Element& element = sequence[index];
    if (element.kind == Phrase::Element::Kind::word)
      return element.word == ":" || clause_.words.contains(element.word);
    if (element.kind != Phrase::Element::Kind::choice) return true;
    return std::any_of(element.choices.begin(), element.choices.end(),
                       [&](const Phrase::Sequence& one) { return is_possible(one, 0); });
  }
  std::size_t end() const { return end_; }
  int score() const { return match_.score; }

 private:
  static constexpr int kMostSteps = 20'000;
  static constexpr int kWordScore = 10;
  static constexpr int kTypedScore = 12;

  bool takes(std::string_view what) const {
    return std::find(takes_.begin(), takes_.end(), what) != takes_.end();
  }
  static std::string_view name_of(const Moment& moment) {
    switch (moment.kind) {
      case Moment::Kind::day: return "day";
      case Moment::Kind::days: return "days";
      case Moment::Kind::time: return "time";
      case Moment::Kind::span: return "span";
    }
    return "";
  }

  // R3.
  bool passed_over(std::size_t at, const Next& next) {
    if (at >= clause_.tokens.size()) return false;
    if (const Moment* moment = clause_.moment_at(at);
        moment != nullptr && takes(name_of(*moment))) {
      match_.moments.push_back(moment);
      if (next(moment->to)) return scored(3);
      match_.moments.pop_back();
    }
    if (const Extra* extra = clause_.extra_at(at); extra != nullptr && takes(extra->name)) {
      match_.extras.push_back(extra);
      if (next(extra->to)) return scored(3);
      match_.extras.pop_back();
    }
    return is_filler(clause_.tokens[at]) && next(at + 1);
  }

  bool scored(int score) {
    match_.score += score;
    return true;
  }

  bool one_element(const Phrase::Element& element, std::size_t at, const Next& next) {
    if (element.kind == Phrase::Element::Kind::slot) return slot(element, at, next);
    if (at >= clause_.tokens.size()) return false;
    const Token& token = clause_.tokens[at];
    if (token.kind == Token::Kind::quoted ||
        (token.stem != element.word && token.text != element.word))
      return false;
    return next(at + 1) && scored(kWordScore);
  }

  bool keep(const std::string& name, const Captured& captured, const Next& next, int score) {
    const std::size_t to = captured.to;
    const auto before = match_.slots.find(name);
    std::optional<Captured> old;
    if (before != match_.slots.end()) old = before->second;
    match_.slots[name] = captured;
    if (next(to)) return scored(score);
    if (old)
      match_.slots[name] = *old;
    else
      match_.slots.erase(name);
    return false;
  }

  bool slot(const Phrase::Element& element, std::size_t at, const Next& next) {
    if (is_free(element.slot)) return free_slot(element, at, next);
    if (at >= clause_.tokens.size()) return false;
    const Token& token = clause_.tokens[at];
    if (element.slot == "number" || element.slot == "n") {
      if (token.kind != Token::Kind::number) return false;
      return keep(element.word, {.from = at, .to = at + 1, .number = token.number}, next,
                  kTypedScore);
    }
    if (element.slot == "code" || element.slot == "address")
      return (element.slot == "code" ? is_code(token) : is_address(token)) &&
             keep(element.word, {.from = at, .to = at + 1}, next, kTypedScore);
    if (element.slot == "it")
      return is_pronoun(token.text) &&
             keep(element.word, {.from = at, .to = at + 1}, next, kTypedScore);
    if (element.slot == "place") {
      const std::size_t size = place_size(clause_.tokens.subspan(at));
      return size > 0 && keep(element.word, {.from = at, .to = at + size}, next, kTypedScore);
    }
    if (element.slot == "amount") return amount_slot(element, at, next);
    if (element.slot == "day" || element.slot == "time" || element.slot == "span") {
      const Moment* moment = clause_.moment_at(at);
      const bool fits =
          moment != nullptr && (name_of(*moment) == element.slot ||
                                (element.slot == "day" && moment->kind == Moment::Kind::days));
      return fits && keep(element.word, {.from = at, .to = moment->to, .moment = moment}, next,
                          kTypedScore);
    }
    return meaning_slot(element, at, next);
  }

  bool amount_slot(const Phrase::Element& element, std::size_t at, const Next& next) {
    const Amount amount = read_amount(clause_.tokens.subspan(at), *clause_.lexicon);
    if (amount.to == 0) return false;
    Captured captured{.from = at, .to = at + amount.to};
    captured.amount = amount;
    return keep(element.word, captured, next, kTypedScore);
  }

  static bool fits(const Phrase::Element& element, const Meaning& meaning) {
    const auto kind_fits = [&] {
      switch (meaning.kind) {
        case Meaning::Kind::rows: return element.slot == "rows";
        case Meaning::Kind::value: return element.slot == "value";
        case Meaning::Kind::field: return element.slot == "field";
        case Meaning::Kind::noun: return element.slot == "noun";
        default: return false;
      }
    };
    if (!kind_fits()) return false;
    if (element.argument.empty()) return true;
    return element.argument == meaning.table ||
           element.argument == meaning.table + "." + meaning.field;
  }

  bool meaning_slot(const Phrase::Element& element, std::size_t at, const Next& next) {
    // Shorter runs too: "fridge" inside of something longer.
    for (const Span& span : clause_.spans[at])
      for (const Meaning& meaning : *span.meanings)
        if (fits(element, meaning) &&
            keep(element.word, {.from = at, .to = span.to, .meaning = &meaning}, next,
                 kTypedScore + static_cast<int>(span.to - at)))
          return true;
    return false;
  }

  // The shortest run first; not one of stops alone, nor across a full stop.
  bool free_slot(const Phrase::Element& element, std::size_t at, const Next& next) {
    std::size_t from = at;
    while (from < clause_.tokens.size() && clause_.tokens[from].kind == Token::Kind::stop) ++from;
    if (const Moment* moment = clause_.moment_at(from);
        moment != nullptr && takes(name_of(*moment)))
      return false;  // it is passed over
    for (std::size_t to = from + 1; to <= clause_.tokens.size(); ++to) {
      const Token& last = clause_.tokens[to - 1];
      if (last.kind == Token::Kind::stop && (last.text == "." || last.text == ";")) return false;
      if (last.kind == Token::Kind::stop) continue;
      const bool is_nothing = to == from + 1 && (last.is("the") || last.is("a") || last.is("my"));
      if (is_nothing) continue;  // an article is no thing
      if (keep(element.word, {.from = from, .to = to}, next, 1 - static_cast<int>(to - from)))
        return true;
    }
    return false;
  }

  const Clause& clause_;
  const std::vector<std::string>& takes_;
  bool is_whole_;
  PhraseMatch match_;
  std::size_t end_ = 0;
  int steps_ = 0;
};

Result<Phrase> Phrase::compile(std::string_view text) { return PhraseReader(text).read(); }

std::optional<PhraseMatch> Phrase::match(const Clause& clause,
                                         const std::vector<std::string>& takes) const {
  for (const std::string& word : needed_)
    if (!clause.words.contains(word)) return std::nullopt;
  Matcher matcher(clause, takes, true);
  for (std::size_t i = 0; i < sequence_.size(); ++i)
    if (!matcher.is_possible(sequence_, i)) return std::nullopt;
  if (!matcher.run(sequence_, 0, 0, [&](std::size_t at) { return matcher.ends(at); }))
    return std::nullopt;
  return matcher.take();
}

std::optional<Extra> Phrase::extra_at(const Clause& clause, std::size_t at) const {
  for (const std::string& word : needed_)
    if (!clause.words.contains(word)) return std::nullopt;
  const std::vector<std::string> none;
  Matcher matcher(clause, none, false);
  if (!matcher.run(sequence_, 0, at, [&](std::size_t place) { return matcher.ends(place); }))
    return std::nullopt;
  const std::size_t end = matcher.end();
  const PhraseMatch found = matcher.take();
  Extra out{.from = at, .to = end};
  if (const auto code = found.slots.find("code"); code != found.slots.end()) {
    out.code = clause.typed_part(code->second.from, code->second.to);
    return out;
  }
  const auto number = found.slots.find("n");
  if (number == found.slots.end()) return std::nullopt;
  out.number = number->second.number;
  return out;
}

void Phrase::collect_needed(const Sequence& sequence, std::vector<std::string>& out) {
  for (const Element& element : sequence) {
    if (element.kind == Element::Kind::word && element.word != ":") out.push_back(element.word);
    if (element.kind == Element::Kind::choice && element.choices.size() == 1)
      collect_needed(element.choices[0], out);
  }
}

void Phrase::collect_first(const Sequence& sequence, std::vector<std::string>& out) {
  for (const Element& element : sequence) {
    if (element.kind == Element::Kind::word) {
      out.push_back(element.word);
      return;
    }
    if (element.kind == Element::Kind::slot) return;
    bool may_be_empty = false;
    for (const Sequence& one : element.choices) {
      may_be_empty = may_be_empty || one.empty();
      collect_first(one, out);
    }
    if (!may_be_empty) return;
  }
}

std::vector<std::string> Phrase::first_words() const {
  std::vector<std::string> out;
  collect_first(sequence_, out);
  return out;
}

std::vector<std::string> Phrase::words_behind_thing() const {
  std::vector<std::string> out;
  if (sequence_.size() > 1 && sequence_.front().kind == Element::Kind::slot &&
      sequence_.front().slot == "thing")
    collect_first({sequence_.begin() + 1, sequence_.end()}, out);
  return out;
}

}  // namespace alfred::rules
