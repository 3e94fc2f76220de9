#include "records/params_to_keys.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/json.h"
#include "base/json_scanner.h"
#include "records/ref_writer.h"
#include "records/row_plan.h"
#include "refs/literal_mask.h"

namespace alfred {

using Use = ColumnPlan::Use;

// A walk over one text. Functions return the place after what they read, or null: then error_ or
// the scanner says why.
class ParamsToKeys {
 public:
  ParamsToKeys(RefRegistry& registry, const EntityTypes& types, std::string_view json,
               ByteBuffer& out, const ParamsOptions& options)
      : registry_(registry),
        plans_(registry, types),
        options_(options),
        scanner_(json, options.max_depth, false),
        writer_(json, out) {}

  enum class Part : std::uint8_t { params, filters, payload };
  Result<ParamsReport> run(Part part, std::string_view table);

 private:
  struct Member {
    std::string name;
    const char* name_at;  // the opening quote
    const char* value_at;
    const char* value_end;
  };

  const char* params(const char* at, RowPlan& plan);
  const char* filters(const char* at, RowPlan& plan, const std::string& path);
  const char* filter(const char* at, RowPlan& plan, const std::string& path);
  const char* key_filter(const std::vector<Member>& members, RowPlan& plan, const Member& field,
                         const ColumnPlan& column, const std::string& path);
  const char* payload(const char* at, RowPlan& plan, const std::string& path);
  const char* row(const char* at, RowPlan& plan, const std::string& path);
  const char* open_rows(const char* at, RowPlan& plan, const std::string& path);
  const char* ref_value(const char* at, std::string_view type, const std::string& path);
  const char* ref_list(const char* at, std::string_view type, const std::string& path);
  const char* restore_texts(const char* at, const std::string& path);
  const char* read_members(const char* at, std::vector<Member>& members);
  template <class Element>
  const char* each_element(const char* at, const std::string& path, Element&& element);

  Result<EntityNo> resolve(const char* at, const char* after, std::string_view type);
  std::string key_text(EntityNo entity) const;
  static void append_key(std::string& out, const RecordKey& key);
  Result<std::string> wanted_type(RowPlan& plan, const ColumnPlan& column);

  const char* stop(Error error, const std::string& path) {
    if (!error_) {
      error_ = std::move(error);
      error_->path = path;
    }
    return nullptr;
  }
  const char* stop(ErrorCode code, std::string message, const std::string& path) {
    return stop(Error{code, std::move(message), {}, {}, {}}, path);
  }

  RefRegistry& registry_;
  RowPlans plans_;
  const ParamsOptions& options_;
  JsonScanner scanner_;
  RefWriter writer_;
  ParamsReport report_;
  std::size_t depth_ = 0;
  std::optional<Error> error_;
};

Result<ParamsReport> ParamsToKeys::run(Part part, std::string_view table) {
  const Result<RowPlan*> plan = plans_.of_table(table);
  if (!plan) return Unexpected(plan.error());
  const char* at = scanner_.space(scanner_.begin());
  if (part == Part::params) at = params(at, **plan);
  if (part == Part::filters) at = filters(at, **plan, "filters");
  if (part == Part::payload) at = payload(at, **plan, "data");
  if (at != nullptr) at = scanner_.space(at);
  if (at != nullptr && at != scanner_.end()) at = scanner_.fail(JsonFault::unexpected_byte, at);
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
      done = filters(member.value_at, plan, member.name);
    } else if (member.name == "data") {
      has_work = true;
      done = payload(member.value_at, plan, member.name);
    } else if (member.name == "table") {
      const std::string_view raw(member.value_at,
                                 static_cast<std::size_t>(member.value_end - member.value_at));
      if (raw != fmt::format("\"{}\"", plan.table))
        return stop(ErrorCode::schema,
                    fmt::format("these parameters name another table than {}", plan.table),
                    "table");
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
    for (const Member& other : members)
      if (other.name == name) return scanner_.fail(JsonFault::duplicate_key, quote);
    members.push_back({std::move(name), quote, value_at, at});
    at = scanner_.space(at);
    if (scanner_.peek(at) == '}') return at + 1;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
}

template <class Element>
const char* ParamsToKeys::each_element(const char* at, const std::string& path, Element&& element) {
  if (++depth_ > options_.max_depth) return scanner_.fail(JsonFault::too_deep, at);
  at = scanner_.space(at + 1);
  if (scanner_.peek(at) == ']') {
    --depth_;
    return at + 1;
  }
  for (std::size_t i = 0;; ++i) {
    at = element(scanner_.space(at), fmt::format("{}[{}]", path, i));
    if (at == nullptr) return nullptr;
    at = scanner_.space(at);
    if (scanner_.peek(at) == ']') break;
    at = scanner_.punctuation(at, ',');
    if (at == nullptr) return nullptr;
  }
  --depth_;
  return at + 1;
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
    const bool is_group = member.name == "any" || member.name == "all";
    if (is_group && filters(member.value_at, plan, path + "." + member.name) == nullptr)
      return nullptr;
    if (is_group) return after;
  }
  if (field == nullptr || *field->value_at != '"')
    return stop(ErrorCode::schema, "a filter needs the name of a column as its field", path);
  const std::string name = decode_json_string(
      {field->value_at + 1, static_cast<std::size_t>(field->value_end - field->value_at) - 2});
  const bool is_inserted = plan.inserts_ref && (name == "id" || name == "_ref");
  ColumnPlan column;
  if (is_inserted) {
    column.use = Use::own_key;
  } else {
    const Result<ColumnPlan*> found = plans_.column(plan, name);
    if (!found) return stop(found.error(), path);
    column = **found;
  }
  if (column.use == Use::own_key || column.use == Use::link)
    return key_filter(members, plan, *field, column, path) == nullptr ? nullptr : after;
  for (const Member& member : members)
    if (restore_texts(member.value_at, path + "." + member.name) == nullptr) return nullptr;
  return after;
}

