// A small loopback load tool: so many connections, each sends the next request as soon as its
// answer is there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace alfred::bench {

struct LoadOptions {
  std::uint16_t port = 0;
  std::string request{};  // all its bytes, the same ones each time
  // Or: what a connection sends after this answer (empty: its first), all its bytes.
  std::function<std::string(std::size_t connection, const std::string& answer)> next{};
  int round = 1;  // so many requests of a connection are one piece of work
  int connections = 32;
  int warm_ms = 500;
  int run_ms = 3000;
};

struct LoadResult {  // of pieces of work
  double per_second = 0;
  double p50_us = 0;
  double p99_us = 0;
  std::string problem{};  // empty: every answer was 200
};

LoadResult run_load(const LoadOptions& options);
// One request and the body of its answer; empty: it failed.
std::string ask_once(std::uint16_t port, const std::string& request, std::string* head = nullptr);
std::string get_request(const std::string& path);
std::string post_request(const std::string& path, const std::string& headers,
                         const std::string& body);

}  // namespace alfred::bench
