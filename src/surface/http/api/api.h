// Api: answers requests. Each passes the gate, finds its route, has its body read, and is counted
// and logged.
//
// R1 no key, token or text of a user stands in a log; a request is known by its route and its trace.
// R2 an error's detail goes to the log, never to the caller.
#pragma once

#include <functional>
#include <memory>

#include "surface/http/api/mount.h"
#include "surface/http/api/route.h"
#include "surface/http/api/world.h"
#include "surface/http/gate/gate.h"
#include "surface/http/watch/json_log.h"
#include "surface/http/watch/metrics.h"
#include "surface/http/watch/spans.h"

namespace alfred::http {

class Api final : public HttpHandler {
 public:
  struct Watchers {
    JsonLog& log;
    Spans& spans;
  };
  Api(ApiWorld world, Gate gate, Watchers watchers)
      : world_(std::move(world)), gate_(std::move(gate)), watchers_(watchers) {}

  Lane lane_of(const HttpRequest& request) const override;
  std::optional<HttpResponse> refuse_head(const HttpRequest& head) override;
  HttpResponse answer(const HttpRequest& request) override;
  std::vector<HttpResponse> answer_all(std::span<const HttpRequest* const> requests) override;
  HttpResponse refuse(const Refusal& refusal) override;
  void drain() override;
  void last_call() override { slots_.stop_all(); }

  const ApiWorld& world() const { return world_; }
  // Whether it carries the token, where one is asked for.
  bool is_trusted(const HttpRequest& request) const { return !gate_.check_token(request); }
  TurnSlots& slots() { return slots_; }
  Metrics& metrics() { return metrics_; }
  JsonLog& log() { return watchers_.log; }
  Spans& spans() { return watchers_.spans; }
  // What the server counts, once there is one.
  std::function<ServerCounts()> counts{};
  std::unique_ptr<Mount> mount{};  // null: nothing

 private:
  struct Answered {
    HttpResponse response;
    std::string_view route = "none";
    std::string_view path = "";  // of the route
    std::string_view code = "";  // of an error
    std::string detail{};        // of an error, for operators
  };
  struct Watched;
  struct Shared;
  bool is_mounted(const HttpRequest& request) const;
  // What the head alone is refused for; a body that is not there yet may still be empty.
  std::optional<Answered> barred(const HttpRequest& head, const RouteMatch& match) const;
  Answered routed(const HttpRequest& request, Span& span);
  Watched watch(const HttpRequest& request);
  HttpResponse told(const HttpRequest& request, Watched watched, Answered answered);
  template <class Work>
  std::optional<HttpResponse> watched(const HttpRequest& request, const Work& work);
  static Answered failed(const HttpRequest& request, const Route& route, const Error& error);
  void read_shared(Shared& shared);
  Answered run(const RouteMatch& match, const HttpRequest& request, const TraceParent& trace);
  void tell(const HttpRequest& request, const Answered& answered, std::int64_t took_us, Span span);

  ApiWorld world_;
  Gate gate_;
  TurnSlots slots_;
  Metrics metrics_;
  Watchers watchers_;
};

}  // namespace alfred::http
