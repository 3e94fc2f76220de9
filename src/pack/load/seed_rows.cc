#include "pack/seed_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/not_listed.h"

namespace alfred {
namespace {

Unexpected wrong(const std::string& place, std::string message,
                 std::vector<std::string> allowed = {}) {
  return fail_listing(ErrorCode::pack, std::move(message), place, std::move(allowed));
}

// "Crème fraîche" → "crème_fraîche": letters and digits of any script, _ for the rest.
std::string name_of_label(std::string_view label) {
  std::string out;
  for (const char c : label) {
    const bool is_letter =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if (is_letter)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "+3d", "-2d", "+0d 18:30"
std::optional<SeedDay> day_of(std::string_view text) {
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::size_t end = text.find('d');
  if (end == std::string_view::npos || text[1] < '0' || text[1] > '9') return std::nullopt;
  const std::optional<int> days = digits(text.substr(1, end - 1));
  if (!days || *days > 3650) return std::nullopt;
  SeedDay day;
  day.days = text[0] == '-' ? -*days : *days;
  std::string_view rest = text.substr(end + 1);
  if (rest.empty()) return day;
  if (rest.size() != 6 || rest[0] != ' ' || rest[3] != ':') return std::nullopt;
  const std::optional<int> hour = digits(rest.substr(1, 2));
  const std::optional<int> minute = digits(rest.substr(4, 2));
  if (!hour || !minute || *hour < 0 || *hour > 23 || *minute < 0 || *minute > 59)
    return std::nullopt;
  day.minute = *hour * 60 + *minute;
  return day;
}

using Names = std::map<std::string, std::set<std::string>>;  // rows by table

class Reader {
 public:
  Reader(const Schema& schema, Names& names) : schema_(schema), names_(names) {}

  Result<void> read(const PackFile& file, const Result<Json>& json) {
    if (!json)
      return wrong(fmt::format("{} {}", file.name, json.error().path), json.error().message);
    const auto* object = json->if_object();
    const Json* name = object == nullptr ? nullptr : object->if_contains("table");
    const Json* rows = object == nullptr ? nullptr : object->if_contains("rows");
    if (name == nullptr || !name->is_string() || rows == nullptr || !rows->is_array() ||
        object->size() != 2)
      return wrong(file.name,
                   "A file of rows is an object with \"table\" and \"rows\", and no more.");
    const Table* table = schema_.find(std::string_view(name->as_string()));
    if (table == nullptr)
      return wrong(file.name,
                   fmt::format("There is no table \"{}\".", std::string_view(name->as_string())));
    std::size_t number = 0;
    for (const Json& row : rows->as_array())
      if (Result<void> ok =
              read_row(*table, row, fmt::format("{} row {}", file.name, ++number), std::nullopt);
          !ok)
        return ok;
    return {};
  }

  // R2, once all rows are known.
  Result<void> check_links() const {
    for (const SeedRow& row : rows_)
      for (const auto& [column, value] : row.values) {
        const auto* link = std::get_if<SeedLink>(&value);
        if (link == nullptr) continue;
        const auto table = names_.find(link->table);
        if (table == names_.end() || !table->second.contains(link->row))
          return wrong(row.place, fmt::format("\"{}\" leads to \"{}\", which is no row of \"{}\".",
                                              column, link->row, link->table));
      }
    return {};
  }

  std::vector<SeedRow> take() { return in_order(); }

 private:
  struct Parent {
    std::string column;
    SeedLink link;
  };

  Result<void> read_row(const Table& table, const Json& json, const std::string& place,
                        const std::optional<Parent>& parent) {
    const auto* object = json.if_object();
    if (object == nullptr) return wrong(place, "A row is an object.");
    SeedRow row;
    row.table = table.name;
    row.place = place;
    Result<std::string> name = name_of(table, *object, place, parent);
    if (!name) return Unexpected(name.error());
    row.name = std::move(*name);
    if (!names_[table.name].insert(row.name).second)
      return wrong(place, fmt::format("Two rows of \"{}\" are called \"{}\"; give one an \"as\".",
                                      table.name, row.name));
    if (parent) row.values.emplace_back(parent->column, parent->link);
    std::vector<std::pair<const Relation*, const Json*>> nested;
    for (const auto& [key, value] : *object) {
      const std::string_view member(key);
      if (member == "as") continue;
      if (const Relation* relation = relation_of(table, member)) {
        nested.emplace_back(relation, &value);
        continue;
      }
      Result<SeedValue> cell = value_of(table, member, value, place);
      if (!cell) return Unexpected(cell.error());
      row.values.emplace_back(member, std::move(*cell));
    }
    const SeedLink here{table.name, row.name};
    rows_.push_back(std::move(row));
    for (const auto& [relation, value] : nested)
      if (Result<void> ok = read_nested(*relation, *value, place, here); !ok) return ok;
    return {};
  }

  Result<void> read_nested(const Relation& relation, const Json& value, const std::string& place,
                           const SeedLink& parent) {
    if (!value.is_array())
      return wrong(place, fmt::format("\"{}\" is a list of rows.", relation.member));
    std::size_t number = 0;
    for (const Json& row : value.as_array())
      if (Result<void> ok = read_row(*schema_.find(relation.table), row,
                                     fmt::format("{}, {} {}", place, relation.member, ++number),
                                     Parent{relation.column, parent});
          !ok)
        return ok;
    return {};
  }

  Result<std::string> name_of(const Table& table, const boost::json::object& object,
                              const std::string& place, const std::optional<Parent>& parent) {
    if (const Json* as = object.if_contains("as")) {
      if (as->is_string() && !as->as_string().empty()) return std::string(as->as_string());
      return wrong(place, "\"as\" is the row's name, a text.");
    }
    const Json* label = table.label.empty() ? nullptr : object.if_contains(table.label);
    // The same child may stand in several parents, and twice in one.
    if (parent || label == nullptr || !label->is_string())
      return fmt::format("{}{}{}", parent ? parent->link.row + "/" : "", table.ref,
                         ++unnamed_[parent ? parent->link.row + "/" + table.name : table.name]);
    return name_of_label(std::string_view(label->as_string()));
  }

  static const Relation* relation_of(const Table& table, std::string_view member) {
    for (const Relation& relation : table.relations)
      if (relation.member == member) return &relation;
    return nullptr;
  }

  static Result<SeedValue> value_of(const Table& table, std::string_view member, const Json& value,
                                    const std::string& place) {
    const Field* field = table.find(member);
    if (field == nullptr) {
      std::vector<std::string> names;
      for (const Field& known : table.fields)
        if (!known.is_hidden) names.push_back(known.name);
      return wrong(place, fmt::format("\"{}\" has no column \"{}\".", table.name, member), names);
    }
    if (field->name == table.owner)
      return wrong(place,
                   fmt::format("\"{}\" is set for the caller and stands in no file.", field->name));
    if (!value.is_string()) return SeedValue(value);
    const std::string_view text(value.as_string());
    if (field->link) return SeedValue(SeedLink{field->link->table, std::string(text)});
    if (field->type != FieldType::date && field->type != FieldType::instant)
      return SeedValue(value);
    const std::optional<SeedDay> day = day_of(text);
    const bool fits = day && day->minute.has_value() == (field->type == FieldType::instant);
    if (!fits)
      return wrong(place, fmt::format("\"{}\" is a day such as \"+3d\", or \"+3d 18:30\" where a "
                                      "time belongs; \"{}\" is neither.",
                                      field->name, text));
    return SeedValue(*day);
  }

  // R5: a row waits until those it leads to are out. What waits for itself comes last, as it was.
  std::vector<SeedRow> in_order() {
    std::set<std::pair<std::string, std::string>> waiting;
    for (const SeedRow& row : rows_) waiting.emplace(row.table, row.name);
    std::vector<SeedRow> out;
    std::vector<SeedRow> left = std::move(rows_);
    for (bool moved = true; moved && !left.empty();) {
      moved = false;
      std::vector<SeedRow> later;
      for (SeedRow& row : left) {
        const bool waits = std::any_of(row.values.begin(), row.values.end(), [&](const auto& cell) {
          const auto* link = std::get_if<SeedLink>(&cell.second);
          return link != nullptr && waiting.contains({link->table, link->row});
        });
        if (waits) {
          later.push_back(std::move(row));
          continue;
        }
        waiting.erase({row.table, row.name});
        out.push_back(std::move(row));
        moved = true;
      }
      left = std::move(later);
    }
    for (SeedRow& row : left) out.push_back(std::move(row));
    return out;
  }

  const Schema& schema_;
  Names& names_;
  std::map<std::string, int> unnamed_;
  std::vector<SeedRow> rows_;
};

std::vector<Result<Json>> parse_files(const std::vector<PackFile>& files) {
  std::vector<Result<Json>> parsed;
  parsed.reserve(files.size());
  for (const PackFile& file : files) parsed.push_back(parse_json(file.text, JsonLimits::none()));
  return parsed;
}

Result<std::vector<SeedRow>> read_files(const std::vector<PackFile>& files,
                                        const std::vector<Result<Json>>& parsed,
                                        const Schema& schema, Names& names) {
  Reader reader(schema, names);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (Result<void> ok = reader.read(files[i], parsed[i]); !ok) return Unexpected(ok.error());
  if (Result<void> ok = reader.check_links(); !ok) return Unexpected(ok.error());
  return reader.take();
}

}  // namespace

Result<std::vector<SeedRow>> load_seed_rows(const Pack& pack, const Schema& schema) {
  Names names;
  return read_files(pack.rows, parse_files(pack.rows), schema, names);
}

RowFiles parse_row_files(const Pack& pack) {
  return {parse_files(pack.rows), parse_files(pack.demo)};
}

Result<PackRows> load_pack_rows(const Pack& pack, const RowFiles& files, const Schema& schema) {
  Names names;
  Result<std::vector<SeedRow>> shared = read_files(pack.rows, files.shared, schema, names);
  if (!shared) return Unexpected(std::move(shared).error());
  Result<std::vector<SeedRow>> demo = read_files(pack.demo, files.demo, schema, names);
  if (!demo) return Unexpected(std::move(demo).error());
  return PackRows{std::move(*shared), std::move(*demo)};
}

Result<std::vector<SeedRow>> load_demo(const Pack& pack, const Schema& schema) {
  Result<PackRows> rows = load_pack_rows(pack, parse_row_files(pack), schema);
  if (!rows) return Unexpected(std::move(rows).error());
  return std::move(rows->demo);
}

}  // namespace alfred
