// GroupLane: requests that are answered together (server.h R9).
//
// R1 one group at a time, in the order they came. Nobody waits for company but for those whose bytes are there already: who
//    comes while no group is being answered begins one.
// R2 the answers of a group are handed over all at once.
// R3 those that go between are a group of their own, before the others that wait, but never two such groups before them.
// R4 one that comes alone is answered where it was read, which spares two changes of threads; others have a thread, so that
//    those that come meanwhile are read while it writes. Which thread reads on then: relay_loop.h.
//    Where one took so long that it lost the loop (a slow disk, a server far away), the next
//    kElsewhere have the thread too.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "surface/http/wire/relay_loop.h"
#include "surface/http/wire/server.h"
#include "surface/http/wire/worker_pool.h"

namespace alfred::http {

class GroupLane {
 public:
  struct Asked {
    std::shared_ptr<const HttpRequest> request;
    bool goes_between;                       // R3
    std::function<void(HttpResponse)> done;  // called where the loop runs
  };
  GroupLane(HttpHandler& handler, RelayLoop& loop, std::size_t most)
      : handler_(handler), loop_(loop), most_(most) {}
  GroupLane(const GroupLane&) = delete;
  GroupLane& operator=(const GroupLane&) = delete;

  void put(Asked asked);

 private:
  using Group = std::vector<Asked>;
  using Answers = std::vector<HttpResponse>;
  static constexpr int kElsewhere = 100;
  void begin();  // by the loop, behind what it has read already
  void answer_here();
  void work();
  void give(Group group, Answers answers);  // where the loop does not run
  Group take();                             // empty: nobody waits any more
  Answers answered(const Group& group);

  HttpHandler& handler_;
  RelayLoop& loop_;
  std::size_t most_;
  std::mutex mutex_;
  Group waiting_;
  bool is_working_ = false;
  int elsewhere_ = 0;         // so many that come alone have the thread
  bool was_between_ = false;  // the last group
  WorkerPool thread_{1};      // goes first
};

}  // namespace alfred::http
