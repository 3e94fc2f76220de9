#include "engine/undo/undo_ledger.h"

#include <array>

namespace alfred {
namespace {

constexpr Statement kLast(
    "SELECT number, turn, part FROM alfred_undo WHERE workspace = :workspace "
    "ORDER BY number DESC LIMIT 1");
constexpr Statement kParts(
    "SELECT COALESCE(MAX(part), 0) FROM alfred_undo WHERE workspace = :workspace AND turn = :turn");
constexpr Statement kAdd(
    "INSERT INTO alfred_undo (workspace, number, turn, part, ledger) "
    "VALUES (:workspace, :number, :turn, :part, :ledger)");
constexpr Statement kForgetOld(
    "DELETE FROM alfred_undo WHERE workspace = :workspace AND number <= :number");
constexpr Statement kTake("DELETE FROM alfred_undo WHERE workspace = :workspace AND turn = :turn");
constexpr Statement kLastTurn(
    "SELECT turn FROM alfred_undo WHERE workspace = :workspace AND turn <> :turn "
    "ORDER BY number DESC LIMIT 1");
constexpr Statement kEntries(
    "SELECT part, ledger FROM alfred_undo WHERE workspace = :workspace AND turn = :turn "
    "ORDER BY number");

constexpr std::string_view kLeftOut = "left_out";
constexpr std::string_view kUndone = "undone";

Value text(std::string_view value) { return Value(std::string(value)); }

Result<std::vector<Row>> run_at(Tx& tx, const Statement& statement, const LedgerPlace& place) {
  const std::array<Param, 2> params{Param{"workspace", text(place.workspace)},
                                    Param{"turn", text(place.turn)}};
  return tx.run(statement, params);
}

// The member of an entry that is not a list of changes.
const Json* mark_in(const Result<Json>& entry, std::string_view name) {
  return entry && entry->is_object() ? entry->get_object().if_contains(name) : nullptr;
}

struct LastEntry {
  std::int64_t number = 0;
  std::string turn{};
  std::int64_t part = 0;
};

Result<LastEntry> last_entry(Tx& tx, const LedgerPlace& place) {
  const std::array<Param, 1> params{Param{"workspace", text(place.workspace)}};
  const Result<std::vector<Row>> rows = tx.run(kLast, params);
  if (!rows) return Unexpected(rows.error());
  if (rows->empty()) return LastEntry();
  const Row& row = rows->front();
  return LastEntry{std::get<std::int64_t>(row[0]), std::get<std::string>(row[1]),
                   std::get<std::int64_t>(row[2])};
}

// How many parts of its turn there are. Nearly always the last entry tells; else all are looked at.
Result<std::int64_t> parts_so_far(Tx& tx, const LedgerPlace& place, const LastEntry& last) {
  if (last.turn == place.turn) return last.part;
  if (last.number == 0 || OpId::parse(place.turn)) return 0;  // R2
  const Result<std::vector<Row>> parts = run_at(tx, kParts, place);
  if (!parts) return Unexpected(parts.error());
  return std::get<std::int64_t>(parts->front()[0]);
}

Result<void> add_entry(Tx& tx, const LedgerPlace& place, const std::string& entry) {
  const Result<LastEntry> last = last_entry(tx, place);
  if (!last) return Unexpected(last.error());
  const Result<std::int64_t> parts = parts_so_far(tx, place, *last);
  if (!parts) return Unexpected(parts.error());
  const std::int64_t number = last->number + 1;
  const std::array<Param, 5> params{Param{"workspace", text(place.workspace)},
                                    Param{"number", number}, Param{"turn", text(place.turn)},
                                    Param{"part", *parts + 1}, Param{"ledger", text(entry)}};
  if (const auto added = tx.run(kAdd, params); !added) return Unexpected(added.error());
  const std::array<Param, 2> old{Param{"workspace", text(place.workspace)},
                                 Param{"number", number - kLedgerEntries}};
  if (const auto forgotten = tx.run(kForgetOld, old); !forgotten)
    return Unexpected(forgotten.error());
  return {};
}

Unexpected too_much() {
  return fail(ErrorCode::conflict,
              "The last change was too large to be kept for an undo. Nothing was done. Change by "
              "hand what is wrong.");
}

}  // namespace

std::string ledger_of(std::span<const RowEffect> effects, CreatedRows created) {
  if (effects.empty()) return {};
  std::string entry =
      effects.size() > kLedgerRows ? std::string() : write_effects(effects, created);
  if (!entry.empty() && entry.size() <= kLedgerBytes) return entry;
  return write_json(JsonObject{{kLeftOut, effects.size()}});
}

std::string ledger_of_undo(std::string_view turn) {
  return write_json(JsonObject{{kUndone, turn}});
}

Result<void> note_ledger(Tx& tx, const LedgerPlace& place, const std::string& entry) {
  if (entry.empty()) return {};
  // Changes begin with their tables; only what is short can be an undo.
  constexpr std::size_t kLongestUndo = 256;
  if (entry.size() > kLongestUndo) return add_entry(tx, place, entry);
  const Result<Json> read = parse_json(entry, JsonLimits::none());
  const Json* undone = mark_in(read, kUndone);
  if (undone == nullptr || !undone->is_string()) return add_entry(tx, place, entry);
  const LedgerPlace taken{place.workspace, undone->get_string()};
  if (const auto gone = run_at(tx, kTake, taken); !gone) return Unexpected(gone.error());
  return {};
}

Result<std::optional<LastTurn>> last_turn(Tx& tx, const LedgerPlace& place, const Schema& schema) {
  const Result<std::vector<Row>> turn = run_at(tx, kLastTurn, place);
  if (!turn) return Unexpected(turn.error());
  if (turn->empty()) return std::optional<LastTurn>();
  LastTurn out{std::get<std::string>(turn->front()[0]), {}};
  const Result<std::vector<Row>> entries = run_at(tx, kEntries, {place.workspace, out.turn});
  if (!entries) return Unexpected(entries.error());
  std::int64_t parts = 0;
  for (const Row& row : *entries) {
    // Parts count from 1; one that is missing was forgotten (R4).
    if (std::get<std::int64_t>(row[0]) != ++parts) return too_much();
    const auto& entry = std::get<std::string>(row[1]);
    if (mark_in(parse_json(entry, JsonLimits::none()), kLeftOut) != nullptr) return too_much();
    Result<std::vector<RowEffect>> effects = read_effects(schema, entry);
    if (!effects) return Unexpected(std::move(effects).error());
    for (RowEffect& effect : *effects) out.effects.push_back(std::move(effect));
  }
  return std::optional(std::move(out));
}

}  // namespace alfred
