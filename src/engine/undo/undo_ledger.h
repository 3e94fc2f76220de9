// The undo ledger: what the calls of a session changed, kept in our own tables until it is taken
// back or forgotten.
//
// R1 an entry is written in the transaction that keeps the call's answer: there is none without the other.
// R2 what was done in one turn is taken back together, the last turn first; a call outside of turns stands alone.
//    The turn that asks is not meant.
// R3 what was taken back leaves the ledger, so that the next undo means what was before it.
// R4 bounded: so many entries a session, so many rows and bytes an entry. Of a turn that did more nothing is taken
//    back, and the error says why: half of it would be worse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_context.h"
#include "records/undo/effects_json.h"

namespace alfred {

inline constexpr std::int64_t kLedgerEntries = 64;
inline constexpr std::size_t kLedgerRows = 1000;
inline constexpr std::size_t kLedgerBytes = 256 * 1024;

// The entry of a call; empty: there is nothing to take back. Whole rows are for who needs them
// otherwise: an undo makes do with marks.
std::string ledger_of(std::span<const RowEffect> effects,
                      CreatedRows created = CreatedRows::by_mark);
// The entry of an undo.
std::string ledger_of_undo(std::string_view turn);

struct LedgerPlace {
  std::string_view workspace;
  std::string_view turn;  // or the op of a call outside of turns
};

// R1. An entry of an undo takes that turn's away (R3).
Result<void> note_ledger(Tx& tx, const LedgerPlace& place, const std::string& entry);

struct LastTurn {
  std::string turn;
  std::vector<RowEffect> effects;
};
// What would be taken back now; nothing when there is nothing. `place.turn` is who asks (R2).
Result<std::optional<LastTurn>> last_turn(Tx& tx, const LedgerPlace& place, const Schema& schema);

}  // namespace alfred
