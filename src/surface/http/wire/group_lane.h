// GroupLane: requests that are answered together (server.h R9).
//
// R1 one group at a time, in the order they came. Nobody waits for company: who comes while no group is being answered
//    begins one.
// R2 the answers of a group are handed over all at once.
// R3 those that go between are a group of their own, before the others that wait, but never two such groups before them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "surface/http/wire/server.h"
#include "surface/http/wire/worker_pool.h"

namespace alfred::http {

class GroupLane {
 public:
  struct Asked {
    std::shared_ptr<const HttpRequest> request;
    bool goes_between;                       // R3
    std::function<void(HttpResponse)> done;  // called where `io` runs
  };
  GroupLane(HttpHandler& handler, boost::asio::io_context& io, std::size_t most)
      : handler_(handler), io_(io), most_(most) {}
  GroupLane(const GroupLane&) = delete;
  GroupLane& operator=(const GroupLane&) = delete;

  void put(Asked asked);

 private:
  using Group = std::vector<Asked>;
  void work();
  Group take();  // empty: nobody waits any more
  std::vector<HttpResponse> answered(const Group& group);

  HttpHandler& handler_;
  boost::asio::io_context& io_;
  std::size_t most_;
  std::mutex mutex_;
  Group waiting_;
  bool is_working_ = false;
  bool was_between_ = false;  // the last group
  WorkerPool thread_{1};      // goes first
};

}  // namespace alfred::http
