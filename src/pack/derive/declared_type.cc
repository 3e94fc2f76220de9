#include "pack/derive/declared_type.h"

#include <algorithm>
#include <array>
#include <string>

namespace alfred {
namespace {

struct NamedType {
  std::string_view name;
  FieldType type;
  bool is_read_only = false;
};

// Names that say more than their affinity, or that affinity would get wrong.
constexpr std::array kNames{
    NamedType{"bool", FieldType::boolean},
    NamedType{"boolean", FieldType::boolean},
    NamedType{"bytea", FieldType::bytes},
    NamedType{"blob", FieldType::bytes},
    NamedType{"date", FieldType::date},
    NamedType{"datetime", FieldType::instant},
    NamedType{"dec", FieldType::number},
    NamedType{"decimal", FieldType::number},
    NamedType{"guid", FieldType::uuid},
    NamedType{"interval", FieldType::text},
    NamedType{"json", FieldType::json},
    NamedType{"jsonb", FieldType::json},
    NamedType{"number", FieldType::number},
    NamedType{"numeric", FieldType::number},
    NamedType{"point", FieldType::text, true},
    NamedType{"serial", FieldType::integer},
    NamedType{"bigserial", FieldType::integer},
    NamedType{"smallserial", FieldType::integer},
    NamedType{"timestamp", FieldType::instant},
    NamedType{"timestamp with time zone", FieldType::instant},
    NamedType{"timestamp without time zone", FieldType::instant},
    NamedType{"timestamptz", FieldType::instant},
    NamedType{"tsvector", FieldType::text, true},
    NamedType{"uniqueidentifier", FieldType::uuid},
    NamedType{"uuid", FieldType::uuid},
};

struct Affinity {
  std::string_view part;
  FieldType type;
};
constexpr std::array kAffinities{
    Affinity{"int", FieldType::integer}, Affinity{"char", FieldType::text},
    Affinity{"clob", FieldType::text},   Affinity{"text", FieldType::text},
    Affinity{"blob", FieldType::bytes},  Affinity{"real", FieldType::number},
    Affinity{"floa", FieldType::number}, Affinity{"doub", FieldType::number},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

struct Parts {
  std::string name;    // without its brackets: "timestamp with time zone"
  std::string length;  // what stood in them: "36"
};

Parts take_apart(const std::string& declared) {
  Parts parts;
  bool is_inside = false;
  for (const char c : declared) {
    if (c == '(') {
      is_inside = true;
    } else if (c == ')') {
      is_inside = false;
    } else if (is_inside) {
      parts.length += c;
    } else if (c != ' ' || (!parts.name.empty() && parts.name.back() != ' ')) {
      parts.name += c;
    }
  }
  while (parts.name.ends_with(' ')) parts.name.pop_back();
  return parts;
}

FieldType by_affinity(std::string_view name) {
  for (const Affinity& affinity : kAffinities)
    if (name.find(affinity.part) != std::string_view::npos) return affinity.type;
  return FieldType::text;
}

}  // namespace

DeclaredType read_declared_type(std::string_view declared) {
  const Parts parts = take_apart(lower(declared));
  if (std::string_view name = parts.name; name.ends_with("[]")) {
    while (name.ends_with("[]")) name.remove_suffix(2);
    const bool is_list = !parts.name.ends_with("[][]") && by_affinity(name) == FieldType::text &&
                         read_declared_type(name).type == FieldType::text;
    return is_list ? DeclaredType{FieldType::list, false, false}
                   : DeclaredType{FieldType::json, true, false};
  }
  // What several frameworks make of a boolean.
  if (parts.name == "tinyint" && parts.length == "1") return {FieldType::boolean, false, false};
  const auto named = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const NamedType& row) { return row.name == parts.name; });
  if (named != kNames.end()) return {named->type, named->is_read_only, false};
  // "interval", "point" and the ranges contain "int", which is why they are known by name.
  if (parts.name.starts_with("interval ")) return {FieldType::text, false, false};
  if (parts.name.ends_with("range")) return {FieldType::text, true, false};
  const FieldType type = by_affinity(parts.name);
  return {type, false, type == FieldType::text && parts.length == "36"};
}

}  // namespace alfred
