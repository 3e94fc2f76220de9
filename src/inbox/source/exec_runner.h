// ExecRunner: runs the programs of exec sources. A program prints an event a line, as an append
// takes it.
//
// R1 a program that ends is started again after 1, 2, 4 … 60 s; one that ran for a minute begins anew with 1.
// R2 an event counts when its append is durable; the program waits in its pipe meanwhile, so nothing it printed is
//    lost while it runs. What it prints again is deduped.
// R3 a line that is no event is told and skipped.
// R4 a source that nobody subscribes to is idle: after its grace its program is stopped, until somebody does.
// R5 a source that is paused, changed or removed has its program stopped.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "inbox/inbox.h"

namespace alfred {

class ExecRunner {
 public:
  struct Options {
    std::int64_t idle_grace_ms = 600'000;
    std::int64_t first_wait_ms = 1'000;  // R1
    std::function<void(const Error&)> on_error{};
  };
  ExecRunner(Inbox& inbox, const Clock& clock, Options options);
  ExecRunner(const ExecRunner&) = delete;
  ExecRunner& operator=(const ExecRunner&) = delete;
  ~ExecRunner();  // stops all programs

 private:
  struct Run {
    std::string source;
    std::vector<std::string> command;
    std::int64_t changed_ms = 0;  // of the source: another one stops this run
    std::int64_t idle_since_ms = 0;
    std::atomic<bool> is_over{false};
    std::thread thread{};
  };

  void keep();
  void look();
  void run(Run& run);
  // One life of the program. False: it cannot be started.
  bool live(Run& run);
  void take(Run& run, const std::string& line);
  void told(ErrorCode code, const std::string& source, const std::string& what);

  Inbox& inbox_;
  const Clock& clock_;
  Options options_;
  std::atomic<bool> is_over_{false};
  std::map<std::string, std::unique_ptr<Run>> runs_;
  std::thread thread_;
};

}  // namespace alfred
