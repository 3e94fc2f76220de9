#include "storage/sqlite/kept_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "storage/sqlite/connection.h"

namespace alfred {
namespace {

// Reading so many rows one by one is no cheaper than reading all.
constexpr std::size_t kMostChanges = 64;
// Looking for so many is no cheaper than counting all.
constexpr std::size_t kMostCounted = 8;

// One text for one plan and owner.
std::string name_of(const BuiltSql& built) {
  std::string name = built.text;
  for (const SqlParameter& parameter : built.parameters) {
    if (const auto* const number = std::get_if<std::int64_t>(&parameter.value))
      name += fmt::format("\n{}", *number);
    else if (const auto* const text = std::get_if<std::string>(&parameter.value))
      name += "\n'" + *text;
  }
  return name;
}

KeptRows::Entry entry_of(const LentStatement& statement, const SelectRows& plan) {
  KeptRows::Entry entry;
  entry.number = sqlite3_column_int64(statement.get(), 0);
  entry.row.reserve(plan.fields.size());
  for (std::size_t i = 0; i < plan.fields.size(); ++i)
    entry.row.push_back(statement.cell(static_cast<int>(i + 1), plan.fields[i]));
  return entry;
}

// Where the fields of the order stand in a row; nothing where one does not.
std::optional<std::vector<std::size_t>> places_of_order(const SelectRows& plan) {
  std::vector<std::size_t> places;
  for (const OrderBy& by : plan.order) {
    const auto at = std::find(plan.fields.begin(), plan.fields.end(), by.field);
    if (at == plan.fields.end() || by.is_descending) return std::nullopt;
    places.push_back(static_cast<std::size_t>(at - plan.fields.begin()));
  }
  return places;
}

// As ORDER BY has them: texts by their bytes, whole numbers. Nothing: that is for SQLite to say.
std::optional<int> compared(const Value& a, const Value& b) {
  const auto* const text_a = std::get_if<std::string>(&a);
  const auto* const text_b = std::get_if<std::string>(&b);
  if (text_a != nullptr && text_b != nullptr) return text_a->compare(*text_b);
  const auto* const number_a = std::get_if<std::int64_t>(&a);
  const auto* const number_b = std::get_if<std::int64_t>(&b);
  if (number_a == nullptr || number_b == nullptr) return std::nullopt;
  return *number_a < *number_b ? -1 : (*number_b < *number_a ? 1 : 0);
}

// Puts a row where the order wants it. False: it cannot be told where.
bool put_in(KeptRows::Entries& rows, KeptRows::Entry entry, std::span<const std::size_t> places) {
  bool is_clear = true;
  const auto comes_before = [&](const KeptRows::Entry& one, const KeptRows::Entry& other) {
    for (const std::size_t place : places) {
      const std::optional<int> order = compared(one.row[place], other.row[place]);
      is_clear = is_clear && order.has_value();
      if (order.value_or(0) != 0) return *order < 0;
    }
    return false;
  };
  const auto at =
      places.empty() ? rows.end() : std::upper_bound(rows.begin(), rows.end(), entry, comes_before);
  if (is_clear) rows.insert(at, std::move(entry));
  return is_clear;
}

}  // namespace

void KeptRows::on_change(void* self, int /*what*/, const char* schema, const char* table,
                         long long number) {
  if (sqlite3_stricmp(schema, "main") == 0)
    static_cast<KeptRows*>(self)->note_change(table, number);
}

// A row that gets another number is told of by both.
void KeptRows::note_change(const char* table, std::int64_t number) {
  for (auto& [name, kept] : sets_)
    if (kept.is_read && kept.changed.size() <= kMostChanges &&
        sqlite3_stricmp(kept.table.c_str(), table) == 0)
      kept.changed.push_back(number);
}

void KeptRows::undone() {
  for (auto& [name, kept] : sets_)
    if (kept.read_in == transaction_) {
      kept.is_read = false;
      kept.plan.clear();
    }
}

// Nobody else commits while a transaction that may write is open, so once in each is enough.
Result<void> KeptRows::look_for_others(SqliteConnection& connection) {
  if (looked_in_ == transaction_) return {};
  const Result<std::int64_t> data = connection.number("PRAGMA main.data_version");
  if (!data) return Unexpected(data.error());
  const Result<std::int64_t> schema = connection.number("PRAGMA main.schema_version");
  if (!schema) return Unexpected(schema.error());
  if (*data != data_version_ || *schema != schema_version_)
    for (auto& [name, kept] : sets_) {
      kept.is_read = false;
      kept.is_too_much = false;
      kept.plan.clear();
    }
  if (*schema != schema_version_) {
    const Result<std::int64_t> triggers = connection.number(
        "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger')");
    if (!triggers) return Unexpected(triggers.error());
    has_triggers_ = *triggers != 0;
  }
  data_version_ = *data;
  schema_version_ = *schema;
  looked_in_ = transaction_;
  return {};
}

// R2.
Result<bool> KeptRows::may_keep(SqliteConnection& connection, const std::string& table) {
  if (has_triggers_) return false;
  const Result<const TableForm*> form = connection.form_of(table);
  if (!form) return Unexpected(form.error());
  return (*form)->keeps_rows && !(*form)->has_conflict_clause;
}

Result<void> KeptRows::read_all(SqliteConnection& connection, const Caller& caller,
                                const SelectRows& plan, Kept& kept) {
  kept.is_read = false;
  kept.plan.clear();
  kept.changed.clear();
  const Result<BuiltSql> built = numbered_rows_sql(caller, plan, false);
  if (!built) return Unexpected(built.error());
  Result<LentStatement> statement = connection.prepare(built->text);
  if (!statement) return Unexpected(std::move(statement).error());
  if (Result<void> bound = statement->bind_all(built->parameters); !bound) return bound;
  for (;;) {
    const Result<bool> has_row = statement->step(plan.table);
    if (!has_row) return Unexpected(has_row.error());
    if (!*has_row) break;
    if (kept.plan.rows.size() == kMostRowsOfPlan) {
      kept.is_too_much = true;
      kept.plan.clear();
      return {};
    }
    kept.plan.rows.push_back(entry_of(*statement, plan));
  }
  kept.is_read = true;
  return {};
}

// False: they are to be read as a whole.
Result<bool> KeptRows::read_changed(SqliteConnection& connection, const Caller& caller,
                                    const SelectRows& plan, Kept& kept) {
  std::vector<std::int64_t> changed = std::exchange(kept.changed, {});
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  const std::optional<std::vector<std::size_t>> places = places_of_order(plan);
  if (changed.empty() || changed.size() > kMostChanges || !places) return changed.empty();
  std::erase_if(kept.plan.rows, [&](const Entry& entry) {
    return std::binary_search(changed.begin(), changed.end(), entry.number);
  });
  Result<BuiltSql> built = numbered_rows_sql(caller, plan, true);
  if (!built) return Unexpected(built.error());
  Result<LentStatement> statement = connection.prepare(built->text);
  if (!statement) return Unexpected(std::move(statement).error());
  for (const std::int64_t number : changed) {
    statement->reset();
    built->parameters.back().value = number;
    if (Result<void> bound = statement->bind_all(built->parameters); !bound)
      return Unexpected(bound.error());
    const Result<bool> has_row = statement->step(plan.table);
    if (!has_row) return Unexpected(has_row.error());
    if (*has_row && !put_in(kept.plan.rows, entry_of(*statement, plan), *places)) return false;
  }
  return true;
}

// R3.
void KeptRows::forget_oldest(const Kept& but) {
  const auto rows = [&] {
    std::size_t sum = 0;
    for (const auto& [name, kept] : sets_) sum += kept.plan.rows.size();
    return sum;
  };
  while (sets_.size() > kMostPlans || rows() > kMostRows) {
    auto oldest = sets_.end();
    for (auto one = sets_.begin(); one != sets_.end(); ++one)
      if (&one->second != &but && (oldest == sets_.end() || one->second.used < oldest->second.used))
        oldest = one;
    if (oldest == sets_.end()) return;
    sets_.erase(oldest);
  }
}

Result<KeptRows::Plan*> KeptRows::find(SqliteConnection& connection, const Caller& caller,
                                       const SelectRows& plan) {
  Plan* const none = nullptr;
  const Result<BuiltSql> built = numbered_rows_sql(caller, plan, false);
  if (!built) return none;  // scan() says what is wrong, or there is no number to ask for
  if (Result<void> looked = look_for_others(connection); !looked) return Unexpected(looked.error());
  const auto [place, is_new] = sets_.try_emplace(name_of(*built));
  Kept& kept = place->second;
  kept.used = ++clock_;
  if (is_new) {
    kept.table = plan.table->name;
    kept.user = caller.user;
    forget_oldest(kept);
  }
  if (is_new || kept.is_too_much) return none;
  const Result<bool> may = may_keep(connection, kept.table);
  if (!may) return Unexpected(may.error());
  if (!*may) return none;
  if (!is_told_) sqlite3_update_hook(connection.handle(), &KeptRows::on_change, this);
  is_told_ = true;
  const bool was_changed = !kept.is_read || !kept.changed.empty();
  bool is_whole = kept.is_read;
  if (is_whole) {
    const Result<bool> read = read_changed(connection, caller, plan, kept);
    if (!read) {
      kept.is_read = false;
      return Unexpected(read.error());
    }
    is_whole = *read;
  }
  if (!is_whole) {
    if (Result<void> read = read_all(connection, caller, plan, kept); !read)
      return Unexpected(read.error());
    forget_oldest(kept);
  }
  if (was_changed) kept.read_in = transaction_;
  return kept.is_read ? &kept.plan : none;
}

Result<std::optional<std::size_t>> KeptRows::count(SqliteConnection& connection,
                                                   const Caller& caller, const SelectRows& plan) {
  if (sets_.empty()) return std::nullopt;
  if (Result<void> looked = look_for_others(connection); !looked) return Unexpected(looked.error());
  for (const auto& [name, kept] : sets_) {
    if (!kept.is_read || kept.table != plan.table->name || kept.user != caller.user) continue;
    if (kept.changed.empty()) return kept.plan.rows.size();
    if (kept.changed.size() > kMostCounted) continue;
    const Result<std::size_t> there = count_changed(connection, caller, plan, kept);
    if (!there) return Unexpected(there.error());
    const auto is_same = [&](const Entry& entry) {
      return std::find(kept.changed.begin(), kept.changed.end(), entry.number) ==
             kept.changed.end();
    };
    return *there + static_cast<std::size_t>(
                        std::count_if(kept.plan.rows.begin(), kept.plan.rows.end(), is_same));
  }
  return std::nullopt;
}

// How many of the rows that changed are there now and the caller's.
Result<std::size_t> KeptRows::count_changed(SqliteConnection& connection, const Caller& caller,
                                            const SelectRows& plan, const Kept& kept) {
  Result<BuiltSql> built = numbered_rows_sql(caller, plan, true);
  if (!built) return Unexpected(built.error());
  Result<LentStatement> statement = connection.prepare(built->text);
  if (!statement) return Unexpected(std::move(statement).error());
  std::vector<std::int64_t> changed = kept.changed;
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  std::size_t count = 0;
  for (const std::int64_t number : changed) {
    statement->reset();
    built->parameters.back().value = number;
    if (Result<void> bound = statement->bind_all(built->parameters); !bound)
      return Unexpected(bound.error());
    const Result<bool> has_row = statement->step(plan.table);
    if (!has_row) return Unexpected(has_row.error());
    count += *has_row ? 1 : 0;
  }
  return count;
}

}  // namespace alfred
