// One recording for all sessions of a server: each session plays it for itself, turn after turn as
// it was recorded.
//
// R1 a turn begins with the next answer of Understand; what a turn before it left over is passed by.
// R2 a turn that goes on later goes on with what it left.
// R3 where no turn is left, and when the server was started anew, it plays from the beginning.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interpreter/recorded/recorded_answers.h"

namespace alfred::cli {

class SessionRecordings {
 public:
  explicit SessionRecordings(std::string path) : path_(std::move(path)) {}

  // For one run of a turn; a session has one at a time. It must not outlive this.
  Result<std::shared_ptr<Interpreter>> open(const std::string& session,
                                            const std::atomic<bool>* is_cancelled);
  // What the session has not played yet is as a run of it left it.
  void keep(const std::string& session, std::vector<RecordedAnswer> left);

 private:
  std::string path_;
  std::mutex mutex_;
  std::map<std::string, std::vector<RecordedAnswer>> left_;
};

}  // namespace alfred::cli
