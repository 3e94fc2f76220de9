#include "surface/http/wire/worker_pool.h"

#include "base/kept_moment.h"

namespace alfred::http {

WorkerPool::WorkerPool(std::size_t threads) : work_(static_cast<int>(threads)) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
  } catch (...) {
    end();
    throw;
  }
}

void WorkerPool::work() {
  while (!work_.stopped()) {
    if (work_.poll_one() != 0) continue;
    end_kept_moment();
    if (work_.run_one() == 0) return;
  }
}

void WorkerPool::end() {
  work_.stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace alfred::http
