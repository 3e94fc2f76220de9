#include "records/read/read_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/byte_buffer.h"
#include "base/check.h"
#include "records/read/known_rows.h"
#include "records/read/linked_keys.h"
#include "records/read/masked_json.h"
#include "records/read/row_labels.h"
#include "records/read/row_text.h"
#include "records/record_keys.h"
#include "records/to_refs/rows_to_refs.h"

namespace alfred {
namespace {

#ifdef NDEBUG
constexpr bool kComparesKnownRows = false;
#else
constexpr bool kComparesKnownRows = true;
#endif

// From the rows found to the answer. The answer is made whole, and made again with fewer rows when
// it is too long; only what is shown is registered.
class ReadAnswer {
 public:
  ReadAnswer(Tx& tx, RecordContext& context, const ReadRequest& request)
      : tx_(tx), context_(context), request_(request) {}

  Result<std::string> run() {
    Result<FoundRows> found = find_rows(tx_, context_, request_);
    if (!found) return Unexpected(found.error());
    found_ = &*found;
    Result<std::vector<NestedRows>> nested = find_nested(tx_, context_, request_, *found);
    if (!nested) return Unexpected(nested.error());
    nested_ = std::move(*nested);
    Result<LinkSpellings> spellings =
        spellings_of_links(tx_, context_.schema, request_.columns, *found, nested_);
    if (!spellings) return Unexpected(spellings.error());
    spellings_ = std::move(*spellings);
    for (std::size_t rows = found->rows.size();;) {
      Result<std::string> answer = made_of(rows);
      if (!answer) return answer;
      if (answer->size() <= context_.limits.read_bytes || rows == 0) return answer;
      context_.registry.rollback();
      is_cut_ = true;
      // Proportionally fewer, but fewer in any case.
      const std::size_t fit = rows * context_.limits.read_bytes / answer->size();
      rows = std::min(rows - 1, fit);
    }
  }

 private:
  Result<std::string> made_of(std::size_t rows) {
    Result<std::string> text = rows_text(rows);
    if (!text) return text;
    const bool has_more = found_->has_more || rows < found_->rows.size();
    std::string answer;
    answer.reserve(text->size() + 256);
    (answer += "{\"rows\":") += *text;
    answer += has_more ? ",\"has_more\":true" : ",\"has_more\":false";
    // A row that is longer than an answer is passed over, so that those behind it can be reached.
    const std::size_t passed = rows == 0 && is_cut_ ? 1 : rows;
    if (has_more) {
      if (Result<void> ok = add_cursor(passed, answer); !ok) return Unexpected(ok.error());
    }
    add_notes(rows, answer);
    if (Result<void> ok = add_labels(rows, answer); !ok) return Unexpected(ok.error());
    if (found_->count) answer += fmt::format(",\"count\":{}", *found_->count + generated_count_);
    if (!request_.repaired.empty()) {
      JsonArray repaired;
      for (const std::string& one : request_.repaired) repaired.emplace_back(one);
      answer += ",\"repaired\":" + write_json(repaired);
    }
    answer += '}';
    return answer;
  }

  // The rows in refs. Begins the transaction of the registry.
  Result<std::string> rows_text(std::size_t rows) {
    std::optional<std::string> known;
    if (spellings_.empty()) known = known_rows_text(context_, request_, *found_, rows);
    are_known_ = known && !kComparesKnownRows;
    if (are_known_) {
      context_.registry.begin();
      return std::move(*known);
    }
    Result<std::string> text = translated_rows(rows);
    ALFRED_CHECK(!known || (text && *text == *known && !has_new_entities()),
                 "rows that hold nothing new are written as the translator writes them");
    return text;
  }

  bool has_new_entities() const {
    const RefChanges changes = context_.registry.changes();
    return !std::all_of(changes.begin(), changes.end(), [](const RefChange& change) {
      return std::holds_alternative<TypeDeclared>(change);
    });
  }

