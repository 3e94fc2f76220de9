// Wake-ups: the turns that nobody typed, what they were about, and whether their user saw what came
// of them.
//
// R1 a wake-up is written down before its turn begins, under its activation's id: who comes after a crash goes on with
//    the same message and the same entries, whatever came in meanwhile.
// R2 it is to be shown from its reply on, once; what a crash kept from being marked is shown again.
// R3 a user sees their own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/store.h"

namespace alfred {

struct WakeUp {
  std::string activation{};  // act_…
  std::string session{};
  std::string user{};
  std::string message{};               // of its turn
  std::vector<std::string> entries{};  // ent_…
  std::optional<std::string> reply{};
};

// As it was written down first (R1).
Result<WakeUp> put_wake_up(StateStore& state, const WakeUp& wake_up, std::int64_t now_ms);
Result<std::optional<WakeUp>> find_wake_up(StateStore& state, const std::string& activation);
Result<void> end_wake_up(StateStore& state, const std::string& activation,
                         const std::string& reply);
// Those that are over and were not shown, oldest first.
Result<std::vector<WakeUp>> unshown_wake_ups(StateStore& state, const std::string& user);
Result<void> mark_shown(StateStore& state, const std::string& activation, std::int64_t now_ms);

// Whose a session is; nothing: there is none of this id.
Result<std::optional<std::string>> user_of_session(StateStore& state, const std::string& session);

}  // namespace alfred
