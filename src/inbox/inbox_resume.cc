// Targets that are made active again, and looked at.
#include "inbox/inbox.h"
#include "inbox/registry/agents.h"

namespace alfred {

using inbox::Sql;

Result<Json> Inbox::resume_agent(std::string_view agent, const Wakers& wakers) {
  Result<Json> resumed = write([&](Sql& sql) { return inbox::resume_agent(sql, agent); });
  if (!resumed) return resumed;
  for (const Json& target : resumed->at("targets").as_array())
    if (Result<void> probed = probe(agent, target, wakers); !probed)
      return Unexpected(probed.error());
  Result<Json> after = this->agent(agent);
  if (!after) return after;
  return JsonObject{{"resumed", true},
                    {"agent", after->at("agent")},
                    {"targets", after->at("activationTargets")}};
}

Result<Json> Inbox::resume_target(std::string_view agent, std::string_view target,
                                  const Wakers& wakers) {
  Result<Json> resumed = write([&](Sql& sql) { return inbox::resume_target(sql, agent, target); });
  if (!resumed) return resumed;
  Result<Json> all = targets(agent);
  if (!all) return all;
  for (const Json& one : all->at("targets").as_array())
    if (one.at("targetId").as_string() == target)
      if (Result<void> probed = probe(agent, one, wakers); !probed)
        return Unexpected(probed.error());
  all = targets(agent);
  if (!all) return all;
  for (const Json& one : all->at("targets").as_array())
    if (one.at("targetId").as_string() == target)
      return JsonObject{{"targetId", one.at("targetId")},
                        {"resumed", one.at("status") == Json("active")},
                        {"status", one.at("status")},
                        {"reason", one.at("reason")}};
  return resumed;
}

// Outside of a transaction: it may take a while.
Result<void> Inbox::probe(std::string_view agent, const Json& target, const Wakers& wakers) {
  WakeRequest request;
  request.kind = target.at("kind").as_string();
  request.target = target.at("targetId").as_string();
  request.agent = agent;
  request.address = target.at("address").as_string();
  request.config = target.at("config");
  request.at_ms = clock_.wall_ms();
  Waker* const waker = wakers.of(request.kind);
  if (waker == nullptr) return {};
  const WakeOutcome found = waker->probe(request);
  if (found.kind != WakeOutcome::Kind::gone) return {};
  const Result<Json> done = write([&](Sql& sql) -> Result<Json> {
    inbox::take_offline(sql, request.target, found.reason);
    return Json();
  });
  if (!done) return Unexpected(done.error());
  return {};
}

}  // namespace alfred
