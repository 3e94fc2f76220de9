#include "interpreter/rules/doing/row_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time/iso_time.h"
#include "base/time/time_zone.h"
#include "interpreter/rules/doing/steps.h"
#include "interpreter/rules/reading/values.h"
#include "interpreter/rules/words/amounts.h"
#include "interpreter/rules/words/instants.h"

namespace alfred::rules {
namespace {

std::string value_text(const Json& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_number()) return number_text(value.to_number<double>());
  if (value.is_bool()) return value.get_bool() ? "yes" : "no";
  if (const JsonArray* list = value.if_array()) {
    std::string out;
    for (const Json& one : *list) out += (out.empty() ? "" : ", ") + value_text(one);
    return out;
  }
  if (const JsonObject* link = value.if_object()) return text_of(*link, "label");
  return "";
}

// The member of a name, or of what it is called without its `_id`.
const Json* find(const JsonObject& row, std::string_view names) {
  while (!names.empty()) {
    const std::size_t slash = names.find('/');
    const std::string_view name = names.substr(0, slash);
    if (const Json* found = row.if_contains(name); found != nullptr && !found->is_null())
      return found;
    if (name.ends_with("_id"))
      if (const Json* found = row.if_contains(name.substr(0, name.size() - 3));
          found != nullptr && !found->is_null())
        return found;
    names = slash == std::string_view::npos ? std::string_view() : names.substr(slash + 1);
  }
  return nullptr;
}

// {field}, {a+b}, {field?word}; empty when nothing of it has a value.
std::string field_text(const JsonObject& row, std::string_view inner) {
  if (const std::size_t mark = inner.find('?'); mark != std::string_view::npos) {
    const Json* flag = find(row, inner.substr(0, mark));
    return flag != nullptr && flag->is_bool() && flag->get_bool()
               ? std::string(inner.substr(mark + 1))
               : "";
  }
  if (inner.find('+') == std::string_view::npos) {
    const Json* value = find(row, inner);
    return value == nullptr ? "" : value_text(*value);
  }
  double sum = 0;
  bool is_there = false;
  while (!inner.empty()) {
    const std::size_t plus = inner.find('+');
    const Json* value = find(row, inner.substr(0, plus));
    if (value != nullptr && value->is_number()) {
      sum += value->to_number<double>();
      is_there = true;
    }
    inner = plus == std::string_view::npos ? std::string_view() : inner.substr(plus + 1);
  }
  return is_there ? number_text(sum) : "";
}

std::string segment_text(const JsonObject& row, std::string_view segment) {
  std::string out;
  bool has_value = segment.find('{') == std::string_view::npos;
  for (std::size_t at = 0; at < segment.size();) {
    const std::size_t open = std::min(segment.find('{', at), segment.size());
    out += segment.substr(at, open - at);
    const std::size_t close = segment.find('}', open);
    if (open == segment.size() || close == std::string_view::npos) break;
    const std::string value = field_text(row, segment.substr(open + 1, close - open - 1));
    has_value = has_value || !value.empty();
    out += value;
    at = close + 1;
  }
  if (!has_value) return "";
  const std::size_t from = out.find_first_not_of(' ');
  return from == std::string::npos ? "" : out.substr(from, out.find_last_not_of(' ') - from + 1);
}

std::string line_text(const JsonObject& row, std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::size_t bar = line.find(" | ");
    const std::string segment = segment_text(row, line.substr(0, bar));
    if (!segment.empty()) out += (out.empty() ? "" : ", ") + segment;
    line = bar == std::string_view::npos ? std::string_view() : line.substr(bar + 3);
  }
  return out;
}

std::string plain_line(const Table& table, const JsonObject& row) {
  std::string out;
  for (const auto& member : row) {
    // A key says nothing to people: what stands there is the row's own name once more.
    const Field* field = table.find(member.key());
    const bool is_own_key = field != nullptr && table.is_key(field->name) && !field->link;
    if (member.key() == table.label || (is_own_key && table.key.size() == 1) ||
        member.value().is_array() || member.value().is_null())
      continue;
    std::string name(member.key());
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string value = value_text(member.value());
    if (value.empty()) continue;
    out.append(out.empty() ? "" : ", ").append(name).append(": ").append(value);
  }
  return out;
}

// "2026-11-17 08:00"; an instant that cannot be read stays as it is.
std::string wall_time(const std::string& instant, const std::string& zone) {
  const std::optional<ZonedTime> zoned = read_zoned_time(instant);
  const std::optional<std::int64_t> ms = iso_instant_ms(zoned ? zoned->instant : instant);
  if (!ms) return instant;
  const std::optional<TimeZone> there = TimeZone::load(zone);
  const std::int64_t local = *ms / 1000 + (there ? there->offset_at(*ms / 1000) : 0);
  const std::int64_t minute = (local % 86400 + 86400) % 86400 / 60;
  return fmt::format("{} {:02}:{:02}{}", iso_date_of(local * 1000), minute / 60, minute % 60,
                     there || zone.empty() || zone == "UTC" ? "" : " UTC");
}

// The row with its instants as people tell time: where a zone stands beside one, in that zone.
JsonObject for_people(const Table* table, const JsonObject& row, const std::string& zone) {
  JsonObject out = row;
  if (table == nullptr) return out;
  for (const Field& field : table->fields) {
    const std::string instant =
        field.type == FieldType::instant ? text_of(row, field.name) : std::string();
    if (instant.empty()) continue;
    const std::string beside = field.name + "_zone";
    const std::string own = text_of(row, beside);
    out[field.name] = wall_time(instant, own.empty() ? zone : own);
    if (own == zone) out.stable_erase(beside);
  }
  return out;
}

