#include "inbox/flow/agent_book.h"

#include "inbox/flow/intents.h"
#include "inbox/registry/agents.h"

namespace alfred::inbox {
namespace {

constexpr std::size_t kMostPages = 4096;

}  // namespace

Result<AgentBook::Page> AgentBook::agent(Sql& sql, std::string_view agent,
                                         std::int64_t generation) {
  {
    const std::scoped_lock lock(mutex_);
    const auto kept = pages_.find(agent);
    if (kept != pages_.end() && kept->second.generation == generation) return kept->second.page;
  }
  Result<std::string> inbox = inbox_of(sql, agent);
  if (!inbox) return Unexpected(std::move(inbox).error());
  auto page = std::make_shared<AgentPage>(
      AgentPage{std::move(*inbox), target_ids(sql, agent, false), target_ids(sql, agent, true)});
  if (sql.has_failed()) return Page(std::move(page));
  const std::scoped_lock lock(mutex_);
  if (pages_.size() >= kMostPages) pages_.clear();
  pages_[std::string(agent)] = {generation, page};
  return Page(std::move(page));
}

}  // namespace alfred::inbox
