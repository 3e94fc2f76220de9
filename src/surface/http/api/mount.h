// Mount: something else that is served below a path of its own, behind the same gate and in the
// same log.
#pragma once

#include <string_view>

#include "surface/http/watch/spans.h"
#include "surface/http/wire/http_message.h"
#include "surface/http/wire/server.h"

namespace alfred::http {

class Mount {
 public:
  Mount() = default;
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  virtual ~Mount() = default;

  virtual std::string_view path() const = 0;  // "/mcp"
  // What takes back a call does not wait where calls do.
  virtual Lane lane_of(const HttpRequest&) const { return Lane::call; }
  // Host, Origin and token have been looked at; the body has not. Any thread may call.
  // What it has to say of the request in a trace goes into the span, which has only its ids and
  // where it began; no name: the server's own.
  virtual HttpResponse answer(const HttpRequest& request, Span& span) = 0;
  // An end is wanted: its live streams are to finish.
  virtual void drain() = 0;
};

}  // namespace alfred::http
