#include "records/write/link_check.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace alfred {
namespace {

constexpr std::size_t kAtOnce = 512;  // databases take only so many parameters

// Values of links: texts and integers.
struct HashOfLink {
  std::size_t operator()(const Value* value) const {
    if (const auto* text = std::get_if<std::string>(value)) return std::hash<std::string>()(*text);
    const auto* const number = std::get_if<std::int64_t>(value);
    return number == nullptr ? 0 : std::hash<std::int64_t>()(*number);
  }
};
struct SameLink {
  bool operator()(const Value* a, const Value* b) const { return *a == *b; }
};
using LinkSet = std::unordered_set<const Value*, HashOfLink, SameLink>;

}  // namespace

void LinkCheck::add(const NewRow& row) {
  add(*row.table, row.values, Use{nullptr, nullptr, &row, nullptr});
  for (const NewRow::Nested& nested : row.nested)
    for (const NewRow& child : nested.rows) add(child);
}

std::vector<LinkCheck::Use>* LinkCheck::uses_of(const Table& table, const Field& link) {
  if (scope_ == Scope::what_database_takes)
    if (const Table* const target = context_.schema.find(link.link->table))
      if (tx_.refuses_bad_links(table, link, *target)) return nullptr;
  return &by_table_[link.link->table];
}

void LinkCheck::add(const Table& table, const std::vector<FieldValue>& values,
                    const std::string& path) {
  add(table, values, Use{nullptr, nullptr, nullptr, &path});
}

void LinkCheck::add(const Table& table, const std::vector<FieldValue>& values, Use where) {
  for (const FieldValue& one : values) {
    if (!one.field->link || is_null(one.value)) continue;
    if (one.field != last_field_) {
      last_field_ = one.field;
      last_uses_ = uses_of(table, *one.field);
    }
    if (last_uses_ != nullptr)
      last_uses_->push_back({one.field, &one.value, where.row, where.path});
  }
}

Result<void> LinkCheck::run() {
  for (const auto& [name, uses] : by_table_) {
    const Table* const target = context_.schema.find(name);
    if (target == nullptr) return fail(ErrorCode::bug, "a link leads to no table");
    if (Result<void> there = check(*target, uses); !there) return there;
  }
  return {};
}

Result<void> LinkCheck::check(const Table& target, const std::vector<Use>& uses) {
  LinkSet seen;
  std::vector<const Value*> wanted;
  for (const Use& use : uses)
    if (seen.insert(use.value).second) wanted.push_back(use.value);
  const Result<std::vector<Row>> found = find(target, wanted);
  if (!found) return Unexpected(found.error());
  LinkSet there;
  for (const Row& row : *found) there.insert(&row[0]);
  const auto is_there = [&](const Value* value) { return there.contains(value); };
  if (std::all_of(wanted.begin(), wanted.end(), is_there)) return {};
  const auto missing =
      std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return !is_there(use.value); });
  return fail(ErrorCode::value,
              fmt::format("The row that {} would lead to is not there any more. Read {} again.",
                          missing->field->name, target.name),
              missing->place() + "." + missing->field->name);
}

// The lists are as long as a power of two, the last value repeated, so that few statements serve.
Result<std::vector<Row>> LinkCheck::find(const Table& target,
                                         const std::vector<const Value*>& wanted) {
  const Field* const key = target.find(target.key.front());
  std::vector<Row> found;
  for (std::size_t from = 0; from < wanted.size(); from += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, wanted.size() - from);
    Condition where{.kind = Condition::Kind::in, .field = key};
    where.values.reserve(std::bit_ceil(count));
    for (std::size_t at = 0; at < std::bit_ceil(count); ++at)
      where.values.push_back(*wanted[from + std::min(at, count - 1)]);
    Result<std::vector<Row>> part =
        tx_.select({.table = &target, .fields = {key}, .where = std::move(where)});
    if (!part) return part;
    std::move(part->begin(), part->end(), std::back_inserter(found));
  }
  return found;
}

}  // namespace alfred
