#include "records/write/own_actions.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "records/record_keys.h"

namespace alfred {
namespace {

constexpr std::size_t kKeysOfCount = 500;  // databases take only so many parameters

// A foreign key may spell a name in another case than the table does (SQLite lets it).
bool is_same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char one, char other) { return lower(one) == lower(other); });
}

bool is_changed(const Table& table, const Row& before, std::span<const FieldValue> values,
                std::string_view column) {
  return std::any_of(values.begin(), values.end(), [&](const FieldValue& one) {
    return is_same_name(one.field->name, column) &&
           value_in(table, before, *one.field) != one.value;
  });
}

}  // namespace

Unexpected OwnActions::unnamed_rows() const {
  return fail(ErrorCode::conflict,
              "With what was named the database would delete or change other rows by itself, which "
              "this call can neither name nor put back. Nothing was done; those rows have to be "
              "unlinked in the database first.",
              going_ == nullptr ? "" : "filters");
}

Result<void> OwnActions::find(const Table& table) {
  Result<std::vector<ActingLink>> links = tx_.acting_links(table);
  if (!links) return Unexpected(std::move(links).error());
  links_ = std::move(*links);
  std::erase_if(links_, [](const ActingLink& link) { return !link.acts_on_delete; });
  return {};
}

// R4
void OwnActions::find(std::span<const ActingLink> links, const Table& table, const Row& before,
                      std::span<const FieldValue> values) {
  for (const ActingLink& link : links)
    if (link.acts_on_update && std::any_of(link.target_columns.begin(), link.target_columns.end(),
                                           [&](const std::string& column) {
                                             return is_changed(table, before, values, column);
                                           }))
      links_.push_back(link);
}

Result<void> OwnActions::before(const DeleteRows& rows, std::size_t count) {
  watched_.clear();
  for (const ActingLink& link : links_) {
    const Result<std::uint64_t> expected = link.is_readable ? check(link, rows) : 0;
    if (!expected) return Unexpected(expected.error());
    if (link.is_readable && link.shows_all_rows) continue;
    // A table that leads to itself is touched by the statement itself, once for all its links.
    const bool is_same = link.table == rows.table->name;
    const std::uint64_t itself = watched_.contains(link.table_id) ? 0 : count;
    if (Result<void> done = watch(link, is_same ? itself : *expected); !done) return done;
  }
  return {};
}

Result<std::uint64_t> OwnActions::check(const ActingLink& link, const DeleteRows& rows) {
  Result<std::uint64_t> reached = tx_.count_acted_on(link, rows, nullptr);
  if (!reached || *reached == 0) return reached;
  Result<std::uint64_t> expected = expected_of(link, rows);
  if (!expected || *reached <= *expected) return expected;
  const Table* const child = schema_.find(link.table);
  if (child == nullptr) return unnamed_rows();
  const SelectRows seen{.table = child};
  Result<std::uint64_t> own = tx_.count_acted_on(link, rows, &seen);
  if (!own) return own;
  return refusal(link, *own > *expected ? *own - *expected : 0);
}

Result<std::uint64_t> OwnActions::expected_of(const ActingLink& link, const DeleteRows& rows) {
  const Table* const child = schema_.find(link.table);
  if (child == nullptr || going_ == nullptr) return std::uint64_t{0};
  const auto going = going_->find(child);
  if (going == going_->end()) return std::uint64_t{0};
  std::vector<RecordKey> keys;
  keys.reserve(going->second.size());
  for (const RowWriter::Doomed& row : going->second) keys.push_back(row.key);
  std::uint64_t count = 0;
  for (std::size_t from = 0; from < keys.size(); from += kKeysOfCount) {
    const auto part = std::span(keys).subspan(from, std::min(kKeysOfCount, keys.size() - from));
    const SelectRows among{.table = child, .where = RecordKeys::condition(*child, part)};
    Result<std::uint64_t> some = tx_.count_acted_on(link, rows, &among);
    if (!some) return some;
    count += *some;
  }
  return count;
}

Result<void> OwnActions::watch(const ActingLink& link, std::uint64_t expected) {
  const auto [place, is_new] = watched_.try_emplace(link.table_id, Touched{&link});
  place->second.expected += expected;
  if (!is_new) return {};
  const Result<std::optional<std::uint64_t>> so_far = tx_.touched_so_far(link);
  if (!so_far) return Unexpected(so_far.error());
  if (!*so_far)
    return fail(ErrorCode::conflict,
                "The database would act on other rows by itself, does not show all of them and "
                "keeps no count of them, so this cannot be done here. Nothing was done; "
                "whoever looks after it can turn track_counts on.",
                going_ == nullptr ? "" : "filters");
  place->second.before = **so_far;
  return {};
}

Result<void> OwnActions::after() {
  for (const auto& [table, touched] : watched_) {
    const Result<std::optional<std::uint64_t>> now = tx_.touched_so_far(*touched.link);
    if (!now) return Unexpected(now.error());
    if (!*now || **now - touched.before > touched.expected) return unnamed_rows();
  }
  return {};
}

// R2
Unexpected OwnActions::refusal(const ActingLink& link, std::uint64_t seen) const {
  if (seen == 0) return unnamed_rows();
  if (going_ == nullptr)
    return fail(
        ErrorCode::conflict,
        fmt::format("With another {} the database would change {} row{} of {} by itself, "
                    "which could not be put back. Nothing was done; leave the value as it is, or "
                    "unlink {} first.",
                    fmt::join(link.target_columns, ", "), seen, seen == 1 ? "" : "s", link.table,
                    seen == 1 ? "it" : "those"),
        link.target_columns.front());
  return fail(ErrorCode::conflict,
              fmt::format("With what was named the database would delete or change {} row{} of {} "
                          "by itself, which could not be put back. Nothing was done; delete or "
                          "unlink {} first.",
                          seen, seen == 1 ? "" : "s", link.table, seen == 1 ? "it" : "those"),
              "filters");
}

}  // namespace alfred
