#include "turn/reply/told_deeds.h"

#include <algorithm>
#include <array>

namespace alfred {
namespace {

constexpr std::uint8_t deed_bit(Deed deed) { return static_cast<std::uint8_t>(deed); }
constexpr std::uint8_t kPut =
    deed_bit(Deed::saved) | deed_bit(Deed::changed);  // "added 2 eggs" to some

struct DeedWord {
  std::string_view word;
  std::uint8_t deeds;
};
constexpr std::array<DeedWord, 32> kDeedWords{{{"saved", kPut},
                                               {"added", kPut},
                                               {"put", kPut},
                                               {"recorded", kPut},
                                               {"planned", kPut},
                                               {"created", deed_bit(Deed::saved)},
                                               {"stored", deed_bit(Deed::saved)},
                                               {"noted", deed_bit(Deed::saved)},
                                               {"scheduled", kPut},
                                               {"logged", deed_bit(Deed::saved)},
                                               {"changed", deed_bit(Deed::changed)},
                                               {"updated", deed_bit(Deed::changed)},
                                               {"renamed", deed_bit(Deed::changed)},
                                               {"set", deed_bit(Deed::changed)},
                                               {"marked", deed_bit(Deed::changed)},
                                               {"moved", deed_bit(Deed::changed)},
                                               {"edited", deed_bit(Deed::changed)},
                                               {"adjusted", deed_bit(Deed::changed)},
                                               {"replaced", deed_bit(Deed::changed)},
                                               {"increased", deed_bit(Deed::changed)},
                                               {"decreased", deed_bit(Deed::changed)},
                                               {"reduced", deed_bit(Deed::changed)},
                                               {"raised", deed_bit(Deed::changed)},
                                               {"lowered", deed_bit(Deed::changed)},
                                               {"corrected", deed_bit(Deed::changed)},
                                               {"ticked", deed_bit(Deed::changed)},
                                               {"deleted", deed_bit(Deed::deleted)},
                                               {"removed", deed_bit(Deed::deleted)},
                                               {"gone", deed_bit(Deed::deleted)},
                                               {"dropped", deed_bit(Deed::deleted)},
                                               {"erased", deed_bit(Deed::deleted)},
                                               {"cleared", deed_bit(Deed::deleted)}}};
constexpr std::array<std::string_view, 26> kOpen{
    "not",  "never", "no",    "nothing", "none",   "cannot",  "could",   "would", "can",
    "will", "may",   "might", "shall",   "should", "if",      "unable",  "fail",  "failed",
    "be",   "still", "tried", "want",    "unless", "unsaved", "neither", "nor"};
constexpr std::array<std::string_view, 7> kBeforePassive{"been", "was", "were", "is",
                                                         "are",  "got", "now"};
constexpr std::array<std::string_view, 9> kAside{"to",   "from", "in",   "on", "of",
                                                 "into", "for",  "with", "at"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
// In lower case, with the marks of print (“ ” ’ – …) as plain ones.
std::string in_lower(std::string_view text) {
  constexpr std::string_view kMarks = "\xE2\x80";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i + 2 < text.size() && text.substr(i).starts_with(kMarks)) {
      out += text[i + 2] == '\x99' ? '\'' : ' ';
      i += 2;
    } else {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return out;
}
std::uint8_t deeds_of_word(std::string_view word) {
  for (const DeedWord& verb : kDeedWords)
    if (verb.word == word) return verb.deeds;
  return 0;
}

}  // namespace

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

ToldDeeds::ToldDeeds(std::string_view said, std::span<const std::string> labels) {
  for (const std::string& label : labels) labels_.push_back(in_lower(label));
  for (std::size_t i = 0; i < labels_.size(); ++i)
    if (!labels_[i].empty()) longest_first_.push_back(i);
  std::ranges::stable_sort(longest_first_, [&](std::size_t a, std::size_t b) {
    return labels_[a].size() > labels_[b].size();
  });
  read(in_lower(said));
}

void ToldDeeds::read(std::string_view said) {
  Sentence sentence;
  const auto ends_at = [&](std::size_t at) { return at >= said.size() || !is_word_byte(said[at]); };
  for (std::size_t at = 0; at < said.size();) {
    if (at == 0 || !is_word_byte(said[at - 1]) || !is_word_byte(said[at])) {
      const auto found = std::ranges::find_if(longest_first_, [&](std::size_t i) {
        return said.substr(at).starts_with(labels_[i]) && ends_at(at + labels_[i].size());
      });
      if (found != longest_first_.end()) {
        sentence.tokens.push_back({.label = static_cast<int>(*found)});
        at += labels_[*found].size();
        continue;
      }
    }
    const char c = said[at];
    if (is_word_byte(c)) {
      std::size_t end = at;
      while (end < said.size() && (is_word_byte(said[end]) || said[end] == '\'')) ++end;
      Token token{.word = std::string(said.substr(at, end - at))};
      token.deeds = deeds_of_word(token.word);
      token.ends_clause = token.word == "and" || token.word == "but";
      if (token.deeds != 0 && !sentence.tokens.empty())
        token.is_passive = is_among(kBeforePassive, sentence.tokens.back().word);
      sentence.tokens.push_back(std::move(token));
      at = end;
      continue;
    }
    ++at;
    if (c == ',') sentence.tokens.push_back({.ends_clause = true});
    const bool is_end = c == '!' || c == '?' || c == ';' || c == '\n' || (c == '.' && ends_at(at));
    if (is_end) end_sentence(sentence, c == '?');
  }
  end_sentence(sentence, false);
}

void ToldDeeds::end_sentence(Sentence& sentence, bool is_question) {
  sentence.is_open = is_question || std::ranges::any_of(sentence.tokens, [](const Token& one) {
                       return is_among(kOpen, one.word) || one.word.ends_with("n't");
                     });
  if (!sentence.tokens.empty()) sentences_.push_back(std::move(sentence));
  sentence = {};
}

// R1. Two kinds of deeds in one clause tell nothing.
std::uint8_t ToldDeeds::deeds_at(const Sentence& sentence, std::size_t at) {
  const std::vector<Token>& tokens = sentence.tokens;
  std::size_t from = at;
  while (from > 0 && !tokens[from - 1].ends_clause) --from;
  std::size_t to = at + 1;
  while (to < tokens.size() && !tokens[to].ends_clause) ++to;
  std::uint8_t own = 0;
  for (std::size_t i = from; i < to; ++i)
    if (tokens[i].deeds != 0) {
      if (own != 0 && own != tokens[i].deeds) return 0;
      own = tokens[i].deeds;
    }
  if (own != 0) return own;
  for (std::size_t i = from; i > 0; --i)
    if (tokens[i - 1].deeds != 0) return tokens[i - 1].deeds;
  for (std::size_t i = to; i < tokens.size(); ++i)
    if (tokens[i].deeds != 0) return tokens[i].deeds;
  return 0;
}

// "added to X", "the sauce of X was changed": said of something else.
bool ToldDeeds::is_aside(const Sentence& sentence, std::size_t at) {
  for (std::size_t i = at; i > 0 && !sentence.tokens[i - 1].ends_clause; --i)
    if (is_among(kAside, sentence.tokens[i - 1].word)) return true;
  return false;
}

template <class Use>
void ToldDeeds::each_label(const Use& use) const {
  for (const Sentence& sentence : sentences_)
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i)
      if (sentence.tokens[i].label >= 0)
        use(sentence, i, labels_[static_cast<std::size_t>(sentence.tokens[i].label)]);
}

bool ToldDeeds::tells(Deed deed, std::string_view label) const {
  const std::string wanted = in_lower(label);
  if (wanted.empty()) return (any() & deed_bit(deed)) != 0;
  bool is_told = false;
  bool is_denied = false;
  each_label([&](const Sentence& sentence, std::size_t at, const std::string& one) {
    if (one != wanted) return;
    const std::uint8_t deeds = deeds_at(sentence, at);
    if (!sentence.is_open && (deeds & deed_bit(deed)) != 0) is_told = true;
    if (sentence.is_open && deeds != 0) is_denied = true;
  });
  return is_told && !is_denied;
}

bool ToldDeeds::names(std::string_view label) const {
  const std::string wanted = in_lower(label);
  bool is_named = wanted.empty();
  each_label([&](const Sentence&, std::size_t, const std::string& one) {
    is_named = is_named || one == wanted;
  });
  return is_named;
}

std::uint8_t ToldDeeds::passive() const {
  std::uint8_t out = 0;
  for (const Sentence& sentence : sentences_)
    if (!sentence.is_open)
      for (const Token& one : sentence.tokens)
        if (one.is_passive) out |= one.deeds;
  return out;
}

std::uint8_t ToldDeeds::any() const {
  std::uint8_t out = 0;
  for (const Sentence& sentence : sentences_)
    if (!sentence.is_open)
      for (const Token& one : sentence.tokens) out |= one.deeds;
  return out;
}

std::vector<std::string> ToldDeeds::told_of(Deed deed) const {
  std::vector<std::string> out;
  each_label([&](const Sentence& sentence, std::size_t at, const std::string& one) {
    if (!sentence.is_open && (deeds_at(sentence, at) & deed_bit(deed)) != 0 &&
        !is_aside(sentence, at))
      out.push_back(one);
  });
  return out;
}

bool ToldDeeds::tells_unsaved() const {
  for (const Sentence& sentence : sentences_)
    for (const Token& one : sentence.tokens)
      if (one.word == "unsaved" || one.word == "save" || one.word == "saving" ||
          (sentence.is_open && one.word == "saved"))
        return true;
  return false;
}

bool ToldDeeds::denies() const {
  for (const Sentence& sentence : sentences_)
    for (const Token& one : sentence.tokens)
      if (one.word == "nothing" || one.word == "not" || one.word == "no" || one.word == "already" ||
          one.word == "cannot" || one.word.ends_with("n't"))
        return true;
  return false;
}

}  // namespace alfred