// The row, and the rows in it, with their units as they are said of so many.
JsonObject with_plurals(const Book& book, JsonObject row) {
  const std::string column = unit_column(book.lexicon);
  if (const std::string unit = column.empty() ? "" : text_of(row, column); !unit.empty())
    row[column] = unit_text(book, unit, number_of(row, amount_column(book.lexicon), 0));
  for (auto& one : row)
    if (JsonArray* list = one.value().if_array())
      for (Json& inner : *list)
        if (inner.is_object()) inner = with_plurals(book, inner.get_object());
  return row;
}

std::string list_text(const LayoutList& list, const JsonObject& row) {
  const Json* value = find(row, list.member);
  if (value == nullptr || !value->is_array() || value->get_array().empty()) return "";
  std::string out = "\n" + list.title + ":\n";
  std::size_t number = 0;
  for (const Json& one : value->get_array()) {
    ++number;
    out += list.is_numbered ? std::to_string(number) + ". " : "- ";
    const JsonObject* item = one.if_object();
    out += item == nullptr     ? value_text(one)
           : list.item.empty() ? text_of(*item, "name")
                               : line_text(*item, list.item);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string unit_text(const Book& book, const std::string& unit, double amount) {
  for (const Unit& one : book.lexicon.pack().units)
    if (one.name == unit && amount > 1 && !one.words.empty() && one.words.front().ends_with('s') &&
        one.words.front().front() == unit.front())
      return one.words.front();
  return unit;
}

std::string row_name(const Book& book, std::string_view table, const JsonObject& row) {
  const Table* found = book.lexicon.schema().find(table);
  const Json* label = found == nullptr || found->label.empty() ? nullptr : find(row, found->label);
  return label == nullptr ? "" : value_text(*label);
}

std::string name_of_one(const Book& book, std::string_view table) {
  const PackEntity* entity = book.lexicon.pack().find(table);
  return entity == nullptr || entity->words.empty() ? name_of_rows(book, table)
                                                    : entity->words.front();
}

std::string in_words(const Book& book, const std::string& question) {
  constexpr std::string_view kWhich = "Which ";
  for (const Table& table : book.lexicon.schema().tables())
    if (book.lexicon.pack().find(table.name) != nullptr &&
        question.starts_with(std::string(kWhich) + table.ref + " did you mean"))
      return std::string(kWhich) + name_of_one(book, table.name) +
             question.substr(kWhich.size() + table.ref.size());
  return question;
}

bool is_plural(const std::string& said) {
  const Tokens tokens = read_tokens(said);
  return !tokens.empty() && tokens.back().stem != tokens.back().text;
}

std::string row_line(const Book& book, std::string_view table, const JsonObject& stored,
                     const std::string& zone) {
  const PackEntity* entity = book.lexicon.pack().find(table);
  const Table* found = book.lexicon.schema().find(table);
  const JsonObject row = with_plurals(book, for_people(found, stored, zone));
  const std::string name = row_name(book, table, row);
  std::string rest;
  if (entity != nullptr && entity->layout && !entity->layout->lines.empty())
    rest = line_text(row, entity->layout->lines.front());
  else if (found != nullptr)
    rest = plain_line(*found, row);
  if (name.empty()) return rest;
  if (rest.starts_with(name)) return rest;
  return rest.empty() ? name : name + ": " + rest;
}

std::string values_text(const Book& book, std::string_view table, const JsonObject& values,
                        const std::string& zone) {
  const Table* of = book.lexicon.schema().find(table);
  const JsonObject row = for_people(of, values, zone);
  std::string out;
  for (const auto& member : row) {
    std::string name(member.key());
    if (name.ends_with("_id")) name.resize(name.size() - 3);
    std::replace(name.begin(), name.end(), '_', ' ');
    const Field* field = of == nullptr ? nullptr : of->find(member.key());
    std::string value = value_text(member.value());
    if (field != nullptr && field->type == FieldType::instant) value = moment_text(value);
    out.append(out.empty() ? "" : ", ").append(name).append(": ");
    out += value.empty() ? "none" : value;
  }
  return out;
}

std::string row_rest(const Book& book, std::string_view table, const JsonObject& stored,
                     const std::string& zone) {
  const PackEntity* entity = book.lexicon.pack().find(table);
  if (entity == nullptr || !entity->layout) return "";
  const JsonObject row =
      with_plurals(book, for_people(book.lexicon.schema().find(table), stored, zone));
  std::string out;
  for (std::size_t i = 1; i < entity->layout->lines.size(); ++i)
    if (const std::string text = line_text(row, entity->layout->lines[i]); !text.empty())
      out += "  " + text + "\n";
  return out;
}

std::string row_whole(const Book& book, std::string_view table, const JsonObject& stored,
                      const std::string& zone) {
  const PackEntity* entity = book.lexicon.pack().find(table);
  const JsonObject row =
      with_plurals(book, for_people(book.lexicon.schema().find(table), stored, zone));
  const std::string name = row_name(book, table, row);
  std::string out = name.empty() ? "" : "**" + name + "**\n";
  if (entity == nullptr || !entity->layout) return out + row_line(book, table, stored, zone) + "\n";
  for (const std::string& line : entity->layout->lines)
    if (const std::string text = line_text(row, line); !text.empty()) out += text + "\n";
  for (const LayoutList& list : entity->layout->lists) out += list_text(list, row);
  return out;
}

}  // namespace alfred::rules
