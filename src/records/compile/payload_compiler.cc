#include "records/compile/payload_compiler.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "alfred/refs.h"
#include "base/utf8.h"
#include "records/compile/amount_text.h"
#include "records/compile/coercion.h"
#include "records/field_value.h"

namespace alfred {
namespace {

constexpr std::size_t kNameBytes = 40;  // of an artifact's own names in a path

std::string member_path(const std::string& path, std::string_view name) {
  const std::string shown(cut_utf8(name, kNameBytes));
  return path.empty() ? shown : path + "." + shown;
}

bool is_written(const Table& table, const Field& field) {
  if (field.is_hidden || field.is_read_only || field.name == table.owner) return false;
  if (field.name == table.created_at || field.name == table.updated_at) return false;
  return !table.is_key(field.name) || table.key_source == KeySource::caller;
}

Coercion coercion_of(const ColumnRules& rules, const std::string& column) {
  const auto rule = rules.coercions.find(column);
  return rule == rules.coercions.end() ? Coercion::none : rule->second;
}

// A column's value as a call would say it.
Json json_of(const Field& field, const Value& value) {
  std::string text;
  append_field_json(field, value, text);
  return parse_json(text, JsonLimits::none()).value_or(Json());
}

// One row on its way from an artifact's object to columns.
class RowCompiler {
 public:
  struct Rules {
    const ColumnRules& columns;
    const UnitWords& units;
  };
  RowCompiler(const Table& table, const Rules& rules, std::string ref,
              std::vector<Discrepancy>& discrepancies)
      : table_(table),
        rules_(rules.columns),
        units_(rules.units),
        ref_(std::move(ref)),
        discrepancies_(discrepancies) {}

  // `parent` is the child's link column, which gets the parent's ref; null: no parent.
  void take_object(const JsonObject& object, const std::string& path, const Field* parent,
                   const std::vector<std::string>& elsewhere);
  void take_line(std::string_view text, const std::string& path, const LinkedRules& rules);
  bool is_empty() const { return values_.empty(); }
  JsonObject finish(const Field* parent);

 private:
  struct Source {
    std::string_view name;
    const Json* value;
  };
  const Field* column_named(std::string_view name) const;
  void take_member(const Source& source, const Field* field, const std::string& path);
  void take_value(const Field& field, const Json& value, const std::string& path);
  void take_list(const Field& field, const Json& given, const Json& list, const std::string& path);
  void take_part(const std::string& column, const Json& value, const std::string& path);
  void drop(const std::string& path, std::string reason) {
    discrepancies_.push_back({ref_, path, std::move(reason)});
  }

