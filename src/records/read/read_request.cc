#include "records/read/read_request.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/check.h"
#include "base/json/whole_number.h"
#include "base/not_listed.h"
#include "base/quoted_text.h"
#include "records/filter/ref_filter.h"

namespace alfred {
namespace {

constexpr std::array<std::string_view, 9> kMembers{
    "table", "filters", "or_filters", "columns", "include", "order", "limit", "cursor", "count"};

#ifdef NDEBUG
constexpr bool kComparesRefFilters = false;
#else
constexpr bool kComparesRefFilters = true;
#endif

std::string at(std::string_view path, std::size_t i) { return fmt::format("{}[{}]", path, i); }

// One call on its way to a ReadRequest.
class RequestReader {
 public:
  RequestReader(RecordContext& context, const JsonObject& params)
      : context_(context), params_(&params) {}

  Result<ReadRequest> read() {
    if (Result<void> ok = read_table(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_filters(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_include(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_columns(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_order(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_limit(); !ok) return Unexpected(ok.error());
    if (Result<void> ok = read_cursor_member(); !ok) return Unexpected(ok.error());
    return std::move(request_);
  }

 private:
  const Json& member(std::string_view name) const {
    static const Json none;
    const Json* const found = params_->if_contains(name);
    return found == nullptr ? none : *found;
  }
  const Table& table() const { return *request_.table; }

  Result<void> read_table() {
    for (const auto& one : *params_)
      if (std::find(kMembers.begin(), kMembers.end(), std::string_view(one.key())) ==
          kMembers.end())
        return fail(ErrorCode::schema,
                    fmt::format("a read has no parameter {}", quoted_text(one.key())), "",
                    {kMembers.begin(), kMembers.end()});
    const Json& name = member("table");
    if (!name.is_string())
      return fail(ErrorCode::schema, "a read needs the name of a table", "table",
                  no_such_table(context_.schema, "", "").allowed);
    request_.table = context_.schema.find(std::string_view(name.get_string()));
    if (request_.table != nullptr) return {};
    return Unexpected(no_such_table(context_.schema, std::string_view(name.get_string()), "table"));
  }

  Result<void> read_filters() {
    if (!member("or_filters").is_null()) return read_any_filters();
    std::optional<RefFilter> by_refs = read_ref_filter(context_, table(), member("filters"));
    if (!by_refs) return read_any_filters();
    const std::uint32_t fingerprint = fingerprint_of(by_refs->shaped + "[]");
    if constexpr (kComparesRefFilters) {
      Result<void> read = read_any_filters();
      ALFRED_CHECK(
          read && request_.cursor_call.fingerprint == fingerprint &&
              request_.filter.root().parts.size() == 1 &&
              request_.filter.root().parts[0].values == by_refs->filter.root().parts[0].values &&
              request_.collapsed == 0 && request_.repaired.empty() &&
              request_.generated.rows.empty(),
          "rows named by refs are those that any filter would name");
      return read;
    }
    request_.cursor_call.fingerprint = fingerprint;
    request_.filter = std::move(by_refs->filter);
    request_.generated.key_parts.push_back(0);
    return {};
  }

  Result<void> read_any_filters() {
    FilterReader reader(context_, table());
    JsonObject moved;
    Result<FilterCall> shaped =
        reader.shape({member("filters"), member("or_filters")}, *params_, moved);
    if (!shaped) return Unexpected(shaped.error());
    if (!moved.empty()) {
      moved_ = *params_;
      for (auto& one : moved) moved_.emplace(one.key(), std::move(one.value()));
      params_ = &moved_;
    }
    request_.cursor_call.fingerprint =
        fingerprint_of(write_json(shaped->filters) + write_json(shaped->or_filters));
    request_.generated = take_generated(context_, table(), *shaped);
    Result<FilterReading> reading = reader.read(*shaped);
    if (!reading) return Unexpected(reading.error());
    request_.filter = std::move(reading->filter);
    request_.collapsed = reading->collapsed;
    for (std::string& one : reading->repaired) request_.repaired.push_back(std::move(one));
    return {};
  }

  // A list of names; one name is a list of one.
  Result<std::vector<std::string>> names(std::string_view what) {
    std::vector<std::string> found;
    const Json& given = member(what);
    if (given.is_null()) return found;
    if (given.is_string()) {
      request_.repaired.push_back(fmt::format("{}: one name was read as a list of one", what));
      found.emplace_back(given.get_string());
      return found;
    }
    if (!given.is_array())
      return fail(ErrorCode::schema, fmt::format("{} is a list of names", what), std::string(what));
    for (std::size_t i = 0; i < given.get_array().size(); ++i) {
      const Json& one = given.get_array()[i];
      if (!one.is_string())
        return fail(ErrorCode::schema, fmt::format("{} is a list of names", what), at(what, i));
      found.emplace_back(one.get_string());
    }
    if (found.size() > context_.limits.columns)
      return fail(ErrorCode::limit,
                  fmt::format("{} has {} names; at most {} may stand there", what, found.size(),
                              context_.limits.columns),
                  std::string(what));
    return found;
  }

  const Relation* relation(std::string_view name) const {
    for (const Relation& one : table().relations)
      if (one.member == name) return &one;
    return nullptr;
  }
  void include(const Relation* one) {
    if (std::find(request_.include.begin(), request_.include.end(), one) == request_.include.end())
      request_.include.push_back(one);
  }

  Result<void> read_include() {
    const Result<std::vector<std::string>> wanted = names("include");
    if (!wanted) return Unexpected(wanted.error());
    for (std::size_t i = 0; i < wanted->size(); ++i) {
      const Relation* const one = relation((*wanted)[i]);
      if (one == nullptr) {
        std::vector<std::string> known;
        for (const Relation& other : table().relations) known.push_back(other.member);
        if (known.size() > 10) known.resize(10);
        std::string message =
            fmt::format("{} has no nested rows {}{}", table().name, quoted_text((*wanted)[i]),
                        known.empty() ? "; it has none, leave include out" : "");
        return fail(ErrorCode::column, std::move(message), at("include", i), std::move(known));
      }
      include(one);
    }
    return {};
  }

  Result<void> read_columns() {
    const Result<std::vector<std::string>> wanted = names("columns");
    if (!wanted) return Unexpected(wanted.error());
    request_.columns.reserve(table().fields.size());
    for (const std::string& name : table().key) request_.columns.push_back(table().find(name));
    request_.shows_all = wanted->empty();
    for (const Field& field : table().fields)
      if (request_.shows_all && !field.is_hidden) show(&field);
    for (std::size_t i = 0; i < wanted->size(); ++i) {
      const std::string& name = (*wanted)[i];
      if (const Field* const field = visible_field(table(), name)) {
        show(field);
      } else if (const Relation* const one = relation(name)) {
        include(one);
        request_.repaired.push_back(fmt::format("columns: {} was read as include", name));
      } else if (name != "id" && name != "_ref" && name != "*") {
        return no_column(fmt::format("{} has no column {}", table().name, quoted_text(name)),
                         at("columns", i), name);
      } else if (name == "*") {
        for (const Field& each : table().fields)
          if (!each.is_hidden) show(&each);
      }
    }
    return {};
  }

  Unexpected no_column(std::string message, std::string path, std::string_view wanted) const {
    std::vector<std::string> names = column_names(table(), wanted);
    message = with_not_listed(std::move(message), names.size(), count_columns(table()));
    return fail(ErrorCode::column, std::move(message), std::move(path), std::move(names));
  }

  void show(const Field* field) {
    std::vector<const Field*>& shown = request_.columns;
    if (std::find(shown.begin(), shown.end(), field) == shown.end()) shown.push_back(field);
  }

  Result<void> read_order() {
    const Json& given = member("order");
    const JsonArray list = given.is_null()    ? JsonArray()
                           : given.is_array() ? given.get_array()
                                              : JsonArray{given};
    request_.order.reserve(list.size() + table().key.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = given.is_array() ? at("order", i) : "order";
      const Result<OrderBy> by = order_by(list[i], path);
      if (!by) return Unexpected(by.error());
      add_order(*by);
    }
    request_.is_by_score = list.empty() && !request_.filter.searches().empty();
    for (const Field* field : key_fields(table())) add_order({field, false});
    // Without a key the database's own number tells rows apart; else all columns together do, as
    // far as anything can.
    const bool has_number = table().key.empty() && table().row_number;
    if (has_number) add_order({&*table().row_number, false});
    for (const Field& field : table().fields)
      if (table().key.empty() && !has_number && !field.is_hidden && is_orderable(field))
        add_order({&field, false});
    request_.cursor_call.table = request_.table;
    request_.cursor_call.order = request_.order;
    request_.cursor_call.is_by_score = request_.is_by_score;
    return {};
  }

  static bool is_orderable(const Field& field) {
    return field.type != FieldType::json && field.type != FieldType::list &&
           field.type != FieldType::bytes;
  }
  std::vector<std::string> orderable_names() const {
    std::vector<std::string> names;
    for (const Field& field : table().fields)
      if (!field.is_hidden && is_orderable(field)) names.push_back(field.name);
    return names;
  }
  void add_order(const OrderBy& by) {
    for (const OrderBy& other : request_.order)
      if (other.field == by.field) return;
    request_.order.push_back(by);
  }

  Result<OrderBy> order_by(const Json& given, const std::string& path) const {
    std::string name;
    std::string direction = "asc";
    if (given.is_string()) {
      name = std::string(given.get_string());
      if (const std::size_t space = name.find(' '); space != std::string::npos) {
        direction = name.substr(space + 1);
        name.resize(space);
      }
    } else if (const JsonObject* const object = given.if_object()) {
      for (const auto& one : *object) {
        if (!one.value().is_string() || (one.key() != "field" && one.key() != "direction"))
          return fail(ErrorCode::schema, "order takes {\"field\": column, \"direction\": asc|desc}",
                      path, {"field", "direction"});
        (one.key() == "field" ? name : direction) = std::string(one.value().get_string());
      }
    } else {
      return fail(ErrorCode::schema,
                  "order takes column names, with asc or desc behind them where it matters", path);
    }
    for (char& c : direction)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (direction != "asc" && direction != "desc")
      return fail(ErrorCode::schema,
                  fmt::format("{} is no direction; use asc or desc", quoted_text(direction)), path,
                  {"asc", "desc"});
    const Field* field = visible_field(table(), name);
    if (field == nullptr && (name == "id" || name == "_ref") && table().key.size() == 1)
      field = table().find(table().key.front());
    if (field != nullptr && !is_orderable(*field))
      return fail_listing(ErrorCode::column,
                          fmt::format("{} holds {}, which has no order; order by another column",
                                      field->name, field_type_name(field->type)),
                          path, orderable_names());
    if (field == nullptr)
      return no_column(
          fmt::format("{} has no column {} to order by", table().name, quoted_text(name)), path,
          name);
    return OrderBy{field, direction == "desc"};
  }

  Result<void> read_limit() {
    const Json& count = member("count");
    if (!count.is_null() && !count.is_bool())
      return fail(ErrorCode::schema, "count is true or false", "count");
    request_.wants_count = count.is_bool() && count.get_bool();
    const RecordLimits& limits = context_.limits;
    const Json& given = member("limit");
    request_.limit = std::min(limits.default_read_rows, limits.read_rows);
    if (given.is_null()) return {};
    const std::int64_t least = request_.wants_count ? 0 : 1;
    const std::optional<std::int64_t> limit = whole_number(given);
    if (!limit || *limit < least)
      return fail(ErrorCode::schema,
                  fmt::format("limit is a whole number from {} to {}", least, limits.read_rows),
                  "limit");
    if (*limit > static_cast<std::int64_t>(limits.read_rows))
      return fail(ErrorCode::limit,
                  fmt::format("one read gives {} rows at most; use that, and go on with the cursor",
                              limits.read_rows),
                  "limit");
    request_.limit = static_cast<std::size_t>(*limit);
    return {};
  }

  Result<void> read_cursor_member() {
    const Json& given = member("cursor");
    if (given.is_null()) return {};
    if (!given.is_string())
      return fail(ErrorCode::schema, "a cursor is the text of an earlier answer", "cursor");
    Result<CursorPlace> place =
        read_cursor(context_, request_.cursor_call, std::string_view(given.get_string()));
    if (!place) return Unexpected(place.error());
    request_.after = std::move(*place);
    return {};
  }

  RecordContext& context_;
  const JsonObject* params_;  // with what was found inside the filters
  JsonObject moved_;
  ReadRequest request_;
};

}  // namespace

Error no_such_table(const Schema& schema, std::string_view name, std::string path) {
  std::vector<std::string> names;
  for (const Table& table : schema.tables()) names.push_back(table.name);
  std::vector<std::string> nearest = nearest_names(name, std::move(names));
  std::string message =
      nearest.empty() ? "this database has no tables yet, so there is nothing to read or write"
                      : "there is no such table here; use one of those listed";
  return Error{ErrorCode::table,
               with_not_listed(std::move(message), nearest.size(), schema.tables().size()),
               std::move(path),
               std::move(nearest),
               {}};
}

std::vector<const Field*> key_fields(const Table& table) {
  std::vector<const Field*> fields;
  fields.reserve(table.key.size());
  for (const std::string& name : table.key) fields.push_back(table.find(name));
  return fields;
}

Result<ReadRequest> read_request(RecordContext& context, const Json& params) {
  const JsonObject* const object = params.if_object();
  if (object == nullptr)
    return fail(ErrorCode::schema, "the parameters of a read are an object", "", {"table"});
  return RequestReader(context, *object).read();
}

}  // namespace alfred
