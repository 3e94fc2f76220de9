#include "surface/http/wire/server.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <list>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "surface/http/wire/connection.h"

namespace alfred::http {
namespace {

using asio::ip::tcp;
using Local = asio::local::stream_protocol;
using Connections = std::list<std::weak_ptr<Connection>>;

Unexpected cannot_listen(const std::string& where, const boost::system::error_code& error) {
  return fail(
      ErrorCode::file,
      fmt::format("{} cannot be listened on: {}. Choose another one.", where, error.message()),
      where);
}

// A socket file that nobody listens on any more is taken over; one that somebody does is not.
Result<void> clear_socket_file(const std::string& path, asio::io_context& io) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  boost::system::error_code error;
  Local::socket probe(io);
  if (!S_ISSOCK(found.st_mode) || !probe.connect(Local::endpoint(path), error).failed())
    return cannot_listen(path,
                         boost::system::errc::make_error_code(boost::system::errc::address_in_use));
  ::unlink(path.c_str());
  return {};
}

// A program that is started (an exec source) must not hold a door of ours open when we are gone.
void keep_from_children(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace

struct Server::Parts {
  ServerOptions options;
  Workplace place;
  std::optional<tcp::acceptor> tcp_door;
  std::optional<Local::acceptor> local_door;
  Connections connections;
  Moment drained_by = Moment::max();
  bool is_drained = false;
  bool is_last_call = false;

  Parts(const ServerOptions& wanted, HttpHandler& handler)
      : options(wanted), place(handler, wanted.limits) {}
  Result<void> listen_tcp();
  Result<void> listen_local();
  template <class Door>
  asio::awaitable<void> accept(Door& door);
  void welcome(Connection::Socket socket, Connection::Peer peer);
  bool makes_room(const std::string& address);
  asio::awaitable<void> tick();
  void close_late(Moment now);
  void begin_drain();
  void call_last();
};

Result<void> Server::Parts::listen_tcp() {
  if (options.address.empty()) return {};
  const std::string where = fmt::format("{}:{}", options.address, options.port);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) return cannot_listen(where, error);
  const tcp::endpoint endpoint(address, options.port);
  tcp_door.emplace(place.io());
  if (tcp_door->open(endpoint.protocol(), error).failed()) return cannot_listen(where, error);
  keep_from_children(tcp_door->native_handle());
  tcp_door->set_option(asio::socket_base::reuse_address(true), error);
  if (tcp_door->bind(endpoint, error).failed()) return cannot_listen(where, error);
  if (tcp_door->listen(asio::socket_base::max_listen_connections, error).failed())
    return cannot_listen(where, error);
  return {};
}

Result<void> Server::Parts::listen_local() {
  const std::string& path = options.socket_path;
  if (path.empty()) return {};
  if (path.size() > 100)
    return fail(ErrorCode::file, "The path of a socket has at most 100 bytes.", path);
  if (Result<void> cleared = clear_socket_file(path, place.io()); !cleared) return cleared;
  boost::system::error_code error;
  local_door.emplace(place.io());
  if (local_door->open(Local(), error).failed()) return cannot_listen(path, error);
  keep_from_children(local_door->native_handle());
  // For its owner only, from the moment it is there.
  const mode_t before = ::umask(0177);
  local_door->bind(Local::endpoint(path), error);
  ::umask(before);
  if (error) return cannot_listen(path, error);
  if (local_door->listen(asio::socket_base::max_listen_connections, error).failed())
    return cannot_listen(path, error);
  return {};
}

// At the bound the connection that has waited longest without a whole request goes (R3).
bool Server::Parts::makes_room(const std::string& address) {
  std::erase_if(connections, [](const auto& one) { return one.expired(); });
  const auto live = static_cast<std::size_t>(
      std::count_if(connections.begin(), connections.end(), [&](const auto& one) {
        const auto connection = one.lock();
        return connection && !address.empty() && connection->peer().address == address;
      }));
  if (live >= place.limits.connections_of_one) return false;
  if (connections.size() < place.limits.connections) return true;
  std::shared_ptr<Connection> oldest;
  for (const auto& one : connections) {
    const auto connection = one.lock();
    if (connection && connection->is_waiting() &&
        (!oldest || connection->since() < oldest->since()))
      oldest = connection;
  }
  if (!oldest) return false;
  oldest->close();
  connections.remove_if([&](const auto& one) { return one.lock() == oldest; });
  return true;
}

void Server::Parts::welcome(Connection::Socket socket, Connection::Peer peer) {
  if (!makes_room(peer.address)) {
    ++place.refused;
    static constexpr std::string_view kFull =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
        "Connection: close\r\n\r\n";
    boost::system::error_code none;
    socket.non_blocking(true, none);
    socket.send(asio::buffer(kFull), 0, none);
    return;
  }
  const auto connection = std::make_shared<Connection>(place, std::move(socket), std::move(peer));
  connections.push_back(connection);
  ++place.connections;
  auto life = [](std::shared_ptr<Connection> mine, Workplace& where) -> asio::awaitable<void> {
    co_await mine->run();
    --where.connections;
  };
  asio::co_spawn(place.io(), life(connection, place), asio::detached);
}

template <class Door>
asio::awaitable<void> Server::Parts::accept(Door& door) {
  while (door.is_open()) {
    auto [error, socket] = co_await door.async_accept(asio::as_tuple(asio::use_awaitable));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // no descriptors left (F12): a moment later there may be
      asio::steady_timer pause(place.io(), std::chrono::milliseconds(50));
      co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
      continue;
    }
    keep_from_children(socket.native_handle());
    Connection::Peer peer;
    if constexpr (std::is_same_v<Door, tcp::acceptor>) {
      boost::system::error_code none;
      socket.set_option(tcp::no_delay(true), none);
      const auto address = socket.remote_endpoint(none).address();
      if (!address.is_loopback()) peer.address = address.to_string(none);
    } else {
      peer.is_socket_file = true;
    }
    welcome(Connection::Socket(std::move(socket)), std::move(peer));
  }
}

