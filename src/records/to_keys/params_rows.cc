// The rows of a call: which column takes what, nested rows, and the ref of a row with a composite
// key.
#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/json/json.h"
#include "records/to_keys/params_walk.h"
#include "refs/hiding/literal_mask.h"

namespace alfred {

using Use = ColumnPlan::Use;

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
  if (const std::string near = near_key_column(plan, member.name); !near.empty())
    return stop(Error{ErrorCode::schema,
                      fmt::format("this column is not written as the key column {} is; use its "
                                  "exact name, and a ref as its value",
                                  near),
                      {},
                      {near},
                      {}},
                where);
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

// Whether a column that a row holds beside its ref says the same as the ref's key.
bool ParamsToKeys::agrees(const Member& member, RowPlan& plan, const RecordKey& part,
                          const std::string& path) {
  const Result<std::optional<Wanted>> wanted = wanted_by(plan, member.name);
  if (!wanted) return stop(wanted.error(), path) != nullptr;
  std::optional<RecordKey> held;
  if (*wanted && *member.value_at == '"') {
    const Result<EntityNo> entity = resolve(member.value_at, member.value_end, **wanted);
    if (!entity) return stop(entity.error(), place(path, member.name)) != nullptr;
    held = RecordKey(registry_.key(*entity));
  } else if (const std::optional<std::string> text = text_of(member)) {
    const Result<std::string> restored = LiteralMask::restore(registry_, *text);
    if (!restored) return stop(restored.error(), place(path, member.name)) != nullptr;
    held = RecordKey::from_text(*restored);
  } else {
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(member.value_at, member.value_end, number);
    if (fault == std::errc() && end == member.value_end) held = RecordKey::integer(number);
  }
  if (held == part) return true;
  return stop(
             ErrorCode::schema,
             "this column and the row's ref mean different rows. Leave one of them out, or use the "
             "ref of the row that is meant.",
             place(path, member.name)) != nullptr;
}

// The ref that rows_to_refs put in front of a row becomes the key's columns, those that the row
// does not hold itself; when it holds them all, the ref goes as it came. What it holds must agree.
const char* ParamsToKeys::inserted_ref(const std::vector<Member>& members, const Member& member,
                                       RowPlan& plan, const std::string& path) {
  const std::string row_path = path.substr(0, path.rfind(kStep));
  std::string columns;
  if (scanner_.peek(member.value_at) != 'n') {
    const Result<std::optional<Wanted>> wanted = wanted_by(plan, member.name);
    if (!wanted) return stop(wanted.error(), path);
    const Result<EntityNo> entity = resolve(member.value_at, member.value_end, **wanted);
    if (!entity) return stop(entity.error(), path);
    ++report_.refs;
    const std::vector<RecordKey> parts = RecordKey(registry_.key(*entity)).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto held = std::find_if(members.begin(), members.end(), [&](const Member& other) {
        return other.name == plan.key[i];
      });
      if (held != members.end()) {
        if (!agrees(*held, plan, parts[i], row_path)) return nullptr;
        continue;
      }
      if (!columns.empty()) columns += ',';
      append_json_string(columns, plan.key[i]);
      columns += ':';
      append_key(columns, parts[i]);
    }
  }
  const char* from = member.name_at;
  const char* upto = member.value_end;
  if (columns.empty() && scanner_.peek(scanner_.space(upto)) == ',')
    upto = scanner_.space(upto) + 1;
  else if (columns.empty() && &member != &members.front())
    from = (&member - 1)->value_end;
  writer_.replace(from, upto, columns);
  return member.value_end;
}

// Names were masked as other texts are; what is restored may not stand beside itself.
bool ParamsToKeys::restore_names(std::vector<Member>& members, const std::string& path) {
  bool has_restored = false;
  for (Member& member : members) {
    if (member.name.find("lit_") == std::string::npos) continue;
    Result<std::string> restored = LiteralMask::restore(registry_, member.name);
    if (!restored) return stop(restored.error(), place(path, member.name)) != nullptr;
    member.is_restored = *restored != member.name;
    has_restored |= member.is_restored;
    member.name = std::move(*restored);
  }
  std::set<std::string_view> names;
  for (const Member& member : members)
    if (has_restored && !names.insert(member.name).second)
      return scanner_.fail(JsonFault::duplicate_key, member.name_at) != nullptr;
  return true;
}

void ParamsToKeys::put_name(const Member& member) {
  std::string quoted;
  append_json_string(quoted, member.name);
  StringTraits traits;
  writer_.replace(member.name_at, scanner_.string(member.name_at, traits), quoted);
}

}  // namespace alfred
