// OwnWords: words that are ours and no data, although a database may have a key that reads the
// same: names of its schema, texts of the program itself (literal_words.h), texts that a server
// says to everybody, and what prompts are made of (prompt_texts.h, the contracts).
//
// R1 a word counts as a whole ([A-Za-z0-9_]+): `order` is not ours because `order_no` is.
// R2 values are not among them, but for those that a schema lists for a column that holds no keys.
// R3 of a pack's texts only words of letters count: what else reads like a key there may be one.
// R4 words that whoever is answered said in asking are none to hide from them, where the answer shows no rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "context/prompt_texts.h"
#include "pack/schema.h"

namespace alfred {

// Looked through when asked, which is seldom: only for text that has been found to look like a key.
class OwnWords {
 public:
  // The schema lives as long as this.
  explicit OwnWords(const Schema& schema, std::vector<std::string> texts = {})
      : schema_(schema), texts_(std::move(texts)) {}
  // Those of the prompts too, which live as long as this; null: without them.
  OwnWords(const Schema& schema, const PromptTexts* prompts) : schema_(schema), prompts_(prompts) {}

  // R4: the question; none when it is empty.
  void hear(std::string question) { heard_ = std::move(question); }
  bool contains(std::string_view word) const;

 private:
  const Schema& schema_;
  std::vector<std::string> texts_{};
  const PromptTexts* prompts_ = nullptr;
  std::string heard_{};
};

}  // namespace alfred
