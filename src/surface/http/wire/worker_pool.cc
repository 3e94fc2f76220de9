#include "surface/http/wire/worker_pool.h"

namespace alfred::http {

WorkerPool::WorkerPool(std::size_t threads) : work_(static_cast<int>(threads)) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { work_.run(); });
  } catch (...) {
    end();
    throw;
  }
}

void WorkerPool::end() {
  work_.stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace alfred::http