  Result<std::string> translated_rows(std::size_t rows) {
    std::string in_keys = "[";
    for (std::size_t i = 0; i < rows; ++i) {
      in_keys += i == 0 ? "" : ",";
      append_row_text(request_, *found_, nested_, i, in_keys);
    }
    in_keys += ']';
    ByteBuffer in_refs;
    const Result<void> done = translate_read_output(
        context_.registry, context_.schema.entity_types(), request_.table->name, in_keys, in_refs,
        {.masks_names = false, .spellings = spellings_.empty() ? nullptr : &spellings_});
    if (!done) return Unexpected(done.error());
    Result<std::string> generated = generated_rows();
    if (!generated) return generated;
    // Texts were masked as they were written.
    KeyPieces pieces(context_.registry.keys());
    Result<std::string> hidden = with_hidden_numbers(context_.registry, pieces, in_refs.view());
    if (!hidden) return hidden;
    const std::string_view saved = std::string_view(*hidden).substr(1);
    const bool are_both = !generated->empty() && rows > 0;
    return fmt::format("[{}{}{}", *generated, are_both ? "," : "", saved);
  }

  // What is generated comes first, on the first page.
  Result<std::string> generated_rows() {
    generated_count_ = 0;
    std::vector<std::string> members;
    if (!request_.shows_all) {
      for (const Field* field : request_.columns) members.push_back(field->name);
      for (const Relation* relation : request_.include) members.push_back(relation->member);
    }
    LiteralMask mask(context_.registry);
    std::string text;
    for (const GeneratedRow& row : request_.generated.rows) {
      if (!matches_generated(context_, *request_.table, request_.filter, request_.generated, row))
        continue;
      ++generated_count_;
      if (request_.after) continue;
      Result<std::string> one =
          generated_text(mask, context_.schema, *request_.table, row, members);
      if (!one) return one;
      text += (text.empty() ? "" : ",") + *one;
    }
    return text;
  }

  // How many rows were shown, on this page and before, that are like its last one.
  std::size_t like_last(std::size_t rows) const {
    if (found_->like_last > found_->skipped && rows <= found_->like_last - found_->skipped)
      return found_->skipped + rows;
    const auto is_like = [&](const Row& row, const Row& last) {
      return std::all_of(request_.order.begin(), request_.order.end(), [&](const OrderBy& by) {
        return found_->fields.of(row, by.field) == found_->fields.of(last, by.field);
      });
    };
    std::size_t count = 1;
    while (count < rows && is_like(found_->rows[rows - 1 - count], found_->rows[rows - 1])) ++count;
    return count;
  }

  // How many of the rows there are up to the last one that a cursor can name: all in a table
  // without a key; else those up to the last one with a ref.
  std::size_t rows_to_name(std::size_t rows) const {
    const Table& table = *request_.table;
    const auto has_ref = [&](const Row& row) {
      return RecordKeys::of_row(table, found_->fields.list(), row).has_value();
    };
    while (rows > 0 && !table.key.empty() && !has_ref(found_->rows[rows - 1])) --rows;
    return rows;
  }

  CursorPlace place_behind(std::size_t rows) const {
    CursorPlace place;
    const std::size_t named = rows_to_name(rows);
    if (named == 0 && request_.after) place = *request_.after;
    if (named > 0) {
      const Row& last = found_->rows[named - 1];
      for (const OrderBy& by : request_.order)
        place.values.push_back(found_->fields.of(last, by.field));
      if (request_.is_by_score) place.score = found_->scores[named - 1];
      place.offset = request_.after ? request_.after->offset : 0;
      place.equals = like_last(rows);
    }
    place.offset += rows;
    if (!place.values.empty()) place.nameless += rows - named;
    return place;
  }

  Result<void> add_cursor(std::size_t rows, std::string& answer) {
    if (rows == 0) return {};  // the place is where this call began, which the caller knows
    const Result<std::optional<std::string>> cursor =
        write_cursor(context_, request_.cursor_call, place_behind(rows));
    if (!cursor) return Unexpected(cursor.error());
    has_no_cursor_ = !*cursor;
    if (*cursor) answer += fmt::format(",\"cursor\":\"{}\"", **cursor);
    return {};
  }

