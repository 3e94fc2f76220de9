#include "records/rows_to_refs.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "base/json_scanner.h"
#include "records/prose_mask.h"
#include "records/row_plan.h"
#include "records/rows_output.h"

namespace alfred {
namespace {

using Use = ColumnPlan::Use;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool has_id(std::span<const RowPlan::Member> members) {
  return std::any_of(members.begin(), members.end(),
                     [](const RowPlan::Member& member) { return member.name == "id"; });
}

inline bool is_same_uuid(const char* a, const char* b) {
  std::uint64_t difference = 0;
  for (const int at : {0, 8, 16, 24, 28}) {
    std::uint64_t x;
    std::uint64_t y;
    std::memcpy(&x, a + at, 8);
    std::memcpy(&y, b + at, 8);
    difference |= x ^ y;
  }
  return difference == 0;
}

// One pass over a text. Every function that reads takes the place where it starts and returns the
// place after what it read, or null when something is wrong: then error_ or the scanner says what.
class RowsPass {
 public:
  RowsPass(RefRegistry& registry, RowPlans& plans, ProseMask& mask, const RowsOptions& options,
           std::string_view json, ByteBuffer& out)
      : registry_(registry),
        plans_(plans),
        mask_(mask),
        options_(options),
        scanner_(json, options.max_depth, options.masks_prose),
        output_(registry, json, out) {}

  Result<void> run(RowPlan& plan);
  bool met_tombstone() const { return output_.met_tombstone(); }

 private:
  struct Label {
    std::string_view raw;
    StringTraits traits;
    std::int16_t rank = 0x7fff;  // of its column; this one: none
  };
  struct Row : RowEntity {  // what is known of the row being read
    RowPlan& plan;
    std::size_t depth;
    Label label;
    std::size_t out_start = 0;  // where its ref is inserted
    bool has_id = false;        // a column of this name; known when its ref is inserted
    std::vector<std::optional<RecordKey>>* key_parts = nullptr;
    Row(RowPlan& of, std::size_t at_depth) : plan(of), depth(at_depth) {}
  };

  const char* rows(const char* at, RowPlan& plan, std::size_t depth, bool takes_others);
  const char* row(const char* at, RowPlan& plan, std::size_t depth);
  const char* row_without_own_key(const char* at, Row& row);
  const char* members(const char* at, Row& row);
  const char* members_alike(const char* at, Row& row, std::size_t& known);
  const char* members_anew(const char* at, Row& row, std::size_t known);
  const char* learn_member(const char* at, Row& row, std::vector<RowPlan::Member>& learned);
  const char* value(const char* at, const RowPlan::Member& member, Row& row);
  const char* any_value(const char* at, const RowPlan::Member& member, Row& row);
  const char* scalar(const char* at, ColumnPlan& column, Row& row);
  const char* open_rows(const char* at, const RowPlan::Member& member, Row& row);
  const char* nested(const char* at, RowPlan& plan, std::size_t depth);
  const char* plain(const char* at, const ColumnPlan& column, Row& row);
  const char* plain_value(const char* at, std::size_t depth);
  const char* key(const char* at, ColumnPlan& column, Row& row);
  const char* unusual_key(const char* at, ColumnPlan& column, Row& row);
  const char* read_key(const char* at, std::string& storage, std::optional<KeyView>& key);
  bool put_key(ColumnPlan& column, Row& row, const KeyView& key, const char* from,
               const char* upto);
  bool note_key_part(const char* at, const ColumnPlan& column, Row& row);
  const char* end_row(const char* at, Row& row);
  bool name_row(Row& row);
  bool insert_ref(const char* at, Row& row);

  const char* stop(Error error) {
    if (!error_) error_ = std::move(error);
    return nullptr;
  }
  const char* stop_at(const char* at, ErrorCode code, std::string message) {
    return stop(
        Error{code, std::move(message), fmt::format("byte {}", scanner_.offset(at)), {}, {}});
  }

