#include "records/query/query_rows.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/json/whole_number.h"
#include "base/quoted_text.h"
#include "base/utf8.h"
#include "pack/sql/sql_words.h"
#include "records/field_value.h"
#include "records/filter/filter_ops.h"
#include "records/key_part.h"
#include "records/query/hidden_words.h"
#include "records/query/part_values.h"
#include "records/read/linked_keys.h"
#include "records/read/masked_json.h"
#include "records/record_keys.h"
#include "refs/hiding/key_shapes.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {
namespace {

struct QueryCall {
  std::string sql;
  std::size_t limit = 0;
};

Result<QueryCall> read_call(const RecordContext& context, const Json& params) {
  const JsonObject* const object = params.if_object();
  if (object == nullptr)
    return fail(ErrorCode::schema, "the parameters of a query are an object", "", {"sql", "limit"});
  for (const auto& member : *object)
    if (member.key() != "sql" && member.key() != "limit")
      return fail(ErrorCode::schema,
                  fmt::format("a query has no parameter {}", quoted_text(member.key())), "",
                  {"sql", "limit"});
  const Json* const sql = object->if_contains("sql");
  if (sql == nullptr || !sql->is_string())
    return fail(ErrorCode::schema, "a query needs one SELECT as its sql", "sql");
  QueryCall call{std::string(sql->get_string()), context.limits.read_rows};
  const Json* const limit = object->if_contains("limit");
  if (limit == nullptr || limit->is_null()) return call;
  const auto most = static_cast<std::int64_t>(context.limits.read_rows);
  const std::optional<std::int64_t> wanted = whole_number(*limit);
  if (!wanted || *wanted < 1)
    return fail(ErrorCode::schema, fmt::format("limit is a whole number from 1 to {}", most),
                "limit");
  if (*wanted > most)
    return fail(ErrorCode::limit, fmt::format("a query gives {} rows at most", most), "limit");
  call.limit = static_cast<std::size_t>(*wanted);
  return call;
}

// The first ref that was shown and stands as a text of its own; empty: none. SQLite takes a name in
// quotes for a text as well.
std::string quoted_ref(const RefRegistry& registry, std::string_view sql) {
  for (const SqlWord& word : sql_words(sql, Brackets::hold_places)) {
    const bool is_text = word.kind == SqlWord::Kind::text || word.kind == SqlWord::Kind::quoted;
    if (is_text && registry.find(word.text) != kNoEntity) return word.text;
  }
  return {};
}

// What becomes of one column of the result.
struct ColumnUse {
  enum class Kind : std::uint8_t { own_key, link, plain, computed };
  Kind kind = Kind::computed;
  std::string name;
  const Table* table = nullptr;  // own_key, plain: where it comes from; link: where it leads
  const Field* field = nullptr;
  std::optional<std::size_t> label;  // own_key: the column that names the row
};

class QueryAnswer {
 public:
  QueryAnswer(RecordContext& context, const QueryRows& found, const PartValues& parts)
      : context_(context), found_(found), parts_(parts) {}

  Result<std::string> run() {
    if (Result<void> ok = read_columns(); !ok) return Unexpected(ok.error());
    for (std::size_t rows = found_.rows.size();;) {
      context_.registry.begin();
      Result<std::string> answer = made_of(rows);
      if (!answer) return answer;
      if (answer->size() <= context_.limits.read_bytes || rows == 0) return answer;
      context_.registry.rollback();
      is_cut_ = true;
      rows = std::min(rows - 1, rows * context_.limits.read_bytes / answer->size());
    }
  }

 private:
  Result<void> read_columns() {
    for (const QueryColumn& column : found_.columns) {
      ColumnUse use;
      use.table = column.table.empty() ? nullptr : context_.schema.find(column.table);
      use.field = use.table == nullptr ? nullptr : use.table->find(column.column);
      if (use.field != nullptr && use.field->is_hidden)
        return fail(ErrorCode::query, "the query names a column that does not exist", "sql",
                    column_names(*use.table, ""));
      if (use.field != nullptr) use.kind = ColumnUse::Kind::plain;
      if (use.field != nullptr && use.field->link) {
        use.kind = ColumnUse::Kind::link;
        use.table = context_.schema.find(use.field->link->table);
      } else if (use.field != nullptr && holds_refs(*use.table, *use.field)) {
        use.kind = ColumnUse::Kind::own_key;
      }
      use.name = column.name;
      columns_.push_back(std::move(use));
    }
    for (ColumnUse& use : columns_)
      if (use.kind == ColumnUse::Kind::own_key) use.label = label_of(*use.table);
    return {};
  }