  // The last text among what was asked for: most likely the long one.
  std::string long_column() const {
    std::string name = "text";
    for (const Field* field : request_.columns)
      if (field->type == FieldType::text && !field->link && !request_.table->is_key(field->name))
        name = field->name;
    return name;
  }

  void add_notes(std::size_t rows, std::string& answer) const {
    std::string hint;
    if (is_cut_ && rows == 0)
      hint = fmt::format(
          "the next row alone is longer than an answer may be ({} bytes); name the columns you "
          "need, one long text at a time and without include; a text that is longer by itself is "
          "read in parts by a query, such as SELECT substr({}, 1, {}) FROM {} WHERE …; the cursor "
          "goes on behind this row",
          context_.limits.read_bytes, long_column(), context_.limits.read_bytes / 2,
          request_.table->name);
    else if (is_cut_)
      hint = fmt::format(
          "only {} rows fit into an answer of {} bytes; go on with the cursor, or narrow it with "
          "columns or filters",
          rows, context_.limits.read_bytes);
    if (has_no_cursor_)
      hint =
          "there is more, but what the rows are ordered by is too long or no text, so there is no cursor; order by "
          "another column";
    for (const NestedRows& nested : nested_) {
      if (nested.is_cut.empty()) continue;
      hint += fmt::format(
          "{}of {}, {} rows of a parent are shown at most; read {} with a filter on {} for all",
          hint.empty() ? "" : "; ", nested.relation->member, context_.limits.nested_rows,
          nested.relation->table, nested.relation->column);
    }
    if (!hint.empty()) answer += ",\"truncated\":true,\"hint\":" + write_json(Json(hint));
    if (found_->keyless > 0)
      answer += fmt::format(
          ",\"without_key\":{},\"key_hint\":\"rows whose key is null are left out: no ref can "
          "name them; give them a key in the database\"",
          found_->keyless);
    if (request_.collapsed > 0) answer += fmt::format(",\"collapsed\":{}", request_.collapsed);
  }

  Result<void> add_labels(std::size_t rows, std::string& answer) {
    LinkedLabels linked(context_, spellings_);
    for (std::size_t i = 0; i < rows; ++i) {
      const Row& row = found_->rows[i];
      linked.add(found_->fields, request_.columns, row);
      for (const NestedRows& nested : nested_) {
        const Field* const key = key_fields(*request_.table).front();
        const auto children = nested.of.find(key_text(*key, found_->fields.of(row, key)));
        if (children == nested.of.end()) continue;
        for (const Row& child : children->second) linked.add(nested.fields, nested.columns, child);
      }
    }
    if (Result<void> ok = linked.fetch(tx_); !ok) return ok;
    if (!linked.labels().empty()) answer += ",\"labels\":" + write_json(linked.labels());
    return are_known_ ? Result<void>() : keep_own_labels(context_, *found_, rows);
  }

  Tx& tx_;
  RecordContext& context_;
  const ReadRequest& request_;
  const FoundRows* found_ = nullptr;
  std::vector<NestedRows> nested_;
  LinkSpellings spellings_;
  std::size_t generated_count_ = 0;
  bool is_cut_ = false;
  bool are_known_ = false;  // all rows, by the labels they have
  bool has_no_cursor_ = false;
};

}  // namespace

Result<RecordOutcome> read_rows(Tx& tx, RecordContext& context, const Json& params) {
  const Result<ReadRequest> request = read_request(context, params);
  if (!request) return Unexpected(request.error());
  context.registry.begin();
  Result<std::string> answer = ReadAnswer(tx, context, *request).run();
  if (!answer) {
    context.registry.rollback();
    return Unexpected(answer.error());
  }
  return RecordOutcome{std::move(*answer), {}};
}

}  // namespace alfred
