// Stands between a client and the PostgreSQL for tests, and cuts the connection: at a COMMIT, or at
// any message that a client sends.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "storage/postgres/postgres_server_for_tests.h"

namespace alfred {

class CuttingProxy {
 public:
  enum class Cut {
    none,
    before,  // the COMMIT never reaches the server
    after,   // the server has committed, its answer never reaches the client
    late,    // the client is cut first, the COMMIT reaches the server a moment later
  };

  explicit CuttingProxy(const PostgresForTests& server) : server_(server) {
    dir_ = PostgresForTests::new_folder("apx");
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(dir_);
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, 8) != 0)
      throw std::runtime_error("cannot listen in " + dir_);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy() {
    is_over_ = true;
    acceptor_.join();
    for (std::thread& one : relays_) one.join();
    ::close(listener_);
    std::filesystem::remove_all(dir_);
  }

  // The way to a database of the server through this.
  std::string through(std::string url) const {
    const std::size_t at = url.find(server_.directory());
    return url.replace(at, server_.directory().size(), dir_);
  }
  void cut_next(Cut cut) { cut_ = cut; }
  int cuts() const { return cuts_; }
  // At the n-th message of clients from now, counted over all connections; before or after it
  // reached the server. `stays`: nothing passes from then on, until this is called again.
  void cut_at(long nth, Cut cut, bool stays = false) {
    const std::scoped_lock lock(mutex_);
    message_cut_ = {nth, cut, stays};
    is_closed_ = false;
  }
  long messages() const { return messages_; }

 private:
  static sockaddr_un address_of(const std::string& dir) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = dir + "/.s.PGSQL.5432";
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
  }

  static bool is_readable(int one) {
    pollfd wait{one, POLLIN, 0};
    return ::poll(&wait, 1, 20) > 0;
  }

  void accept_all() {
    while (!is_over_) {
      if (!is_readable(listener_)) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0 && is_closed_) {
        ::close(client);
        continue;
      }
      if (client >= 0) relays_.emplace_back([this, client] { relay(client); });
    }
  }

  static bool pass(int to, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void relay(int client) {
    const int backend = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = address_of(server_.directory());
    if (::connect(backend, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      for (std::string held; !is_over_ && !is_closed_ && step({client, backend}, held);) {
      }
    ::close(client);
    ::close(backend);
  }

  // The first whole message of the protocol, taken off; empty: there is none yet. Only the first of
  // a connection has no letter in front of its length.
  static std::string take_message(std::string& held) {
    const std::size_t letter = held.empty() || held[0] == '\0' ? 0 : 1;
    if (held.size() < letter + 4) return {};
    std::size_t size = letter;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length = length * 256 + static_cast<unsigned char>(held[letter + i]);
    size += length;
    if (held.size() < size) return {};
    std::string message = held.substr(0, size);
    held.erase(0, size);
    return message;
  }

  // Passes what clients sent, a message at a time. False when the connection is to end.
  bool pass_messages(std::array<int, 2> ends, std::string& held) {
    for (std::string message = take_message(held); !message.empty(); message = take_message(held)) {
      ++messages_;
      const Cut cut = cut_of_message();
      if (cut != Cut::none) return cut_now(cut, ends, message);
      if (!pass(ends[1], message)) return false;
    }
    return true;
  }

  Cut cut_of_message() {
    const std::scoped_lock lock(mutex_);
    if (message_cut_.left <= 0 || --message_cut_.left > 0) return Cut::none;
    is_closed_ = message_cut_.stays;
    return message_cut_.cut;
  }

  // False when the connection is to end.
  bool step(std::array<int, 2> ends, std::string& held) {
    const auto [client, backend] = ends;
    std::array<pollfd, 2> wait{pollfd{client, POLLIN, 0}, pollfd{backend, POLLIN, 0}};
    if (::poll(wait.data(), wait.size(), 20) <= 0) return true;
    std::array<char, 65536> buffer;
    if (wait[0].revents != 0) {
      const ssize_t count = ::read(client, buffer.data(), buffer.size());
      if (count <= 0) return false;
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
      const bool is_commit = bytes.find("COMMIT") != std::string_view::npos;
      const Cut cut = is_commit ? cut_.exchange(Cut::none) : Cut::none;
      if (cut != Cut::none) return cut_now(cut, {client, backend}, bytes);
      held += bytes;
      if (!pass_messages(ends, held)) return false;
    }
    if (wait[1].revents != 0) {
      const ssize_t count = ::read(backend, buffer.data(), buffer.size());
      if (count <= 0) return false;
      if (!pass(client, {buffer.data(), static_cast<std::size_t>(count)})) return false;
    }
    return true;
  }

  bool cut_now(Cut cut, std::array<int, 2> ends, std::string_view bytes) {
    ++cuts_;
    if (cut == Cut::late) {
      ::shutdown(ends[0], SHUT_RDWR);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (cut != Cut::before) {
      pass(ends[1], bytes);
      is_readable(ends[1]);
    }
    return false;
  }

  const PostgresForTests& server_;
  std::string dir_;
  int listener_ = -1;
  std::atomic<bool> is_over_ = false;
  std::atomic<Cut> cut_ = Cut::none;
  std::atomic<int> cuts_ = 0;
  struct MessageCut {
    long left = -1;
    Cut cut = Cut::none;
    bool stays = false;
  };
  MessageCut message_cut_;
  std::mutex mutex_;
  std::atomic<long> messages_ = 0;
  std::atomic<bool> is_closed_ = false;
  std::thread acceptor_;
  std::vector<std::thread> relays_;
};

}  // namespace alfred
