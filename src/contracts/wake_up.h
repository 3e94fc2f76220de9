// Wake-up: the message of a turn that nobody typed. What came in for a session while nobody spoke
// (a reminder, an event) is the turn's input.
//
// R1 entries are called by refs, entry_1, entry_2 …, never by the ids they are stored under.
// R2 it is told from what people type by its first word, which nobody can type: what is typed and begins so
//    gets a space before it (session.h R7).
// R3 an entry is one line, cut where it is longer than kWakeEntryBytes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alfred {

inline constexpr std::size_t kWakeEntryBytes = 2'000;

struct WakeEntry {
  std::string kind{};  // timer, direct_message, or an event's variant
  std::string when{};  // on the user's clock: 2026-02-28 17:05
  std::string text{};
};

std::string wake_up_message(std::span<const WakeEntry> entries);
bool is_wake_up(std::string_view message);
// The entries of such a message; a line that is none is left out.
std::vector<WakeEntry> read_wake_up(std::string_view message);

}  // namespace alfred
