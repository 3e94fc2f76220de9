// Connections to one database, lent to one transaction at a time.
//
// R1 at most `size` are open; who waits longer than the busy time is told `busy`.
// R2 one that lost its server is dropped, and with it all that lie idle: they lost the same server.
// R3 a server that is starting or away is tried again until the busy time is over.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "alfred/error.h"
#include "storage/postgres/pg_session.h"

namespace alfred {

class PgPool;

// Gives its connection back when it ends.
class PgLease {
 public:
  PgLease(PgPool* pool, std::unique_ptr<PgSession> session);
  PgLease(PgLease&& other) noexcept;
  PgLease& operator=(PgLease&&) = delete;
  ~PgLease();

  PgSession& session() { return *session_; }
  // Another connection in the place of one that is lost.
  Result<void> renew();
  void drop();  // it is not used again

 private:
  PgPool* pool_;
  std::unique_ptr<PgSession> session_;
  bool is_dropped_ = false;
};

class PgPool {
 public:
  struct Options {
    std::string url;
    std::string identity;
    std::size_t size = 4;
    int busy_timeout_ms = 5000;
  };
  explicit PgPool(Options options) : options_(std::move(options)) {}

  Result<PgLease> lend();
  // One that is no part of the pool; not tried twice.
  Result<std::unique_ptr<PgSession>> connect_once() const;
  const Options& options() const { return options_; }

 private:
  friend class PgLease;
  Result<std::unique_ptr<PgSession>> connect() const;
  void take_back(std::unique_ptr<PgSession> session);
  void forget_idle();

  const Options options_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<PgSession>> idle_;
  std::size_t lent_ = 0;
};

}  // namespace alfred
