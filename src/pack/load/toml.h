// A TOML text as a tree of plain values, each with its place, and a reader that takes members from
// a table by name. The one door to toml++, so that nothing else pays for its headers.
//
// R1 the members of a table come in the order of the file.
// R2 every error names file:line:column.
// R3 a member that nobody asked for is refused, with those that are known; then one that is missing.
// R4 dates and times are no values here: a pack writes them as texts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "alfred/error.h"
#include "base/json/json.h"

namespace alfred {

// Where something stands: "pack.toml:12:3".
using TomlPlace = std::string;

struct TomlMember;

struct TomlValue {
  using Array = std::vector<TomlValue>;
  using Table = std::vector<TomlMember>;

  TomlPlace place;
  std::variant<bool, std::int64_t, double, std::string, Array, Table> value;

  const std::string* text() const { return std::get_if<std::string>(&value); }
  const bool* boolean() const { return std::get_if<bool>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  const Table* table() const { return std::get_if<Table>(&value); }
};

struct TomlMember {
  std::string name;
  TomlPlace place;  // of the name
  TomlValue value;
};

// The document's table. Errors: schema, at file:line:column.
Result<TomlValue> parse_toml(std::string_view text, std::string_view file_name);

// The same value as JSON.
Json toml_to_json(const TomlValue& value);

Unexpected fail_toml(const TomlPlace& place, std::string message,
                     std::vector<std::string> allowed = {});

// Takes the members of one table, each into its place, and then refuses what is left:
//   TomlTable entity(value, "[[entity]]");
//   entity.take("table", type.table);
//   entity.take("key", type.key);
//   if (Result<void> ok = entity.done(); !ok) …
// After a first error nothing more is taken; done() returns it.
class TomlTable {
 public:
  // `what` is how messages call the table.
  TomlTable(const TomlValue& value, std::string what);

  void take(std::string_view name, std::string& out);  // a text, not empty
  void take(std::string_view name, bool& out);
  void take(std::string_view name, int& out);  // 1 to 1,000,000
  void take(std::string_view name, double& out);
  void take(std::string_view name, std::vector<std::string>& out);  // a list of texts
  void take(std::string_view name, std::optional<Json>& out);       // anything
  // One of a few words; `read` says whether it is one.
  void take_word(std::string_view name, const std::vector<std::string>& words,
                 const std::function<void(std::string_view)>& read);
  // name = text pairs: add(name, value).
  using AddText = std::function<void(const std::string&, const std::string&)>;
  void take_texts(std::string_view name, const AddText& add);
  // Members of a table, or elements of an array of tables, each read by `read`.
  using ReadMember = std::function<Result<void>(const TomlMember&)>;
  using ReadElement = std::function<Result<void>(const TomlValue&)>;
  void take_members(std::string_view name, const ReadMember& read);
  void take_tables(std::string_view name, const ReadElement& read);
  void take_value(std::string_view name, const ReadElement& read);
  // A text, or false for "none", which is an empty text.
  void take_or_none(std::string_view name, std::optional<std::string>& out);

  bool has(std::string_view name) const;
  TomlPlace place_of(std::string_view name) const;  // the table's own when there is no such member
  void require(std::string_view name);
  Result<void> done();

 private:
  const TomlMember* next(std::string_view name);
  void refuse(const TomlPlace& place, std::string message, std::vector<std::string> allowed = {});

  TomlPlace place_;
  std::string what_;
  const TomlValue::Table* members_ = nullptr;
  std::vector<std::string> known_;
  std::vector<std::string> required_;
  std::optional<Error> error_;
};

}  // namespace alfred