  // A value that may not stand here; what begins no value is not JSON at all.
  const char* refuse(const char* at, std::string message) {
    constexpr std::string_view kBeginnings = "{[\"-0123456789tfn";
    if (at == scanner_.end() || kBeginnings.find(*at) == std::string_view::npos)
      return scanner_.fail(JsonFault::unexpected_byte, at);
    return stop_at(at, ErrorCode::schema, std::move(message));
  }

  RefRegistry& registry_;
  RowPlans& plans_;
  ProseMask& mask_;
  const RowsOptions& options_;
  JsonScanner scanner_;
  RowsOutput output_;
  std::optional<Error> error_;
};

Result<void> RowsPass::run(RowPlan& plan) {
  const std::string_view text(scanner_.begin(), scanner_.offset(scanner_.end()));
  const bool has_mark = text.starts_with(kByteOrderMark);
  const char* at = scanner_.space(scanner_.begin() + (has_mark ? kByteOrderMark.size() : 0));
  while (at != nullptr && at != scanner_.end()) {
    const bool is_rows = *at == '[' || *at == '{';
    at = is_rows
             ? rows(at, plan, 0, false)
             : refuse(at, "rows must be a JSON object or an array of objects, or several of these");
    if (at != nullptr) at = scanner_.space(at);
  }
  if (at != nullptr && !output_.finish()) at = stop(output_.error());
  if (at != nullptr) return {};
  return Unexpected(error_ ? *error_ : scanner_.error());
}

// A row, or an array of rows. With takes_others, elements that are no objects are copied.
const char* RowsPass::rows(const char* at, RowPlan& plan, std::size_t depth, bool takes_others) {
  if (*at == '{') return row(at, plan, depth + 1);
  if (depth + 1 > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == ']') return at + 1;
  while (true) {
    at = scanner_.space(at);
    if (scanner_.peek(at) == '{')
      at = row(at, plan, depth + 2);
    else if (!takes_others)
      at = refuse(at, fmt::format("an array of {} holds something that is no row; every element "
                                  "must be a JSON object",
                                  plan.table));
    else
      at = scanner_.peek(at) == '[' ? rows(at, plan, depth + 1, true) : plain_value(at, depth + 1);
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
    if (scanner_.peek(at) == ']') return at + 1;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
}

const char* RowsPass::row(const char* at, RowPlan& plan, std::size_t depth) {
  if (depth > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  Row row(plan, depth);
  if (plan.inserts_ref) return row_without_own_key(at + 1, row);
  ++plan.open_rows;
  at = members(at + 1, row);
  --plan.open_rows;
  return at == nullptr ? nullptr : end_row(at, row);
}

// The ref of a row whose key is no column of its own goes in front of its columns.
const char* RowsPass::row_without_own_key(const char* at, Row& row) {
  std::vector<std::optional<RecordKey>> key_parts(row.plan.key.size());
  row.key_parts = &key_parts;
  if (!output_.copy_upto(at, row.out_start)) return stop(output_.error());
  ++row.plan.open_rows;
  at = members(at, row);
  --row.plan.open_rows;
  if (at == nullptr || !insert_ref(at, row)) return nullptr;
  return end_row(at, row);
}

// Rows of one table look alike: as long as this one's columns stand where the last one's stood,
// their names need not be read again (and cannot repeat).
const char* RowsPass::members(const char* at, Row& row) {
  std::size_t known = 0;
  if (row.plan.open_rows == 1) {
    at = members_alike(at, row, known);
    if (at == nullptr) return nullptr;
    if (scanner_.peek(at) == '}') {
      if (row.plan.inserts_ref) row.has_id = has_id({row.plan.shape.data(), known});
      return at + 1;
    }
  }
  return members_anew(at, row, known);
}

const char* RowsPass::members_alike(const char* at, Row& row, std::size_t& known) {
  const std::vector<RowPlan::Member>& shape = row.plan.shape;
  for (; known < shape.size(); ++known) {
    const RowPlan::Member& member = shape[known];
    if (!member.lead.stands_at(at, scanner_.end())) break;
    at += member.lead.size();
    if (scanner_.peek(at) <= ' ') at = scanner_.space(at);  // more than before the last row's
    at = value(at, member, row);
    if (at == nullptr) return nullptr;
  }
  return at;
}

// Reads the rest of a row's columns the long way, and remembers the row's shape.
const char* RowsPass::members_anew(const char* at, Row& row, std::size_t known) {
  std::vector<RowPlan::Member>& shape = row.plan.shape;
  std::vector<RowPlan::Member> learned(shape.begin(),
                                       shape.begin() + static_cast<std::ptrdiff_t>(known));
  while (true) {
    const char* const lead = at;
    at = scanner_.space(at);
    if (scanner_.peek(at) == '}') break;
    if (!learned.empty()) at = scanner_.punctuation(at, ',');
    if (at != nullptr) at = learn_member(at, row, learned);
    if (at == nullptr) return nullptr;
    learned.back().lead = Lead({lead, static_cast<std::size_t>(at - lead)});
    at = any_value(at, learned.back(), row);
    if (at == nullptr) return nullptr;
  }
  row.has_id = has_id(learned);
  if (row.plan.open_rows > 1) return at + 1;
  const auto secret = std::find_if(learned.begin(), learned.end(),
                                   [](const RowPlan::Member& member) { return !member.is_plain; });
  learned.erase(secret, learned.end());
  shape = std::move(learned);
  return at + 1;
}

// The name of the next column, up to where its value starts.
const char* RowsPass::learn_member(const char* at, Row& row,
                                   std::vector<RowPlan::Member>& learned) {
  at = scanner_.space(at);
  if (scanner_.peek(at) != '"') return scanner_.fail(JsonFault::unexpected_byte, at);
  const char* const quote = at;
  StringTraits traits;
  at = scanner_.string(at, traits);
  if (at == nullptr) return nullptr;
  const std::string_view raw(quote + 1, static_cast<std::size_t>(at - quote) - 2);
  std::string name = traits.has_escape ? decode_json_string(raw) : std::string(raw);
  // Column names come from a schema; only what has a key's shape is hidden, in every row anew.
  const bool may_hide = options_.masks_prose && has_key_shape(name);
  if (may_hide && !mask_.mask(raw, traits, output_)) return stop(mask_.error());
  for (const RowPlan::Member& other : learned)
    if (other.name == name) return scanner_.fail(JsonFault::duplicate_key, quote);
  at = scanner_.punctuation(at, ':');
  if (at == nullptr) return nullptr;
  const Result<ColumnPlan*> column = plans_.column(row.plan, name);
  if (!column) return stop(column.error());
  learned.push_back({{}, std::move(name), *column, !may_hide});
  return scanner_.space(at);
}

[[gnu::always_inline]] inline const char* RowsPass::value(const char* at,
                                                          const RowPlan::Member& member, Row& row) {
  ColumnPlan& column = *member.column;
  switch (column.use) {
    case Use::copy: return plain(at, column, row);
    case Use::own_key:
    case Use::link: return key(at, column, row);
    case Use::nested: return nested(at, *column.rows, row.depth);
    case Use::open: break;
  }
  const char c = scanner_.peek(at);
  return c == '{' || c == '[' ? open_rows(at, member, row) : plain(at, column, row);
}

// The same where speed does not matter but the stack does: rows may be nested a thousand deep, and
// what reads scalars must not lie on it a thousand times.
const char* RowsPass::any_value(const char* at, const RowPlan::Member& member, Row& row) {
  ColumnPlan& column = *member.column;
  if (column.use == Use::nested) return nested(at, *column.rows, row.depth);
  const char c = scanner_.peek(at);
  if (column.use == Use::open && (c == '{' || c == '[')) return open_rows(at, member, row);
  return scalar(at, column, row);
}

[[gnu::noinline]] const char* RowsPass::scalar(const char* at, ColumnPlan& column, Row& row) {
  const bool is_key = column.use == Use::own_key || column.use == Use::link;
  return is_key ? key(at, column, row) : plain(at, column, row);
}

// A member of a table nobody declared that holds an object or an array.
const char* RowsPass::open_rows(const char* at, const RowPlan::Member& member, Row& row) {
  ColumnPlan& column = *member.column;
  if (column.rows == nullptr) {
    const Result<RowPlan*> plan = plans_.of_table(member.name);
    if (!plan) return stop(plan.error());
    column.rows = *plan;
  }
  return rows(at, *column.rows, row.depth, true);
}

const char* RowsPass::nested(const char* at, RowPlan& plan, std::size_t depth) {
  const char c = scanner_.peek(at);
  if (c == '{' || c == '[') return rows(at, plan, depth, false);
  if (c == 'n') return scanner_.word(at);
  return refuse(at, fmt::format("this member must hold rows of {}, or null", plan.table));
}

const char* RowsPass::plain_value(const char* at, std::size_t depth) {
  bool is_masked = true;
  const auto mask = [&](const char* first, const char* last, const StringTraits& traits) {
    if (options_.masks_prose && is_masked)
      is_masked = mask_.mask({first, static_cast<std::size_t>(last - first)}, traits, output_);
  };
  at = scanner_.value(at, mask, depth);
  return is_masked ? at : stop(mask_.error());
}

// A column that is no key: copied, its key-shaped text masked, its text kept when it names the row.
[[gnu::always_inline]] inline const char* RowsPass::plain(const char* at, const ColumnPlan& column,
                                                          Row& row) {
  if (column.key_part >= 0 && !note_key_part(at, column, row)) return nullptr;
  const char c = scanner_.peek(at);
  if (c >= '0' && c <= '9') return scanner_.number(at);
  if (c == 't' || c == 'f' || c == 'n') return scanner_.word(at);
  if (c != '"') return plain_value(at, row.depth);
  StringTraits traits;
  const char* const after = scanner_.string(at, traits);
  if (after == nullptr) return nullptr;
  const std::string_view raw(at + 1, static_cast<std::size_t>(after - at) - 2);
  if (column.label_rank >= 0 && column.label_rank < row.label.rank && !raw.empty())
    row.label = {raw, traits, column.label_rank};
  if (options_.masks_prose && !mask_.mask(raw, traits, output_)) return stop(mask_.error());
  return after;
}

// A part of the key that is shown all the same: alone it leads to no row.
bool RowsPass::note_key_part(const char* at, const ColumnPlan& column, Row& row) {
  std::string storage;
  std::optional<KeyView> part;
  if (read_key(at, storage, part) == nullptr) return false;
  if (part) (*row.key_parts)[static_cast<std::size_t>(column.key_part)] = RecordKey(*part);
  return true;
}

[[gnu::always_inline]] inline const char* RowsPass::key(const char* at, ColumnPlan& column,
                                                        Row& row) {
  if (scanner_.end() - at < 38 || at[0] != '"' || at[37] != '"')
    return unusual_key(at, column, row);
  const char* const after = at + 38;
  if (column.last_key != nullptr && is_same_uuid(at + 1, column.last_key))
    return output_.same_link(column, at, after) ? after : stop(output_.error());
  UuidBits bits;
  if (!read_canonical_uuid(at + 1, bits)) return unusual_key(at, column, row);
  if (!put_key(column, row, KeyView::uuid(bits), at, after)) return nullptr;
  if (column.use == Use::link && column.key_part < 0) column.last_key = at + 1;
  return after;
}

// A key in any other form than a canonical uuid.
const char* RowsPass::unusual_key(const char* at, ColumnPlan& column, Row& row) {
  std::string storage;
  std::optional<KeyView> key;
  const char* const after = read_key(at, storage, key);
  if (after == nullptr || !key) return after;
  column.last_key = nullptr;
  if (!put_key(column, row, *key, at, after)) return nullptr;
  return storage.empty() || output_.settle() ? after : stop(output_.error());
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
    UuidBits bits;
    const bool is_uuid = text.size() == 36 && read_canonical_uuid(text.data(), bits);
    key = is_uuid ? KeyView::uuid(bits) : KeyView::text(text);
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
  } else if (c != 't' && c != 'f' && c != '{' && c != '[') {
    return scanner_.fail(JsonFault::unexpected_byte, at);
  }
  return stop_at(at, ErrorCode::key_type,
                 "a key column holds something that is no key; keys are uuids, texts and integers "
                 "of 64 bits");
}

[[gnu::always_inline]] inline bool RowsPass::put_key(ColumnPlan& column, Row& row,
                                                     const KeyView& key, const char* from,
                                                     const char* upto) {
  if (column.key_part >= 0)
    (*row.key_parts)[static_cast<std::size_t>(column.key_part)] = RecordKey(key);
  if (column.use == Use::link)
    return output_.link(column, key, from, upto) || stop(output_.error()) != nullptr;
  if (!row.plan.type) {
    const Result<TypeNo> settled = plans_.type(row.plan);
    if (!settled) return stop(settled.error()) != nullptr;
  }
  return output_.own_key(row, *row.plan.type, key, from, upto) || stop(output_.error()) != nullptr;
}

const char* RowsPass::end_row(const char* at, Row& row) {
  const bool is_masked = options_.masks_prose && mask_.may_hide(row.label.traits);
  const bool is_plain = !row.label.traits.has_escape && !is_masked;
  if (!is_plain && !name_row(row)) return nullptr;
  const std::string_view label = is_plain ? row.label.raw : std::string_view();
  return output_.end_row(row, label) ? at : stop(output_.error());
}

// A label that needs unescaping or masking.
bool RowsPass::name_row(Row& row) {
  if (!output_.settle()) return stop(output_.error()) != nullptr;
  if (row.entity == kNoEntity || row.label.rank == 0x7fff) return true;
  if (!options_.masks_prose) {
    registry_.set_label(row.entity, decode_json_string(row.label.raw));
    return true;
  }
  const Result<std::string> label = mask_.masked_text(row.label.raw, row.label.traits);
  if (!label) return stop(label.error()) != nullptr;
  registry_.set_label(row.entity, *label);
  return true;
}

bool RowsPass::insert_ref(const char* at, Row& row) {
  std::vector<RecordKey> parts;
  for (const std::optional<RecordKey>& part : *row.key_parts) {
    if (!part) return true;  // the row does not say which one it is
    parts.push_back(*part);
  }
  std::size_t here = 0;
  if (!output_.copy_upto(at, here)) return stop(output_.error()) != nullptr;
  const Result<TypeNo> type = plans_.type(row.plan);
  if (!type) return stop(type.error()) != nullptr;
  const RecordKey key = parts.size() == 1 ? parts.front() : RecordKey::composite(parts);
  const Result<EntityNo> entity = registry_.register_read(*type, key.view());
  if (!entity) return stop(entity.error()) != nullptr;
  row.entity = *entity;
  output_.insert(row.out_start, fmt::format("\"{}\":\"{}\",", row.has_id ? "_ref" : "id",
                                            registry_.ref(*entity).text()));
  return true;
}

Result<void> translate(RefRegistry& registry, const EntityTypes& types, std::string_view table,
                       std::string_view json, ByteBuffer& out, const RowsOptions& options) {
  RowPlans plans(registry, types);
  const Result<RowPlan*> plan = plans.of_table(table);
  if (!plan) return Unexpected(plan.error());
  ProseMask mask(registry);
  const std::size_t out_size = out.size();
  const std::size_t long_texts = registry.keys().long_text_count();
  RowsPass first(registry, plans, mask, options, json, out);
  Result<void> passed = first.run(**plan);
  // A key met late may stand in prose that was copied before it was known. Rare, and then all rows
  // are known: a second pass gives the same refs and masks the rest.
  const bool is_late = options.masks_prose &&
                       (mask.knows_more_now() || registry.keys().long_text_count() != long_texts);
  if (passed && (is_late || first.met_tombstone())) {
    out.cut(out_size);
    registry.drop_new_literals();  // they are numbered as the output shows them
    passed = RowsPass(registry, plans, mask, options, json, out).run(**plan);
  }
  if (!passed) out.cut(out_size);
  return passed;
}

}  // namespace

Result<void> translate_read_output(RefRegistry& registry, const EntityTypes& types,
                                   std::string_view table, std::string_view json, ByteBuffer& out,
                                   const RowsOptions& options) {
  registry.begin();
  Result<void> done = translate(registry, types, table, json, out, options);
  if (!done) registry.rollback();
  return done;
}

}  // namespace alfred
