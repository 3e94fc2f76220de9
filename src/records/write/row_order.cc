#include "records/write/row_order.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "records/record_keys.h"

namespace alfred {
namespace {

// A text may lead to an integer.
std::string name_of_key(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

}  // namespace

void order_leading_first(const Table& table, std::vector<RowWriter::Doomed>& rows) {
  std::vector<const Field*> links;
  for (const Field& field : table.fields)
    if (field.link && field.link->table == table.name) links.push_back(&field);
  if (links.empty() || rows.size() < 2) return;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t at = 0; at < rows.size(); ++at)
    places.emplace(name_of_key(RecordKeys::value(rows[at].key)), at);
  std::vector<std::vector<std::size_t>> leads_to(rows.size());
  std::vector<std::size_t> waits_for(rows.size());  // how many lead to it
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (const Field* const link : links) {
      const Value& value = value_in(table, rows[at].row, *link);
      const auto target = is_null(value) ? places.end() : places.find(name_of_key(value));
      if (target == places.end() || target->second == at) continue;
      leads_to[at].push_back(target->second);
      ++waits_for[target->second];
    }
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (waits_for[at] == 0) order.push_back(at);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const std::size_t target : leads_to[order[next]])
      if (--waits_for[target] == 0) order.push_back(target);
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (waits_for[at] > 0) order.push_back(at);
  std::vector<RowWriter::Doomed> ordered;
  ordered.reserve(rows.size());
  for (const std::size_t at : order) ordered.push_back(std::move(rows[at]));
  rows = std::move(ordered);
}

}  // namespace alfred
