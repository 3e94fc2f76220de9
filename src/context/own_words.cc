#include "context/own_words.h"

#include <algorithm>

#include "base/error_table.h"
#include "context/literal_words.h"
#include "contracts/contract.h"
#include "state/session_state.h"

namespace alfred {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_literal(std::string_view word) {
  const std::span<const std::string_view> all = literal_words();
  return std::binary_search(all.begin(), all.end(), word);
}

// R1.
bool holds(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

bool names(const Field& field, std::string_view word) {
  if (holds(field.name, word)) return true;
  if (field.link) return false;
  return std::any_of(field.enum_values.begin(), field.enum_values.end(),
                     [&](const std::string& value) { return holds(value, word); });
}

bool names(const Table& table, std::string_view word) {
  return holds(table.name, word) || holds(table.ref, word) ||
         std::any_of(table.fields.begin(), table.fields.end(),
                     [&](const Field& field) { return names(field, word); }) ||
         std::any_of(table.relations.begin(), table.relations.end(),
                     [&](const Relation& one) { return holds(one.member, word); });
}

// Every name that answers, schemas and facts may have, with what is said of it.
const std::string& contract_words() {
  static const std::string words = [] {
    std::string out = json_schema_text(shape_of<SessionFacts>());
    for (const Node node :
         {Node::understand, Node::think, Node::act, Node::act_quick, Node::summarize})
      if (const Contract* contract = contract_of(node)) out += json_schema_text(*contract->shape);
    return out;
  }();
  return words;
}

bool says(const PromptTexts& prompts, std::string_view word) {
  const auto in_text = [&](const auto& named) { return holds(named.second, word); };
  const CoreTexts& core = prompts.all_core();
  if (std::any_of(core.begin(), core.end(), in_text) || holds(contract_words(), word)) return true;
  const auto& texts = prompts.pack().texts;  // R3
  return std::all_of(word.begin(), word.end(), is_letter) &&
         std::any_of(texts.begin(), texts.end(),
                     [&](const auto& named) { return holds(named.second.text, word); });
}

}  // namespace

bool OwnWords::contains(std::string_view word) const {
  const std::span<const Table> tables = schema_.tables();
  const std::span<const ErrorRow> errors = error_table();
  return !word.empty() &&
         (is_literal(word) || holds(heard_, word) ||
          std::any_of(tables.begin(), tables.end(),
                      [&](const Table& table) { return names(table, word); }) ||
          std::any_of(texts_.begin(), texts_.end(),
                      [&](const std::string& text) { return holds(text, word); }) ||
          std::any_of(
              errors.begin(), errors.end(),
              [&](const ErrorRow& row) { return row.name == word || holds(row.meaning, word); }) ||
          (prompts_ != nullptr && says(*prompts_, word)));
}

}  // namespace alfred
