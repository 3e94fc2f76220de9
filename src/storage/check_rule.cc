#include "storage/check_rule.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "base/quoted_text.h"
#include "pack/sql/sql_words.h"

namespace alfred {
namespace {

constexpr std::size_t kMostRuleBytes = 160;
constexpr std::size_t kKeyDigits = 8;  // that a key may be known by

// On one line, without brackets around all of it.
std::string line_of(std::string_view rule) {
  std::string out;
  for (const char c : rule) {
    const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  for (;;) {
    if (out.size() < 2 || out.front() != '(' || out.back() != ')') return out;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
      depth += out[i] == '(' ? 1 : out[i] == ')' ? -1 : 0;
      if (depth == 0) return out;  // the first bracket ends before the last
    }
    out = out.substr(1, out.size() - 2);
  }
}

bool may_hold_key(std::string_view rule) {
  std::size_t run = 0;
  for (const char c : rule) {
    run = std::isxdigit(static_cast<unsigned char>(c)) != 0 ? run + 1 : 0;
    if (run >= kKeyDigits) return true;
  }
  return false;
}

std::string shown_rule(const std::string& rule) {
  const bool is_plain = rule.size() <= kMostRuleBytes && !may_hold_key(rule) &&
                        std::all_of(rule.begin(), rule.end(),
                                    [](char c) { return c >= ' ' && c <= '~' && c != '`'; });
  return is_plain ? "`" + rule + "`" : quoted_text(rule);
}

std::string lower_name(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

Error check_conflict(std::string_view rule, const Table* table) {
  Error error{ErrorCode::conflict,
              "The database's own check refuses this row. Give other values.",
              {},
              {},
              {}};
  if (table == nullptr || rule.empty()) return error;
  std::vector<std::string> columns;
  for (const SqlWord& word : sql_words(rule, Brackets::quote_names)) {
    if (word.kind != SqlWord::Kind::name && word.kind != SqlWord::Kind::quoted) continue;
    for (const Field& field : table->fields) {
      // A name may be made of a column's: users_password_check.
      const std::string name = lower_name(field.name);
      const bool is_unknown = field.is_hidden || field.name == table->owner;
      if (is_unknown && word.text.find(name) != std::string::npos) return error;
      if (word.text == name &&
          std::find(columns.begin(), columns.end(), field.name) == columns.end())
        columns.push_back(field.name);
    }
  }
  error.message = fmt::format(
      "The database's own check {} refuses this row. Give {}.", shown_rule(line_of(rule)),
      columns.empty()       ? "other values"
      : columns.size() == 1 ? fmt::format("{} another value", columns.front())
                            : fmt::format("other values for {}", fmt::join(columns, ", ")));
  if (!columns.empty()) error.path = columns.front();
  return error;
}

}  // namespace alfred
