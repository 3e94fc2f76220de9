#include "state/affirmed_text.h"

#include <vector>

namespace alfred {
namespace {

constexpr std::string_view kPunctuation = ",;.:!?()";

struct Word {
  std::string_view whole;  // as it stands
  std::string plain;       // lower case, without punctuation
  bool ends_part = false;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = text.find_first_not_of(" \t\r\n", at);
    if (from == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t\r\n", from), text.size());
    Word word{text.substr(from, at - from), "", false};
    for (const char c : word.whole)
      if (kPunctuation.find(c) == std::string_view::npos)
        word.plain += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    word.ends_part = kPunctuation.find(word.whole.back()) != std::string_view::npos;
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

std::string affirmed_text(std::string_view text, std::string_view thing,
                          const Categories& categories) {
  const auto is_same = [&](std::string_view word) {
    return categories.is_meant(word, thing) || categories.is_meant(thing, word);
  };
  const std::vector<Word> words = words_of(text);
  std::string out;
  std::size_t skip = 0;  // so many words more
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    constexpr std::string_view kFree = "-free";
    const bool is_free_of = word.plain.ends_with(kFree)
                                ? is_same(word.plain.substr(0, word.plain.size() - kFree.size()))
                                : i + 1 < words.size() && words[i + 1].plain == "free" &&
                                      !word.ends_part && is_same(word.plain);
    if (skip > 0)
      --skip;
    else if (word.plain == "without")
      skip = 4;
    else if (word.plain == "no")
      skip = 1;
    else if (is_free_of)
      skip = word.plain.ends_with(kFree) ? 2 : 3;
    else
      out.append(out.empty() ? "" : " ").append(word.whole);
    if (word.ends_part) skip = 0;
  }
  return out;
}

}  // namespace alfred
