// conformance_server: ConformanceFeatures over HTTP on a free port of loopback, which it prints.
// For tests: one thread a connection, until its input ends. The parts that are looked at are the
// endpoint and the HTTP adapter.
#include <atomic>
#include <condition_variable>
#include <iostream>
#include <thread>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "base/time/clock.h"
#include "conformance_features.h"
#include "surface/mcp/transport/http.h"

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using alfred::mcp::EventStream;
using alfred::mcp::HttpAnswer;
using alfred::mcp::HttpAsk;
using alfred::mcp::McpHttp;
using Socket = asio::ip::tcp::socket;

bool is_loopback(std::string_view host) {
  if (const std::size_t slashes = host.find("://"); slashes != std::string_view::npos)
    host.remove_prefix(slashes + 3);
  host = host.substr(0, host.rfind(':'));
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

HttpAnswer answer_of(McpHttp& mcp, const http::request<http::string_body>& request) {
  const std::string method(request.method_string());
  alfred::mcp::HttpHeaders headers;
  for (const auto& field : request)
    headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  const HttpAsk ask{.method = method, .headers = headers, .body = request.body()};
  if (!is_loopback(std::string(request[http::field::host])) ||
      (request.count(http::field::origin) > 0 &&
       !is_loopback(std::string(request[http::field::origin]))))
    return {.status = 403, .body = "{}"};
  return mcp.answer(ask);
}

template <class Body>
void fill_head(http::response<Body>& response, const HttpAnswer& answer) {
  response.result(static_cast<unsigned>(answer.status));
  for (const auto& [name, value] : answer.headers) response.insert(name, value);
}

// Writes events until the stream is finished or the client is gone.
void write_stream(McpHttp& mcp, Socket& socket, const HttpAnswer& answer) {
  http::response<http::empty_body> head;
  fill_head(head, answer);
  head.set(http::field::connection, "close");
  http::response_serializer<http::empty_body> serializer(head);
  boost::system::error_code error;
  http::write_header(socket, serializer, error);
  std::mutex mutex;
  std::condition_variable changed;
  answer.stream->on_change([&] {
    const std::lock_guard lock(mutex);
    changed.notify_all();
  });
  while (!error) {
    const bool was_finished = answer.stream->is_finished();
    const std::string events = answer.stream->take();
    if (!events.empty()) asio::write(socket, asio::buffer(events), error);
    if (was_finished) break;
    if (events.empty()) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::milliseconds(20));
      // A client that is gone reads as an end.
      socket.non_blocking(true);
      char byte = 0;
      boost::system::error_code gone;
      socket.receive(asio::buffer(&byte, 1), Socket::message_peek, gone);
      socket.non_blocking(false);
      if (gone && gone != asio::error::would_block) break;
    }
  }
  answer.stream->on_change({});
  mcp.closed(answer.stream);
}

void serve(McpHttp& mcp, Socket socket) {
  boost::beast::flat_buffer buffer;
  boost::system::error_code error;
  for (;;) {
    http::request<http::string_body> request;
    http::read(socket, buffer, request, error);
    if (error) return;
    const HttpAnswer answer = answer_of(mcp, request);
    if (answer.work) std::thread(answer.work).detach();
    if (answer.stream) return write_stream(mcp, socket, answer);
    http::response<http::string_body> response;
    fill_head(response, answer);
    response.body() = answer.body;
    response.keep_alive(request.keep_alive());
    response.prepare_payload();
    http::write(socket, response, error);
    if (error || !request.keep_alive()) return;
  }
}

}  // namespace

int main() {
  const alfred::SystemClock clock;
  alfred::OsRandom random;
  alfred::mcp::ConformanceFeatures features;
  alfred::mcp::McpEndpoint endpoint(features, clock, random);
  McpHttp mcp(endpoint, random);
  asio::io_context context;
  asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  std::cout << acceptor.local_endpoint().port() << std::endl;
  std::thread([&] {
    for (;;) std::thread(serve, std::ref(mcp), acceptor.accept()).detach();
  }).detach();
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  std::cout.flush();
  std::_Exit(0);  // connections may still be open
}
