#include "context/own_words.h"

#include <algorithm>

#include "base/error_table.h"

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
          std::any_of(errors.begin(), errors.end(), [&](const ErrorRow& row) {
            return row.name == word || holds(row.meaning, word);
          }));
}

}  // namespace alfred
