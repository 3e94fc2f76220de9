#include "records/undo/undo_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "records/record_keys.h"
#include "records/undo/effects_json.h"
#include "records/undo/undo_answer.h"
#include "records/write/row_targets.h"
#include "records/write/write_call.h"

namespace alfred {
namespace {

constexpr std::size_t kAtOnce = 500;  // databases take only so many parameters
constexpr std::size_t kShownRefs = 10;

using Kind = RowEffect::Kind;
using RowName = std::pair<const Table*, std::string>;

RowName row_name(const Table& table, const RecordKey& key) {
  JsonArray parts;
  for (const Value& value : RecordKeys::values(table, key)) parts.push_back(value_json(value));
  return {&table, write_json(Json(std::move(parts)))};
}

// Whether two rows differ in anything but when they were changed.
bool is_same(const Table& table, const Row& one, const Row& other) {
  for (std::size_t i = 0; i < table.fields.size(); ++i)
    if (table.fields[i].name != table.updated_at && one[i] != other[i]) return false;
  return true;
}

class Undoer {
 public:
  Undoer(Tx& tx, RecordContext& context) : tx_(tx), context_(context), writer_(tx, context) {}

  Result<void> check(std::span<const RowEffect> effects);
  Result<void> run(std::span<const RowEffect> effects);
  RowWriter& writer() { return writer_; }
  // By ref, columns of rows that were changed back and are not as before (R6).
  const std::map<std::string, JsonArray>& otherwise() const { return otherwise_; }

 private:
  // What a row has to be now.
  struct Expected {
    RecordKey key;
    const Row* row;  // null: not there, or known by its mark
    std::string_view mark;
    bool is_there() const { return row != nullptr || !mark.empty(); }
  };
  bool is_as_left(const Table& table, const Expected& expected, const Row& now);
  Result<void> check_table(const Table& table, std::span<const Expected> rows);
  void note_conflict(const Table& table, const RecordKey& key);
  // Some that are alike; `earlier` are all those before them.
  Result<void> take_back(std::span<const RowEffect> effects, std::span<const RowEffect> earlier);
  Result<void> put_back(const Table& table, std::span<const RowEffect> effects,
                        std::span<const RowEffect> earlier);
  Result<void> change_back(const RowEffect& effect);
  Result<void> remove_created(const Table& table, std::span<const RowEffect> effects);
  Result<void> check_unlinked(const Table& table, const std::vector<RowWriter::Doomed>& rows);
  Result<void> refuse_conflicts(std::string_view why) const;
  Result<void> look_at_changed(std::span<const RowEffect> effects);
  Result<void> compare(const Table& table, std::span<const RowEffect* const> changed);

