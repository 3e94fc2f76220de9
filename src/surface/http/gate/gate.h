// Who may come in: every request passes here before any route sees it.
//
// R1 Host is there once and is one of the names the server is known by (G1): a page of somebody else that made its name
//    point here sends its own.
// R2 Origin, where there is one, is the server's own (G2); what a browser calls cross-site is refused. Two of either
//    get 400.
// R3 the bearer token is asked for on every route but the open ones, and compared in constant time (G3). It counts in the
//    Authorization header only, never in an address.
// R4 what changes something is `application/json` (G4): a form of another page cannot send that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alfred/error.h"
#include "surface/http/wire/http_message.h"

namespace alfred::http {

struct GateOptions {
  std::string token{};               // empty: none is asked for
  std::vector<std::string> hosts{};  // "127.0.0.1:8177", in any case
};

// An error with the status that it goes out with.
struct Rejection {
  int status = 400;
  Error error{};
};

class Gate {
 public:
  explicit Gate(GateOptions options);

  // R1, R2.
  std::optional<Rejection> check_origin(const HttpRequest& request) const;
  // R3.
  std::optional<Rejection> check_token(const HttpRequest& request) const;
  // R4.
  static std::optional<Rejection> check_type(const HttpRequest& request);

 private:
  bool is_own_host(std::string_view host) const;

  GateOptions options_;
};

// The names of a server on this address and port: with its loopback names where it is one.
std::vector<std::string> own_hosts(std::string_view address, std::uint16_t port);
bool is_loopback(std::string_view address);

}  // namespace alfred::http