  const Table& table_;
  const ColumnRules& rules_;
  const UnitWords& units_;
  std::string ref_;
  std::vector<Discrepancy>& discrepancies_;
  std::map<const Field*, Json> values_;
};

const Field* RowCompiler::column_named(std::string_view name) const {
  const Field* const field = table_.find(name);
  return field != nullptr && is_written(table_, *field) ? field : nullptr;
}

void RowCompiler::take_object(const JsonObject& object, const std::string& path,
                              const Field* parent, const std::vector<std::string>& elsewhere) {
  std::vector<Source> renamed;
  for (const auto& member : object) {
    const std::string_view name = member.key();
    if (std::find(elsewhere.begin(), elsewhere.end(), name) != elsewhere.end()) continue;
    const std::string place = member_path(path, name);
    const bool is_own_ref = member.value().is_string() && member.value().as_string() == ref_;
    if (parent != nullptr && name == parent->name) {
      if (!is_own_ref) drop(place, "a row of a list leads to the record it stands in");
    } else if (const Field* const field = column_named(name)) {
      take_member({name, &member.value()}, field, place);
    } else if (rules_.renames.contains(name)) {
      renamed.push_back({name, &member.value()});
    } else if (!(name == "ref" && is_own_ref)) {
      drop(place, table_.find(name) != nullptr && !table_.find(name)->is_hidden
                      ? "it is set by the system"
                      : "no column takes it");
    }
  }
  // A column's own name goes before any other that means it.
  for (const Source& source : renamed) {
    const std::string& column = rules_.renames.find(source.name)->second;
    take_member(source, column_named(column), member_path(path, source.name));
  }
}

void RowCompiler::take_member(const Source& source, const Field* field, const std::string& path) {
  if (field == nullptr) return drop(path, "no column takes it");
  if (values_.contains(field))
    return drop(path, fmt::format("{} has a value already", field->name));
  if (source.value->is_null()) {
    if (field->is_nullable)
      values_[field] = nullptr;
    else
      drop(path, fmt::format("{} needs a value and null is none", field->name));
    return;
  }
  take_value(*field, *source.value, path);
}

void RowCompiler::take_value(const Field& field, const Json& value, const std::string& path) {
  if (field.link) {
    const bool is_ref = value.is_string() && Ref::parse(value.as_string());
    if (is_ref)
      values_[&field] = value;
    else
      drop(path, fmt::format("{} takes a ref", field.name));
    return;
  }
  const Coerced coerced = coerce(coercion_of(rules_, field.name), value, units_);
  if (field.type == FieldType::list && coerced.value.is_array())
    return take_list(field, value, coerced.value, path);
  const Result<Value> read = read_field_value(field, coerced.value, path, RecordLimits{});
  if (!read) return drop(path, read.error().message);
  values_[&field] = json_of(field, *read);
  if (coerced.is_simplified)
    drop(path, fmt::format("simplified to {}", write_json(values_[&field])));
}

// Of a list, what fits is kept.
void RowCompiler::take_list(const Field& field, const Json& given, const Json& list,
                            const std::string& path) {
  JsonArray kept;
  std::size_t at = 0;
  for (const Json& element : list.as_array()) {
    const std::string place = given.is_array() ? fmt::format("{}[{}]", path, at) : path;
    ++at;
    const Result<Value> one = read_field_value(field, JsonArray{element}, place, RecordLimits{});
    if (one)
      kept.push_back(json_of(field, *one).as_array().front());
    else
      drop(place, one.error().message);
  }
  const Result<Value> all = read_field_value(field, kept, path, RecordLimits{});
  if (all)
    values_[&field] = std::move(kept);
  else
    drop(path, all.error().message);
}

void RowCompiler::take_part(const std::string& column, const Json& value, const std::string& path) {
  const Field* const field = column_named(column);
  if (field == nullptr)
    drop(path, "no column takes it");
  else
    take_value(*field, value, path);
}

void RowCompiler::take_line(std::string_view text, const std::string& path,
                            const LinkedRules& rules) {
  const bool has_parts =
      !rules.quantity_column.empty() && !rules.unit_column.empty() && !rules.notes_column.empty();
  if (rules.text_shape == TextShape::whole || !has_parts)
    return take_part(rules.text_column, Json(text), path);
  const AmountLine line = read_amount_line(text, units_);
  take_part(rules.text_column, Json(line.name), path);
  if (line.amount) take_part(rules.quantity_column, Json(*line.amount), path);
  if (!line.unit.empty()) take_part(rules.unit_column, Json(line.unit), path);
  if (!line.notes.empty()) take_part(rules.notes_column, Json(line.notes), path);
}

JsonObject RowCompiler::finish(const Field* parent) {
  JsonObject row;
  for (const Field& field : table_.fields) {
    const auto value = values_.find(&field);
    const auto fallback = rules_.defaults.find(field.name);
    if (&field == parent)
      row[field.name] = ref_;
    else if (value != values_.end())
      row[field.name] = value->second;
    else if (fallback != rules_.defaults.end() && is_written(table_, field))
      row[field.name] = fallback->second;
  }
  return row;
}

// One artifact.
class ArtifactCompiler {
 public:
  ArtifactCompiler(const Schema& schema, const CompileRules& rules, const Table& table)
      : schema_(schema), rules_(rules), table_(table) {}

  Result<CompiledRecord> compile(const ArtifactContent& artifact, std::vector<Discrepancy>& out);

 private:
  struct Child {
    const LinkedRules* rules;
    const Relation* relation;
    const Table* table;
    const Field* link;
  };
  Result<Child> child_of(const LinkedRules& linked) const;
  JsonArray rows_of(const Child& child, const Json& list, const std::string& path,
                    const std::string& ref, std::vector<Discrepancy>& out) const;
  std::optional<JsonObject> row_of(const Child& child, const Json& element, const std::string& path,
                                   const std::string& ref, std::vector<Discrepancy>& out) const;

