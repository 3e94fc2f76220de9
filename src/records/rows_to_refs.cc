#include "records/rows_to_refs.h"

#include <charconv>

#include <fmt/format.h>

#include "base/json_cursor.h"
#include "records/prose_mask.h"
#include "records/ref_writer.h"
#include "records/row_plan.h"

namespace alfred {
namespace {

using Use = ColumnPlan::Use;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class RowsToRefs {
 public:
  RowsToRefs(RefRegistry& registry, const EntityTypes& types, const RowsOptions& options)
      : registry_(registry), plans_(registry, types), options_(options), mask_(registry) {}

  Result<void> run(std::string_view table, std::string_view json, ByteBuffer& out);

 private:
  struct Row {  // what is known of the row being read
    EntityNo entity = kNoEntity;
    std::string_view label;  // raw
    StringTraits label_traits;
    std::int16_t label_rank = 0x7fff;
    std::size_t out_start = 0;  // where its ref is inserted
    bool has_id = false;        // a column of this name
    std::vector<std::optional<RecordKey>> key_parts;
  };

  Result<void> pass(RowPlan& plan, std::string_view json, ByteBuffer& out);
  bool rows(RowPlan& plan, std::size_t depth, bool takes_others);
  bool row(RowPlan& plan, std::size_t depth);
  bool members(RowPlan& plan, Row& row, std::size_t depth);
  bool members_anew(RowPlan& plan, Row& row, std::size_t depth, std::size_t known);
  bool learn_member(RowPlan& plan, std::vector<RowPlan::Member>& learned);
  bool at_lead(const std::string& lead) const;
  bool value(const RowPlan::Member& member, RowPlan& plan, Row& row, std::size_t depth);
  bool plain(const ColumnPlan& column, Row& row, std::size_t depth);
  bool note_key_part(const ColumnPlan& column, Row& row);
  bool key(ColumnPlan& column, RowPlan& plan, Row& row);
  bool long_key(ColumnPlan& column, RowPlan& plan, Row& row);
  bool read_key(std::string& storage, std::optional<KeyView>& key);
  bool register_key(ColumnPlan& column, RowPlan& plan, Row& row, const KeyView& key,
                    const char* token);
  bool open_value(ColumnPlan& column, std::string_view member, std::size_t depth);
  bool end_row(RowPlan& plan, Row& row);
  bool insert_ref(RowPlan& plan, Row& row);
  bool skip_plain_value(std::size_t depth);
  bool refuse_here(std::string message);

  bool stop(Error error) {
    if (!error_) error_ = std::move(error);
    return false;
  }
  bool stop_here(ErrorCode code, std::string message) {
    const auto at = static_cast<std::size_t>(cursor_->at() - begin_);
    return stop(Error{code, std::move(message), fmt::format("byte {}", at), {}, {}});
  }

  RefRegistry& registry_;
  RowPlans plans_;
  RowsOptions options_;
  ProseMask mask_;
  JsonCursor* cursor_ = nullptr;
  RefWriter* writer_ = nullptr;
  const char* begin_ = nullptr;
  bool met_tombstone_ = false;  // a link to a row that was deleted, and may be read again yet
  std::optional<Error> error_;
};

Result<void> RowsToRefs::run(std::string_view table, std::string_view json, ByteBuffer& out) {
  const Result<RowPlan*> plan = plans_.of_table(table);
  if (!plan) return Unexpected(plan.error());
  const std::size_t out_size = out.size();
  const std::size_t long_texts = registry_.keys().long_text_count();
  Result<void> passed = pass(**plan, json, out);
  // A key met late may stand in prose that was copied before it was known. Rare, and then all rows
  // are known: a second pass gives the same refs and masks the rest.
  const bool is_late = options_.masks_prose &&
                       (mask_.knows_more_now() || registry_.keys().long_text_count() != long_texts);
  if (passed && (is_late || met_tombstone_)) {
    out.cut(out_size);
    registry_.drop_new_literals();  // they are numbered as the output shows them
    passed = pass(**plan, json, out);
  }
  if (!passed) out.cut(out_size);
  return passed;
}

Result<void> RowsToRefs::pass(RowPlan& plan, std::string_view json, ByteBuffer& out) {
  JsonCursor cursor(json, options_.max_depth, options_.masks_prose);
  RefWriter writer(json, out);
  cursor_ = &cursor;
  writer_ = &writer;
  begin_ = json.data();
  bool is_good = true;
  if (json.starts_with(kByteOrderMark)) cursor.advance(kByteOrderMark.size());
  for (cursor.skip_space(); is_good && !cursor.is_at_end(); cursor.skip_space()) {
    const char c = cursor.peek();
    if (c != '[' && c != '{')
      is_good =
          refuse_here("rows must be a JSON object or an array of objects, or several of these");
    else
      is_good = rows(plan, 0, false);
  }
  if (is_good) {
    writer.finish();
    return {};
  }
  return Unexpected(error_ ? *error_ : cursor.error());
}

// A value that may not stand here; what begins no value is not JSON at all.
bool RowsToRefs::refuse_here(std::string message) {
  constexpr std::string_view kBeginnings = "{[\"-0123456789tfn";
  if (cursor_->is_at_end() || kBeginnings.find(cursor_->peek()) == std::string_view::npos)
    return cursor_->fail_here(JsonFault::unexpected_byte);
  return stop_here(ErrorCode::schema, std::move(message));
}

// A row, or an array of rows. With takes_others, elements that are no objects are copied.
bool RowsToRefs::rows(RowPlan& plan, std::size_t depth, bool takes_others) {
  JsonCursor& cursor = *cursor_;
  if (cursor.peek() == '{') return row(plan, depth + 1);
  if (depth >= options_.max_depth) return cursor.fail_here(JsonFault::too_deep);
  cursor.advance(1);
  cursor.skip_space();
  if (cursor.peek() == ']') {
    cursor.advance(1);
    return true;
  }
  while (true) {
    cursor.skip_space();
    if (cursor.peek() == '{') {
      if (!row(plan, depth + 2)) return false;
    } else if (!takes_others) {
      return refuse_here(fmt::format(
          "an array of {} holds something that is no row; every element must be a JSON object",
          plan.table));
    } else if (cursor.peek() == '[') {
      if (!rows(plan, depth + 1, true)) return false;
    } else if (!skip_plain_value(depth + 1)) {
      return false;
    }
    cursor.skip_space();
    if (cursor.peek() == ']') break;
    if (!cursor.take(',')) return false;
  }
  cursor.advance(1);
  return true;
}

bool RowsToRefs::row(RowPlan& plan, std::size_t depth) {
  if (depth > options_.max_depth) return cursor_->fail_here(JsonFault::too_deep);
  cursor_->advance(1);
  Row row;
  if (plan.inserts_ref) {
    writer_->copy_upto(cursor_->at());
    row.out_start = writer_->out_size();
    row.key_parts.resize(plan.key.size());
  }
  ++plan.open_rows;
  const bool is_good = members(plan, row, depth);
  --plan.open_rows;
  return is_good && end_row(plan, row);
}

inline bool RowsToRefs::at_lead(const std::string& lead) const {
  const char* const at = cursor_->at();
  const auto left = static_cast<std::size_t>(cursor_->end() - at);
  if (left < lead.size()) return false;
  return std::memcmp(at, lead.data(), lead.size()) == 0;
}

// Rows of one table look alike: as long as this one's columns stand where the last one's stood,
// their names need not be read again (and cannot repeat).
bool RowsToRefs::members(RowPlan& plan, Row& row, std::size_t depth) {
  if (plan.open_rows > 1) return members_anew(plan, row, depth, 0);
  std::size_t known = 0;
  for (; known < plan.shape.size() && at_lead(plan.shape[known].lead); ++known) {
    cursor_->advance(plan.shape[known].lead.size());
    cursor_->skip_space();  // this row may have more of it than the last one had
    if (!value(plan.shape[known], plan, row, depth)) return false;
  }
  if (cursor_->peek() == '}') {
    cursor_->advance(1);
    return true;
  }
  return members_anew(plan, row, depth, known);
}

// Reads the rest of a row's columns the long way, and remembers the row's shape.
bool RowsToRefs::members_anew(RowPlan& plan, Row& row, std::size_t depth, std::size_t known) {
  JsonCursor& cursor = *cursor_;
  std::vector<RowPlan::Member> learned(plan.shape.begin(),
                                       plan.shape.begin() + static_cast<std::ptrdiff_t>(known));
  while (true) {
    const char* const lead = cursor.at();
    cursor.skip_space();
    if (cursor.peek() == '}') break;
    if (!learned.empty() && !cursor.take(',')) return false;
    if (!learn_member(plan, learned)) return false;
    learned.back().lead.assign(lead, cursor.at());
    if (!value(learned.back(), plan, row, depth)) return false;
  }
  cursor.advance(1);
  if (plan.open_rows > 1) return true;
  const auto secret = std::find_if(learned.begin(), learned.end(),
                                   [](const RowPlan::Member& member) { return !member.is_plain; });
  learned.erase(secret, learned.end());
  plan.shape = std::move(learned);
  return true;
}

// The name of the next column, up to where its value starts.
bool RowsToRefs::learn_member(RowPlan& plan, std::vector<RowPlan::Member>& learned) {
  JsonCursor& cursor = *cursor_;
  cursor.skip_space();
  if (cursor.peek() != '"') return cursor.fail_here(JsonFault::unexpected_byte);
  const char* const first = cursor.at() + 1;
  StringTraits traits;
  if (!cursor.skip_string(traits)) return false;
  const std::string_view raw(first, static_cast<std::size_t>(cursor.at() - 1 - first));
  std::string name = traits.has_escape ? decode_json_string(raw) : std::string(raw);
  // Column names come from a schema; only what has a key's shape is hidden, in every row anew.
  const bool may_hide = options_.masks_prose && has_key_shape(name);
  if (may_hide && !mask_.mask(first, raw.size(), traits, *writer_)) return stop(mask_.error());
  for (const RowPlan::Member& other : learned)
    if (other.name == name) return cursor.fail_at(JsonFault::duplicate_key, first - 1);
  if (!cursor.take(':')) return false;
  cursor.skip_space();
  const Result<ColumnPlan*> column = plans_.column(plan, name);
  if (!column) return stop(column.error());
  learned.push_back({{}, std::move(name), *column, !may_hide});
  return true;
}

bool RowsToRefs::value(const RowPlan::Member& member, RowPlan& plan, Row& row, std::size_t depth) {
  ColumnPlan& column = *member.column;
  if (plan.inserts_ref) row.has_id |= member.name == "id";
  switch (column.use) {
    case Use::own_key:
    case Use::link: return key(column, plan, row);
    case Use::nested:
      if (cursor_->peek() == '{' || cursor_->peek() == '[') return rows(*column.rows, depth, false);
      if (cursor_->peek() == 'n') return cursor_->skip_word();
      return refuse_here(
          fmt::format("this member must hold rows of {}, or null", column.rows->table));
    case Use::open:
      if (cursor_->peek() == '{' || cursor_->peek() == '[')
        return open_value(column, member.name, depth);
      return plain(column, row, depth);
    case Use::copy: return plain(column, row, depth);
  }
  return false;
}

// A member of an undeclared table that holds an object or an array.
bool RowsToRefs::open_value(ColumnPlan& column, std::string_view member, std::size_t depth) {
  if (column.rows == nullptr) {
    const Result<RowPlan*> rows = plans_.of_table(member);
    if (!rows) return stop(rows.error());
    column.rows = *rows;
  }
  return rows(*column.rows, depth, true);
}

bool RowsToRefs::skip_plain_value(std::size_t depth) {
  bool is_masked = true;
  const auto mask = [&](const char* first, const char* last, const StringTraits& traits) {
    if (options_.masks_prose && is_masked)
      is_masked = mask_.mask(first, static_cast<std::size_t>(last - first), traits, *writer_);
  };
  const bool is_good = cursor_->skip_value(mask, depth);
  return is_good && (is_masked || stop(mask_.error()));
}

// A column that is no key: copied, its key-shaped text masked, its text kept when it names the row.
inline bool RowsToRefs::plain(const ColumnPlan& column, Row& row, std::size_t depth) {
  JsonCursor& cursor = *cursor_;
  if (column.key_part >= 0 && !note_key_part(column, row)) return false;
  if (cursor.peek() != '"') return skip_plain_value(depth);
  const char* const first = cursor.at() + 1;
  StringTraits traits;
  if (!cursor.skip_string(traits)) return false;
  const auto size = static_cast<std::size_t>(cursor.at() - 1 - first);
  if (column.label_rank >= 0 && column.label_rank < row.label_rank) {
    row.label = {first, size};
    row.label_traits = traits;
    row.label_rank = column.label_rank;
  }
  if (options_.masks_prose && !mask_.mask(first, size, traits, *writer_))
    return stop(mask_.error());
  return true;
}

// A part of the key that is shown all the same: alone it leads to no row.
bool RowsToRefs::note_key_part(const ColumnPlan& column, Row& row) {
  const JsonCursor here = *cursor_;
  std::string storage;
  std::optional<KeyView> part;
  if (!read_key(storage, part)) return false;
  if (part) row.key_parts[static_cast<std::size_t>(column.key_part)] = RecordKey(*part);
  *cursor_ = here;
  return true;
}

inline bool RowsToRefs::key(ColumnPlan& column, RowPlan& plan, Row& row) {
  const char* const token = cursor_->at();
  if (cursor_->end() - token < 38 || token[0] != '"' || token[37] != '"')
    return long_key(column, plan, row);
  ColumnPlan::LastLink& last = column.last_link;
  if (last.ref_size != 0 && std::memcmp(token + 1, last.key, sizeof last.key) == 0 &&
      column.key_part < 0) {
    cursor_->advance(38);
    writer_->replace(token, cursor_->at(), {last.ref, last.ref_size});
    return true;
  }
  UuidBits bits;
  if (!read_canonical_uuid(token + 1, bits)) return long_key(column, plan, row);
  cursor_->advance(38);
  return register_key(column, plan, row, KeyView::uuid(bits), token);
}

// A key in any other form than a canonical uuid.
bool RowsToRefs::long_key(ColumnPlan& column, RowPlan& plan, Row& row) {
  cursor_->skip_space();
  const char* const token = cursor_->at();
  std::string storage;
  std::optional<KeyView> key;
  if (!read_key(storage, key)) return false;
  return !key || register_key(column, plan, row, *key, token);
}

// Reads a key; none when it is null. Texts that are no plain piece of the input live in storage.
bool RowsToRefs::read_key(std::string& storage, std::optional<KeyView>& key) {
  JsonCursor& cursor = *cursor_;
  const char* const token = cursor.at();
  const char c = cursor.peek();
  if (c == 'n') return cursor.skip_word();
  if (c == '"') {
    StringTraits traits;
    if (!cursor.skip_string(traits)) return false;
    std::string_view text(token + 1, static_cast<std::size_t>(cursor.at() - token) - 2);
    if (traits.has_escape) text = storage = decode_json_string(text);
    UuidBits bits;
    const bool is_uuid = text.size() == 36 && read_canonical_uuid(text.data(), bits);
    key = is_uuid ? KeyView::uuid(bits) : KeyView::text(text);
    return true;
  }
  if (c == '-' || (c >= '0' && c <= '9')) {
    if (!cursor.skip_number()) return false;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(token, cursor.at(), number);
    if (fault == std::errc() && end == cursor.at()) {
      key = KeyView::integer(number);
      return true;
    }
  } else if (c != 't' && c != 'f' && c != '{' && c != '[') {
    return cursor.fail_here(JsonFault::unexpected_byte);
  }
  const auto at = static_cast<std::size_t>(token - begin_);
  return stop(Error{ErrorCode::key_type,
                    "a key column holds something that is no key; keys are uuids, texts and "
                    "integers of 64 bits",
                    fmt::format("byte {}", at),
                    {},
                    {}});
}

inline bool RowsToRefs::register_key(ColumnPlan& column, RowPlan& plan, Row& row,
                                     const KeyView& key, const char* token) {
  const bool is_own = column.use == Use::own_key;
  TypeNo type = column.type;
  if (is_own) {
    if (!plan.type) {
      const Result<TypeNo> settled = plans_.type(plan);
      if (!settled) return stop(settled.error());
    }
    type = *plan.type;
  }
  const Result<EntityNo> entity =
      is_own ? registry_.register_read(type, key) : registry_.register_linked(type, key);
  if (!entity) return stop(entity.error());
  if (is_own) row.entity = *entity;
  if (column.key_part >= 0)
    row.key_parts[static_cast<std::size_t>(column.key_part)] = RecordKey(key);
  const std::string_view shown = writer_->replace_with_ref(
      token, cursor_->at(), registry_.type_name(type), registry_.keys().number(*entity));
  const bool is_dead = registry_.status(*entity) == RefStatus::deleted;
  met_tombstone_ |= is_dead;
  if (!is_own && !is_dead && key.kind() == KeyKind::uuid && cursor_->at() - token == 38) {
    std::memcpy(column.last_link.key, token + 1, sizeof column.last_link.key);
    std::memcpy(column.last_link.ref, shown.data(), shown.size());
    column.last_link.ref_size = static_cast<std::uint8_t>(shown.size());
  }
  return true;
}

bool RowsToRefs::end_row(RowPlan& plan, Row& row) {
  if (plan.inserts_ref && !insert_ref(plan, row)) return false;
  if (row.entity == kNoEntity || row.label_rank == 0x7fff) return true;
  if (!options_.masks_prose || !mask_.may_hide(row.label_traits)) {
    if (row.label_traits.has_escape)
      registry_.set_label(row.entity, decode_json_string(row.label));
    else
      registry_.set_label(row.entity, row.label);
    return true;
  }
  const Result<std::string> label = mask_.masked_text(row.label, row.label_traits);
  if (!label) return stop(label.error());
  registry_.set_label(row.entity, *label);
  return true;
}

// The ref of a row whose key is no column of its own goes in front of its columns.
bool RowsToRefs::insert_ref(RowPlan& plan, Row& row) {
  std::vector<RecordKey> parts;
  for (const std::optional<RecordKey>& part : row.key_parts) {
    if (!part) return true;  // the row does not say which one it is
    parts.push_back(*part);
  }
  const Result<TypeNo> type = plans_.type(plan);
  if (!type) return stop(type.error());
  const RecordKey key = parts.size() == 1 ? parts.front() : RecordKey::composite(parts);
  const Result<EntityNo> entity = registry_.register_read(*type, key.view());
  if (!entity) return stop(entity.error());
  row.entity = *entity;
  writer_->copy_upto(cursor_->at());
  writer_->insert(row.out_start, fmt::format("\"{}\":\"{}\",", row.has_id ? "_ref" : "id",
                                             registry_.ref(*entity).text()));
  return true;
}

}  // namespace

Result<void> translate_read_output(RefRegistry& registry, const EntityTypes& types,
                                   std::string_view table, std::string_view json, ByteBuffer& out,
                                   const RowsOptions& options) {
  registry.begin();
  RowsToRefs translator(registry, types, options);
  Result<void> done = translator.run(table, json, out);
  if (!done) registry.rollback();
  return done;
}

}  // namespace alfred
