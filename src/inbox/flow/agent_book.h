// AgentBook: of agents, what appends and acks look up again and again: their inbox and their
// targets.
//
// R1 what it gives is what the tables say in this transaction: every change of an agent's targets ends in
//    settle_agent(), which renews a number (Sql::renew), as does removing agents; a page of another
//    number is read anew.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "inbox/store/sql.h"

namespace alfred::inbox {

struct AgentPage {
  std::string inbox;
  std::vector<std::string> targets{};  // in the order of their ids
  std::vector<std::string> active{};   // of these
};

class AgentBook {
 public:
  using Page = std::shared_ptr<const AgentPage>;
  // generation: what the counter `targets` says in this transaction (R1). Error: there is no such
  // agent, or it is no id of one.
  Result<Page> agent(Sql& sql, std::string_view agent, std::int64_t generation);

 private:
  struct Kept {
    std::int64_t generation = -1;
    Page page;
  };
  std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> pages_;
};

}  // namespace alfred::inbox
