// RelayLoop: the loop of a server, which one thread at a time runs. What may take long can be done
// right there, in the middle of the loop, and costs nobody a change of threads; if it does take
// long, a second thread goes on with the loop.
//
// R1 what is posted to io() runs one after the other, whichever of the two threads it is on.
// R2 who does something aside is told whether its thread runs the loop still. If not, it may touch nothing of the loop's
//    any more, and posts what is left to do.
// R3 work that still goes on after twice kPatience has lost the loop to the other thread.
// R4 the other thread looks every kPatience while there is such work, and sleeps when there has been none for a while.
// R5 who has done something aside looks for what comes next for kLooksOn before it sleeps, and lets others run meanwhile: a
//    client that asks again as soon as it is answered finds it awake.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace alfred::http {

class RelayLoop {
 public:
  static constexpr std::chrono::milliseconds kPatience{1};
  static constexpr std::chrono::microseconds kLooksOn{30};

  // Throws std::system_error where the system gives no threads, and leaves none behind (F12).
  RelayLoop();
  RelayLoop(const RelayLoop&) = delete;
  RelayLoop& operator=(const RelayLoop&) = delete;
  ~RelayLoop() { end(); }

  boost::asio::io_context& io() { return io_; }
  // Returns when io() was stopped, whatever is still being done aside. What is thrown in the loop
  // stops it and comes out here.
  void run();
  void stop();
  void end();  // stops, and waits for what is being done aside
  // By what io() runs. The work throws nothing. False: this thread runs the loop no longer (R2).
  bool aside(const std::function<void()>& work);

 private:
  // Who runs the loop, whether it does something aside, and how often that was so: one number, so
  // that only one can change it.
  using State = std::uint64_t;
  static constexpr State kRunner = 1;
  static constexpr State kAside = 2;
  static constexpr State kStep = 4;

  void relay(State self);  // of one thread
  void run_loop(State self);
  bool finds_more();
  bool take_over(State self);
  bool sleep_until_aside();
  bool look_on(State self);
  void wake_watcher();

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> is_needed_{
      io_.get_executor()};
  std::atomic<State> state_{0};
  std::atomic<bool> is_watched_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_started_ = false;
  bool is_over_ = false;
  std::exception_ptr thrown_;
  std::vector<std::thread> threads_;
};

}  // namespace alfred::http
