#include "records/write/dependents.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "records/record_keys.h"
#include "records/write/row_order.h"

namespace alfred {
namespace {

constexpr std::size_t kKeysAtOnce = 500;
constexpr std::size_t kShownRefs = 10;

bool leads_to(const Field& field, const Table& table) {
  return field.link && field.link->table == table.name;
}

Unexpected still_linked(const Table& table, std::size_t count, std::vector<std::string> refs) {
  const std::string_view next = table.key.empty()
                                    ? "its rows have no key, so they can be deleted or unlinked "
                                      "only by another program, which has to come first."
                                    : "delete or unlink those first.";
  return fail(ErrorCode::conflict,
              fmt::format("{} row{} of {} still lead{} to what would be deleted. Nothing was "
                          "done; {}",
                          count, count == 1 ? "" : "s", table.name, count == 1 ? "s" : "", next),
              "filters", std::move(refs));
}

}  // namespace

bool Dependents::is_doomed(const Table& table, const RecordKey& key) const {
  const auto rows = doomed_.find(&table);
  return rows != doomed_.end() && std::any_of(rows->second.begin(), rows->second.end(),
                                              [&](const Found& row) { return row.key == key; });
}

Result<void> Dependents::collect(const Table& table, std::vector<Found> rows) {
  std::vector<Level> levels{{&table, rows}};
  doomed_[&table] = std::move(rows);
  while (!levels.empty()) {
    std::vector<Level> next;
    for (const Level& level : levels)
      for (const Table& child : context_.schema.tables()) {
        for (const Field& field : child.fields) {
          if (!leads_to(field, *level.table)) continue;
          Result<void> done = child.key.empty() ? refuse_nameless(level, child, field)
                                                : follow(level, child, field, next);
          if (!done) return done;
        }
      }
    levels = std::move(next);
  }
  for (auto& [of, going] : doomed_) order_leading_first(*of, going);
  return check_refusals();
}

Result<void> Dependents::follow(const Level& level, const Table& child, const Field& link,
                                std::vector<Level>& next) {
  Result<std::vector<Found>> rows = leading_to(level, child, link);
  if (!rows) return Unexpected(std::move(rows).error());
  std::erase_if(*rows, [&](const Found& row) { return is_doomed(child, row.key); });
  count_ += rows->size();
  if (count_ > kMostRows)
    return fail(ErrorCode::limit,
                fmt::format("This delete would change over {} rows that depend on the ones named. "
                            "Delete those first.",
                            kMostRows),
                "filters");
  if (rows->empty()) return {};
  if (link.link->on_delete == OnDelete::set_null) {
    for (const Found& row : *rows) empty_link(child, row, link);
  } else if (link.link->on_delete == OnDelete::refuse) {
    std::vector<Found>& refusing = refusing_[&child];
    // A row may lead there by two links.
    std::erase_if(*rows, [&](const Found& row) {
      return std::any_of(refusing.begin(), refusing.end(),
                         [&](const Found& one) { return one.key == row.key; });
    });
    refusing.insert(refusing.end(), rows->begin(), rows->end());
  } else {
    std::vector<Found>& doomed = doomed_[&child];
    doomed.insert(doomed.end(), rows->begin(), rows->end());
    next.push_back({&child, std::move(*rows)});
  }
  return {};
}

Result<std::vector<Dependents::Found>> Dependents::leading_to(const Level& level,
                                                              const Table& child,
                                                              const Field& link) {
  std::vector<Found> found;
  for (std::size_t from = 0; from < level.rows.size(); from += kKeysAtOnce) {
    SelectRows plan{.table = &child, .fields = all_fields(child)};
    plan.where = {.kind = Condition::Kind::in, .field = &link};
    const std::size_t upto = std::min(from + kKeysAtOnce, level.rows.size());
    for (std::size_t at = from; at < upto; ++at)
      plan.where.values.push_back(RecordKeys::link_value(link, level.rows[at].key));
    for (const std::string& column : child.key) plan.order.push_back({child.find(column), false});
    plan.is_for_update = true;
    const Result<std::vector<Row>> rows = tx_.select(plan);
    if (!rows) return Unexpected(rows.error());
    for (const Row& row : *rows) {
      Result<RecordKey> key = RecordKeys::of_row(child, plan.fields, row);
      if (!key) return Unexpected(std::move(key).error());
      found.push_back({std::move(*key), row});
    }
  }
  return found;
}

// R3. What a view shows is in the tables behind it.
Result<void> Dependents::refuse_nameless(const Level& level, const Table& child,
                                         const Field& link) {
  if (child.is_view || link.link->on_delete != OnDelete::refuse) return {};
  for (std::size_t from = 0; from < level.rows.size(); from += kKeysAtOnce) {
    SelectRows plan{.table = &child, .fields = {&link}};
    plan.where = {.kind = Condition::Kind::in, .field = &link};
    const std::size_t upto = std::min(from + kKeysAtOnce, level.rows.size());
    for (std::size_t at = from; at < upto; ++at)
      plan.where.values.push_back(RecordKeys::link_value(link, level.rows[at].key));
    plan.limit = kMostRows;
    const Result<std::vector<Row>> rows = tx_.select(plan);
    if (!rows) return Unexpected(rows.error());
    if (!rows->empty()) return still_linked(child, rows->size(), {});
  }
  return {};
}

void Dependents::empty_link(const Table& table, const Found& found, const Field& link) {
  for (Emptied& row : emptied_[&table]) {
    if (!(row.found.key == found.key)) continue;
    if (std::find(row.links.begin(), row.links.end(), &link) == row.links.end())
      row.links.push_back(&link);
    return;
  }
  emptied_[&table].push_back({found, {&link}});
}

Result<void> Dependents::check_refusals() const {
  for (const auto& [table, rows] : refusing_) {
    std::vector<std::string> refs;
    std::size_t count = 0;
    for (const Found& row : rows) {
      if (is_doomed(*table, row.key)) continue;
      ++count;
      const EntityNo entity = context_.registry.find(table->ref, row.key.view());
      if (entity != kNoEntity && refs.size() < kShownRefs)
        refs.emplace_back(context_.registry.ref(entity).text());
    }
    if (count > 0) return still_linked(*table, count, std::move(refs));
  }
  return {};
}

// The tables with rows to delete, each after those that lead to it; in a circle any may be first.
std::vector<const Table*> Dependents::children_first() const {
  std::vector<const Table*> order;
  std::set<const Table*> seen;
  const std::function<void(const Table*)> visit = [&](const Table* table) {
    if (!doomed_.contains(table) || !seen.insert(table).second) return;
    for (const Table& child : context_.schema.tables())
      if (std::any_of(child.fields.begin(), child.fields.end(),
                      [&](const Field& field) { return leads_to(field, *table); }))
        visit(&child);
    order.push_back(table);
  };
  for (const Table& table : context_.schema.tables()) visit(&table);
  return order;
}

Result<void> Dependents::run(RowWriter& writer) const {
  for (const Table& table : context_.schema.tables()) {
    const auto rows = emptied_.find(&table);
    if (rows == emptied_.end()) continue;
    for (const Emptied& row : rows->second) {
      if (is_doomed(table, row.found.key)) continue;
      std::vector<FieldValue> values;
      values.reserve(row.links.size());
      for (const Field* const link : row.links) values.push_back({link, Value()});
      Result<void> done = writer.change(table, row.found.key, row.found.row, std::move(values));
      if (!done) return done;
    }
  }
  for (const Table* const table : children_first())
    if (Result<void> done = writer.remove(*table, doomed_); !done) return done;
  return {};
}

}  // namespace alfred
