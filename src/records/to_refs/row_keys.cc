// A row's keys in any form, and its label.
#include <charconv>

#include "records/key_part.h"
#include "records/record_keys.h"
#include "records/to_refs/rows_pass.h"

#include <fmt/format.h>

namespace alfred {
namespace {

KeyView key_of_text(std::string_view text) {
  UuidBits bits;
  const bool is_uuid = text.size() == 36 && read_canonical_uuid(text.data(), bits);
  return is_uuid ? KeyView::uuid(bits) : KeyView::text(text);
}

}  // namespace

// The key of the row that a link leads to, where the link spells it otherwise (rows_to_refs.h, R5).
std::optional<std::string> RowsPass::spelt_as_its_row(const ColumnPlan& column,
                                                      const KeyView& link) const {
  if (options_.spellings == nullptr) return std::nullopt;
  const auto type = options_.spellings->find(plans_.type_name(column.type));
  if (type == options_.spellings->end()) return std::nullopt;
  const Value spelt = RecordKeys::value(RecordKey(link));
  const auto* const text = std::get_if<std::string>(&spelt);
  const auto found = text == nullptr ? type->second.end() : type->second.find(*text);
  return found == type->second.end() ? std::nullopt : std::optional(found->second);
}

const char* RowsPass::key(const char* at, ColumnPlan& column, Row& row) {
  std::string storage;
  std::optional<KeyView> key;
  const char* const after = read_key(at, storage, key);
  if (after == nullptr || !key) return after;
  if (column.key_part >= 0)
    (*row.key_parts)[static_cast<std::size_t>(column.key_part)] = RecordKey(*key);
  std::optional<std::string> own_spelling;
  if (column.use == ColumnPlan::Use::link) own_spelling = spelt_as_its_row(column, *key);
  if (own_spelling) key = key_of_text(*own_spelling);
  const bool is_own = column.use == ColumnPlan::Use::own_key;
  if (is_own && column.ref_start.size == 0)
    if (const Result<void> settled = plans_.settle_own_key(row.plan, column); !settled)
      return stop(settled.error());
  column.last_key = nullptr;
  bool is_put = false;
  if (key->kind() == KeyKind::text) {
    is_put = output_.text_key(is_own ? &row : nullptr, column, *key, at, after);
    note_long_texts();
  } else {
    is_put = is_own ? output_.own_key(row, column, *key, at, after)
                    : output_.link(column, *key, at, after);
  }
  return is_put ? after : nullptr;
}

// Reads a key; none when it is null. A text that is no plain piece of the input lives in storage.
const char* RowsPass::read_key(const char* at, std::string& storage, std::optional<KeyView>& key) {
  const char c = scanner_.peek(at);
  if (c == 'n') return scanner_.word(at);
  if (c == '"') {
    StringTraits traits;
    const char* const after = scanner_.string(at, traits);
    if (after == nullptr) return nullptr;
    std::string_view text(at + 1, static_cast<std::size_t>(after - at) - 2);
    if (traits.has_escape) text = storage = decode_json_string(text);
    key = key_of_text(text);
    return after;
  }
  if (c == '-' || (c >= '0' && c <= '9')) {
    const char* const after = scanner_.number(at);
    if (after == nullptr) return nullptr;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(at, after, number);
    if (fault == std::errc() && end == after) {
      key = KeyView::integer(number);
      return after;
    }
  }
  return refuse(at,
                "a key column holds something that is no key; keys are uuids, texts and integers "
                "of 64 bits",
                ErrorCode::key_type);
}

// A part of the key that is shown all the same: alone it leads to no row.
bool RowsPass::note_key_part(const char* at, const ColumnPlan& column, Row& row) {
  std::string storage;
  std::optional<KeyView> part;
  if (read_key(at, storage, part) == nullptr) return false;
  if (part) (*row.key_parts)[static_cast<std::size_t>(column.key_part)] = RecordKey(*part);
  return true;
}

// Writes what is left of a part of a key that must not be shown, and says where it ends; nowhere
// when it may be shown. False when something is wrong.
bool RowsPass::hide_part(const char* at, const char*& after) {
  const char c = scanner_.peek(at);
  const bool is_text = c == '"';
  if (!is_text && c != '-' && (c < '0' || c > '9')) return true;
  StringTraits traits;
  const char* const end = is_text ? scanner_.string(at, traits) : scanner_.number(at);
  if (end == nullptr) return false;
  const std::string_view raw(at, static_cast<std::size_t>(end - at));
  const Result<std::optional<std::string>> literal =
      is_text ? literal_of_part_text(registry_, decode_json_string(raw.substr(1, raw.size() - 2)))
              : literal_of_part_number(registry_, raw);
  if (!literal) return stop(literal.error()) != nullptr;
  if (!*literal) return true;
  const std::string shown = fmt::format("\"{}\"", **literal);
  if (!output_.replace(at, end, shown)) return stop(output_.error()) != nullptr;
  after = end;
  return true;
}

// A label that needs unescaping or masking.
bool RowsPass::name_row(Row& row) {
  if (!output_.settle()) return false;
  if (row.entity == kNoEntity || row.label.rank == ColumnPlan::kNoRank) return true;
  if (!options_.masks_prose || !mask_.may_hide(row.label.traits)) {
    registry_.set_label(row.entity, decode_json_string(row.label.raw));
    return true;
  }
  const Result<std::string> label = mask_.masked_text(row.label.raw, row.label.traits);
  if (!label) return stop(label.error()) != nullptr;
  registry_.set_label(row.entity, *label);
  return true;
}

// Without a whole key there is no ref; null says so where a column of the row's own would be taken
// for it.
bool RowsPass::insert_ref(const char* at, Row& row) {
  std::vector<RecordKey> parts;
  for (const std::optional<RecordKey>& part : *row.key_parts)
    if (part) parts.push_back(*part);
  std::size_t here = 0;
  if (!output_.copy_upto(at, here)) return false;
  const std::string column = RowPlan::ref_column(row.plan.next_ref_place(row.ref_place));
  if (parts.size() < row.key_parts->size()) {
    if (row.ref_place >= 0) output_.insert(row.out_start, fmt::format("\"{}\":null,", column));
    return true;
  }
  const Result<TypeNo> type = plans_.type(row.plan);
  if (!type) return stop(type.error()) != nullptr;
  const RecordKey key = parts.size() == 1 ? parts.front() : RecordKey::composite(parts);
  const Result<EntityNo> entity = registry_.register_read(*type, key.view());
  if (!entity) return stop(entity.error()) != nullptr;
  note_long_texts();
  row.entity = *entity;
  output_.insert(row.out_start,
                 fmt::format("\"{}\":\"{}\",", column, registry_.ref(*entity).text()));
  return true;
}

}  // namespace alfred