  Tx& tx_;
  RecordContext& context_;
  RowWriter writer_;
  RowMarker marker_;
  std::vector<std::string> refs_;        // of conflicts
  std::map<std::string, int> nameless_;  // rows of conflicts that nobody was shown, by table
  std::map<std::string, JsonArray> otherwise_;
};

void Undoer::note_conflict(const Table& table, const RecordKey& key) {
  const EntityNo entity = context_.registry.find(table.ref, key.view());
  if (entity == kNoEntity) {
    ++nameless_[table.name];
    return;
  }
  std::string ref(context_.registry.ref(entity).text());
  if (std::find(refs_.begin(), refs_.end(), ref) == refs_.end()) refs_.push_back(std::move(ref));
}

Result<void> Undoer::refuse_conflicts(std::string_view why) const {
  if (refs_.empty() && nameless_.empty()) return {};
  std::string who;
  for (std::size_t i = 0; i < refs_.size() && i < kShownRefs; ++i)
    who += (who.empty() ? "" : ", ") + refs_[i];
  if (refs_.size() > kShownRefs) who += "…";
  for (const auto& [table, count] : nameless_)
    who += fmt::format("{}{} row{} of {}", who.empty() ? "" : ", ", count, count == 1 ? "" : "s",
                       table);
  std::vector<std::string> shown(
      refs_.begin(),
      refs_.begin() + static_cast<std::ptrdiff_t>(std::min(kShownRefs, refs_.size())));
  return fail(
      ErrorCode::conflict,
      fmt::format("It cannot be taken back: {} {}. Nothing was done. Change by hand what is "
                  "still wrong.",
                  who, why),
      "", std::move(shown));
}

bool Undoer::is_as_left(const Table& table, const Expected& expected, const Row& now) {
  if (expected.row != nullptr) return is_same(table, now, *expected.row);
  return expected.is_there() && marker_.is_mark_of(expected.mark, table, now);
}

Result<void> Undoer::check_table(const Table& table, std::span<const Expected> rows) {
  for (std::size_t from = 0; from < rows.size(); from += kAtOnce) {
    const auto part = rows.subspan(from, std::min(kAtOnce, rows.size() - from));
    std::vector<RecordKey> keys;
    for (const Expected& one : part) keys.push_back(one.key);
    const Result<std::vector<FoundRow>> found = lock_targets(tx_, targets_of_keys(table, keys));
    if (!found) return Unexpected(found.error());
    std::map<std::string, const Row*> now;
    for (const FoundRow& row : *found) now[row_name(table, row.key).second] = &row.row;
    for (const Expected& one : part) {
      const auto there = now.find(row_name(table, one.key).second);
      const bool is_there = there != now.end();
      if (is_there != one.is_there() || (is_there && !is_as_left(table, one, *there->second)))
        note_conflict(table, one.key);
    }
  }
  return {};
}

// R2: every row is as the last change of it left it.
Result<void> Undoer::check(std::span<const RowEffect> effects) {
  std::map<RowName, Expected> last;
  for (const RowEffect& effect : effects)
    last.insert_or_assign(
        row_name(*effect.table, effect.key),
        Expected{effect.key, effect.after ? &*effect.after : nullptr, effect.mark});
  std::map<const Table*, std::vector<Expected>> by_table;
  for (auto& [name, expected] : last) by_table[name.first].push_back(std::move(expected));
  for (const Table& table : context_.schema.tables())
    if (const auto rows = by_table.find(&table); rows != by_table.end())
      if (Result<void> checked = check_table(table, rows->second); !checked) return checked;
  return refuse_conflicts("changed since then");
}

Result<void> Undoer::run(std::span<const RowEffect> effects) {
  std::size_t end = effects.size();
  while (end > 0) {
    std::size_t from = end - 1;
    const RowEffect& last = effects[from];
    while (from > 0 && effects[from - 1].kind == last.kind && effects[from - 1].table == last.table)
      --from;
    const auto alike = effects.subspan(from, end - from);
    if (Result<void> done = take_back(alike, effects.first(from)); !done) return done;
    end = from;
    const bool are_back = end == 0 || effects[end - 1].kind != Kind::deleted;
    if (!are_back) continue;
    if (Result<void> done = writer_.relink(); !done) return done;
  }
  if (Result<void> looked = look_at_changed(effects); !looked) return looked;
  return writer_.note();
}

// R6: what the database itself writes into a row as it is changed, it writes as it is changed back.
Result<void> Undoer::look_at_changed(std::span<const RowEffect> effects) {
  std::set<RowName> known;
  std::map<const Table*, std::vector<const RowEffect*>> changed;
  for (const RowEffect& effect : effects)
    if (known.insert(row_name(*effect.table, effect.key)).second && effect.kind == Kind::updated)
      changed[effect.table].push_back(&effect);
  for (const Table& table : context_.schema.tables())
    if (const auto rows = changed.find(&table); rows != changed.end())
      for (std::size_t from = 0; from < rows->second.size(); from += kAtOnce) {
        const auto left = std::span<const RowEffect* const>(rows->second).subspan(from);
        if (Result<void> done = compare(table, left.first(std::min(kAtOnce, left.size()))); !done)
          return done;
      }
  return refuse_conflicts("not kept by the database as it was");
}

Result<void> Undoer::compare(const Table& table, std::span<const RowEffect* const> changed) {
  std::vector<RecordKey> keys;
  for (const RowEffect* const one : changed) keys.push_back(one->key);
  const Result<std::vector<FoundRow>> found = lock_targets(tx_, targets_of_keys(table, keys));
  if (!found) return Unexpected(found.error());
  std::map<std::string, const Row*> now;
  for (const FoundRow& row : *found) now[row_name(table, row.key).second] = &row.row;
  for (const RowEffect* const one : changed) {
    const auto row = now.find(row_name(table, one->key).second);
    if (row == now.end()) {
      note_conflict(table, one->key);
      continue;
    }
    JsonArray columns;
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      const Field& field = table.fields[i];
      const bool is_told = field.name != table.updated_at && !field.is_computed && !field.is_hidden;
      if (is_told && (*one->before)[i] != (*row->second)[i]) columns.emplace_back(field.name);
    }
    const EntityNo entity = context_.registry.find(table.ref, one->key.view());
    if (!columns.empty() && entity != kNoEntity)
      otherwise_[std::string(context_.registry.ref(entity).text())] = std::move(columns);
  }
  return {};
}

Result<void> Undoer::take_back(std::span<const RowEffect> effects,
                               std::span<const RowEffect> earlier) {
  const Table& table = *effects.front().table;
  const Kind kind = effects.front().kind;
  if (kind == Kind::created) return remove_created(table, effects);
  if (kind == Kind::updated) {
    for (std::size_t i = effects.size(); i > 0; --i)
      if (Result<void> done = change_back(effects[i - 1]); !done) return done;
    return {};
  }
  return put_back(table, effects, earlier);
}

// R5: a row waits for those that come back after it, of its own table and of others.
Result<void> Undoer::put_back(const Table& table, std::span<const RowEffect> effects,
                              std::span<const RowEffect> earlier) {
  constexpr std::size_t kLater = std::numeric_limits<std::size_t>::max();
  std::map<RowName, std::size_t> places;
  for (std::size_t i = earlier.size(); i > 0 && earlier[i - 1].kind == Kind::deleted; --i)
    places.emplace(row_name(*earlier[i - 1].table, earlier[i - 1].key), kLater);
  std::vector<const Row*> rows;
  for (std::size_t i = effects.size(); i > 0; --i) {
    places.insert_or_assign(row_name(table, effects[i - 1].key), rows.size());
    rows.push_back(&*effects[i - 1].before);
  }
  const auto is_awaited = [&](std::size_t row, const Table& target, const RecordKey& key) {
    const auto place = places.find(row_name(target, key));
    return place != places.end() && place->second > row;
  };
  return writer_.put_back(table, rows, is_awaited);
}

Result<void> Undoer::change_back(const RowEffect& effect) {
  const Table& table = *effect.table;
  std::vector<FieldValue> values;
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    const Field& field = table.fields[i];
    if (field.name == table.updated_at || field.is_computed) continue;
    if ((*effect.before)[i] == (*effect.after)[i]) continue;
    values.push_back({&field, (*effect.before)[i]});
  }
  if (values.empty()) return {};
  const Result<std::vector<FoundRow>> now = lock_targets(tx_, targets_of_keys(table, {effect.key}));
  if (!now) return Unexpected(now.error());
  if (now->size() != 1) {
    note_conflict(table, effect.key);
    return refuse_conflicts("changed since then");
  }
  return writer_.change(table, effect.key, now->front().row, std::move(values));
}