  // The label's column, when the table stands in the result once.
  std::optional<std::size_t> label_of(const Table& table) const {
    std::optional<std::size_t> label;
    std::size_t keys = 0;
    std::size_t labels = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ColumnUse& use = columns_[i];
      if (use.table != &table) continue;
      keys += use.kind == ColumnUse::Kind::own_key ? 1 : 0;
      if (use.kind != ColumnUse::Kind::plain || use.field->name != table.label) continue;
      label = i;
      ++labels;
    }
    return keys == 1 && labels == 1 ? label : std::nullopt;
  }

  Result<std::string> made_of(std::size_t rows) {
    LiteralMask mask(context_.registry);
    // All keys first: a computed text may hold one that stands in a later row.
    std::vector<std::vector<std::string>> refs(rows);
    for (std::size_t i = 0; i < rows; ++i)
      if (Result<void> ok = register_keys(mask, found_.rows[i], refs[i]); !ok)
        return Unexpected(ok.error());
    Result<std::vector<std::string>> names = shown_names(mask);
    if (!names) return Unexpected(names.error());
    std::string answer = "{\"rows\":[";
    for (std::size_t i = 0; i < rows; ++i) {
      answer += i == 0 ? "{" : ",{";
      for (std::size_t at = 0; at < columns_.size(); ++at) {
        answer += (at == 0 ? "" : ",") + (*names)[at];
        if (!refs[i][at].empty())
          answer += refs[i][at];
        else if (Result<void> ok = append_cell(mask, at, found_.rows[i][at], answer); !ok)
          return Unexpected(ok.error());
      }
      answer += '}';
    }
    answer += ']';
    add_notes(rows, answer);
    return answer + "}";
  }

  // The refs of a row's keys as JSON, empty for columns that are none.
  Result<void> register_keys(LiteralMask& mask, const Row& row, std::vector<std::string>& refs) {
    refs.resize(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const ColumnUse& use = columns_[i];
      const bool is_own = use.kind == ColumnUse::Kind::own_key;
      if (!is_own && use.kind != ColumnUse::Kind::link) continue;
      refs[i] = "null";
      const Result<RecordKey> key = RecordKeys::linked(*use.field, row[i]);
      if (!key) continue;  // null, or what no ref can stand for
      RefRegistry& registry = context_.registry;
      const Result<TypeNo> type = registry.type_named(use.table->ref, use.table->name);
      if (!type) return Unexpected(type.error());
      const Result<EntityNo> entity = is_own ? registry.register_read(*type, key->view())
                                             : registry.register_linked(*type, key->view());
      if (!entity) return Unexpected(entity.error());
      refs[i] = fmt::format("\"{}\"", registry.ref(*entity).text());
      if (!use.label) continue;
      const auto* const label = std::get_if<std::string>(&row[*use.label]);
      if (label == nullptr || label->empty() || !is_utf8(*label)) continue;
      const Result<MaskedText> masked = mask.mask(*label);
      if (!masked) return Unexpected(masked.error());
      registry.set_label(*entity, masked->view());
    }
    return {};
  }

  // Names of the schema are known to every caller, and are no data.
  bool is_schema_name(std::string_view name) const {
    const auto tables = context_.schema.tables();
    return std::any_of(tables.begin(), tables.end(), [&](const Table& table) {
      const Field* const field = table.find(name);
      return table.name == name || (field != nullptr && !field->is_hidden);
    });
  }

