#include "context/own_words.h"

#include <algorithm>

#include "base/error_table.h"
#include "contracts/contract.h"
#include "state/session_state.h"

namespace alfred {
namespace {

// The members of answers and messages that are long enough to be taken for keys.
constexpr std::string_view kMembers =
    "after_entry_id allowed also_created also_deleted also_updated arguments capabilities collapsed completion "
    "confirm content contents created db_create db_delete db_read db_undo db_update deleted description discrepancies "
    "generated has_more hasMore idempotency_key instructions inputSchema isError key_hint left_out listChanged "
    "messages mimeType nested_rows no_match not_matched not_retried or_filters progress progressToken protocolVersion "
    "read_only required resources resourceTemplates resultType retriable serverInfo structuredContent tools truncated "
    "uriTemplate unchanged updated without_key working_set";

// The headings of prompts and what stands beside rows in them.
constexpr std::string_view kHeadings =
    "Available Background Completed Constraint Constraints Conversation Correction Curation DECISION Dashboard "
    "Entities Generated Guidance Happened Manifest Preferences Progress Reasoning Relevance Retained Retrieved "
    "Subdomains Understand answered background beginning completed confidence contract decision examples expressed "
    "finished is_window_full last_tables looked_at mentions pending_items previous previous_reply question "
    "recent_turns reference referenced relevant retained subdomains successfully summarize turn_last_ref understand "
    "understood";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
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
  if (holds(kHeadings, word) || std::any_of(core.begin(), core.end(), in_text) ||
      holds(contract_words(), word))
    return true;
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
         (holds(kMembers, word) ||
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
