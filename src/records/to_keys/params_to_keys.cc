// What a call is made of. Its filters stand in params_filters.cc, its rows in params_rows.cc.
#include "records/to_keys/params_to_keys.h"

#include <set>

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/json/json_members.h"
#include "records/to_keys/params_walk.h"

namespace alfred {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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