  const Schema& schema_;
  const CompileRules& rules_;
  const Table& table_;
};

Result<ArtifactCompiler::Child> ArtifactCompiler::child_of(const LinkedRules& linked) const {
  const auto relation =
      std::find_if(table_.relations.begin(), table_.relations.end(), [&](const Relation& one) {
        return one.table == linked.table && one.column == linked.column;
      });
  const Table* const table = schema_.find(linked.table);
  const Field* const link = table == nullptr ? nullptr : table->find(linked.column);
  if (relation == table_.relations.end() || link == nullptr)
    return fail(ErrorCode::schema,
                fmt::format("The rows of {} are no nested rows of {} by {}.", linked.table,
                            table_.name, linked.column),
                "compile.linked");
  return Child{&linked, &*relation, table, link};
}

std::optional<JsonObject> ArtifactCompiler::row_of(const Child& child, const Json& element,
                                                   const std::string& path, const std::string& ref,
                                                   std::vector<Discrepancy>& out) const {
  std::vector<Discrepancy> dropped;
  RowCompiler row(*child.table, {child.rules->columns, rules_.units}, ref, dropped);
  if (element.is_object())
    row.take_object(element.as_object(), path, child.link, {});
  else if (element.is_string() && !child.rules->text_column.empty())
    row.take_line(element.as_string(), path, *child.rules);
  if (row.is_empty()) {
    out.push_back({ref, path, fmt::format("nothing in it fits a row of {}", child.table->name)});
    return std::nullopt;
  }
  out.insert(out.end(), dropped.begin(), dropped.end());
  return row.finish(child.link);
}

JsonArray ArtifactCompiler::rows_of(const Child& child, const Json& list, const std::string& path,
                                    const std::string& ref, std::vector<Discrepancy>& out) const {
  JsonArray rows;
  const bool is_list = list.is_array();
  const std::size_t count = is_list ? list.as_array().size() : 1;
  for (std::size_t at = 0; at < count; ++at) {
    const std::string place = is_list ? fmt::format("{}[{}]", path, at) : path;
    const Json& element = is_list ? list.as_array()[at] : list;
    if (std::optional<JsonObject> row = row_of(child, element, place, ref, out))
      rows.push_back(std::move(*row));
  }
  return rows;
}

Result<CompiledRecord> ArtifactCompiler::compile(const ArtifactContent& artifact,
                                                 std::vector<Discrepancy>& out) {
  std::vector<std::string> elsewhere;
  for (const LinkedRules& linked : rules_.linked)
    for (const std::string& member : linked.members)
      if (artifact.content->contains(member)) elsewhere.push_back(member);
  RowCompiler row(table_, {rules_.columns, rules_.units}, artifact.ref, out);
  row.take_object(*artifact.content, "", nullptr, elsewhere);
  CompiledRecord record{artifact.ref, row.finish(nullptr)};
  for (const LinkedRules& linked : rules_.linked) {
    const Result<Child> child = child_of(linked);
    if (!child) return Unexpected(child.error());
    bool is_taken = false;
    for (const std::string& member : linked.members) {
      const Json* const list = artifact.content->if_contains(member);
      if (list == nullptr || list->is_null()) continue;
      if (is_taken) {
        out.push_back({artifact.ref, member_path("", member),
                       fmt::format("{} has its rows already", child->relation->member)});
        continue;
      }
      is_taken = true;
      record.values[child->relation->member] = rows_of(*child, *list, member, artifact.ref, out);
    }
  }
  return record;
}

}  // namespace

Result<CompiledPayload> compile_payload(const Schema& schema, const CompileRules& rules,
                                        std::string_view table,
                                        std::span<const ArtifactContent> artifacts) {
  const Table* const target = schema.find(table);
  if (target == nullptr || target->is_read_only)
    return fail(ErrorCode::table, "There is no table of this name that you may use.", "table");
  CompiledPayload payload{target->name, {}, {}};
  ArtifactCompiler compiler(schema, rules, *target);
  for (const ArtifactContent& artifact : artifacts) {
    Result<CompiledRecord> record = compiler.compile(artifact, payload.discrepancies);
    if (!record) return Unexpected(std::move(record).error());
    payload.records.push_back(std::move(*record));
  }
  return payload;
}

}  // namespace alfred
