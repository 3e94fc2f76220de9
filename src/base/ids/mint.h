// mint: makes the id of a new record, against the store's own unique constraint.
//
// R1 try_insert(id) -> Result<bool> inserts the record under that id: true when it did, false when
//    the id was taken, an Error for anything else. A collision is answered with another id, at
//    most kMintTries in all; then the error is `storage` and nothing was inserted.
// R2 an Error of try_insert comes back as it is, at once.
// R3 agents: kMintTries names, then as many with a suffix.
// R4 so no record is lost: it is stored under the id that comes back, or there is an error. Never
//    write try_insert with INSERT OR IGNORE: it would call every failed constraint a collision.
#pragma once

#include <string>
#include <utility>

#include "alfred/ids.h"
#include "alfred/random.h"

namespace alfred {

inline constexpr int kMintTries = 8;

inline Unexpected no_free_id(IdKind kind, int tries) {
  return fail(ErrorCode::storage, "No free id of the kind " + std::string(id_kind_row(kind).name) +
                                      " was found in " + std::to_string(tries) +
                                      " tries; nothing was stored. Try again; if it happens again, "
                                      "the store's unique check or the random source is broken.");
}

template <IdKind K, class TryInsert>
Result<ShortId<K>> mint(Random& random, TryInsert&& try_insert) {
  for (int i = 0; i < kMintTries; ++i) {
    const ShortId<K> id = new_short_id<K>(random);
    Result<bool> inserted = try_insert(id);
    if (!inserted) return Unexpected(std::move(inserted).error());
    if (*inserted) return id;
  }
  return no_free_id(K, kMintTries);
}

template <class TryInsert>
Result<AgentId> mint_agent_id(Random& random, TryInsert&& try_insert) {
  for (int i = 0; i < 2 * kMintTries; ++i) {
    AgentId id = i < kMintTries ? AgentId::random(random) : AgentId::random_with_suffix(random);
    Result<bool> inserted = try_insert(std::as_const(id));
    if (!inserted) return Unexpected(std::move(inserted).error());
    if (*inserted) return id;
  }
  return no_free_id(IdKind::agent, 2 * kMintTries);
}

}  // namespace alfred