// R2: nothing goes that others lead to, by a link that was made since.
Result<void> Undoer::check_unlinked(const Table& table,
                                    const std::vector<RowWriter::Doomed>& rows) {
  std::set<std::string> going;
  for (const RowWriter::Doomed& row : rows) going.insert(row_name(table, row.key).second);
  for (const Table& child : context_.schema.tables())
    for (const Field& link : child.fields) {
      if (!link.link || link.link->table != table.name) continue;
      if (child.key.empty() && child.is_view) continue;
      SelectRows plan{.table = &child, .fields = all_fields(child)};
      plan.where = {.kind = Condition::Kind::in, .field = &link};
      for (const RowWriter::Doomed& row : rows)
        plan.where.values.push_back(RecordKeys::link_value(link, row.key));
      plan.limit = kAtOnce;
      const Result<std::vector<Row>> leading = tx_.select(plan);
      if (!leading) return Unexpected(leading.error());
      if (child.key.empty() && !leading->empty())
        nameless_[child.name] += static_cast<int>(leading->size());
      for (const Row& row : *leading) {
        if (child.key.empty()) break;
        const Result<RecordKey> key = RecordKeys::of_row(child, plan.fields, row);
        if (!key) return Unexpected(key.error());
        if (&child != &table || !going.contains(row_name(child, *key).second))
          note_conflict(child, *key);
      }
    }
  return refuse_conflicts("would lead to nothing");
}

Result<void> Undoer::remove_created(const Table& table, std::span<const RowEffect> effects) {
  for (std::size_t end = effects.size(); end > 0;) {
    const std::size_t from = end > kAtOnce ? end - kAtOnce : 0;
    std::vector<RecordKey> keys;
    for (std::size_t i = end; i > from; --i) keys.push_back(effects[i - 1].key);
    // Each as it is at this step of the way back.
    const Result<std::vector<FoundRow>> rows = lock_targets(tx_, targets_of_keys(table, keys));
    if (!rows) return Unexpected(rows.error());
    if (rows->size() != keys.size())
      return fail(ErrorCode::bug, "A row that was locked is gone.", table.name);
    if (Result<void> free = check_unlinked(table, *rows); !free) return free;
    if (Result<void> done = writer_.remove(table, {{&table, *rows}}); !done) return done;
    end = from;
  }
  return {};
}

// What a dry run registered is forgotten, so its refs are not told.
void leave_out_new_refs(JsonObject& answer) {
  if (Json* created = answer.if_contains("created"))
    for (Json& row : created->as_array()) row.as_object().stable_erase("ref");
  if (Json* also = answer.if_contains("also_created"))
    for (auto& table : also->as_object()) table.value().as_object().stable_erase("refs");
}

}  // namespace

Result<RecordOutcome> undo_rows(Tx& tx, RecordContext& context, const UndoOf& undo) {
  return run_write(tx, context, undo.is_dry_run, [&]() -> Result<WriteResult> {
    Undoer undoer(tx, context);
    if (Result<void> checked = undoer.check(undo.effects); !checked)
      return Unexpected(std::move(checked).error());
    if (Result<void> done = undoer.run(undo.effects); !done)
      return Unexpected(std::move(done).error());
    JsonObject answer = undone_answer(context, undoer.writer().rows());
    if (undo.is_dry_run) leave_out_new_refs(answer);
    if (!undoer.otherwise().empty()) {
      JsonObject columns;
      for (const auto& [ref, names] : undoer.otherwise()) columns[ref] = names;
      answer["not_as_before"] = std::move(columns);
    }
    return WriteResult{std::move(answer), undoer.writer().take_effects()};
  });
}

}  // namespace alfred