void Server::Parts::close_late(Moment now) {
  for (const auto& one : connections) {
    const auto connection = one.lock();
    if (!connection) continue;
    const bool is_late = connection->is_late(now);
    if (is_late) ++place.timed_out;
    connection->look_for_end();
    if (is_late || (place.is_draining && connection->is_idle())) connection->close();
  }
  std::erase_if(connections, [](const auto& one) { return one.expired(); });
}

void Server::Parts::begin_drain() {
  boost::system::error_code none;
  place.is_draining = true;
  drained_by = std::chrono::steady_clock::now() + std::chrono::milliseconds(place.limits.drain_ms);
  if (tcp_door) tcp_door->close(none);
  if (local_door) {
    local_door->close(none);
    ::unlink(options.socket_path.c_str());
  }
  asio::post(place.brief.executor(),
             [this, counted = std::make_shared<Counted>(place.working)] { place.handler.drain(); });
}

void Server::Parts::call_last() {
  is_last_call = true;
  asio::post(place.brief.executor(), [this, counted = std::make_shared<Counted>(place.working)] {
    place.handler.last_call();
  });
}

asio::awaitable<void> Server::Parts::tick() {
  asio::steady_timer timer(place.io());
  while (true) {
    timer.expires_after(std::chrono::milliseconds(place.limits.tick_ms));
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    if (!place.is_draining && options.is_end_wanted && options.is_end_wanted()) begin_drain();
    const Moment now = std::chrono::steady_clock::now();
    const auto last_word = std::chrono::milliseconds(place.limits.last_word_ms);
    if (place.is_draining && !is_last_call && now >= drained_by - last_word) call_last();
    close_late(now);
    is_drained = place.is_draining && place.connections == 0 && place.working == 0;
    if (is_drained || now >= drained_by) break;
  }
  place.loop.stop();
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(const ServerOptions& options, HttpHandler& handler) {
  try {
    auto parts = std::make_unique<Parts>(options, handler);
    if (Result<void> tcp = parts->listen_tcp(); !tcp) return Unexpected(std::move(tcp).error());
    if (Result<void> local = parts->listen_local(); !local)
      return Unexpected(std::move(local).error());
    return std::unique_ptr<Server>(new Server(std::move(parts)));
  } catch (const std::system_error& error) {  // threads need memory too
    return fail(
        ErrorCode::file,
        fmt::format("The server cannot start: the system gives it no more threads ({}). Raise "
                    "the limits of processes and memory (ulimit -u, ulimit -v).",
                    error.code().message()));
  } catch (const std::exception& error) {  // no descriptors
    return fail(ErrorCode::file, fmt::format("The server cannot start: {}.", error.what()));
  }
}

std::uint16_t Server::port() const {
  boost::system::error_code none;
  return parts_->tcp_door ? parts_->tcp_door->local_endpoint(none).port() : std::uint16_t{0};
}

ServerCounts Server::counts() const {
  const Workplace& place = parts_->place;
  return {place.connections, place.working, place.refused, place.timed_out};
}

bool Server::run() {
  Parts& parts = *parts_;
  if (parts.tcp_door)
    asio::co_spawn(parts.place.io(), parts.accept(*parts.tcp_door), asio::detached);
  if (parts.local_door)
    asio::co_spawn(parts.place.io(), parts.accept(*parts.local_door), asio::detached);
  asio::co_spawn(parts.place.io(), parts.tick(), asio::detached);
  parts.place.loop.run();
  return parts.is_drained;
}

}  // namespace alfred::http
