// Which columns a constraint is about, and what a check says: PostgreSQL names the constraint only.
// Read on a connection of its own, because the one that met the error can read nothing until it is
// rolled back; kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "storage/postgres/pg_pool.h"

namespace alfred {

class PgConstraints {
 public:
  explicit PgConstraints(const PgPool& pool) : pool_(pool) {}
  // Empty where nothing is known.
  std::vector<std::string> columns_of(const PgFault& fault);
  std::string rule_of(const PgFault& fault);  // of a check
  // Whether none that may be deferred is immediate unless somebody says so; looked at once.
  enum class Deferred : std::uint8_t { unknown, all, not_all };
  Deferred deferred() const { return deferred_.load(std::memory_order_relaxed); }
  void learn(Deferred deferred) { deferred_.store(deferred, std::memory_order_relaxed); }

 private:
  struct Constraint {
    std::vector<std::string> columns{};
    std::string rule{};
  };
  using Name = std::tuple<std::string, std::string, std::string>;  // schema, table, constraint
  void load();
  Constraint find(const PgFault& fault);

  const PgPool& pool_;
  std::mutex mutex_;
  std::map<Name, Constraint> known_;
  std::atomic<Deferred> deferred_ = Deferred::unknown;
};

}  // namespace alfred
