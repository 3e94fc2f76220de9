#include "interpreter/rules/doing/listed_parts.h"

#include <algorithm>

#include "interpreter/rules/doing/row_text.h"
#include "interpreter/rules/doing/steps.h"
#include "interpreter/rules/making/make.h"

namespace alfred::rules {
namespace {

// "beans and rice": each a thing that the pack knows; empty: they are not all such.
std::vector<std::string> parts_said(const Book& book, const std::string& search) {
  std::vector<std::string> out;
  const Tokens tokens = read_tokens(search);
  for (const std::span<const Token> piece : split_list(tokens, book.lexicon)) {
    const std::span<const Token> said = without_articles(piece);
    const std::vector<Meaning>* found = book.lexicon.find_key(phrase_key(said));
    if (found == nullptr || Span{0, 0, found}.find(Meaning::Kind::noun) == nullptr) return {};
    out.push_back(typed(search, said));
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return out;
}

}  // namespace

std::string listed_by_parts(const Book& book, const Doing& doing, const std::string& zone,
                            const std::vector<const JsonObject*>& rows) {
  const PackRules& rules = book.lexicon.pack().rules;
  if (doing.table.empty() || doing.table != text_of(rules.parts, "of")) return "";
  const std::vector<std::string> parts = parts_said(book, doing.search);
  if (parts.empty()) return "";
  const std::string required = text_of(rules.wishes, "required");
  std::string all;
  std::string some;
  std::size_t whole = 0;
  std::size_t partly = 0;
  for (const JsonObject* row : rows) {
    const auto count = std::count_if(parts.begin(), parts.end(), [&](const std::string& part) {
      return holds(book, *row, {required, "", Json(part), 1.0});
    });
    if (count == 0) continue;
    const bool has_all = static_cast<std::size_t>(count) == parts.size();
    ++(has_all ? whole : partly);
    (has_all ? all : some) += "- " + row_line(book, doing.table, *row, zone) + "\n";
  }
  if (whole + partly == 0 || (whole == 1 && rows.size() == 1)) return "";
  const std::string named = (parts.size() == 2 ? "both " : "all of ") + joined(parts);
  std::string out = whole == 0
                        ? "None of the " + name_of_rows(book, doing.table) + " has " + named + ".\n"
                        : "With " + named + " (" + std::to_string(whole) + "):\n" + all;
  if (partly > 0)
    out += std::string(whole == 0 ? "" : "\n") + "With some of it (" + std::to_string(partly) +
           "):\n" + some;
  return out;
}

}  // namespace alfred::rules