  // `"name":` of each column; a name that came before gets a number.
  Result<std::vector<std::string>> shown_names(LiteralMask& mask) const {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::string name = is_utf8(columns_[i].name) ? columns_[i].name : "";
      if (!is_schema_name(name)) {
        const Result<MaskedText> masked = mask.mask(name);
        if (!masked) return Unexpected(masked.error());
        name = masked->view();
      }
      if (name.empty()) name = fmt::format("column_{}", i + 1);
      std::string unique = name;
      for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
      std::string& text = names.emplace_back();
      append_json_string(text, unique);
      text += ':';
    }
    return names;
  }

  // A part of a key is shown as a read shows it.
  Result<std::optional<std::string>> literal_of_part(const Value& value, std::string_view shown) {
    if (const auto* const text = std::get_if<std::string>(&value))
      return literal_of_part_text(context_.registry, *text);
    return literal_of_part_number(context_.registry, shown);
  }

  Result<void> append_cell(LiteralMask& mask, std::size_t column, const Value& value,
                           std::string& out) {
    static const Field computed;
    const ColumnUse& use = columns_[column];
    const bool is_computed = use.kind == ColumnUse::Kind::computed;
    std::string text;
    append_field_json(is_computed ? computed : *use.field, value, text);
    const bool is_number =
        std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    const bool may_hold_parts = parts_.may_be_in(found_.columns[column]);
    const bool is_of_parts = !is_computed && use.field->is_key_part;
    if (is_of_parts || (may_hold_parts && parts_.has(value))) {
      const Result<std::optional<std::string>> literal = literal_of_part(value, text);
      if (!literal) return Unexpected(literal.error());
      if (*literal) {
        append_json_string(out, **literal);
        return {};
      }
    }
    if (is_number) {
      const Result<std::string> hidden = with_hidden_numbers(context_.registry, pieces_, text);
      if (!hidden) return Unexpected(hidden.error());
      out += *hidden;
      return {};
    }
    const Result<Json> json = parse_json(text, JsonLimits::none());
    if (!json) return Unexpected(json.error());
    Result<Json> masked = masked_json(mask, *json);
    if (!masked) return Unexpected(masked.error());
    if (may_hold_parts || (is_computed && masked->is_string()))
      masked = with_hidden_words(context_.registry, *masked, may_hold_parts);
    if (!masked) return Unexpected(masked.error());
    // A key stands as a number in a JSON column, not only as text.
    const bool holds_numbers = !masked->is_string() && !masked->is_bool() && !masked->is_null();
    if (holds_numbers) masked = with_hidden_numbers(context_.registry, pieces_, *masked);
    if (!masked) return Unexpected(masked.error());
    out += write_json(*masked);
    return {};
  }

  // The longest text of the first row.
  std::string long_column() const {
    std::size_t longest = 0;
    std::string name;
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      const auto* const text = std::get_if<std::string>(&found_.rows.front()[at]);
      if (text == nullptr || text->size() <= longest) continue;
      longest = text->size();
      name = columns_[at].name;
    }
    return is_schema_name(name) ? name : "…";
  }

  void add_notes(std::size_t rows, std::string& answer) const {
    if (is_cut_ && rows == 0)
      append_json_string(
          answer += ",\"truncated\":true,\"hint\":",
          fmt::format(
              "the first row alone is longer than an answer may be ({} bytes); select fewer "
              "columns, or a part of a long one, such as substr({}, 1, {})",
              context_.limits.read_bytes, long_column(), context_.limits.read_bytes / 4));
    else if (is_cut_ || found_.is_truncated)
      answer += fmt::format(
          ",\"truncated\":true,\"hint\":\"only {} rows are shown; narrow the query with WHERE, "
          "fewer columns or LIMIT and OFFSET\"",
          rows);
  }

  RecordContext& context_;
  KeyPieces pieces_{context_.registry.keys()};
  const QueryRows& found_;
  const PartValues& parts_;
  std::vector<ColumnUse> columns_;
  bool is_cut_ = false;
};

// A link that is spelt otherwise than its row's key is the row's ref all the same (linked_keys.h).
Result<void> name_links(RecordStore& store, const RecordContext& context, QueryRows& found) {
  for (std::size_t at = 0; at < found.columns.size(); ++at) {
    const QueryColumn& column = found.columns[at];
    const Table* const table = column.table.empty() ? nullptr : context.schema.find(column.table);
    const Field* const field = table == nullptr ? nullptr : table->find(column.column);
    if (field == nullptr || !may_be_spelt_otherwise(*field)) continue;
    Result<void> named = store.read(context.caller, [&](Tx& tx) {
      return name_linked_column(tx, context.schema, *field, at, found.rows);
    });
    if (!named) return named;
  }
  return {};
}

}  // namespace

Result<RecordOutcome> query_rows(RecordStore& store, RecordContext& context, const Json& params) {
  const Result<QueryCall> call = read_call(context, params);
  if (!call) return Unexpected(call.error());
  if (const std::string ref = quoted_ref(context.registry, call->sql); !ref.empty())
    return fail(
        ErrorCode::query,
        fmt::format(
            "{} is a ref, and refs mean nothing inside SQL: no row would be found by it. Read rows by "
            "their refs with db_read and filters, or join by the columns that link the tables.",
            ref),
        "sql");
  std::vector<const Table*> tables;
  for (const Table& table : context.schema.tables()) tables.push_back(&table);
  Result<QueryRows> found = store.query(context.caller, call->sql, tables, call->limit);
  if (!found) return Unexpected(found.error());
  if (Result<void> named = name_links(store, context, *found); !named)
    return Unexpected(named.error());
  const Result<PartValues> parts = PartValues::find(store, context, call->sql, *found);
  if (!parts) return Unexpected(parts.error());
  Result<std::string> answer = QueryAnswer(context, *found, *parts).run();
  if (!answer) {
    context.registry.rollback();
    return Unexpected(answer.error());
  }
  return RecordOutcome{std::move(*answer), {}};
}

}  // namespace alfred
