// What happens in a turn, as it happens: the session's journal, read on from where it was, and the
// events that programs are told of it.
//
// R1 what is told is what was committed; nothing is told before it is, or twice.
// R2 an event is one JSON object with the member `event`: turn_started, node, step, call, batch, reply,
//    turn_finished, error. Steps count from 1. docs/chat.md lists their members.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/session.h"

namespace alfred {

// An entry of the journal, with its place in it.
struct FeedEntry {
  std::int64_t place = 0;
  Changes changes{};
};

class TurnFeed {
 public:
  explicit TurnFeed(Session& session) : TurnFeed(session, session.records().workspace().place()) {}
  // From after this place on.
  TurnFeed(Session& session, std::int64_t place) : session_(session), place_(place) {}

  // What the journal got since the last time.
  Result<Changes> news();
  Result<std::vector<FeedEntry>> entries();

 private:
  Session& session_;
  std::int64_t place_;
};

// Makes events of changes. It remembers what a turn's changes only name.
class EventWriter {
 public:
  explicit EventWriter(const Session& session) : session_(session) {}

  std::vector<Json> events_of(const Changes& changes);

 private:
  using Event = std::optional<Json>;
  Event event(const TurnStarted& one);
  Event event(const Planned& one);
  Event event(const AskMade& one);
  Event event(const StepStarted& one);
  Event event(const StepEnded& one);
  Event event(const CallMade& one);
  Event event(const CallDone& one);
  Event event(const Replied& one);
  Event event(const TurnFailed& one);
  Event event(const TurnEnded& one);
  template <class Other>
  Event event(const Other& /*one*/) {
    return std::nullopt;
  }
  Json step_event(std::uint32_t step, std::string_view status) const;
  Json batch_event(const std::string& id) const;

  const Session& session_;
  std::string turn_;
  std::vector<Step> steps_;                            // of the plan
  std::map<std::uint32_t, std::uint32_t> tool_calls_;  // call → step
  bool has_failed_ = false;
};

Json error_event(const Error& error);

}  // namespace alfred
