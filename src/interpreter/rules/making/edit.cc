#include "interpreter/rules/making/edit.h"

#include <algorithm>
#include <cmath>

#include "interpreter/rules/making/make.h"
#include "interpreter/rules/words/amounts.h"

namespace alfred::rules {
namespace {

bool is_word_at(const std::string& text, std::size_t at, std::size_t size) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
  };
  return (at == 0 || !is_letter(at - 1)) && !is_letter(at + size);
}

std::size_t find_word(const std::string& text, const std::string& word, std::size_t from = 0) {
  const std::string plain = lower(text);
  for (std::size_t at = plain.find(word, from); at != std::string::npos;
       at = plain.find(word, at + 1))
    if (is_word_at(plain, at, word.size())) return at;
  return std::string::npos;
}

// "an egg" → "a carrot".
void fit_article(std::string& text, std::size_t at, const std::string& to) {
  constexpr std::string_view kVowels = "aeiou";
  const bool is_open = !to.empty() && kVowels.find(to.front()) != std::string_view::npos;
  const std::string before = lower(std::string_view(text).substr(0, at));
  const auto ends_with = [&](std::string_view word) {
    return before.ends_with(word) &&
           (before.size() == word.size() || before[before.size() - word.size() - 1] == ' ');
  };
  if (!is_open && ends_with("an ")) text.erase(at - 2, 1);
  if (is_open && ends_with("a ")) text.insert(at - 1, 1, 'n');
}

std::string replaced_once(std::string text, const std::string& from, const std::string& to) {
  // From the last one on, so that what is before stays where it is.
  std::vector<std::size_t> places;
  for (std::size_t at = find_word(text, from); at != std::string::npos;
       at = find_word(text, from, at + from.size()))
    places.push_back(at);
  for (auto at = places.rbegin(); at != places.rend(); ++at) {
    const bool is_capital = text[*at] >= 'A' && text[*at] <= 'Z';
    std::string put = to;
    if (is_capital && !put.empty())
      put[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(put[0])));
    text.replace(*at, from.size(), put);
    fit_article(text, *at, to);
  }
  return text;
}

// One of it, and several: "egg", "eggs".
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (const char* ending : {"", "s", "es"})
    text = replaced_once(std::move(text), std::string(from).append(ending), to);
  return text;
}

std::string without_word(std::string text, const std::string& word) {
  for (const std::string& joint :
       {" and " + word, word + " and ", ", " + word, word + ", ", "the " + word, word}) {
    const std::size_t at = find_word(text, joint);
    if (at != std::string::npos) {
      text.erase(at, joint.size());
      return text;
    }
  }
  return text;
}

class Editor {
 public:
  Editor(const Book& book, const JsonObject& content, const Doing& doing)
      : book_(book),
        rules_(book.lexicon.pack().rules),
        part_name_(text_of(rules_.parts, "by")),
        out_{content, ""},
        doing_(doing) {}

  Edited edit() {
    if (doing_.how == "swap") swap();
    if (doing_.how == "leave") leave();
    if (doing_.how == "add") add();
    if (doing_.how == "portions" || doing_.how == "half" || doing_.how == "double") scale();
    if (doing_.how == "name" && !doing_.name.empty()) {
      const Table* table = book_.lexicon.schema().find(doing_.table);
      if (table != nullptr) out_.content[table->label] = doing_.name;
    }
    return std::move(out_);
  }

 private:
  double portions() const {
    return number_of(out_.content, text_of(rules_.portions, "field"),
                     number_of(rules_.portions, "default", 1));
  }
  JsonArray* parts() {
    for (auto& member : out_.content)
      if (member.value().is_array() && !member.value().get_array().empty() &&
          member.value().get_array().front().is_object())
        return &member.value().get_array();
    return nullptr;
  }
  // The part that the words mean, by its name.
  JsonObject* find_part(const std::string& said) {
    JsonArray* all = parts();
    if (all == nullptr) return nullptr;
    for (Json& one : *all)
      if (one.is_object() && book_.lexicon.pack().categories.is_meant(
                                 text_of(one.get_object(), part_name_), stem_of(said)))
        return &one.get_object();
    return nullptr;
  }
  template <class Change>
  void change_texts(const Change& change) {
    for (auto& member : out_.content) {
      if (member.value().is_string())
        member.value() = Json(change(std::string(member.value().get_string())));
      if (!member.value().is_array()) continue;
      for (Json& one : member.value().get_array())
        if (one.is_string()) one = Json(change(std::string(one.get_string())));
    }
  }

