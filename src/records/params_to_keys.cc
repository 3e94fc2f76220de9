// Where columns stand in a call: filters, groups of filters, rows and nested rows.
#include "records/params_to_keys.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/json.h"
#include "base/json_members.h"
#include "records/params_walk.h"
#include "refs/literal_mask.h"

namespace alfred {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A column's name as people mean it: without the case, the spaces, the quotes and the table.
std::string meant_column(std::string_view field) {
  std::string name;
  for (const char c : field) {
    constexpr std::string_view kAround = " \t\r\n\"'`[]";
    if (kAround.find(c) != std::string_view::npos) continue;
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0: all of it
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

using Use = ColumnPlan::Use;

Result<ParamsReport> ParamsToKeys::run(Part part, std::string_view table) {
  const Result<RowPlan*> plan = plans_.of_table(table);
  if (!plan) return Unexpected(plan.error());
  const char* const start = scanner_.begin();
  const char* at = start;
  if (std::string_view(at, scanner_.offset(scanner_.end())).starts_with(kByteOrderMark))
    at += kByteOrderMark.size();
  at = scanner_.space(at);
  if (part == Part::params) at = params(at, **plan);
  if (part == Part::filters) at = filters(at, **plan, "filters");
  if (part == Part::payload) at = payload(at, **plan, "data");
  if (at != nullptr) at = scanner_.space(at);
  if (at != nullptr && at != scanner_.end()) at = scanner_.fail(JsonFault::unexpected_byte, at);
  // What is copied names no member twice either.
  if (at != nullptr)
    if (const char* const repeated = find_repeated_member({start, scanner_.offset(at)}))
      at = scanner_.fail(JsonFault::duplicate_key, repeated);
  if (at == nullptr) return Unexpected(error_ ? *error_ : scanner_.error());
  writer_.finish();
  return report_;
}

const char* ParamsToKeys::params(const char* at, RowPlan& plan) {
  if (scanner_.peek(at) != '{')
    return stop(ErrorCode::schema, "parameters must be a JSON object with filters or data", "");
  std::vector<Member> members;
  const char* const after = read_members(at, members);
  if (after == nullptr) return nullptr;
  bool has_work = false;
  for (const Member& member : members) {
    const char* done = member.value_end;
    if (member.name == "filters" || member.name == "or_filters") {
      has_work = true;
      const bool is_null = scanner_.peek(member.value_at) == 'n';  // a model's word for none
      done = is_null ? member.value_end : filters(member.value_at, plan, member.name);
    } else if (member.name == "data") {
      has_work = true;
      done = payload(member.value_at, plan, member.name);
    } else if (member.name == "table" && text_of(member) != plan.table) {
      return stop(ErrorCode::schema,
                  fmt::format("these parameters name another table than {}", plan.table), "table");
    }
    if (done == nullptr) return nullptr;
  }
  if (!has_work)
    return stop(Error{ErrorCode::schema,
                      "there is nothing to translate: parameters hold filters, or_filters or data",
                      {},
                      {"filters", "or_filters", "data"},
                      {}},
                "");
  return after;
}

// Where an object's members stand. A member named twice is a fault.
const char* ParamsToKeys::read_members(const char* at, std::vector<Member>& members) {
  std::set<std::string> names;
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == '}') return at + 1;
  while (true) {
    at = scanner_.space(at);
    if (scanner_.peek(at) != '"') return scanner_.fail(JsonFault::unexpected_byte, at);
    const char* const quote = at;
    StringTraits traits;
    at = scanner_.string(at, traits);
    if (at == nullptr) return nullptr;
    std::string name = decode_json_string({quote + 1, static_cast<std::size_t>(at - quote) - 2});
    at = scanner_.punctuation(at, ':');
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
    const char* const value_at = at;
    at = scanner_.value(at, [](const char*, const char*, const StringTraits&) {});
    if (at == nullptr) return nullptr;
    if (!names.insert(name).second) return scanner_.fail(JsonFault::duplicate_key, quote);
    members.push_back({std::move(name), false, quote, value_at, at});
    at = scanner_.space(at);
    if (scanner_.peek(at) == '}') return at + 1;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
}

const char* ParamsToKeys::filters(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) != '[')
    return stop(ErrorCode::schema, "filters must be an array of {\"field\", \"op\", \"value\"}",
                path);
  return each_element(at, path, [&](const char* from, const std::string& where) {
    return filter(from, plan, where);
  });
}

const char* ParamsToKeys::filter(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) != '{')
    return stop(ErrorCode::schema, "a filter must be an object with field, op and value", path);
  std::vector<Member> members;
  const char* const after = read_members(at, members);
  if (after == nullptr) return nullptr;
  const Member* field = nullptr;
  for (const Member& member : members) {
    if (member.name == "field") field = &member;
    if (member.name != "any" && member.name != "all") continue;
    // Beside a group nothing else may stand: it would go to the database as it is.
    if (members.size() > 1)
      return stop(ErrorCode::schema, "a group holds any or all, and nothing else", path);
    return filters(member.value_at, plan, place(path, member.name)) == nullptr ? nullptr : after;
  }
  std::optional<std::string> column = field == nullptr ? std::nullopt : text_of(*field);
  if (!column)
    return stop(ErrorCode::schema, "a filter needs the name of a column as its field", path);
  const Result<std::string> restored = LiteralMask::restore(registry_, *column);
  if (!restored) return stop(restored.error(), place(path, "field"));
  column = *restored;
  if (const std::string near = near_key_column(plan, *column); !near.empty())
    return stop(Error{ErrorCode::schema,
                      fmt::format("this field is not written as the key column {} is; use its "
                                  "exact name, without quotes or a table in front",
                                  near),
                      {},
                      {near},
                      {}},
                place(path, "field"));
  const Result<std::optional<Wanted>> wanted = wanted_by(plan, *column);
  if (!wanted) return stop(wanted.error(), path);
  if (*wanted)
    return key_filter(members, plan, {*field, *column}, **wanted, path) == nullptr ? nullptr
                                                                                   : after;
  for (const Member& member : members)
    if (restore_texts(member.value_at, place(path, member.name)) == nullptr) return nullptr;
  return after;
}

