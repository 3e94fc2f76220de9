// The one place that includes toml++; nothing of it leaves this file.
#include "pack/load/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/not_listed.h"

namespace alfred {
namespace {

std::string text_of(const toml::source_position& where, std::string_view file) {
  std::string out(file);
  out += ':';
  out += fmt::format_int(where.line).c_str();
  out += ':';
  out += fmt::format_int(where.column).c_str();
  return out;
}

class Converter {
 public:
  explicit Converter(std::string_view file) : file_(file) {}

  Result<TomlValue> convert(const toml::node& node) const {
    TomlValue out;
    out.place = text_of(node.source().begin, file_);
    if (const auto* text = node.as_string()) {
      out.value = text->get();
    } else if (const auto* integer = node.as_integer()) {
      out.value = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      out.value = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      out.value = boolean->get();
    } else if (const auto* array = node.as_array()) {
      return convert_array(*array, std::move(out));
    } else if (const auto* table = node.as_table()) {
      return convert_table(*table, std::move(out));
    } else {
      return fail_toml(out.place, "Dates and times are written as texts, in quotes.");
    }
    return out;
  }

 private:
  Result<TomlValue> convert_array(const toml::array& array, TomlValue out) const {
    TomlValue::Array elements;
    for (const toml::node& element : array) {
      Result<TomlValue> one = convert(element);
      if (!one) return one;
      elements.push_back(std::move(*one));
    }
    out.value = std::move(elements);
    return out;
  }

  // toml++ keeps members in alphabetical order; the order of the file is the order of places.
  Result<TomlValue> convert_table(const toml::table& table, TomlValue out) const {
    struct Entry {
      toml::source_position where;
      TomlMember member;
    };
    std::vector<Entry> entries;
    for (const auto& [name, node] : table) {
      Result<TomlValue> one = convert(node);
      if (!one) return one;
      const toml::source_position where = name.source().begin;
      entries.push_back({where, {std::string(name.str()), text_of(where, file_), std::move(*one)}});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.where < b.where; });
    TomlValue::Table members;
    for (Entry& entry : entries) members.push_back(std::move(entry.member));
    out.value = std::move(members);
    return out;
  }

  std::string_view file_;
};

}  // namespace

Result<TomlValue> parse_toml(std::string_view text, std::string_view file_name) {
  try {
    return Converter(file_name).convert(toml::parse(text, file_name));
  } catch (const toml::parse_error& error) {
    return fail_toml(text_of(error.source().begin, file_name),
                     fmt::format("Not TOML: {}.", error.description()));
  }
}

Unexpected fail_toml(const TomlPlace& place, std::string message,
                     std::vector<std::string> allowed) {
  return fail_listing(ErrorCode::schema, std::move(message), place, std::move(allowed));
}

}  // namespace alfred
