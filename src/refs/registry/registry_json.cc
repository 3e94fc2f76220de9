#include "refs/registry/registry_json.h"

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/json/json_number.h"
#include "refs/registry/registry_reader.h"

namespace alfred {
namespace {

void append_member(std::string& out, std::string_view name, std::string_view text) {
  ((out += ",\"") += name) += "\":";
  append_json_string(out, text);
}

void append_member(std::string& out, std::string_view name, std::uint32_t number) {
  ((out += ",\"") += name) += "\":";
  out += std::to_string(number);
}

void append_columns(std::string& out, const std::vector<std::string>& columns) {
  for (std::string_view mark = ",\"key\":["; const std::string& column : columns) {
    out += mark;
    append_json_string(out, column);
    mark = ",";
  }
  if (!columns.empty()) out += ']';
}

}  // namespace

std::string RegistryJson::key_text(const KeyView& key) {
  const KeyDoor door;
  switch (key.kind()) {
    case KeyKind::uuid: return uuid_text(key.bits(door), door);
    case KeyKind::integer: return std::to_string(static_cast<std::int64_t>(key.bits(door).high));
    case KeyKind::text: return std::string(key.bytes(door));
    case KeyKind::composite: break;
  }
  std::string out;
  for (const RecordKey& part : RecordKey(key).parts())
    out += (out.empty() ? "" : " + ") + key_text(part.view());
  return out;
}

std::string RegistryJson::literal_for_people(const RefRegistry& registry, std::uint32_t number,
                                             KeysForPeople) {
  return std::string(registry.literals().text(number, KeyDoor()));
}

void RegistryJson::append_key(std::string& out, const KeyView& key) {
  if (key.kind() == KeyKind::composite) {
    out += "{\"composite\":[";
    for (const RecordKey& part : RecordKey(key).parts()) {
      if (out.back() != '[') out += ',';
      append_key(out, part.view());
    }
    out += "]}";
  } else if (key.kind() == KeyKind::integer) {
    out += fmt::format("{{\"integer\":{}}}", key_text(key));
  } else {
    out += key.kind() == KeyKind::uuid ? "{\"uuid\":" : "{\"text\":";
    append_json_string(out, key_text(key));
    out += '}';
  }
}

void RegistryJson::append_row_key(std::string& out, const KeyView& key) {
  const KeyDoor door;
  switch (key.kind()) {
    case KeyKind::uuid: ((out += '"') += uuid_text(key.bits(door), door)) += '"'; return;
    case KeyKind::integer:
      out += std::to_string(static_cast<std::int64_t>(key.bits(door).high));
      return;
    case KeyKind::text:
    case KeyKind::composite: append_key(out, key); return;
  }
}

void RegistryJson::append_entry(std::string& out, const RefEntry& entry) {
  ((out += "{\"ref\":\"") += entry.ref.text()) += '"';
  if (entry.alias) append_member(out, "alias", entry.alias->text());
  if (entry.key) {
    out += ",\"key\":";
    append_key(out, entry.key->view());
  }
  append_member(out, "label", entry.label);
  append_member(out, "status", status_name(entry.status));
  append_member(out, "origin", origin_name(entry.origin));
  if (entry.place)
    out += fmt::format(",\"place\":{{\"step\":{},\"artifact\":{}}}", entry.place->step,
                       entry.place->artifact);
  append_member(out, "turn_created", entry.turn_created);
  append_member(out, "turn_last_referenced", entry.turn_last_referenced);
  if (entry.turn_promoted) append_member(out, "turn_promoted", *entry.turn_promoted);
  if (!entry.last_referenced_phrase.empty())
    append_member(out, "last_referenced_phrase", entry.last_referenced_phrase);
  if (!entry.retention_reason.empty())
    append_member(out, "retention_reason", entry.retention_reason);
  out += '}';
}

void RegistryJson::append_type(std::string& out, const TypeDeclared& declared) {
  out += fmt::format("{{\"type\":\"{}\"", declared.type);
  append_member(out, "table", declared.table);
  if (declared.called) append_member(out, "called", *declared.called);
  append_columns(out, declared.key);
  out += '}';
}

bool RegistryJson::AlikeRows::add(const RefEntry& entry) {
  const bool is_plain = entry.key && !entry.alias && !entry.place && !entry.turn_promoted &&
                        entry.last_referenced_phrase.empty() && entry.retention_reason.empty();
  if (!is_plain) return false;
  const Alike alike{entry.status, entry.origin, entry.turn_created, entry.turn_last_referenced};
  if (alike_ != alike) {
    end();
    if (!out_.ends_with('[')) out_ += ',';
    ((out_ += R"({"alike":{"status":")") += status_name(entry.status)) += R"(","origin":")";
    (out_ += origin_name(entry.origin)) += R"(","turn_created":)";
    append_json_number(out_, std::uint64_t{entry.turn_created});
    out_ += R"(,"turn_last_referenced":)";
    append_json_number(out_, std::uint64_t{entry.turn_last_referenced});
    out_ += R"(,"rows":[)";
    alike_ = alike;
  } else {
    out_ += ',';
  }
  ((out_ += "[\"") += entry.ref.text()) += "\",";
  append_row_key(out_, entry.key->view());
  out_ += ',';
  append_json_string(out_, entry.label);
  out_ += ']';
  return true;
}

void RegistryJson::AlikeRows::end() {
  if (alike_) out_ += "]}}";
  alike_.reset();
}

void RegistryJson::append_head(std::string& out, const RefRegistry& registry) {
  out += fmt::format("{{\"format\":\"{}\",\"version\":{},\"turn\":{},\"types\":[", kRegistryFormat,
                     kRegistryVersion, registry.turn());
  for (std::size_t i = 0; i < registry.type_count(); ++i) {
    if (i != 0) out += ',';
    append_type(out, registry.declared(static_cast<TypeNo>(i)));
  }
  out += "],\"entities\":[";
}

void RegistryJson::append_literals(std::string& out, const RefRegistry& registry) {
  out += "],\"literals\":[";
  for (std::uint32_t number = 1; number <= registry.literals().size(); ++number) {
    if (number != 1) out += ',';
    append_json_string(out, registry.literals().text(number, KeyDoor()));
  }
  out += "]}\n";
}

std::string RegistryJson::write(const RefRegistry& registry) {
  std::string out;
  append_head(out, registry);
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    if (entity != 0) out += ',';
    append_entry(out, registry.entry(entity));
  }
  append_literals(out, registry);
  return out;
}

std::string RegistryJson::write_compact(const RefRegistry& registry) {
  std::string out;
  append_head(out, registry);
  AlikeRows rows(out);
  for (EntityNo entity = 0; entity < registry.size(); ++entity) {
    const RefEntry entry = registry.entry(entity);
    if (rows.add(entry)) continue;
    rows.end();
    if (!out.ends_with('[')) out += ',';
    append_entry(out, entry);
  }
  rows.end();
  append_literals(out, registry);
  return out;
}

Result<RefRegistry> RegistryJson::read(std::string_view text, RefLimits limits) {
  const Result<Json> json = parse_json(text, JsonLimits::none());
  if (!json)  // nothing of the text is repeated: it is full of keys
    return fail(json.error().code, "this is no registry: it cannot be read as JSON",
                json.error().path);
  return read_registry(*json, limits);
}

}  // namespace alfred
