#include "pack/pack_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json.h"
#include "pack/pack_name.h"

namespace alfred {
namespace {

// A JSON string is a TOML string, but for DEL, which TOML wants escaped.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  for (std::size_t at = out.find('\x7f'); at != std::string::npos; at = out.find('\x7f'))
    out.replace(at, 1, "\\u007f");
  return out;
}

// A key of TOML: bare where it may be.
std::string key_of(std::string_view name) {
  const bool is_bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return is_bare ? std::string(name) : quoted(name);
}

std::string list_of(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  parts.reserve(texts.size());
  for (const std::string& text : texts) parts.push_back(quoted(text));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string_view on_delete_name(OnDelete on_delete) {
  switch (on_delete) {
    case OnDelete::cascade: return "cascade";
    case OnDelete::set_null: return "set_null";
    default: return "refuse";
  }
}

std::string_view key_comment(const Table& table) {
  if (table.key.empty()) return "no key: rows are only read";
  switch (table.key_source) {
    case KeySource::ours: return "a uuid of ours for new rows";
    case KeySource::database: return "counted by the database";
    default: return "part of a row's content";
  }
}

void write_fields(const Table& table, std::string& out) {
  std::vector<std::string> hidden;
  std::vector<std::string> read_only;
  for (const Field& field : table.fields) {
    if (field.is_hidden && field.name != table.owner) hidden.push_back(field.name);
    if (field.is_read_only && !field.is_hidden && !table.is_key(field.name) &&
        field.name != table.created_at && field.name != table.updated_at)
      read_only.push_back(field.name);
  }
  if (!hidden.empty())
    out += fmt::format("hidden_fields = {}  # credentials by their names; shown_fields shows one\n",
                       list_of(hidden));
  if (!read_only.empty()) out += fmt::format("read_only_fields = {}\n", list_of(read_only));
}

void write_links(const Table& table, std::string& out) {
  std::vector<std::string> links;
  for (const Field& field : table.fields)
    if (field.link && !field.is_hidden)
      links.push_back(fmt::format("{} = {{ table = {}, on_delete = {} }}", key_of(field.name),
                                  quoted(field.link->table),
                                  quoted(on_delete_name(field.link->on_delete))));
  if (!links.empty()) {
    out += "\n[entity.links]\n";
    for (const std::string& link : links) out += link + "\n";
  }
  if (table.relations.empty()) return;
  out += "\n[entity.nested]  # rows that belong to a row, under this name\n";
  for (const Relation& relation : table.relations)
    out += fmt::format("{} = {{ table = {}, column = {} }}\n", key_of(relation.member),
                       quoted(relation.table), quoted(relation.column));
}

void write_types(const Table& table, std::string& out) {
  out += "\n[entity.fields]  # types as the database has them; narrow them where you know better\n";
  for (const Field& field : table.fields) {
    if (field.is_hidden) continue;
    std::string values;
    if (!field.enum_values.empty()) values = ", values = " + list_of(field.enum_values);
    // The type of a link is that of the key it leads to.
    if (field.link && values.empty()) continue;
    out += fmt::format(
        "{} = {{ type = {}{} }}{}\n", key_of(field.name), quoted(field_type_name(field.type)),
        values, field.is_nullable || field.has_default || field.is_read_only ? "" : "  # required");
  }
}

void write_table(const Table& table, std::string& out) {
  out += fmt::format("\n[[entity]]\ntable = {}\nref = {}\n", quoted(table.name), quoted(table.ref));
  if (table.key.empty())
    out += fmt::format("# {}\n", key_comment(table));
  else
    out += fmt::format("key = {}  # {}\n", list_of(table.key), key_comment(table));
  out += table.label.empty()
             ? "label = false  # no column was found that names a row\n"
             : fmt::format("label = {}  # what people know a row by\n", quoted(table.label));
  if (!table.owner.empty()) out += fmt::format("owner = {}\n", quoted(table.owner));
  if (!table.created_at.empty())
    out += fmt::format("created_at = {}  # set by us\n", quoted(table.created_at));
  if (!table.updated_at.empty())
    out += fmt::format("updated_at = {}  # set by us\n", quoted(table.updated_at));
  if (table.is_read_only && !table.key.empty()) out += "read_only = true\n";
  if (table.batch_policy == BatchPolicy::atomic) out += "batch = \"atomic\"\n";
  if (!table.searched.empty()) out += fmt::format("searched = {}\n", list_of(table.searched));
  write_fields(table, out);
  write_links(table, out);
  write_types(table, out);
}

}  // namespace

std::string pack_text(const Schema& schema, std::string_view name) {
  std::string out = fmt::format(
      "# What Alfred may do with this database. Written from its catalogue; change it as you like\n"
      "# and check it with `alfred pack check`. docs/packs.md explains every key.\n"
      "name = {}\n"
      "undeclared = \"hide\"  # tables that do not stand here are left out; \"show\" takes them in\n",
      quoted(as_pack_name(name)));
  for (const Table& table : schema.tables()) write_table(table, out);
  return out;
}

}  // namespace alfred
