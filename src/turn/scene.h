// Scene: a session in the middle of a turn, and the one way a node changes it.
//
// R1 a node reads the state and tells changes; the writer folds them in at once, and they are kept for the
//    journal in their order.
// R2 a change that the writer refuses is a bug of ours, unless the node asks with try_tell() because a
//    model may have caused it.
// R3 what happens to refs is done on the registry inside a transaction of its own and told as a change.
// R4 ids are drawn from the turn's seed and what they are for, so a replay draws the same.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "alfred/ids.h"
#include "base/keyed_random.h"
#include "state/change.h"
#include "turn/turn_world.h"

namespace alfred {

class Scene {
 public:
  Scene(SessionState& state, const TurnWorld& world) : state_(state), world_(world) {}

  const SessionState& state() const { return state_; }
  const SessionFacts& facts() const { return state_.facts; }
  const RunningTurn& turn() const { return *state_.facts.running; }
  const TurnWorld& world() const { return world_; }
  bool has_edition(std::uint32_t one) const { return facts().settings.has_edition(one); }
  // The texts whose words are ours (own_words.h); null in the first edition.
  const PromptTexts* own_texts() const { return has_edition(2) ? &world_.texts : nullptr; }

  void tell(Change change);
  Result<void> try_tell(Change change);
  // R3. The error is the function's; then nothing changed.
  Result<void> tell_refs(const std::function<Result<void>(RefRegistry&)>& change);
  Changes take_changes();

  // R4. `what` is different for every id of a kind in a turn: "step 2".
  template <IdKind Kind>
  ShortId<Kind> fresh_id(std::string_view what) const {
    KeyedRandom random = random_for(what);
    return ShortId<Kind>::random(random);
  }

  // What was generated, in the order in which it is told: as it was made, since the fifth edition.
  std::vector<const StoredArtifact*> artifacts() const;
  // The entities in play, nested rows apart.
  EntityTiers tiers() const;
  // The subdomain a table or a type belongs to first; empty: none.
  std::string subdomain_of_type(std::string_view type) const;
  // The one a look-up names, or that what it speaks of belongs to; empty: none.
  std::string subdomain_meant(const UnderstandAnswer& answer) const;
  std::vector<std::string> subdomains() const;
  const Subdomain* find_subdomain(std::string_view name) const;
  // What the message answers and was not taken up: it can wait on. Null: nothing.
  const Pending* untaken() const;
  // What the user said before to the end that this message answers to, oldest first.
  std::vector<std::string> earlier_messages() const;

 private:
  KeyedRandom random_for(std::string_view what) const;

  SessionState& state_;
  const TurnWorld& world_;
  Changes changes_;
};

// What waited for the user's word before the turn and was not taken up waits on.
void keep_waiting(Scene& scene);

}  // namespace alfred