  static std::string plain(const std::string& said) {
    const Tokens tokens = read_tokens(said);
    return lower(typed(said, without_articles(tokens)));
  }

  void swap() {
    const std::string from = plain(doing_.swap_from);
    const std::string to = plain(doing_.swap_to);
    JsonObject* part = find_part(from);
    if (part == nullptr) {
      out_.refusal = "There is no " + from + " in it.";
      return;
    }
    const std::string whole = lower(text_of(*part, part_name_));
    (*part)[part_name_] = to;
    change_texts([&](std::string text) {
      text = replaced(std::move(text), whole, to);
      return find_word(to, from) == std::string::npos ? replaced(std::move(text), from, to) : text;
    });
  }

  void leave() {
    const std::string from = plain(doing_.swap_from);
    JsonObject* part = find_part(from);
    if (part == nullptr) {
      out_.refusal = "There is no " + from + " in it.";
      return;
    }
    const std::string whole = lower(text_of(*part, part_name_));
    JsonArray* all = parts();
    all->erase(std::find_if(all->begin(), all->end(),
                            [&](const Json& one) { return &one.get_object() == part; }));
    change_texts(
        [&](std::string text) { return without_word(without_word(std::move(text), whole), from); });
    drop_steps(whole);
  }
  void drop_steps(const std::string& word) {
    Json* steps = out_.content.if_contains(text_of(rules_.wishes, "steps"));
    if (steps == nullptr || !steps->is_array()) return;
    JsonArray left;
    for (const Json& one : steps->get_array())
      if (find_word(std::string(one.get_string()), word) == std::string::npos) left.push_back(one);
    if (!left.empty()) *steps = std::move(left);
  }

  void add() {
    JsonArray* all = parts();
    if (all == nullptr) return;
    for (const Item& item : doing_.items) {
      const AddedPart added = added_part(book_, lower(item.name));
      JsonObject part{{part_name_, lower(item.name)}};
      const double amount = item.amount ? *item.amount : added.amount * portions();
      if (amount > 0) part[text_of(rules_.parts, "amount")] = amount;
      const std::string& unit = item.amount ? item.unit : added.unit;
      if (!unit.empty()) part[text_of(rules_.parts, "unit")] = unit;
      all->push_back(std::move(part));
      if (Json* steps = out_.content.if_contains(text_of(rules_.wishes, "steps"));
          steps != nullptr && steps->is_array()) {
        JsonArray& list = steps->get_array();
        if (!added.step.empty()) list.insert(list.end() - (list.empty() ? 0 : 1), Json(added.step));
      }
    }
  }

  void scale() {
    const std::string field = text_of(rules_.portions, "field");
    double wanted = 0;
    for (const Constraint& one : doing_.overrides)
      if (one.type == field && one.value.is_number()) wanted = one.value.to_number<double>();
    const double had = portions();
    if (doing_.how == "double") wanted = had * 2;
    if (doing_.how == "half") wanted = std::ceil(had / 2);
    if (wanted <= 0 || had <= 0) return;
    out_.content[field] = static_cast<std::int64_t>(wanted);
    if (JsonArray* all = parts())
      for (Json& one : *all)
        if (Json* quantity = one.is_object()
                                 ? one.get_object().if_contains(text_of(rules_.parts, "amount"))
                                 : nullptr;
            quantity != nullptr && quantity->is_number())
          *quantity = std::round(quantity->to_number<double>() * wanted / had * 100) / 100;
  }

  const Book& book_;
  const PackRules& rules_;
  std::string part_name_;
  Edited out_;
  const Doing& doing_;
};

}  // namespace

Edited edit_content(const Book& book, const JsonObject& content, const Doing& doing) {
  return Editor(book, content, doing).edit();
}

}  // namespace alfred::rules
