#include "interpreter/rules/doing/not_there.h"

#include <algorithm>

#include "interpreter/rules/doing/steps.h"
#include "interpreter/rules/doing/targets.h"
#include "interpreter/rules/reading/values.h"

namespace alfred::rules {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " or ") + word;
  return out;
}

}  // namespace

bool is_thing(const Book& book, std::string_view said) {
  const std::string key = phrase_key(said);
  const auto all = book.lexicon.pack().categories.all();
  return std::any_of(all.begin(), all.end(), [&](const Category& category) {
    return std::any_of(category.members.begin(), category.members.end(),
                       [&](const std::string& one) { return phrase_key(one) == key; });
  });
}

std::string not_there(const Book& book, const Doing& doing,
                      const std::vector<const JsonObject*>& rows) {
  const Table* table = book.lexicon.schema().find(doing.table);
  const bool is_pointing = !doing.targets.empty() && doing.targets.front().is_pointing;
  if (table == nullptr || rows.empty() || doing.search.empty() || is_pointing ||
      amount_field(book.lexicon, *table) == nullptr || !has_name(book, table->name))
    return "";
  std::vector<std::string> gone;
  bool has_others = false;  // rows of a kind with what is gone
  bool has_some = false;
  const Tokens tokens = read_tokens(doing.search);
  for (const std::span<const Token> piece : split_list(tokens, book.lexicon)) {
    const std::string said = typed(doing.search, without_articles(piece));
    if (said.empty()) continue;
    const bool is_called_so = std::any_of(rows.begin(), rows.end(), [&](const JsonObject* row) {
      return is_called(book, table->name, said, *row);
    });
    const bool is_of_kind = !rows_named(book, table->name, said, rows).empty();
    const bool is_here = is_called_so || (is_of_kind && !is_thing(book, said));
    (is_here ? has_some : has_others) = true;
    if (!is_here) gone.push_back(said);
  }
  if (gone.empty()) return "";
  const std::string line =
      "There is no " + joined(gone) + " among the " + name_of_rows(book, table->name) + ".";
  return has_some || !has_others ? line : line + " Of the same kind or like it:";
}

}  // namespace alfred::rules
