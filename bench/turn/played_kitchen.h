// A kitchen with sessions in it that are played with recorded answers, as scripts/bench needs them.
//
// R1 the kitchen is the embedded one in a file of its own, durable as for users, with the demo and 50
//    recipes of 5 ingredients each.
// R2 conversations are the same each time; every ask gets the next answer of its script.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../batch/kitchen.h"
#include "engine/session/session.h"

namespace alfred::bench {

inline constexpr std::size_t kRecipes = 50;

struct ScriptedTurn {
  std::string message;
  std::vector<std::string> answers;  // in the order they are asked for
};

class PlayedKitchen {
 public:
  PlayedKitchen();  // throws what cannot be made

  const RecordPlace& place() const { return place_; }
  const Clock& clock() const { return clock_; }
  Random& random() { return random_; }
  std::string file() const { return folder_.file("kitchen.db"); }

  // An empty id: a new session.
  std::unique_ptr<Session> open(const std::string& id = "") { return open_in(place_, id); }
  std::unique_ptr<Session> open_in(const RecordPlace& place, const std::string& id = "");

 private:
  TemporaryFolder folder_;
  SystemClock clock_;
  OsRandom random_;
  RecordPlace place_;
};

// "What can I cook?", up to Act's second ask, which shows the 50 recipes.
ScriptedTurn recipes_in_play();
// Understand, think, three asks of Act (a read, a new row, its end), reply, summarize. Every turn
// meets a row more, so a session grows as it goes on.
ScriptedTurn whole_turn(int number);

// Plays what the script has answers for; throws when something is refused.
TurnProgress play(Session& session, const ScriptedTurn& turn);

}  // namespace alfred::bench