// A filter on a key column. A composite key's ref becomes its columns and their values.
const char* ParamsToKeys::key_filter(const std::vector<Member>& members, RowPlan& plan,
                                     const Member& field, const ColumnPlan& column,
                                     const std::string& path) {
  const Result<std::string> type = wanted_type(plan, column);
  if (!type) return stop(type.error(), path);
  const bool takes_refs = std::none_of(members.begin(), members.end(), [](const Member& member) {
    const std::string_view raw(member.value_at,
                               static_cast<std::size_t>(member.value_end - member.value_at));
    return member.name == "op" && (raw == "\"is_null\"" || raw == "\"is_not_null\"");
  });
  const char* at = field.value_end;
  for (const Member& member : members) {
    const std::string where = path + "." + member.name;
    const char first = scanner_.peek(member.value_at);
    if (&member == &field && plan.inserts_ref && column.use == Use::own_key) {
      std::string columns;
      for (const std::string& name : plan.key) {
        columns += columns.empty() ? "[" : ",";
        append_json_string(columns, name);
      }
      writer_.replace(field.value_at, field.value_end, columns + "]");
    } else if (!takes_refs || member.name != "value") {
      continue;
    } else if (first == '[') {
      at = ref_list(member.value_at, *type, where);
    } else if (first != 'n') {
      at = ref_value(member.value_at, *type, where);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

Result<std::string> ParamsToKeys::wanted_type(RowPlan& plan, const ColumnPlan& column) {
  if (column.use == Use::link) return std::string(registry_.type_name(column.type));
  const Result<TypeNo> own = plans_.type(plan);
  if (!own) return Unexpected(own.error());
  return std::string(registry_.type_name(*own));
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
  if (after == nullptr) return nullptr;
  for (const Member& member : members) {
    const std::string where = path + "." + member.name;
    const Result<ColumnPlan*> column = plans_.column(plan, member.name);
    if (!column) return stop(column.error(), where);
    const char first = scanner_.peek(member.value_at);
    const bool holds_rows = first == '{' || first == '[';
    const char* done = member.value_end;
    if ((*column)->use == Use::own_key || (*column)->use == Use::link) {
      const Result<std::string> type = wanted_type(plan, **column);
      if (!type) return stop(type.error(), where);
      if (first != 'n') done = ref_value(member.value_at, *type, where);
    } else if ((*column)->use == Use::nested && holds_rows) {
      done = payload(member.value_at, *(*column)->rows, where);
    } else if ((*column)->use == Use::open && holds_rows) {
      const Result<RowPlan*> rows = plans_.of_table(member.name);
      if (!rows) return stop(rows.error(), where);
      done = open_rows(member.value_at, **rows, where);
    } else {
      done = restore_texts(member.value_at, where);
    }
    if (done == nullptr) return nullptr;
  }
  --depth_;
  return after;
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

Result<EntityNo> ParamsToKeys::resolve(const char* at, const char* after, std::string_view type) {
  if (*at == '"')
    return registry_.resolve(decode_json_string({at + 1, static_cast<std::size_t>(after - at) - 2}),
                             type);
  return fail(ErrorCode::ref_syntax,
              "a key column takes a ref in quotes, exactly as it was shown; keys and numbers are "
              "not accepted",
              {}, registry_.known_refs(type));
}

const char* ParamsToKeys::ref_value(const char* at, std::string_view type,
                                    const std::string& path) {
  const char* const after =
      scanner_.value(at, [](const char*, const char*, const StringTraits&) {});
  const Result<EntityNo> entity = resolve(at, after, type);
  if (!entity) return stop(entity.error(), path);
  ++report_.refs;
  writer_.replace(at, after, key_text(*entity));
  return after;
}

// A list of refs. Every bad one is named; one that stands twice is taken once.
const char* ParamsToKeys::ref_list(const char* at, std::string_view type, const std::string& path) {
  std::vector<std::string> bad;
  std::optional<Error> first_error;
  std::string first_path;
  std::set<EntityNo> seen;
  std::string keys = "[";
  std::size_t count = 0;
  const char* const after = each_element(at, path, [&](const char* from, const std::string& where) {
    const char* const end = scanner_.value(from, [](const char*, const char*, const auto&) {});
    ++count;
    const Result<EntityNo> entity = resolve(from, end, type);
    if (!entity) {
      if (!first_error) first_path = where;
      if (!first_error) first_error = entity.error();
      const Result<Ref> ref = *from == '"'
                                  ? Ref::parse({from + 1, static_cast<std::size_t>(end - from) - 2})
                                  : Result<Ref>(Unexpected(Error{}));
      bad.push_back(fmt::format("{} ({})",
                                ref ? std::string(ref->text()) : fmt::format("number {}", count),
                                error_name(entity.error().code)));
    } else if (!seen.insert(*entity).second) {
      ++report_.collapsed;
    } else {
      keys += (keys.size() == 1 ? "" : ",") + key_text(*entity);
      ++report_.refs;
    }
    return end;
  });
  if (after == nullptr) return nullptr;
  if (count > options_.max_list)
    return stop(ErrorCode::limit,
                fmt::format("{} refs stand in one list; at most {} may. Split it.", count,
                            options_.max_list),
                path);
  if (first_error) {
    if (bad.size() == 1) return stop(*first_error, first_path);
    const std::size_t shown = std::min(bad.size(), std::size_t{10});
    first_error->message = fmt::format(
        "{} of {} refs cannot be used, so nothing was done: {}{}. Use refs that were shown.",
        bad.size(), count,
        fmt::join(bad.begin(), bad.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        bad.size() > shown ? " …" : "");
    return stop(*first_error, path);
  }
  writer_.replace(at, after, keys + "]");
  return after;
}

// Puts the texts back that lit_n stand for, in every string of a value (D7).
const char* ParamsToKeys::restore_texts(const char* at, const std::string& path) {
  std::optional<Error> fault;
  const char* const after =
      scanner_.value(at, [&](const char* first, const char* last, const StringTraits& traits) {
        const std::string_view raw(first, static_cast<std::size_t>(last - first));
        const bool may_hold = traits.has_escape || raw.find("lit_") != std::string_view::npos;
        if (fault || !may_hold) return;
        const std::string text = decode_json_string(raw);
        const Result<std::string> restored = LiteralMask::restore(registry_, text);
        if (!restored) {
          fault = restored.error();
        } else if (*restored != text) {
          std::string quoted;
          append_json_string(quoted, *restored);
          writer_.replace(first - 1, last + 1, quoted);
        }
      });
  return fault ? stop(*fault, path) : after;
}

void ParamsToKeys::append_key(std::string& out, const RecordKey& key) {
  const KeyDoor door;
  const KeyView view = key.view();
  switch (key.kind()) {
    case KeyKind::integer:
      out += std::to_string(static_cast<std::int64_t>(view.bits(door).high));
      break;
    case KeyKind::uuid: append_json_string(out, uuid_text(view.bits(door), door)); break;
    case KeyKind::text: append_json_string(out, view.bytes(door)); break;
    case KeyKind::composite:
      for (const RecordKey& part : key.parts()) {
        out += out.empty() ? "[" : ",";
        append_key(out, part);
      }
      out += "]";
      break;
  }
}

std::string ParamsToKeys::key_text(EntityNo entity) const {
  std::string text;
  append_key(text, RecordKey(registry_.key(entity)));
  return text;
}

namespace {

// The plans of a walk may name types that the registry does not know yet: it forgets them again
// (R5).
Result<ParamsReport> walk(ParamsToKeys::Part part, RefRegistry& registry, const EntityTypes& types,
                          std::string_view table, std::string_view json, ByteBuffer& out,
                          const ParamsOptions& options) {
  const std::size_t out_size = out.size();
  registry.begin();
  Result<ParamsReport> report = ParamsToKeys(registry, types, json, out, options).run(part, table);
  registry.rollback();
  if (!report) out.cut(out_size);
  return report;
}

}  // namespace

Result<ParamsReport> translate_params(RefRegistry& registry, const EntityTypes& types,
                                      std::string_view table, std::string_view json,
                                      ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::params, registry, types, table, json, out, options);
}

Result<ParamsReport> translate_filters(RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::filters, registry, types, table, json, out, options);
}

Result<ParamsReport> translate_payload(RefRegistry& registry, const EntityTypes& types,
                                       std::string_view table, std::string_view json,
                                       ByteBuffer& out, const ParamsOptions& options) {
  return walk(ParamsToKeys::Part::payload, registry, types, table, json, out, options);
}

}  // namespace alfred
