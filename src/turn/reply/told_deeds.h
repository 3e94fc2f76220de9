// What a reply says was saved, changed or deleted: by label, as whole words, sentence by sentence.
// It never has to be understood: what is not plainly said counts as not said.
//
// R1 a label is told by the verb of its own clause, else by the one before it in the sentence, else by the next.
// R2 a sentence that denies, asks, wishes or supposes tells of no deed.
// R3 what is said of a label in one sentence and denied in another is not told.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

enum class Deed : std::uint8_t { saved = 1, changed = 2, deleted = 4 };

// Whether a byte of a text in lower case belongs to a word: labels are told as whole words.
bool is_word_byte(char c);

class ToldDeeds {
 public:
  // `labels`: all that the reply may speak of.
  ToldDeeds(std::string_view said, std::span<const std::string> labels);

  bool tells(Deed deed, std::string_view label) const;
  bool names(std::string_view label) const;
  // Deeds that are told of anything in the passive ("has been saved"), as a sum of Deeds.
  std::uint8_t passive() const;
  // Deeds that are told of anything, in whatever voice.
  std::uint8_t any() const;
  // Labels of which a deed is told that is none of theirs here: who calls knows whose it is.
  std::vector<std::string> told_of(Deed deed) const;
  // That something is, or may be, not saved: "not saved yet", "shall I save it?".
  bool tells_unsaved() const;
  // That nothing was done: "nothing", "not", "already".
  bool denies() const;

 private:
  struct Token {
    std::string word{};       // lower case; empty: a label or the end of a clause
    int label = -1;           // its place among the labels
    std::uint8_t deeds = 0;   // of a verb
    bool is_passive = false;  // "was saved"
    bool ends_clause = false;
  };
  struct Sentence {
    std::vector<Token> tokens{};
    bool is_open = false;  // R2
  };
  void read(std::string_view said);
  void end_sentence(Sentence& sentence, bool is_question);
  static std::uint8_t deeds_at(const Sentence& sentence, std::size_t at);
  static bool is_aside(const Sentence& sentence, std::size_t at);
  template <class Use>
  void each_label(const Use& use) const;

  std::vector<std::string> labels_;  // lower case
  std::vector<std::size_t> longest_first_;
  std::vector<Sentence> sentences_;
};

}  // namespace alfred
