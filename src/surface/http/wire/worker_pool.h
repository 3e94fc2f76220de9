// WorkerPool: threads for what takes longer than reading and writing.
//
// R1 where the system gives no more threads the constructor throws and leaves none behind (F12). Boost's own pool waits for
//    ever then, for the threads that it got.
// R2 what has not begun when it goes is dropped; what has is waited for.
// R3 a thread that has nothing to do keeps nothing open (base/kept_moment.h).
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace alfred::http {

class WorkerPool {
 public:
  using Executor = boost::asio::io_context::executor_type;

  explicit WorkerPool(std::size_t threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { end(); }

  Executor executor() { return work_.get_executor(); }

 private:
  void work();  // of one thread
  void end();

  boost::asio::io_context work_;
  boost::asio::executor_work_guard<Executor> is_needed_{work_.get_executor()};
  std::vector<std::thread> threads_;
};

}  // namespace alfred::http