// A filter on a key column. A composite key's ref becomes its columns and their values.
const char* ParamsToKeys::key_filter(const std::vector<Member>& members, RowPlan& plan,
                                     const Field& named, const Wanted& wanted,
                                     const std::string& path) {
  const Member& field = named.member;
  const bool asks_for_null = std::any_of(members.begin(), members.end(), [](const Member& member) {
    const std::optional<std::string> op = member.name == "op" ? text_of(member) : std::nullopt;
    return op == "is_null" || op == "is_not_null";
  });
  const char* at = field.value_end;
  for (const Member& member : members) {
    const std::string where = place(path, member.name);
    const char first = scanner_.peek(member.value_at);
    // Anything else would go to the database as it is, keys and all.
    if (member.name != "field" && member.name != "op" && member.name != "value")
      return stop(Error{ErrorCode::schema,
                        "a filter on a key column holds field, op and value, and nothing else",
                        {},
                        {"field", "op", "value"},
                        {}},
                  path);
    if (&member == &field && plan.ref_place(named.column) >= 0) {
      std::string columns;
      for (const std::string& name : plan.key) {
        columns += columns.empty() ? "" : ",";
        append_json_string(columns, name);
      }
      writer_.replace(field.value_at, field.value_end,
                      plan.key.size() == 1 ? columns : "[" + columns + "]");
    } else if (&member == &field) {
      if (restore_texts(field.value_at, where) == nullptr) return nullptr;
    } else if (member.name != "value" || first == 'n') {
      continue;
    } else if (asks_for_null) {
      if (first != 't' && first != 'f')
        return stop(ErrorCode::schema, "is_null and is_not_null take no value", where);
    } else {
      at = first == '[' ? ref_list(member.value_at, wanted, where)
                        : ref_value(member.value_at, wanted, where);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

// The key column that a field nearly names; empty when it names a column, or none that is a key.
std::string ParamsToKeys::near_key_column(const RowPlan& plan, std::string_view field) {
  const std::string meant = meant_column(field);
  if (meant == field || plan.columns.find(field) != plan.columns.end()) return "";
  for (const auto& [name, column] : plan.columns) {
    const bool is_key =
        column.use == Use::own_key || column.use == Use::link || column.key_part >= 0;
    if (is_key && lower(name) == meant) return name;
  }
  if (plan.ref_place(meant) >= 0) return meant;
  const bool is_guessed = !plan.is_declared && (meant == "id" || meant.ends_with("_id"));
  return is_guessed && !is_secret(meant) ? meant : "";
}

// What a key column takes; none when the column is no key.
Result<std::optional<ParamsToKeys::Wanted>> ParamsToKeys::wanted_by(RowPlan& plan,
                                                                    std::string_view column) {
  Use use = Use::own_key;
  std::size_t parts = plan.key.size();
  if (plan.ref_place(column) < 0) {
    const Result<ColumnPlan*> found = plans_.column(plan, column);
    if (!found) return Unexpected(found.error());
    use = (*found)->use;
    parts = 1;
    if (use == Use::link)
      return std::optional(Wanted{std::string(plans_.type_name((*found)->type)), parts});
  }
  if (use != Use::own_key) return std::optional<Wanted>();
  const Result<TypeNo> own = plans_.type(plan);
  if (!own) return Unexpected(own.error());
  return std::optional(Wanted{std::string(plans_.type_name(*own)), parts});
}

const char* ParamsToKeys::payload(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) == '{') return row(at, plan, path);
  if (scanner_.peek(at) != '[')
    return stop(ErrorCode::schema, "data must be a row (an object) or an array of rows", path);
  return each_element(at, path, [&](const char* from, const std::string& where) {
    if (scanner_.peek(from) == '{') return row(from, plan, where);
    return stop(ErrorCode::schema, "a row must be a JSON object", where);
  });
}

const char* ParamsToKeys::row(const char* at, RowPlan& plan, const std::string& path) {
  if (++depth_ > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  std::vector<Member> members;
  const char* const after = read_members(at, members);
  if (after == nullptr || !restore_names(members, path)) return nullptr;
  int last = -1;  // where the row's ref stands; columns in front of it are the row's own
  for (const Member& member : members) last = std::max(last, plan.ref_place(member.name));
  for (const Member& member : members) {
    const std::string where = place(path, member.name);
    const int ref_place = plan.ref_place(member.name);
    if (member.is_restored) put_name(member);
    const char* done = nullptr;
    if (ref_place < 0)
      done = column_value(member, plan, where);
    else if (ref_place == last)
      done = inserted_ref(members, member, plan, where);
    else
      done = own_column(member, plan, where);
    if (done == nullptr) return nullptr;
  }
  --depth_;
  return after;
}

// A column of the row's own beside its ref, of a name that a ref could have. It holds no second
// ref.
const char* ParamsToKeys::own_column(const Member& member, RowPlan& plan,
                                     const std::string& where) {
  const Result<TypeNo> type = plans_.type(plan);
  if (!type) return stop(type.error(), where);
  const std::optional<std::string> text = text_of(member);
  const EntityNo entity = text ? registry_.find(*text) : kNoEntity;
  if (entity != kNoEntity && registry_.type_of(entity) == plans_.type_name(*type))
    return stop(ErrorCode::schema, "this row has two refs; it can be only one row. Keep one.",
                where);
  return restore_texts(member.value_at, where);
}

const char* ParamsToKeys::column_value(const Member& member, RowPlan& plan,
                                       const std::string& where) {
  const Result<std::optional<Wanted>> wanted = wanted_by(plan, member.name);
  if (!wanted) return stop(wanted.error(), where);
  const char first = scanner_.peek(member.value_at);
  if (*wanted) return first == 'n' ? member.value_end : ref_value(member.value_at, **wanted, where);
  const Result<ColumnPlan*> column = plans_.column(plan, member.name);
  if (!column) return stop(column.error(), where);
  const bool holds_rows = first == '{' || first == '[';
  if ((*column)->use == Use::nested && holds_rows)
    return payload(member.value_at, *(*column)->rows, where);
  if ((*column)->use != Use::open || !holds_rows) return restore_texts(member.value_at, where);
  const Result<RowPlan*> rows = plans_.of_member(plan, member.name);
  if (!rows) return stop(rows.error(), where);
  return open_rows(member.value_at, **rows, where);
}

// A member of an undeclared table: objects in it are rows, anything else is copied (row_plan.h,
// R2).
const char* ParamsToKeys::open_rows(const char* at, RowPlan& plan, const std::string& path) {
  if (scanner_.peek(at) == '{') return row(at, plan, path);
  if (scanner_.peek(at) != '[') return restore_texts(at, path);
  return each_element(at, path, [&](const char* from, const std::string& where) {
    return open_rows(from, plan, where);
  });
}

namespace {

Result<ParamsReport> walk(ParamsToKeys::Part part, const RefRegistry& registry,
                          const EntityTypes& types, std::string_view table, std::string_view json,
                          ByteBuffer& out, const ParamsOptions& options) {
  const std::size_t out_size = out.size();
  Result<ParamsReport> report = ParamsToKeys(registry, types, json, out, options).run(part, table);
  if (!report) out.cut(out_size);
  return report;
}

}  // namespace

Result<ParamsReport> translate_params(const RefRegistry& registry, const EntityTypes& types,
                                      std::string_view table, std::string_view json,
                                      ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::params, registry, types, table, json, out, options);
}

Result<ParamsReport> translate_filters(const RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::filters, registry, types, table, json, out, options);
}

Result<ParamsReport> translate_payload(const RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::payload, registry, types, table, json, out, options);
}

}  // namespace alfred
